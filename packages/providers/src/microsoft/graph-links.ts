/**
 * Links in Graph's answers. Only links to Graph itself are followed: any other host would receive the account's
 * token.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Io } from '../io.ts'
import type { Query } from '../shared/exchange.ts'

const elsewhere = (): ApiError =>
  new ApiError('provider_unavailable', 'Microsoft answered with a link that leads elsewhere; try again', {
    providerError: { reason: 'foreign_link' },
  })

/** The path and the query of a link, relative to the version; `base` is Graph's URL with its version. */
export function graphPath(link: string, base: string): string {
  const url = URL.parse(link)
  const own = new URL(base)
  const isOwn = url?.origin === own.origin && url.pathname.startsWith(own.pathname) && url.username === ''
  if (!url || !isOwn) throw elsewhere()
  return `${url.pathname.slice(own.pathname.length)}${url.search}`
}

/** The URL for the pieces of an uploaded file: outside Graph, and without its token. */
export function uploadAddress(address: string, { providerUrl }: Pick<Io, 'providerUrl'>): string {
  const url = URL.parse(address)
  const isOwn = providerUrl !== undefined && url?.origin === new URL(providerUrl).origin
  if (!url || (url.protocol !== 'https:' && !isOwn)) throw elsewhere()
  return url.href
}

/**
 * The parameters that a link to the next page adds to the query, such as `$skip=10`. They are short enough for a
 * cursor of the API, which a whole link may not be.
 */
export function placeIn(link: string, query: Query, base: string): string {
  const [, text = ''] = graphPath(link, base).split(/\?(.*)/s)
  const known = new Map(Object.entries(query).map(([name, value]) => [name.toLowerCase(), String(value)]))
  const added = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(text)) {
    if (known.get(name.toLowerCase()) !== value) added.append(name, value)
  }
  return String(added)
}

/** A query that continues at a position. */
export const queryAt = (query: Query, place: string | undefined): Query =>
  place === undefined ? query : { ...query, ...Object.fromEntries(new URLSearchParams(place)) }
