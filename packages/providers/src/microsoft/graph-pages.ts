/** Lists of Graph: a page, the position of the next one, and the changes since a list was read. */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { MalformedJson, object, type Read, type Reader, readableItems, text } from '@waypost/platform/json/reader'
import type { Query } from '../shared/exchange.ts'
import { isExpiredPage } from './errors.ts'
import { placeIn, queryAt } from './graph-links.ts'
import { type Session, version } from './session.ts'
import { at } from './token-endpoint.ts'

const links = { '@odata.nextLink': text, '@odata.deltaLink': text }
export const listOf = <T>(read: Reader<T>) => object({ value: readableItems(read) }, links)

/** A page of changes. A page without a link is refused, because it would restart the list. */
export const changesOf =
  <T>(read: Reader<T>): Reader<Read<ReturnType<typeof listOf<T>>>> =>
  (value, onDropped) => {
    const page = listOf(read)(value, onDropped)
    if (page['@odata.nextLink'] !== undefined || page['@odata.deltaLink'] !== undefined) return page
    throw new MalformedJson('is missing', '@odata.deltaLink')
  }

export interface List<T> {
  /** Relative to the version. */
  path: string
  query: Query
  /** Reads one item; items that cannot be read are left out. */
  read: Reader<T>
  prefer?: readonly string[]
  headers?: Record<string, string>
  maxBytes?: number
  /** Scopes of which one is needed, if a refusal of access means that the grant has none of them. */
  scopes?: readonly string[]
}

export interface ListPage<T> {
  items: T[]
  /** The position of the next page, for `listPage`; short, and without secrets. */
  next: string | undefined
}

/** One page of a list. A page may be empty although there are more. */
export async function listPage<T>(session: Session, list: List<T>, place?: string): Promise<ListPage<T>> {
  const { path, query, read, ...options } = list
  try {
    const answer = await session.call('GET', path, { ...options, query: queryAt(query, place), read: listOf(read) })
    const next = answer['@odata.nextLink']
    return { items: answer.value, next: next && placeIn(next, query, at('graph', version, session.io)) }
  } catch (error) {
    if (place === undefined || !isExpiredPage(error)) throw error
    throw invalidField('page_token', 'has expired at Microsoft: start the list again without it')
  }
}

/** The error for a list with more pages than are read: the rest must not be taken for absent. */
const tooLong = (maxPages: number): ApiError =>
  new ApiError('provider_refused', `a list of the account at Microsoft has more than ${maxPages} pages`)

/** All items of a list with at most `maxPages` pages. */
export async function listAll<T>(
  session: Session,
  list: List<T>,
  { maxPages = 50, refusal = tooLong(maxPages) }: { maxPages?: number; refusal?: ApiError } = {},
): Promise<T[]> {
  const items: T[] = []
  let place: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    const page = await listPage(session, list, place)
    items.push(...page.items)
    place = page.next
    if (place === undefined) return items
  }
  throw refusal
}

export interface DeltaPage<T> {
  items: T[]
  /** The link to the next page of this round; absent after the last one. */
  next?: string
  /** The link that the next round starts with, after the last page of this one. */
  delta?: string
}

export const deltaOf =
  <T>(read: Reader<T>): Reader<DeltaPage<T>> =>
  (value, onDropped) => {
    const { value: items, '@odata.nextLink': next, '@odata.deltaLink': delta } = changesOf(read)(value, onDropped)
    return { items, ...(next === undefined ? {} : { next }), ...(delta === undefined ? {} : { delta }) }
  }

/**
 * One page of changes (https://learn.microsoft.com/graph/delta-query-overview): of a new round, or from a link of an
 * earlier page. Links are long, so only cursors of watches store them. Throws an error of `needsResync` if Graph has
 * forgotten the link.
 */
export const deltaPage = <T>(
  session: Session,
  from: Omit<List<T>, 'read'> | { link: string; prefer?: readonly string[]; maxBytes?: number },
  read: Reader<T>,
): Promise<DeltaPage<T>> =>
  'link' in from
    ? session.follow(from.link, { ...from, read: deltaOf(read) })
    : session.call('GET', from.path, { ...from, read: deltaOf(read) })
