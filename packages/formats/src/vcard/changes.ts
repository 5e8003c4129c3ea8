/**
 * Changes vCards as clients of the API request. Only lines with a changed value are written; everything that the API
 * has no field for stays as it is. Pure.
 */
import type { ContactChange } from '@waypost/contract'
import type { ContentLine } from '../icalendar/content-lines.ts'
import { writeBirthday } from './birthday.ts'
import { birthdayOf, categoriesOf, companyOf, contactOf, managerLines, nameInstead, officeNames } from './contact.ts'
import { parametersWithout, type Version, writtenValue } from './lines.ts'
import { changeList } from './list-changes.ts'
import { type ListName, type ListValue, listNames } from './lists.ts'
import { changeNames, setShownName, titledName } from './names.ts'
import { setPhoto } from './photo.ts'
import { escapeText, splitValue, textsOf, withParts } from './values.ts'
import { emptyVCard, type VCard } from './vcard.ts'

type Lists = { [L in ListName]?: readonly ListValue<L>[] | null | undefined }

/** A change of a card: the fields of a contact, its picture as a data: URI, and its categories. */
export interface CardChange
  extends Omit<ContactChange, ListName | 'groups' | 'display_name' | 'source' | 'picture_url'>,
    Lists {
  categories?: readonly string[] | undefined
}

/** Sets the text of the first of some properties, or removes all of them. */
function setText(card: VCard, names: readonly [string, ...string[]], text: string | null | undefined): void {
  if (text === undefined) return
  const wanted = (text ?? '').trim()
  const lines = card.lines.filter(({ name }) => names.includes(name))
  const shown = names.map((name) => card.text(name)).find((each) => each !== undefined)
  if (wanted === (shown ?? '')) return
  if (wanted === '') for (const line of lines) card.remove(line)
  else put(card, lines[0], { name: lines[0]?.name ?? names[0], value: escapeText(text ?? '', card.version) })
}

/** Replaces a line and keeps its parameters, or adds one at the end. */
function put(card: VCard, line: ContentLine | undefined, property: { name: string; value: string }): void {
  if (line) card.replace(line, { group: line.group, parameters: parametersWithout(line), ...property })
  else card.add(property)
}

/** Text lists always have the form of version 3; version 2.1 had none. */
const listVersion = '3.0'

function setNickname(card: VCard, text: string | null | undefined): void {
  const line = card.first('NICKNAME')
  const shown = line ? textsOf(writtenValue(line)).join(', ') : ''
  if (text === undefined || (text ?? '').trim() === shown) return
  if (text) put(card, line, { name: 'NICKNAME', value: escapeText(text, listVersion) })
  else for (const each of card.named('NICKNAME')) card.remove(each)
}

/** The departments stay when the company changes. */
function setCompany(card: VCard, text: string | null | undefined): void {
  if (text === undefined || (text ?? '').trim() === (companyOf(card) ?? '')) return
  const line = card.first('ORG')
  const value = withParts(line ? writtenValue(line) : '', { 0: text ?? '' }, card.version)
  if (line && splitValue(value, ';').every((part) => part.trim() === '')) card.remove(line)
  else put(card, line, { name: 'ORG', value })
}

function setBirthday(card: VCard, birthday: string | null | undefined): void {
  if (birthday === undefined || (birthday || null) === birthdayOf(card)) return
  const [line, ...others] = card.named('BDAY')
  for (const other of others) card.remove(other)
  if (!birthday) {
    if (line) card.remove(line)
    return
  }
  const { value, omittedYear } = writeBirthday(birthday, card.version)
  const retained = line ? parametersWithout(line, 'VALUE', 'X-APPLE-OMIT-YEAR', 'TYPE') : []
  const parameters = [...retained, ...(omittedYear ? [{ name: 'X-APPLE-OMIT-YEAR', text: omittedYear }] : [])]
  if (line) card.replace(line, { group: line.group, name: 'BDAY', parameters, value })
  else card.add({ name: 'BDAY', parameters, value })
}

/** A new manager is written in Apple's form, which other programs read as well. */
function setManager(card: VCard, text: string | null | undefined): void {
  if (text === undefined || (text ?? '').trim() === (contactOf(card).manager_name ?? '')) return
  const [line, ...others] = managerLines(card)
  for (const other of others) card.remove(other)
  if (!text) {
    if (line) card.remove(line)
    return
  }
  const value = escapeText(text, card.version)
  if (line) {
    put(card, line, { name: line.name, value })
    return
  }
  const group = card.freeGroup()
  const added = card.add({ group, name: 'X-ABRELATEDNAMES', value })
  card.add({ group, name: 'X-ABLabel', value: '_$!<Manager>!$_' }, added)
}

function setCategories(card: VCard, categories: readonly string[] | undefined): void {
  if (categories === undefined) return
  const before = categoriesOf(card)
  const wanted = [...new Set(categories)]
  if (wanted.length === before.length && wanted.every((each) => before.includes(each))) return
  const [line, ...others] = card.named('CATEGORIES')
  for (const other of others) card.remove(other)
  const value = wanted.map((each) => escapeText(each, listVersion)).join(',')
  if (wanted.length > 0) put(card, line, { name: 'CATEGORIES', value })
  else if (line) card.remove(line)
}

/** Updates the display name when the names change, or the fields that replace them if there are none. */
function followName(card: VCard, before: ReturnType<typeof contactOf>, isRenamed: boolean): void {
  const after = contactOf(card)
  const name = titledName(card, after) || nameInstead(after)
  const wasMade = before.display_name === (titledName(card, before) || nameInstead(before))
  const isMissing = card.text('FN') === undefined
  if (isRenamed || isMissing || (wasMade && titledName(card, after) === '')) {
    if (card.text('FN') !== name && (name !== '' || !isMissing)) setShownName(card, name)
  }
}

/**
 * Updates REV if the card has one, and adds N to a card of version 3 without it. Servers reject version 3 without N,
 * and some convert cards of version 4, which need no N, to version 3.
 */
function setRevision(card: VCard, now: number): void {
  if (card.version === '3.0' && !card.first('N')) card.add({ name: 'N', value: ';;;;' }, card.first('FN'))
  const line = card.first('REV')
  if (!line) return
  const time = new Date(now).toISOString().replace(/\.\d{3}/, '')
  put(card, line, { name: 'REV', value: /\d-\d/.test(line.value) ? time : time.replace(/[-:]/g, '') })
}

/** Applies a change to a card and returns whether the card changed. `now` is in milliseconds. */
export function changeCard(card: VCard, change: CardChange, now: number): boolean {
  const text = card.write()
  const before = contactOf(card)
  const isRenamed = changeNames(card, change)
  setNickname(card, change.nickname)
  setCompany(card, change.company_name)
  setText(card, ['TITLE'], change.job_title)
  setText(card, officeNames, change.office_location)
  setText(card, ['NOTE'], change.notes)
  setBirthday(card, change.birthday)
  setManager(card, change.manager_name)
  for (const name of listNames) changeList(card, name, change[name])
  setCategories(card, change.categories)
  if (change.picture !== undefined) setPhoto(card, change.picture)
  if (card.write() === text) return false
  followName(card, before, isRenamed)
  setRevision(card, now)
  return true
}

/** Marks a card as changed after a change by other means. */
export const markChanged = setRevision

/** A new card of a person. */
export function newCard(
  change: CardChange,
  { uid, version, now }: { uid: string; version: Version; now: number },
): VCard {
  const card = emptyVCard(version)
  card.add({ name: 'UID', value: version === '4.0' ? `urn:uuid:${uid}` : uid })
  card.add({ name: 'N', value: ';;;;' })
  card.add({ name: 'FN', value: '' })
  changeCard(card, change, now)
  return card
}
