/** Names in vCards: N with its five parts, FN for display, and the FN of new and renamed cards. Pure. */

import { parametersWithout, writtenValue } from './lines.ts'
import { escapeText, partsOf, withParts } from './values.ts'
import type { VCard } from './vcard.ts'

export interface Names {
  given_name: string | null
  middle_name: string | null
  surname: string | null
  suffix: string | null
}
type NameField = keyof Names

/** The index of each field in N. Index 3, a title such as `Dr.`, has no field in the API. */
const places: Readonly<Record<NameField, number>> = { surname: 0, given_name: 1, middle_name: 2, suffix: 4 }
const prefixPlace = 3
const nameFields = Object.keys(places) as NameField[]

const partsIn = (card: VCard): string[] => {
  const line = card.first('N')
  return line ? partsOf(writtenValue(line), { joint: ' ', version: card.version }) : []
}

export function readNames(card: VCard): Names {
  const parts = partsIn(card)
  const at = (field: NameField): string | null => parts[places[field]] || null
  return { given_name: at('given_name'), middle_name: at('middle_name'), surname: at('surname'), suffix: at('suffix') }
}

const isEastAsian = (name: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u.test(name)

/** The full name as one text. East Asian names begin with the surname. */
export function wholeName({ given_name, middle_name, surname, suffix }: Partial<Names>, prefix = ''): string {
  if (given_name && surname && !middle_name && isEastAsian(given_name) && isEastAsian(surname))
    return `${surname}${given_name}`
  return [prefix, given_name, middle_name, surname, suffix].filter((part) => part).join(' ')
}

/** The name with its title, which clients cannot change. */
export const titledName = (card: VCard, names: Partial<Names>): string => wholeName(names, partsIn(card)[prefixPlace])

/** Writes the changed parts of the name and returns whether there are any. */
export function changeNames(card: VCard, wanted: { readonly [F in NameField]?: string | null | undefined }): boolean {
  const before = readNames(card)
  const parts: Record<number, string> = {}
  for (const field of nameFields) {
    const text = wanted[field]
    if (text !== undefined && (text ?? '').trim() !== (before[field] ?? '')) parts[places[field]] = text ?? ''
  }
  if (Object.keys(parts).length === 0) return false
  const line = card.first('N')
  const value = withParts(line ? writtenValue(line) : ';;;;', parts, card.version)
  if (line) card.replace(line, { group: line.group, name: 'N', parameters: parametersWithout(line), value })
  else card.add({ name: 'N', value })
  return true
}

/** Sets the display name. */
export function setShownName(card: VCard, text: string): void {
  const line = card.first('FN')
  const value = escapeText(text, card.version)
  if (line) card.replace(line, { group: line.group, name: 'FN', parameters: parametersWithout(line), value })
  else card.add({ name: 'FN', value }, card.first('N'))
}
