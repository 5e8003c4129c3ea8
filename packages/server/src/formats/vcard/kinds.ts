// What a number, an address or a page in a vCard is for, in the words of the API: `work`, `home`, `mobile` or `other`. It
// stands in TYPE, or in a label beside it (`item1.X-ABLabel:_$!<Work>!$_`), which users may write themselves. Pure.

export type Kind = 'work' | 'home' | 'mobile' | 'other'

const words: Readonly<Record<string, Kind>> = {
  work: 'work',
  home: 'home',
  cell: 'mobile',
  mobile: 'mobile',
  iphone: 'mobile',
  other: 'other',
  // What is no telephone to speak on is none of the others either.
  fax: 'other',
  pager: 'other',
  modem: 'other',
  bbs: 'other',
  isdn: 'other',
  car: 'other',
  pcs: 'mobile',
  main: 'other',
}
/** Among several, the first of these that is there. */
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

/** The word of a label that Apple's programs translate: `Work` of `_$!<Work>!$_`. */
export const labelWord = (label: string): string => /^_\$!<(.*)>!\$_$/.exec(label.trim())?.[1] ?? label.trim()

/** What a value is for; undefined where nothing is said. */
export function kindOf(types: readonly string[], label: string | undefined): Kind | undefined {
  const word = label === undefined ? '' : labelWord(label).toLowerCase()
  if (word !== '') return labelled[word] ?? 'other'
  const lower = types.map((type) => type.toLowerCase())
  const found = strongest.find((type) => lower.includes(type)) ?? lower.find((type) => Object.hasOwn(words, type))
  return found === undefined ? undefined : words[found]
}

/** Whether a TYPE says what a value is for, in a word that another kind would replace. */
export const isKindWord = (type: string): boolean => Object.hasOwn(words, type.toLowerCase())

const types: Readonly<Record<Kind, string>> = { work: 'WORK', home: 'HOME', mobile: 'CELL', other: 'OTHER' }

/** How a kind is written: as a TYPE, or, where a client has a word of its own, as a label. */
export function writeKind(kind: string | null | undefined): { type?: string; label?: string } {
  if (!kind) return {}
  return Object.hasOwn(types, kind) ? { type: types[kind as Kind] } : { label: kind }
}
