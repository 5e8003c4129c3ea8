// Changes of a tree of content lines. A line that says already what it is to say stays as it is, to the last fold; one that
// is changed keeps the parameters that nobody spoke of.
import { ComponentNode, ContentLine, type Item } from './content-lines.ts'
import { contentLine, foldedLine, type Parameters, type Property, parameter } from './icalendar.ts'

/** A new line. */
export const lineOf = (property: Property): ContentLine => new ContentLine(contentLine(property), property.name)

/** What is to be another than it is: a parameter that is undefined is taken away. */
export interface LineChange {
  readonly value?: string
  readonly parameters?: Parameters
}

/** The line with another value, with other parameters, or both. */
export function changedLine(line: ContentLine, { value = line.value, parameters = {} }: LineChange): ContentLine {
  const left = new Map(Object.entries(parameters))
  const kept = line.parameters.flatMap(({ name, text }) => {
    if (!left.has(name)) return [`;${name}=${text}`]
    const next = left.get(name)
    left.delete(name)
    if (next === undefined) return []
    return [line.parameter(name) === next ? `;${name}=${text}` : parameter(name, next)]
  })
  const added = Array.from(left, ([name, text]) => (text === undefined ? '' : parameter(name, text)))
  const next = `${line.name}${kept.join('')}${added.join('')}:${value}`
  const before = `${line.name}${line.parameters.map(({ name, text }) => `;${name}=${text}`).join('')}:${line.value}`
  return next === before ? line : new ContentLine(foldedLine(next), line.name)
}

/** The items with the lines of a name replaced: the first by what is made of it, others are left out. */
export function putLine(
  items: readonly Item[],
  name: string,
  make: (line: ContentLine | undefined) => ContentLine | undefined,
): Item[] {
  const first = items.find((item) => item.name === name && item instanceof ContentLine)
  const made = make(first instanceof ContentLine ? first : undefined)
  if (first === undefined) return made === undefined ? [...items] : addLines(items, [made])
  return items.flatMap((item) => {
    if (item === first) return made ?? []
    return item.name === name && item instanceof ContentLine ? [] : item
  })
}

/** A property as it is to be; parameters that it does not name stay, unless it takes them away. */
export const putProperty = (items: readonly Item[], property: Property): Item[] =>
  putLine(items, property.name, (line) => (line ? changedLine(line, property) : lineOf(property)))

/** Without the lines of these names. */
export const withoutLines = (items: readonly Item[], names: readonly string[]): Item[] =>
  items.filter((item) => !(item instanceof ContentLine && names.includes(item.name)))

/** New lines behind the last one of their name, or else behind the last line. */
export function addLines(items: readonly Item[], lines: readonly ContentLine[]): Item[] {
  if (lines.length === 0) return [...items]
  const same = items.findLastIndex((item) => item.name === lines[0]?.name && item instanceof ContentLine)
  const at = same === -1 ? items.findIndex((item) => item instanceof ComponentNode) : same + 1
  return at === -1 ? [...items, ...lines] : [...items.slice(0, at), ...lines, ...items.slice(at)]
}
