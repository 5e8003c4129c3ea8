/** Pages of short lists that are read whole: connectors and credentials, of which an application has a few. */
import type { ListPage } from '../../pipeline/handler-types.ts'

export function offsetPage<T>(
  items: readonly T[],
  query: { limit: number; offset?: number | undefined },
  position: unknown,
): ListPage<T> {
  const offset = typeof position === 'number' ? position : (query.offset ?? 0)
  const end = offset + query.limit
  return { items: items.slice(offset, end), offset, ...(end < items.length ? { next: end } : {}) }
}
