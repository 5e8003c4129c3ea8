/**
 * Reads the stream in bounded steps: whatever the filter and the length of the history, one request checks a limited
 * number of notifications and yields in between. If the filter finds too few, the result says where to continue.
 */
import { setImmediate as pause } from 'node:timers/promises'
import type { Database } from '@waypost/store/engine/database'
import {
  readStream,
  type StreamedRow,
  type StreamHead,
  type StreamPosition,
  scanStream,
  streamedAt,
} from '@waypost/store/tables/notifications/notification-stream'

export interface StreamFilter {
  grantId?: string | undefined
  types?: readonly string[] | undefined
  /** Milliseconds. */
  since?: number | undefined
  /** Which of these grants the reader may see; absent: all. */
  reach?: ((grantIds: readonly string[]) => Promise<ReadonlySet<string>>) | undefined
}

export interface StreamRead {
  applicationId: string
  filter: StreamFilter
  order: 'asc' | 'desc'
  from: StreamPosition | undefined
  limit: number
  /** About how many bytes of payloads are read; at least one notification. */
  maxBytes?: number | undefined
}

export interface StreamFound {
  rows: readonly StreamedRow[]
  /** The position up to which rows were checked. Undefined if there were none. */
  seen: StreamPosition | undefined
  /** Whether nothing follows. */
  ended: boolean
}

const stepRows = 1_000
const maxSteps = 10
/** Notifications are ordered by time except for the duration of transactions. This is a generous limit for it. */
export const disorderMs = 600_000

export const positionOf = (row: Pick<StreamHead, 'transaction_number' | 'position'>): StreamPosition => ({
  transaction: row.transaction_number,
  position: row.position,
})

export async function readFiltered(database: Database, read: StreamRead): Promise<StreamFound> {
  const { applicationId, filter, order, limit } = read
  const part = { applicationId, grantId: filter.grantId, order }
  const isPlain = filter.types === undefined && filter.since === undefined && filter.reach === undefined
  if (isPlain && read.maxBytes === undefined) {
    // One extra row shows that there are more.
    const nearest = await readStream(database, database.engine, { ...part, from: read.from, limit: limit + 1 })
    const rows = nearest.slice(0, limit)
    const last = rows.at(-1)
    return { rows, seen: last && positionOf(last), ended: nearest.length <= limit }
  }
  let from = await startOf(database, read)
  const found = new FoundHeads(read)
  for (let step = 0; step < maxSteps; step++) {
    if (step > 0) await pause()
    const max = isPlain ? limit : stepRows
    const heads = await scanStream(database, database.engine, { ...part, from, limit: max })
    const visible = await visibleOf(filter, heads)
    for (const head of heads) {
      const tooOld = order === 'desc' && filter.since !== undefined && head.created_at < filter.since - disorderMs
      const isWanted = !tooOld && wants(filter, head) && visible(head)
      if (isWanted && found.isFullFor(head)) return { rows: await whole(database, found), seen: from, ended: false }
      from = positionOf(head)
      if (tooOld) return { rows: await whole(database, found), seen: from, ended: true }
      if (isWanted) found.add(head)
      if (found.heads.length === limit) return { rows: await whole(database, found), seen: from, ended: false }
    }
    if (heads.length < max) return { rows: await whole(database, found), seen: from, ended: true }
  }
  return { rows: await whole(database, found), seen: from, ended: false }
}

/** Where a read begins. A cursor of the same filters is never before their time. */
async function startOf(database: Database, { applicationId, filter, order, from }: StreamRead) {
  const isFirst = from === undefined || (from.transaction === 0 && from.position === 0)
  if (filter.since === undefined || order === 'desc' || !isFirst) return from
  return later(from, await firstSince(database, applicationId, filter.since - disorderMs))
}

/** The notifications that a read has found, within its bounds. */
class FoundHeads {
  readonly applicationId: string
  readonly heads: StreamHead[] = []
  readonly #maxBytes: number
  #bytes = 0

  constructor({ applicationId, maxBytes = Number.POSITIVE_INFINITY }: StreamRead) {
    this.applicationId = applicationId
    this.#maxBytes = maxBytes
  }

  isFullFor({ bytes }: StreamHead): boolean {
    return this.heads.length > 0 && this.#bytes + bytes > this.#maxBytes
  }

  add(head: StreamHead): void {
    this.heads.push(head)
    this.#bytes += head.bytes
  }
}

/** Whether the reader may see a notification: those about grants out of reach are none. */
async function visibleOf(filter: StreamFilter, heads: readonly StreamHead[]): Promise<(head: StreamHead) => boolean> {
  if (!filter.reach) return () => true
  const wanted = heads.filter((head) => wants(filter, head))
  const reached = await filter.reach([...new Set(wanted.map(({ grant_id }) => grant_id))])
  return ({ grant_id }) => reached.has(grant_id)
}

const wants = ({ types, since }: StreamFilter, { type, created_at }: StreamHead): boolean =>
  (types === undefined || types.includes(type)) && (since === undefined || created_at >= since)

async function whole(database: Database, { applicationId, heads }: FoundHeads): Promise<StreamedRow[]> {
  const rows = await streamedAt(
    database,
    applicationId,
    heads.map(({ position }) => position),
  )
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  return heads.flatMap(({ position }) => byPosition.get(position) ?? [])
}

export const isBefore = (a: StreamPosition, b: StreamPosition): boolean =>
  a.transaction < b.transaction || (a.transaction === b.transaction && a.position < b.position)

const later = (a: StreamPosition | undefined, b: StreamPosition | undefined): StreamPosition | undefined =>
  a && b ? (isBefore(a, b) ? b : a) : (a ?? b)

/**
 * Bisects for a position before which nothing was created at or after a time. The position after everything created
 * before the time is the next one.
 */
async function placeOf(database: Database, applicationId: string, since: number): Promise<number | undefined> {
  const at = async (from: StreamPosition | undefined, order: 'asc' | 'desc'): Promise<StreamHead | undefined> =>
    (await scanStream(database, database.engine, { applicationId, order, from, limit: 1 }))[0]
  const [oldest, newest] = [await at(undefined, 'asc'), await at(undefined, 'desc')]
  if (!oldest || !newest || oldest.created_at >= since) return undefined
  const key = keyOf(database)
  let low = oldest[key]
  let high = newest[key] + 1
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const head = await at(place(database, middle), 'asc')
    if (head && head.created_at < since) low = Math.max(head[key], middle)
    else high = middle
  }
  return low
}

// SQLite has one transaction number for all.
const keyOf = ({ engine }: Database) => (engine === 'sqlite' ? 'position' : 'transaction_number')
const place = (database: Database, value: number): StreamPosition =>
  keyOf(database) === 'position' ? { transaction: 0, position: value } : { transaction: value, position: 0 }

/** A position before everything created at or after a time. */
async function firstSince(database: Database, applicationId: string, since: number): Promise<StreamPosition> {
  return place(database, (await placeOf(database, applicationId, since)) ?? 0)
}

/** A position after everything created before a time. Undefined if there is nothing. */
export async function lastBefore(
  database: Database,
  applicationId: string,
  until: number,
): Promise<StreamPosition | undefined> {
  const last = await placeOf(database, applicationId, until + disorderMs)
  return last === undefined ? undefined : place(database, last + 1)
}
