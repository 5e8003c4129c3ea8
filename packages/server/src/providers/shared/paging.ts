/**
 * Pages of ours made of a provider's. A token of the provider goes with the size that it was made for, while a client may
 * change its limit from page to page: so a place is a page of the provider's and how many of its items were shown.
 */
import { z } from 'zod'

export const Place = z.tuple([z.string().nullable(), z.number(), z.number()])
/** The token of the page, its size, and how many of its items to pass over. */
export type Place = z.output<typeof Place>

export interface Slice<T> {
  items: T[]
  next?: Place
}

/** Of a list that is filtered here, so many are asked for at once, and so many pages until a client asks again. */
const filteredSize = 250
const maxPages = 10

export interface Search<G> {
  place: Place | undefined
  limit: number
  /** Which items are shown; all where it is absent. */
  keep?: ((item: G) => boolean) | undefined
  /** How many are asked for at once where items are passed over. */
  filteredSize?: number
  /** One page of the provider's: a token, a link or whatever else says where the next one begins. */
  page(token: string | undefined, size: number): Promise<{ items: readonly G[]; next: string | undefined }>
}

/** Up to `limit` items. There may be fewer although there are more, where the provider gives fewer or many are passed over. */
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
