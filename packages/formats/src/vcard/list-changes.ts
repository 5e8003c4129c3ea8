/** Changes the lists of a contact in its vCard. A value that stays keeps its line with all parameters. Pure. */
import type { ContentLine, LineParameter } from '../icalendar/content-lines.ts'
import { isKindWord, kindOf, labelWord, writeKind } from './kinds.ts'
import { type NewProperty, parametersWithout, typesOf, writtenValue } from './lines.ts'
import {
  type ListEntry,
  type ListForm,
  type ListName,
  type ListValue,
  listForms,
  preferenceOf,
  readEntries,
} from './lists.ts'
import { escapeText } from './values.ts'
import type { VCard } from './vcard.ts'

type Typed = { type?: string | null | undefined }

/** Whether the purpose of a value is the requested one. */
function isSameKind(card: VCard, line: ContentLine, wanted: string | null | undefined, isPlace: boolean): boolean {
  const label = card.label(line)
  const now = kindOf(typesOf(line), label)
  if (!wanted) return now === undefined || (isPlace && now === 'other')
  if (Object.keys(writeKind(wanted)).includes('label')) {
    return label !== undefined && labelWord(label).toLowerCase() === wanted.toLowerCase()
  }
  return (now ?? (isPlace ? 'other' : undefined)) === wanted
}

const typeParameters = (types: readonly string[], version: string): LineParameter[] =>
  types.length === 0
    ? []
    : [{ name: 'TYPE', text: version === '4.0' ? types.map((type) => type.toLowerCase()).join(',') : types.join(',') }]

/** A line with a new purpose instead of the former one. */
function withKind(
  card: VCard,
  property: NewProperty,
  before: ContentLine | undefined,
  wanted: string | null | undefined,
) {
  const { type, label } = writeKind(wanted)
  const retained = before ? typesOf(before).filter((each) => !isKindWord(each)) : []
  const parameters = [
    ...(before ? parametersWithout(before, 'TYPE', 'LABEL') : []),
    ...typeParameters(type ? [...retained, type] : retained, card.version),
  ]
  const group = label === undefined ? before?.group : (before?.group ?? card.freeGroup())
  return { property: { ...property, group, parameters }, label }
}

/** Writes a line with its label, in place of another line or after one. */
function writeLine<V extends Typed>(
  card: VCard,
  form: ListForm<V>,
  value: V,
  at: { instead?: ContentLine | undefined; behind?: ContentLine | undefined },
): ContentLine {
  const { instead } = at
  const bare: NewProperty = form.write(value, card.version, instead)
  if (instead && form.hasKind) card.removeLabel(instead)
  const { property, label } = form.hasKind
    ? withKind(card, bare, instead, value.type)
    : { property: bare, label: undefined }
  const line = instead ? card.replace(instead, property) : card.add(property, at.behind)
  if (!line) throw new Error('a line that is written is there')
  if (label !== undefined)
    card.add({ group: line.group, name: 'X-ABLabel', value: escapeText(label, card.version) }, line)
  return line
}

const isPreferred = (line: ContentLine): boolean => preferenceOf(line) <= 100

/** Marks a line as preferred, or removes the mark. */
function withPreference(card: VCard, line: ContentLine, preferred: boolean): void {
  const types = typesOf(line).filter((type) => type.toLowerCase() !== 'pref')
  const wanted = preferred && card.version !== '4.0' ? [...types, 'pref'] : types
  const parameters = [
    ...parametersWithout(line, 'TYPE', 'PREF'),
    ...(preferred && card.version === '4.0' ? [{ name: 'PREF', text: '1' }] : []),
    ...typeParameters(wanted, card.version),
  ]
  card.replace(line, { group: line.group, name: line.name, parameters, value: writtenValue(line) })
}

/** Whether the card already returns the values in this order. */
function isInOrder(card: VCard, values: readonly ContentLine[][]): boolean {
  const keys = values.map((lines) => ({
    rank: Math.min(...lines.map(preferenceOf)),
    position: Math.min(...lines.map((line) => card.position(line))),
  }))
  return keys.every(({ rank, position }, index) => {
    const before = keys[index - 1]
    return !before || before.rank < rank || (before.rank === rank && before.position < position)
  })
}

/** Reorders the lines if necessary. If a value was preferred before, the first one is now. */
function order(card: VCard, values: readonly ContentLine[][], wasPreferred: boolean): void {
  const lines = values.flat()
  if (isInOrder(card, values) && (!wasPreferred || lines.some(isPreferred))) return
  card.arrange(lines)
  const rest = lines.slice(values[0]?.length ?? 0)
  for (const line of rest) if (isPreferred(line)) withPreference(card, line, false)
  const [first] = lines
  if (first && wasPreferred && !lines.slice(0, values[0]?.length).some(isPreferred)) withPreference(card, first, true)
}

/** Sets a list to the requested values; does nothing if there are none in the request. */
export function changeList<L extends ListName>(
  card: VCard,
  name: L,
  wanted: readonly (Partial<ListValue<L>> & Typed)[] | null | undefined,
): void {
  if (wanted === undefined) return
  const form: ListForm<ListValue<L>> = listForms[name]
  const before = readEntries(card, name)
  const wasPreferred = before.some(({ lines }) => lines.some(isPreferred))
  const free = new Set(before)
  const values = (wanted ?? []) as readonly ListValue<L>[]
  const isPlace = name === 'physical_addresses'
  const find = (fits: (entry: ListEntry<ListValue<L>>) => boolean): ListEntry<ListValue<L>> | undefined => {
    const found = [...free].find(fits)
    if (found) free.delete(found)
    return found
  }
  const kindFits = ({ lines }: ListEntry<ListValue<L>>, value: Typed): boolean =>
    !form.hasKind || lines.every((line) => isSameKind(card, line, value.type, isPlace))
  const same = values.map((value) => find((entry) => form.isSame(entry.value, value) && kindFits(entry, value)))
  const alike = values.map((value, index) => same[index] ?? find((entry) => form.isSame(entry.value, value)))
  // A remaining value replaces a remaining line, so that a corrected value keeps its place.
  const instead = values.map((_value, index) => alike[index] ?? (isPlace ? find(() => true) : undefined))
  let behind: ContentLine | undefined
  const gone = [...free].flatMap(({ lines }) => lines)
  const lines = values.map((value, index) => {
    const retained = same[index]
    if (retained) {
      behind = retained.lines.at(-1)
      return retained.lines
    }
    const [old, ...copies] = instead[index]?.lines ?? []
    for (const copy of copies) card.remove(copy)
    const line = writeLine(card, form, value, { instead: old, behind: behind ?? gone[0] ?? before[0]?.lines[0] })
    behind = line
    return [line]
  })
  for (const line of gone) card.remove(line)
  order(card, lines, wasPreferred)
}
