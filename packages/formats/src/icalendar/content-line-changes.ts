/**
 * Changes a tree of content lines. A line that already has the requested value stays unchanged, including its folds.
 * A changed line keeps all other parameters.
 */
import { ComponentNode, ContentLine, type Item } from './content-lines.ts'
import { contentLine, foldedLine, type Parameters, type Property, parameter } from './icalendar.ts'

/** A new line. */
export const lineOf = (property: Property): ContentLine => new ContentLine(contentLine(property), property.name)

/** The requested changes. A parameter that is undefined is removed. */
export interface LineChange {
  readonly value?: string
  readonly parameters?: Parameters
}

/** The line with a changed value, changed parameters, or both. */
export function changedLine(line: ContentLine, { value = line.value, parameters = {} }: LineChange): ContentLine {
  const left = new Map(Object.entries(parameters))
  const retained = line.parameters.flatMap(({ name, text }) => {
    if (!left.has(name)) return [`;${name}=${text}`]
    const next = left.get(name)
    left.delete(name)
    if (next === undefined) return []
    return [line.parameter(name) === next ? `;${name}=${text}` : parameter(name, next)]
  })
  const added = Array.from(left, ([name, text]) => (text === undefined ? '' : parameter(name, text)))
  const next = `${line.name}${retained.join('')}${added.join('')}:${value}`
  const before = `${line.name}${line.parameters.map(({ name, text }) => `;${name}=${text}`).join('')}:${line.value}`
  return next === before ? line : new ContentLine(foldedLine(next), line.name)
}

/** Replaces the first line of a name with the result of `make` and removes the other lines of that name. */
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

/** Sets a property. Its line keeps all parameters that the property does not name; undefined ones are removed. */
export const putProperty = (items: readonly Item[], property: Property): Item[] =>
  putLine(items, property.name, (line) => (line ? changedLine(line, property) : lineOf(property)))

/** The items without the lines of these names. */
export const withoutLines = (items: readonly Item[], names: readonly string[]): Item[] =>
  items.filter((item) => !(item instanceof ContentLine && names.includes(item.name)))

/** Inserts lines after the last one of the same name, or else after the last line. */
export function addLines(items: readonly Item[], lines: readonly ContentLine[]): Item[] {
  if (lines.length === 0) return [...items]
  const same = items.findLastIndex((item) => item.name === lines[0]?.name && item instanceof ContentLine)
  const at = same === -1 ? items.findIndex((item) => item instanceof ComponentNode) : same + 1
  return at === -1 ? [...items, ...lines] : [...items.slice(0, at), ...lines, ...items.slice(at)]
}
