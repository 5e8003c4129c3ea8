/** Detects changes to the events of one calendar. */
import { ApiError } from '@waypost/platform/api-error'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import type { Change } from '../../provider.ts'
import type { DavClient, DavObject } from '../client.ts'
import {
  type Collection,
  datedAfter,
  differencesIn,
  lastingTags,
  listedIn,
  modifiedSince,
  nameIn,
} from '../collection-changes.ts'
import { KnownObjects } from '../known-objects.ts'
import { type Telling, takeDown, tellFresh, tellGone, tellObject } from './event-notifications.ts'
import type { CalendarPlace } from './mapping/calendar.ts'
import type { ReadObject } from './object-reading.ts'

export interface EventsState {
  /** The server's tag at the last read; absent if there are more events to read. */
  tag?: string
  token?: string
  /** The reported state of the objects, compressed. */
  objects: string
}

/** The client for requests, and the parser for objects. */
export interface ObjectReader {
  client: DavClient
  read(objects: readonly DavObject[], place: CalendarPlace): Promise<ReadObject[]>
}

export interface EventsFound {
  changes: Change[]
  state: EventsState
  more: boolean
}

/** The number of objects to process at a time. */
const objectsAtOnce = 400

const stateOf = async (
  collection: Collection,
  known: KnownObjects,
  at: Parameters<typeof lastingTags>[1],
): Promise<EventsState> => ({ ...lastingTags(collection, at), objects: await known.packed() })

/**
 * Records the existing objects without reporting them. Series are read, so that changes of occurrences can be
 * detected later.
 */
async function beginEvents(
  { client, read }: ObjectReader,
  calendar: Collection,
  telling: Telling,
): Promise<EventsState> {
  const known = new KnownObjects()
  const { etags, token } = await listedIn(client, calendar)
  const othersTurn = yieldBetween()
  for (const [href, etag] of etags) {
    await othersTurn()
    known.set(nameIn(calendar.url, href), { etag, note: '' })
  }
  // An object without an ETag can only be compared by its content later.
  const unmarked = [...etags].filter(([, etag]) => etag === '').map(([href]) => href)
  const found = [...(await readSeries(client, calendar.url)), ...(await client.multiget(calendar.url, unmarked))]
  for (const object of await read(found, telling.place)) {
    await othersTurn()
    takeDown(object, known, telling)
  }
  return stateOf(calendar, known, { token, now: telling.now })
}

/** The series of a calendar that the server finds by RRULE. The others are read later. */
async function readSeries(client: DavClient, url: string): Promise<DavObject[]> {
  try {
    return await client.query(url, { has: 'RRULE' })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    return []
  }
}

/** The changes since a state. No request is sent if the tag is unchanged. */
export async function eventsSince(
  { client, read }: ObjectReader,
  calendar: Collection,
  state: EventsState,
  telling: Telling,
): Promise<EventsFound> {
  if (state.tag !== undefined && state.tag === calendar.tag) return { changes: [], state, more: false }
  const known = await KnownObjects.open(state.objects)
  const { changed, removed, token } = await differencesIn(client, calendar, state.token, known)
  const { url } = calendar
  const names = [...changed]
  const now = names.slice(0, objectsAtOnce)
  const found = await client.multiget(
    url,
    now.map((name) => `${url}${name}`),
  )
  const changes = await tellAll(await read(found, telling.place), (object) => tellObject(object, known, telling))
  const there = new Set(found.map(({ href }) => nameIn(url, href)))
  // An object that changed and is missing by now was deleted.
  for (const name of [...removed, ...now.filter((name) => !there.has(name))]) {
    const before = known.get(name)
    if (before) changes.push(...tellGone(name, before, telling))
    known.delete(name)
  }
  // The remaining objects still differ from the recorded state, so the next round reports them from the same token.
  const more = names.length > now.length
  return {
    changes,
    state: await stateOf(calendar, known, { token: more ? state.token : token, now: telling.now, more }),
    more,
  }
}

/**
 * A calendar that is new since the last poll: objects stored since then are reported, those that came with it are
 * not.
 */
export async function firstEvents(polling: ObjectReader, calendar: Collection, telling: Telling): Promise<EventsFound> {
  const { client, read } = polling
  const begun = await beginEvents(polling, calendar, telling)
  const known = await KnownObjects.open(begun.objects)
  const fresh = await modifiedSince(client, calendar.url, telling.after)
  for (const href of fresh) known.delete(nameIn(calendar.url, href))
  const objects = await client.multiget(calendar.url, fresh)
  const changes = await tellAll(await read(objects, telling.place), (object) => tellObject(object, known, telling))
  return { changes, state: { ...begun, objects: await known.packed() }, more: false }
}

/** The first poll: reports objects that were created or changed since the grant was created. */
export async function eventsFromBeginning(
  polling: ObjectReader,
  calendar: Collection,
  telling: Telling,
): Promise<EventsFound> {
  const { client, read } = polling
  const state = await beginEvents(polling, calendar, telling)
  const fresh = await datedAfter(client, calendar.url, telling.after)
  const objects = await client.multiget(calendar.url, fresh.slice(0, objectsAtOnce))
  const changes = await tellAll(await read(objects, telling.place), (object) => tellFresh(object, telling))
  return { changes, state, more: false }
}

/** The changes to report for objects. Other work of the node runs in between. */
async function tellAll(objects: readonly ReadObject[], tell: (object: ReadObject) => Change[]): Promise<Change[]> {
  const othersTurn = yieldBetween()
  const changes: Change[] = []
  for (const object of objects) {
    await othersTurn()
    changes.push(...tell(object))
  }
  return changes
}
