/**
 * Reads the stream in bounded steps: whatever the filter and the length of the history, one request checks a limited
 * number of notifications and yields in between. If the filter finds too few, the result says where to continue.
 */
import { setImmediate as pause } from 'node:timers/promises'
import type { Database } from '../store/engine/database.ts'
import {
  readStream,
  type StreamedRow,
  type StreamHead,
  type StreamPosition,
  scanStream,
  streamedAt,
} from '../store/tables/notifications/notification-stream.ts'

export interface StreamFilter {
  grantId?: string | undefined
  types?: readonly string[] | undefined
  /** Milliseconds. */
  since?: number | undefined
}

export interface StreamRead {
  applicationId: string
  filter: StreamFilter
  order: 'asc' | 'desc'
  from: StreamPosition | undefined
  limit: number
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
  if (filter.types === undefined && filter.since === undefined) {
    // One extra row shows that there are more.
    const nearest = await readStream(database, database.engine, { ...part, from: read.from, limit: limit + 1 })
    const rows = nearest.slice(0, limit)
    const last = rows.at(-1)
    return { rows, seen: last && positionOf(last), ended: nearest.length <= limit }
  }
  const start =
    filter.since === undefined ? undefined : await firstSince(database, read.applicationId, filter.since - disorderMs)
  let from = order === 'asc' ? later(read.from, start) : read.from
  const found: StreamHead[] = []
  for (let step = 0; step < maxSteps; step++) {
    if (step > 0) await pause()
    const heads = await scanStream(database, database.engine, { ...part, from, limit: stepRows })
    for (const head of heads) {
      from = positionOf(head)
      const tooOld = order === 'desc' && filter.since !== undefined && head.created_at < filter.since - disorderMs
      if (tooOld) return { rows: await whole(database, applicationId, found), seen: from, ended: true }
      if (wants(filter, head)) found.push(head)
      if (found.length === limit) return { rows: await whole(database, applicationId, found), seen: from, ended: false }
    }
    if (heads.length < stepRows) return { rows: await whole(database, applicationId, found), seen: from, ended: true }
  }
  return { rows: await whole(database, applicationId, found), seen: from, ended: false }
}

const wants = ({ types, since }: StreamFilter, { type, created_at }: StreamHead): boolean =>
  (types === undefined || types.includes(type)) && (since === undefined || created_at >= since)

async function whole(database: Database, applicationId: string, heads: readonly StreamHead[]): Promise<StreamedRow[]> {
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
