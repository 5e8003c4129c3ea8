/**
 * Maps the purpose of a number, address or page in a vCard to the API's `work`, `home`, `mobile` or `other`. It is in
 * TYPE, or in a separate label (`item1.X-ABLabel:_$!<Work>!$_`), which users can edit. Pure.
 */

export type Kind = 'work' | 'home' | 'mobile' | 'other'

const words: Readonly<Record<string, Kind>> = {
  work: 'work',
  home: 'home',
  cell: 'mobile',
  mobile: 'mobile',
  iphone: 'mobile',
  other: 'other',
  // Lines without voice are `other`.
  fax: 'other',
  pager: 'other',
  modem: 'other',
  bbs: 'other',
  isdn: 'other',
  car: 'other',
  pcs: 'mobile',
  main: 'other',
}
/** If there are several types, the first of these decides. */
const strongest: readonly string[] = [
  'fax',
  'pager',
  'modem',
  'bbs',
  'isdn',
  'cell',
  'mobile',
  'iphone',
  'pcs',
  'work',
  'home',
]

const labelled: Readonly<Record<string, Kind>> = { ...words, homepage: 'home', workfax: 'other', homefax: 'other' }

/** The word in a label that Apple's programs translate: `Work` in `_$!<Work>!$_`. */
export const labelWord = (label: string): string => /^_\$!<(.*)>!\$_$/.exec(label.trim())?.[1] ?? label.trim()

/** The purpose of a value, or undefined if the card does not say. */
export function kindOf(types: readonly string[], label: string | undefined): Kind | undefined {
  const word = label === undefined ? '' : labelWord(label).toLowerCase()
  if (word !== '') return labelled[word] ?? 'other'
  const lower = types.map((type) => type.toLowerCase())
  const found = strongest.find((type) => lower.includes(type)) ?? lower.find((type) => Object.hasOwn(words, type))
  return found === undefined ? undefined : words[found]
}

/** Whether a TYPE names a purpose that a new kind must replace. */
export const isKindWord = (type: string): boolean => Object.hasOwn(words, type.toLowerCase())

const types: Readonly<Record<Kind, string>> = { work: 'WORK', home: 'HOME', mobile: 'CELL', other: 'OTHER' }

/** The form of a kind: a TYPE, or a label if the client uses a word of its own. */
export function writeKind(kind: string | null | undefined): { type?: string; label?: string } {
  if (!kind) return {}
  return Object.hasOwn(types, kind) ? { type: types[kind as Kind] } : { label: kind }
}
