/**
 * The history of a grant, merged page by page from four sources that each have their own order: state changes,
 * notifications, calls and errors. A page's cursor stores the position in each source.
 */
import type { TimelineEntry } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Engine, Queries } from '@waypost/store/engine/database'
import { errorsOfGrant, type TimelineError } from '@waypost/store/tables/grants/grant-activity'
import { type CallRow, callsOfGrant } from '@waypost/store/tables/grants/grant-calls'
import { eventsOfGrant, type GrantEventRow } from '@waypost/store/tables/grants/grant-events'
import { type StreamHead, scanStream } from '@waypost/store/tables/notifications/notification-stream'

export const timelineKinds = ['grant', 'notifications', 'calls', 'errors'] as const
export type TimelineKind = (typeof timelineKinds)[number]

/** The position in a source. Its rows are ordered by two values. */
type Place = readonly [number, string | number]
export type TimelinePosition = Partial<Record<TimelineKind, Place>>

/** An entry with its position in its source. */
interface PlacedEntry {
  kind: TimelineKind
  /** The sort key of all entries, in milliseconds. */
  time: number
  place: Place
  entry: TimelineEntry
}

const empty = {
  reason: null,
  message: null,
  operation: null,
  type: null,
  notification_id: null,
  request_id: null,
  calls: null,
} as const

const ofEvent = (row: GrantEventRow): PlacedEntry => ({
  kind: 'grant',
  time: row.at,
  place: [row.at, row.id],
  entry: {
    ...empty,
    id: `grant-${row.id}`,
    at: seconds(row.at),
    kind: row.kind,
    reason: row.reason,
    message: row.message,
    request_id: row.request_id,
  },
})

const ofNotification = (row: StreamHead): PlacedEntry => ({
  kind: 'notifications',
  time: row.created_at,
  place: [row.transaction_number, row.position],
  entry: {
    ...empty,
    id: `notification-${row.id}`,
    at: seconds(row.created_at),
    kind: 'notification',
    type: row.type,
    notification_id: row.id,
  },
})

const ofCalls = (row: CallRow): PlacedEntry => ({
  kind: 'calls',
  time: row.hour,
  place: [row.hour, row.route],
  entry: {
    ...empty,
    id: `calls-${row.hour}-${row.route}`,
    at: seconds(row.hour),
    kind: 'calls',
    operation: row.route,
    request_id: row.last_request_id,
    calls: {
      requests: row.requests,
      refused: row.refused,
      errors: row.errors,
      mean_ms: Math.round(row.milliseconds / Math.max(1, row.requests)),
      last_at: seconds(row.last_at),
    },
  },
})

const ofError = (row: TimelineError): PlacedEntry => ({
  kind: 'errors',
  time: row.at,
  place: [row.at, row.id],
  entry: {
    ...empty,
    id: `error-${row.id}`,
    at: seconds(row.at),
    kind: row.refused === 1 ? 'refusal' : 'error',
    message: row.message,
    operation: row.operation,
    type: row.type,
    request_id: row.request_id,
  },
})

export interface TimelineReading {
  queries: Queries
  engine: Engine
  seals: DataSeals
  of: { applicationId: string; grantId: string }
}

/** After every existing row. */
const last: Place = [Number.MAX_SAFE_INTEGER, '']
const textOf = ([time, name]: Place): [number, string] => [time, String(name)]

const readers: Record<
  TimelineKind,
  (reading: TimelineReading, place: Place | undefined, limit: number) => Promise<PlacedEntry[]>
> = {
  grant: async ({ queries, of, seals }, place, limit) =>
    (await eventsOfGrant(queries, of, { before: textOf(place ?? last), limit }, seals)).map(ofEvent),
  errors: async ({ queries, of, seals }, place, limit) =>
    (await errorsOfGrant(queries, of, { before: textOf(place ?? last), limit }, seals)).map(ofError),
  calls: async ({ queries, of }, place, limit) =>
    (await callsOfGrant(queries, of, { before: textOf(place ?? last), limit })).map(ofCalls),
  notifications: async ({ queries, engine, of }, place, limit) => {
    const from = place && { transaction: place[0], position: Number(place[1]) }
    return (await scanStream(queries, engine, { ...of, order: 'desc', from, limit })).map(ofNotification)
  },
}

/** The next entries of the requested kinds, newest first, and the positions where they end. */
export async function readTimeline(
  reading: TimelineReading,
  wanted: readonly TimelineKind[],
  { position, limit }: { position: TimelinePosition; limit: number },
): Promise<{ entries: TimelineEntry[]; next: TimelinePosition | undefined }> {
  const found: PlacedEntry[][] = []
  for (const kind of wanted) found.push(await readers[kind](reading, position[kind], limit + 1))
  // A stable sort keeps the order within each source, also for equal times.
  const all = found.flat().toSorted((a, b) => b.time - a.time)
  const page = all.slice(0, limit)
  const next = { ...position }
  for (const { kind, place } of page) next[kind] = place
  return { entries: page.map(({ entry }) => entry), next: all.length > page.length ? next : undefined }
}
