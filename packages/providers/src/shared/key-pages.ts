/**
 * Pages of a list that is always read whole: it is ordered by key, and a page begins after the last key of the
 * previous one.
 */
import type { JsonValue } from '@waypost/platform/json/guard'

export function pageByKey<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  { position, limit }: { position: JsonValue | undefined; limit: number },
): { items: T[]; next?: string } {
  const after = typeof position === 'string' ? position : undefined
  const left = all
    .map((item) => ({ key: keyOf(item), item }))
    .filter(({ key }) => after === undefined || key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  const shown = left.slice(0, limit)
  const last = shown.at(-1)
  const items = shown.map(({ item }) => item)
  return last && left.length > shown.length ? { items, next: last.key } : { items }
}
