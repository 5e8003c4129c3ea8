/** A vCard as lossless lines: unchanged lines are written back with their original characters. Pure. */
import { ComponentNode, ContentLine, type Item, parseItems, writeItems } from '../icalendar/content-lines.ts'
import { isOpenEnded, joinBroken, makeLine, type NewProperty, type Version, writtenValue } from './lines.ts'
import { unescapeText } from './values.ts'

const versions: readonly string[] = ['2.1', '3.0', '4.0']

/** The key of a group name, which programs write in upper or lower case. */
const groupKey = (group: string | undefined): string => group?.toLowerCase() ?? ''

/** Whether a line describes another line of the same group. */
const isRemark = ({ name }: ContentLine): boolean =>
  name.startsWith('X-AB') && name !== 'X-ABDATE' && name !== 'X-ABRELATEDNAMES'

export class VCard {
  readonly version: Version
  /** The card and the items before and after it in the text. */
  readonly #around: { before: readonly Item[]; node: ComponentNode; after: readonly Item[] }
  #items: Item[]
  /** The lines and labels, cached until an item changes. */
  #lines: readonly ContentLine[] | undefined
  #labels: ReadonlyMap<string, ContentLine> | undefined
  readonly #lineEnd: string

  constructor(before: readonly Item[], node: ComponentNode, after: readonly Item[]) {
    this.#around = { before, node, after }
    this.#items = joinBroken(node.items)
    this.#lineEnd = /\r\n$/.test(node.begin) || !/\n$/.test(node.begin) ? '\r\n' : '\n'
    const version = node.line('VERSION')?.value.trim() ?? ''
    this.version = versions.includes(version) ? (version as Version) : '3.0'
  }

  get lines(): readonly ContentLine[] {
    this.#lines ??= this.#items.filter((item) => item instanceof ContentLine)
    return this.#lines
  }

  #change(items: Item[]): void {
    this.#items = items
    this.#lines = undefined
    this.#labels = undefined
  }

  named(name: string): ContentLine[] {
    return this.lines.filter((line) => line.name === name)
  }

  first(name: string): ContentLine | undefined {
    return this.lines.find((line) => line.name === name)
  }

  /** The first nonempty text of a property. */
  text(name: string): string | undefined {
    for (const line of this.named(name)) {
      const text = unescapeText(writtenValue(line)).trim()
      if (text !== '') return text
    }
    return undefined
  }

  /** The user's label of a line, which is a separate line. */
  label({ group }: ContentLine): string | undefined {
    if (group === undefined) return undefined
    this.#labels ??= new Map(
      this.named('X-ABLABEL')
        .toReversed()
        .map((line) => [groupKey(line.group), line]),
    )
    const found = this.#labels.get(groupKey(group))
    return found && (unescapeText(writtenValue(found)).trim() || undefined)
  }

  /** The original text, except for changed lines. */
  write(): string {
    const { before, node, after } = this.#around
    return writeItems([...before, node.with(this.#items), ...after])
  }

  /** Replaces a line, or removes it. */
  replace(line: ContentLine, property: NewProperty | undefined): ContentLine | undefined {
    const made = property && makeLine(property, this.version, this.#lineEnd)
    this.#change(this.#items.flatMap((item) => (item === line ? (made ?? []) : [item])))
    return made
  }

  /** Adds a line after another, or at the end. */
  add(property: NewProperty, behind?: ContentLine): ContentLine {
    const made = makeLine(property, this.version, this.#lineEnd)
    this.#insert([made], behind)
    return made
  }

  #insert(lines: readonly ContentLine[], behind: ContentLine | undefined): void {
    const index = behind === undefined ? -1 : this.#items.indexOf(behind)
    let at = index === -1 ? this.#items.length : index + 1
    let last = this.#items[at - 1]
    while (last instanceof ContentLine && isOpenEnded(last)) {
      at -= 1
      last = this.#items[at - 1]
    }
    if (last instanceof ContentLine && !last.raw.endsWith('\n')) {
      this.#items[at - 1] = new ContentLine(`${last.raw}${this.#lineEnd}`, last.name, last.group)
    }
    this.#change(this.#items.toSpliced(at, 0, ...lines))
  }

  /** Removes a line with the lines that describe only it. */
  remove(line: ContentLine): void {
    this.replace(line, undefined)
    this.removeRemarks(line)
  }

  /** Removes the lines that describe a line, unless they also describe another. */
  removeRemarks({ group }: ContentLine): void {
    if (group === undefined) return
    const key = groupKey(group)
    const others = this.lines.filter((other) => groupKey(other.group) === key)
    if (others.some((other) => !isRemark(other))) return
    for (const other of others) this.replace(other, undefined)
  }

  /** Removes the label of a line. */
  removeLabel({ group }: ContentLine): void {
    const key = groupKey(group)
    for (const line of this.named('X-ABLABEL'))
      if (key !== '' && groupKey(line.group) === key) this.replace(line, undefined)
  }

  /** Moves lines together, to the position of the first one. */
  arrange(lines: readonly ContentLine[]): void {
    const chosen = new Set<Item>(lines)
    const at = this.#items.findIndex((item) => chosen.has(item))
    const before = this.#items.slice(0, Math.max(at, 0))
    const rest = this.#items.slice(Math.max(at, 0)).filter((item) => !chosen.has(item))
    this.#change([...before, ...lines, ...rest])
  }

  position(line: ContentLine): number {
    return this.#items.indexOf(line)
  }

  /** An unused group name. */
  freeGroup(): string {
    const taken = new Set(this.lines.map(({ group }) => groupKey(group)))
    for (let count = 1; ; count += 1) if (!taken.has(`item${count}`)) return `item${count}`
  }
}

/** The first card of a text, or undefined if there is none. */
export function readVCard(text: string): VCard | undefined {
  const items = parseItems(text)
  const at = items.findIndex((item) => item instanceof ComponentNode && item.name === 'VCARD')
  const node = items[at]
  return node instanceof ComponentNode ? new VCard(items.slice(0, at), node, items.slice(at + 1)) : undefined
}

/** A card without properties. */
export function emptyVCard(version: Version): VCard {
  const card = readVCard(`BEGIN:VCARD\r\nVERSION:${version}\r\nEND:VCARD\r\n`)
  if (!card) throw new Error('an empty card is a card')
  return card
}
