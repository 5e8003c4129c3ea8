/**
 * Builds pages of the API from pages of a provider. A token of the provider belongs to one page size, while a client
 * may change its limit from page to page. So a place consists of a page of the provider and the number of its items
 * that were returned.
 */
import type { JsonValue } from '@waypost/platform/json/guard'
import { z } from 'zod'
import type { Page } from '../operations.ts'

export const Place = z.tuple([z.string().nullable(), z.number(), z.number()])
/** The token of the page, its size, and the number of its items to skip. */
export type Place = z.output<typeof Place>

export interface Slice<T> {
  items: T[]
  next?: Place
}

/** For a list that is filtered here: the items per request, and the pages per request of a client. */
const filteredSize = 250
const maxPages = 10

export interface Search<G> {
  place: Place | undefined
  limit: number
  /** Which items are returned; all if absent. */
  keep?: ((item: G) => boolean) | undefined
  /** The items per request when items are skipped. */
  filteredSize?: number
  /** One page of the provider. `next` is a token, a link or any other position of the next page. */
  page(token: string | undefined, size: number): Promise<{ items: readonly G[]; next: string | undefined }>
}

/**
 * Up to `limit` items. There may be fewer although there are more, if the provider returns fewer or many are skipped.
 */
export async function collect<G>(search: Search<G>): Promise<Slice<G>> {
  const { limit, keep, page } = search
  let [token, size, skip] = search.place ?? [null, keep ? (search.filteredSize ?? filteredSize) : limit, 0]
  const items: G[] = []
  for (let count = 0; count < maxPages; count += 1) {
    const got = await page(token ?? undefined, size)
    for (const [index, item] of got.items.entries()) {
      if (index < skip || (keep && !keep(item))) continue
      if (items.length === limit) return { items, next: [token, size, index] }
      items.push(item)
    }
    if (got.next === undefined) return { items }
    token = got.next
    skip = 0
    if (items.length === limit || (!keep && items.length > 0)) break
  }
  return { items, next: [token, size, 0] }
}

/** The same for an operation, whose position is such a place. */
export async function collectPage<G, T>(
  { position, ...search }: Omit<Search<G>, 'place'> & { position: JsonValue | undefined },
  shown: (item: G) => T,
): Promise<Page<T>> {
  const { items, next } = await collect({
    ...search,
    place: position === undefined ? undefined : Place.parse(position),
  })
  return { items: items.map(shown), ...(next ? { next } : {}) }
}

/** The answers of a list that names its next page in each, at most `max`. */
export async function* pagesOf<A extends { nextPageToken?: string }>(
  max: number,
  read: (pageToken: string | undefined) => Promise<A>,
): AsyncGenerator<A> {
  let pageToken: string | undefined
  for (let count = 0; count < max; count += 1) {
    const answer = await read(pageToken)
    yield answer
    pageToken = answer.nextPageToken
    if (pageToken === undefined) return
  }
}
