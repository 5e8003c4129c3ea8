/** Reads a vCard as a contact of the API. Pure. */
import type { Contact } from '@waypost/contract'
import type { ContentLine } from '../icalendar/content-lines.ts'
import { readBirthday } from './birthday.ts'
import { labelWord } from './kinds.ts'
import { typesOf, writtenValue } from './lines.ts'
import { readEntries } from './lists.ts'
import { readNames, titledName } from './names.ts'
import { partsOf, textsOf, unescapeText } from './values.ts'
import type { VCard } from './vcard.ts'

/** The content of a card in the fields of a contact. */
export type CardContact = Omit<Contact, 'id' | 'grant_id' | 'object' | 'source' | 'groups' | 'picture_url' | 'picture'>

/** Properties that programs use for the office, for which no version has a standard property. */
export const officeNames = ['X-EVOLUTION-OFFICE', 'X-KADDRESSBOOK-X-OFFICE', 'X-OFFICE'] as const
const managerNames = ['X-EVOLUTION-MANAGER', 'X-KADDRESSBOOK-X-MANAGERSNAME', 'X-MANAGER'] as const

const isManager = (card: VCard, line: ContentLine): boolean => {
  if (line.name === 'X-ABRELATEDNAMES') {
    const words = [...typesOf(line), labelWord(card.label(line) ?? '')]
    return words.some((word) => word.toLowerCase() === 'manager')
  }
  if (line.name === 'RELATED') {
    const isText = line.parameter('VALUE')?.toLowerCase() === 'text'
    return isText && typesOf(line).some((type) => /^(?:x-)?manager$/i.test(type))
  }
  return managerNames.some((name) => name === line.name)
}

/** The lines that name the manager of a person. */
export const managerLines = (card: VCard): ContentLine[] => card.lines.filter((line) => isManager(card, line))

export function birthdayOf(card: VCard): string | null {
  for (const line of card.named('BDAY')) {
    if (line.parameter('VALUE')?.toLowerCase() === 'text') continue
    const birthday = readBirthday(unescapeText(writtenValue(line)), line.parameter('X-APPLE-OMIT-YEAR'))
    if (birthday !== undefined) return birthday
  }
  return null
}

export const companyOf = (card: VCard): string | null => {
  const line = card.first('ORG')
  return (line && partsOf(writtenValue(line), { joint: ', ', version: card.version })[0]) || null
}

const firstText = (card: VCard, names: readonly string[]): string | null => {
  for (const name of names) {
    const text = card.text(name)
    if (text !== undefined) return text
  }
  return null
}

/** The display name of a contact without a name. */
export const nameInstead = ({ company_name, emails, phone_numbers, nickname }: Partial<CardContact>): string =>
  company_name || nickname || emails?.[0]?.email || phone_numbers?.[0]?.number || ''

export function contactOf(card: VCard): CardContact {
  const names = readNames(card)
  const nickname = card.first('NICKNAME')
  const manager = managerLines(card)
    .map((line) => unescapeText(writtenValue(line)).trim())
    .find((text) => text !== '')
  const contact = {
    ...names,
    nickname: (nickname && textsOf(writtenValue(nickname)).join(', ')) || null,
    birthday: birthdayOf(card),
    company_name: companyOf(card),
    job_title: card.text('TITLE') ?? null,
    manager_name: manager ?? null,
    office_location: firstText(card, officeNames),
    notes: card.text('NOTE') ?? null,
    emails: valuesOf(card, 'emails'),
    phone_numbers: valuesOf(card, 'phone_numbers'),
    im_addresses: valuesOf(card, 'im_addresses'),
    physical_addresses: valuesOf(card, 'physical_addresses'),
    web_pages: valuesOf(card, 'web_pages'),
  }
  return { display_name: card.text('FN') ?? (titledName(card, names) || nameInstead(contact)), ...contact }
}

const valuesOf = <L extends Parameters<typeof readEntries>[1]>(card: VCard, name: L) =>
  readEntries(card, name).map(({ value }) => value)

/** The names of the groups that a card lists itself. */
export const categoriesOf = (card: VCard): string[] => [
  ...new Set(card.named('CATEGORIES').flatMap((line) => textsOf(writtenValue(line)))),
]

/** The key by which other cards refer to a card. Programs write UIDs with and without `urn:uuid:`. */
export const uidKey = (uid: string): string =>
  uid
    .trim()
    .replace(/^urn:uuid:/i, '')
    .toLowerCase()
export const uidOf = (card: VCard): string | undefined => card.text('UID')
