/**
 * The lists of a contact in a vCard: mail addresses, telephone numbers, messengers, postal addresses, pages. Each
 * value is one line, or a pair of lines with the same meaning. Pure.
 */
import type { Contact } from '@waypost/contract'
import type { ContentLine, LineParameter } from '../icalendar/content-lines.ts'
import { imKey, isImProperty, readIm, writeIm } from './im.ts'
import { kindOf } from './kinds.ts'
import { parameterOf, typesOf, writtenValue } from './lines.ts'
import { escapeText, partsOf, unescapeText, withParts } from './values.ts'
import type { VCard } from './vcard.ts'

export type ListName = 'emails' | 'phone_numbers' | 'im_addresses' | 'physical_addresses' | 'web_pages'
export type ListValue<L extends ListName> = Contact[L][number]

/** How a card stores the values of a list. */
export interface ListForm<V> {
  isOf(name: string): boolean
  read(card: VCard, line: ContentLine): V | undefined
  /** Whether two values are equal, ignoring their purpose. */
  isSame(one: V, other: V): boolean
  /** The line of a value without its purpose; `before` is the line that it replaces. */
  write(value: V, version: string, before?: ContentLine): { name: string; parameters?: LineParameter[]; value: string }
  /** Whether TYPE contains the purpose. For a messenger, the type is the name of its service. */
  hasKind: boolean
}

const kindIn = (card: VCard, line: ContentLine): { type?: string } => {
  const kind = kindOf(typesOf(line), card.label(line))
  return kind === undefined ? {} : { type: kind }
}

const textOf = (line: ContentLine): string => unescapeText(writtenValue(line)).trim()
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const emails: ListForm<ListValue<'emails'>> = {
  isOf: (name) => name === 'EMAIL',
  read(card, line) {
    const email = textOf(line).replace(/^mailto:/i, '')
    return email === '' ? undefined : { email, ...kindIn(card, line) }
  },
  isSame: (one, other) => one.email === other.email,
  write: ({ email }, version) => ({ name: 'EMAIL', value: escapeText(email, version) }),
  hasKind: true,
}

const phones: ListForm<ListValue<'phone_numbers'>> = {
  isOf: (name) => name === 'TEL',
  read(card, line) {
    const text = textOf(line)
    const number = /^tel:/i.test(text) ? decoded(text.slice(4)) : text
    return number === '' ? undefined : { number, ...kindIn(card, line) }
  },
  isSame: (one, other) => one.number === other.number,
  write: ({ number }, version) => ({ name: 'TEL', value: escapeText(number, version) }),
  hasKind: true,
}

const pages: ListForm<ListValue<'web_pages'>> = {
  isOf: (name) => name === 'URL',
  read(card, line) {
    const url = textOf(line)
    return url === '' ? undefined : { url, ...kindIn(card, line) }
  },
  isSame: (one, other) => one.url === other.url,
  // An address is a URI, in which commas and semicolons are not escaped.
  write: ({ url }) => ({ name: 'URL', value: url.replace(/\\/g, '%5C').replace(/[\r\n]+/g, '') }),
  hasKind: true,
}

// Postal addresses in vCards: seven parts (RFC 6350 §6.3.1). The API returns street, extended address and post office
// box as the lines of one field. Pure.

export interface PostalAddress {
  street_address?: string | null | undefined
  city?: string | null | undefined
  state?: string | null | undefined
  postal_code?: string | null | undefined
  country?: string | null | undefined
}

/** The index of each field within the value. */
const places = { city: 3, state: 4, postal_code: 5, country: 6 } as const
type Field = keyof typeof places
const fields = Object.keys(places) as Field[]

/** The address in a value, or undefined if all parts are empty. */
export function readAddress(value: string, version: string): PostalAddress | undefined {
  const [box, extended, street, city, state, code, country] = partsOf(value, { joint: ', ', version })
  const lines = [street, extended, box].filter((line) => line)
  if (lines.length === 0 && !city && !state && !code && !country) return undefined
  return {
    street_address: lines.join('\n') || null,
    city: city || null,
    state: state || null,
    postal_code: code || null,
    country: country || null,
  }
}

const isSame = (one: string | null | undefined, other: string | null | undefined): boolean =>
  (one || '') === (other || '')

export const isSameAddress = (one: PostalAddress, other: PostalAddress): boolean =>
  isSame(one.street_address, other.street_address) && fields.every((field) => isSame(one[field], other[field]))

/** The value of an address, based on the former value: unchanged parts stay as they are written. */
export function writeAddress(wanted: PostalAddress, version: string, before = ';;;;;;'): string {
  const known = readAddress(before, version) ?? {}
  const parts: Record<number, string> = {}
  if (!isSame(wanted.street_address, known.street_address)) {
    Object.assign(parts, { 0: '', 1: '', 2: wanted.street_address ?? '' })
  }
  for (const field of fields) if (!isSame(wanted[field], known[field])) parts[places[field]] = wanted[field] ?? ''
  return withParts(before, parts, version)
}

const addresses: ListForm<ListValue<'physical_addresses'>> = {
  isOf: (name) => name === 'ADR',
  read(card, line) {
    const address = readAddress(writtenValue(line), card.version)
    return address && { type: kindIn(card, line).type ?? 'other', ...address }
  },
  isSame: isSameAddress,
  write: (address, version, before) => ({
    name: 'ADR',
    value: writeAddress(address, version, before && writtenValue(before)),
  }),
  hasKind: true,
}

const messengers: ListForm<ListValue<'im_addresses'>> = {
  isOf: isImProperty,
  read: (_card, line) => readIm(line.name, textOf(line), line.parameter('X-SERVICE-TYPE')),
  isSame: (one, other) => one.im_address === other.im_address && (one.type ?? '') === (other.type ?? ''),
  write(address) {
    const { uri, service } = writeIm(address)
    return { name: 'IMPP', parameters: service ? [parameterOf('X-SERVICE-TYPE', service)] : [], value: uri }
  },
  hasKind: false,
}

export const listForms: { readonly [L in ListName]: ListForm<ListValue<L>> } = {
  emails,
  phone_numbers: phones,
  im_addresses: messengers,
  physical_addresses: addresses,
  web_pages: pages,
}
export const listNames = Object.keys(listForms) as ListName[]

/** The preference of a value, where 1 is highest (PREF in version 4, TYPE=pref before). */
export function preferenceOf(line: ContentLine): number {
  const said = Number.parseInt(line.parameter('PREF') ?? '', 10)
  if (said >= 1 && said <= 100) return said
  return typesOf(line).some((type) => type.toLowerCase() === 'pref') ? 1 : 101
}

/** A value of a list with its lines. */
export interface ListEntry<V> {
  value: V
  lines: ContentLine[]
}

/** The values of a list, preferred ones first. Lines with the same meaning are merged. */
export function readEntries<L extends ListName>(card: VCard, name: L): ListEntry<ListValue<L>>[] {
  const form: ListForm<ListValue<L>> = listForms[name]
  const entries: ListEntry<ListValue<L>>[] = []
  const byKey = new Map<string, ListEntry<ListValue<L>>>()
  for (const line of card.lines) {
    const value = form.isOf(line.name) ? form.read(card, line) : undefined
    if (value === undefined) continue
    const key = 'im_address' in value ? imKey({ ...value, type: value.type ?? '' }) : undefined
    const known = key === undefined ? undefined : byKey.get(key)
    if (known) known.lines.push(line)
    else {
      const entry = { value, lines: [line] }
      entries.push(entry)
      if (key !== undefined) byKey.set(key, entry)
    }
  }
  const preference = ({ lines }: ListEntry<ListValue<L>>): number => Math.min(...lines.map(preferenceOf))
  return entries.toSorted((one, other) => preference(one) - preference(other))
}
