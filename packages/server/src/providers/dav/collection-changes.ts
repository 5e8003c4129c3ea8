/**
 * What is different in a collection from what is known of it. By sync tokens where the server has them and is exact; by
 * a list of ETags where it has none, has forgotten ours, or tells of objects that did not change: such a server may keep
 * quiet about those that are gone.
 */
import { forEachYielding, yieldBetween } from '../../lib/parsing/yielding.ts'
import type { DavClient, DavResponse } from './client.ts'
import { collectionAddress, isInside } from './hrefs.ts'
import type { KnownObjects } from './known-objects.ts'

/** A collection as the list of its home tells it. */
export interface Collection {
  /** Absolute, with a slash at its end. */
  url: string
  /** Another one where anything in it changed; absent where the server tells none. */
  tag: string | undefined
  /** Where it was asked for: some servers read through all that is in a collection to make one. */
  syncToken: string | undefined
}

export interface Differences {
  /** Names of what is new, or not as it is known. */
  changed: Set<string>
  /** Names of what is known, and gone. */
  removed: Set<string>
  /** Where to go on next time. */
  token: string | undefined
}

/** The clocks of two machines differ. */
const slackMs = 5 * 60_000

/**
 * A tag or token that can be relied on; undefined where it is the second of the last change and that is not long past:
 * what follows within the same second has the same one. `now` in milliseconds.
 */
export function lasting(tag: string | undefined, now: number): string | undefined {
  const second = /^"?(\d{9,11})"?$/.exec(tag ?? '')?.[1]
  return second !== undefined && Math.abs(Number(second) * 1000 - now) < slackMs ? undefined : tag
}

/** More pages or changes than this are not read: the list says all at once. */
const mostPages = 100
const mostChanges = 100_000

/** The name of an object in its collection. */
export const nameIn = (collection: string, href: string): string => href.slice(collectionAddress(collection).length)

/** What is different; without a token what is there is listed and compared. */
export async function differencesIn(
  client: DavClient,
  collection: Collection,
  token: string | undefined,
  known: KnownObjects,
): Promise<Differences> {
  const synced = token === undefined ? undefined : await syncedSince(client, collection.url, token, known)
  return synced ?? compared(client, collection, known)
}

/** By the token; undefined where it does not say enough. */
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
  for (let pages = 0; pages < mostPages; pages += 1) {
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
    if (changed.size + removed.size > mostChanges) return undefined
  }
  return undefined
}

/** What is in a collection: ETags by address, and where its changes can be asked for from then on, if the server has tokens. */
export async function listedIn(
  client: DavClient,
  { url, syncToken }: Collection,
): Promise<{ etags: Map<string, string>; token: string | undefined }> {
  // Some servers answer this in a second, and the other way in a minute.
  const all = await client.sync(url)
  if (all !== 'expired' && !all.more) {
    return { etags: new Map(all.changed.map(({ href, etag = '' }) => [href, etag])), token: all.token }
  }
  // The token is older than the list: what happens between the two is told, not lost.
  const token = syncToken ?? (await client.propsOf(url, ['D:sync-token'])).props.text('D:sync-token')
  return { etags: await client.etags(url), token }
}

/** By what is there. */
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

/** Addresses of what was put into a collection since a time, in milliseconds; also where the server does not say when. */
export async function modifiedSince(client: DavClient, url: string, after: number): Promise<string[]> {
  const times = await modificationsIn(client, url)
  return times.filter(({ at }) => !(at < after - slackMs)).map(({ href }) => href)
}

/** The objects that the server says were modified after a time; in the same second, nobody knows. */
export async function datedAfter(client: DavClient, url: string, after: number): Promise<string[]> {
  const times = await modificationsIn(client, url)
  return times.filter(({ at }) => at > after).map(({ href }) => href)
}

/** When the objects of a collection were last modified, in milliseconds; NaN where the server does not say. */
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
