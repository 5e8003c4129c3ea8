/** Pages of short lists that are read as a whole: connectors and credentials. */
import type { ListPage } from '../../http/answer.ts'

export function offsetPage<T>(
  items: readonly T[],
  query: { limit: number; offset?: number | undefined },
  position: unknown,
): ListPage<T> {
  const offset = typeof position === 'number' ? position : (query.offset ?? 0)
  const end = offset + query.limit
  return { items: items.slice(offset, end), offset, ...(end < items.length ? { next: end } : {}) }
}
