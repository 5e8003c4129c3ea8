/**
 * Compares a collection with its recorded state. It uses sync tokens if the server has exact ones. It uses a list of
 * ETags if there are none, if the token has expired, or if the server reports unchanged objects as changed: such a
 * server may also fail to report deleted ones.
 */
import { forEachYielding, yieldBetween } from '@waypost/platform/parsing/yielding'
import type { DavClient, DavResponse } from './client.ts'
import { collectionAddress, isInside } from './hrefs.ts'
import type { KnownObjects } from './known-objects.ts'

/** A collection as listed in its home. */
export interface Collection {
  /** Absolute, with a trailing slash. */
  url: string
  /** Changes with every change in the collection; absent if the server sends none. */
  tag: string | undefined
  /** Present only if it was requested: some servers read the whole collection to create one. */
  syncToken: string | undefined
}

export interface Differences {
  /** Names of objects that are new or changed. */
  changed: Set<string>
  /** Names of recorded objects that were deleted. */
  removed: Set<string>
  /** The token for the next comparison. */
  token: string | undefined
}

/** Tolerance for differences between the clocks of two machines. */
const slackMs = 5 * 60_000

/**
 * A tag or token that is safe to store. Returns undefined if it is the second of the last change and that is recent,
 * because later changes in the same second have the same tag. `now` is in milliseconds.
 */
function lasting(tag: string | undefined, now: number): string | undefined {
  const second = /^"?(\d{9,11})"?$/.exec(tag ?? '')?.[1]
  return second !== undefined && Math.abs(Number(second) * 1000 - now) < slackMs ? undefined : tag
}

/** The tag and the token of a collection, as far as they are safe to store. With more objects to read there is no tag. */
export function lastingTags(
  { tag }: Pick<Collection, 'tag'>,
  { token, now, more }: { token: string | undefined; now: number; more?: boolean },
): { tag?: string; token?: string } {
  const lastingTag = more ? undefined : lasting(tag, now)
  const lastingToken = lasting(token, now)
  return {
    ...(lastingTag === undefined ? {} : { tag: lastingTag }),
    ...(lastingToken === undefined ? {} : { token: lastingToken }),
  }
}

/** Beyond these numbers of pages or changes, a complete list is faster. */
const maxPages = 100
const maxChanges = 100_000

/** The name of an object within its collection. */
export const nameIn = (collection: string, href: string): string => href.slice(collectionAddress(collection).length)

/** The differences. Without a token, the collection is listed and compared. */
export async function differencesIn(
  client: DavClient,
  collection: Collection,
  token: string | undefined,
  known: KnownObjects,
): Promise<Differences> {
  const synced = token === undefined ? undefined : await syncedSince(client, collection.url, token, known)
  return synced ?? compared(client, collection, known)
}

/** The differences since a token, or undefined if the token is not sufficient. */
async function syncedSince(
  client: DavClient,
  url: string,
  from: string,
  known: KnownObjects,
): Promise<Differences | undefined> {
  const changed = new Set<string>()
  const removed = new Set<string>()
  let token = from
  const othersTurn = yieldBetween()
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await client.sync(url, token)
    if (page === 'expired') return undefined
    for (const { href, etag } of page.changed) {
      await othersTurn()
      const name = nameIn(url, href)
      if (known.isSame(name, etag)) return undefined
      removed.delete(name)
      changed.add(name)
    }
    for (const href of page.removed) {
      const name = nameIn(url, href)
      changed.delete(name)
      if (known.get(name)) removed.add(name)
    }
    token = page.token
    if (!page.more) return { changed, removed, token }
    if (changed.size + removed.size > maxChanges) return undefined
  }
  return undefined
}

/** The ETags of a collection by address, and a token for later changes if the server has tokens. */
export async function listedIn(
  client: DavClient,
  { url, syncToken }: Collection,
): Promise<{ etags: Map<string, string>; token: string | undefined }> {
  // Some servers answer this in a second, and a PROPFIND only after a minute.
  const all = await client.sync(url)
  if (all !== 'expired' && !all.more) {
    return { etags: new Map(all.changed.map(({ href, etag = '' }) => [href, etag])), token: all.token }
  }
  // The token is read before the list, so that changes between the two are reported again and not lost.
  const token = syncToken ?? (await client.propsOf(url, ['D:sync-token'])).props.text('D:sync-token')
  return { etags: await client.etags(url), token }
}

/** The differences according to a complete list. */
async function compared(client: DavClient, collection: Collection, known: KnownObjects): Promise<Differences> {
  const { etags, token } = await listedIn(client, collection)
  const othersTurn = yieldBetween()
  const there = new Set<string>()
  const changed = new Set<string>()
  for (const [href, etag] of etags) {
    await othersTurn()
    const name = nameIn(collection.url, href)
    there.add(name)
    if (!known.isSame(name, etag)) changed.add(name)
  }
  const removed = new Set<string>()
  for (const name of known.names()) if (!there.has(name)) removed.add(name)
  return { changed, removed, token }
}

/** Addresses of objects modified since a time in milliseconds, and of those without a modification time. */
export async function modifiedSince(client: DavClient, url: string, after: number): Promise<string[]> {
  const times = await modificationsIn(client, url)
  return times.filter(({ at }) => !(at < after - slackMs)).map(({ href }) => href)
}

/** The objects that were modified after a time. Changes in the same second cannot be distinguished. */
export async function datedAfter(client: DavClient, url: string, after: number): Promise<string[]> {
  const times = await modificationsIn(client, url)
  return times.filter(({ at }) => at > after).map(({ href }) => href)
}

/** The modification times of the objects in a collection, in milliseconds; NaN if the server sends none. */
async function modificationsIn(client: DavClient, url: string): Promise<{ href: string; at: number }[]> {
  const props = ['D:getlastmodified', 'D:getetag', 'D:resourcetype'] as const
  const { responses } = await client.propfind(url, { depth: 1, props })
  const times: { href: string; at: number }[] = []
  await forEachYielding(responses, (each) => {
    if (each.props.text('D:getetag') === undefined || !isObjectIn(url, each)) return
    times.push({ href: each.href, at: Date.parse(each.props.text('D:getlastmodified')?.slice(0, 100) ?? '') })
  })
  return times
}

const isObjectIn = (url: string, { href, props }: DavResponse): boolean =>
  isInside(url, href) && !props.names('D:resourcetype').includes('D:collection')
