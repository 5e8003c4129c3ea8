/**
 * Delivers notifications again, delivered or failed: one, or all that a request selects. What is selected is read in
 * bounded steps that yield in between.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits, type Replay, type Trigger, typesOf } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Database } from '@waypost/store/engine/database'
import { takenOf } from '@waypost/store/tables/notifications/attempt-log'
import type { DestinationAddress } from '@waypost/store/tables/notifications/delivery-leases'
import {
  getNotification,
  type StreamPosition,
  scanStream,
} from '@waypost/store/tables/notifications/notification-stream'
import { failedDeliveries, requeueFailed, requeueNotifications } from '@waypost/store/tables/notifications/replays'
import { needDestination, triggersOf } from './destinations.ts'
import { disorderMs, lastBefore, positionOf } from './stream-reading.ts'

/** Whether a destination receives deliveries. */
export const isServed = ({ status }: { status: string }): boolean => status === 'active' || status === 'failing'

/** Refuses a destination that receives no deliveries. */
export function needServed({ status }: { status: string }): void {
  if (isServed({ status })) return
  throw new ApiError(
    'conflict',
    `the destination receives nothing while its status is ${status}: set it to active first`,
  )
}

async function positionOfRetained(database: Database, applicationId: string, id: string): Promise<number> {
  const one = await getNotification(database, applicationId, id)
  if (!one) throw new ApiError('not_found', 'no notification with this id is stored')
  return one.position
}

/**
 * Queues what a request selects and returns the number. It reads first and queues afterwards, in small steps that
 * yield in between. If it fails halfway, queued deliveries stay queued, and a retry skips them.
 */
export async function replay(
  database: Database,
  at: DestinationAddress,
  request: Replay,
  now: number,
): Promise<number> {
  checkReplay(request)
  const row = await needDestination(database, at.applicationId, at.webhookId)
  needServed(row)
  if (request.notification_id !== undefined) {
    const position = await positionOfRetained(database, at.applicationId, request.notification_id)
    return requeueNotifications(database, at, { positions: [position], now })
  }
  const selection = selectionOf(request, triggersOf(row))
  const keys: number[] = []
  for await (const piece of selected(database, at, { selection, now })) keys.push(...piece.keys)
  return requeue(database, at, { selection, keys: keys.sort((a, b) => a - b), now })
}

const queuedAtOnce = 250

async function requeue(
  database: Database,
  at: DestinationAddress,
  { selection, keys, now }: { selection: Selection; keys: readonly number[]; now: number },
): Promise<number> {
  let count = 0
  for (let from = 0; from < keys.length; from += queuedAtOnce) {
    const piece = keys.slice(from, from + queuedAtOnce)
    count +=
      selection.outcome === 'failed'
        ? await requeueFailed(database, at, { ids: piece, now })
        : await requeueNotifications(database, at, { positions: piece, now })
    await nextTurn()
  }
  return count
}

/** Maximum number of rows checked to count a selection, so that a count is fast however long the history is. */
const maxScanned = 100_000

/** The number of selected notifications, and whether there may be more than were counted. */
export async function countReplay(
  database: Database,
  at: DestinationAddress,
  request: Replay,
  now: number,
): Promise<{ matching: number; more: boolean }> {
  checkReplay(request)
  const row = await needDestination(database, at.applicationId, at.webhookId)
  if (request.notification_id !== undefined) {
    await positionOfRetained(database, at.applicationId, request.notification_id)
    return { matching: 1, more: false }
  }
  const selection = selectionOf(request, triggersOf(row))
  let matching = 0
  let polled = 0
  for await (const piece of selected(database, at, { selection, now })) {
    matching += piece.keys.length
    polled += piece.scanned
    if (matching > limits.replayCounted) return { matching: limits.replayCounted, more: true }
    if (polled >= maxScanned) return { matching, more: true }
  }
  return { matching, more: false }
}

/** The time range in milliseconds, and the notification types. */
interface Selection {
  outcome: 'all' | 'delivered' | 'failed'
  from: number
  to: number
  /** Undefined means all. */
  types: ReadonlySet<string> | undefined
  grantId: string | undefined
}

/**
 * A part of the selection: ids of failed deliveries, or positions of notifications; and how many rows were checked
 * for it.
 */
interface Piece {
  keys: readonly number[]
  scanned: number
}

const saysNothing = 'say what to replay: notification_id, or one of start (with end), outcome, trigger_types, grant_id'

/** Refuses contradictory requests. */
function checkReplay({ notification_id, dry_run: _, failed, ...filter }: Replay): void {
  const filters = Object.values({ ...filter, failed: failed || undefined }).filter((each) => each !== undefined)
  if (notification_id !== undefined && filters.length > 0) {
    throw new ApiError('invalid_request', 'notification_id names one notification: leave the other fields out')
  }
  const { start, end, outcome } = filter
  if (end !== undefined && start === undefined) throw invalidField('end', 'needs start')
  if (start !== undefined && end !== undefined && end <= start) throw invalidField('end', 'must be after start')
  if (notification_id === undefined && filters.length === 0) throw new ApiError('invalid_request', saysNothing)
  if (failed && outcome !== undefined && outcome !== 'failed') {
    throw invalidField('outcome', 'must be failed together with failed: true')
  }
}

/** The selection of a request at a destination with these triggers. */
function selectionOf(request: Replay, triggers: readonly Trigger[]): Selection {
  const outcome = request.failed ? 'failed' : (request.outcome ?? 'all')
  const named = request.trigger_types
  const other = named?.find((name) => !triggers.includes(name))
  // Failed deliveries may belong to a trigger that the destination had earlier.
  if (outcome !== 'failed' && other !== undefined) {
    throw invalidField('trigger_types', `the destination is not subscribed to ${other}`)
  }
  const wanted = named ?? (outcome === 'failed' ? undefined : triggers)
  return {
    outcome,
    from: (request.start ?? 0) * 1000,
    to: request.end === undefined ? Number.POSITIVE_INFINITY : request.end * 1000,
    types: wanted && new Set(wanted.flatMap(typesOf)),
    grantId: request.grant_id,
  }
}

/** Reads the selection part by part. */
const selected = (
  database: Database,
  at: DestinationAddress,
  { selection, now }: { selection: Selection; now: number },
): AsyncGenerator<Piece> =>
  selection.outcome === 'failed' ? failedOf(database, at, selection) : notificationsOf(database, at, selection, now)

const readAtOnce = 1_000
/** Number of ids per statement. */
const rowsAtOnce = 250

async function* failedOf(
  database: Database,
  at: DestinationAddress,
  { from, to, types, grantId }: Selection,
): AsyncGenerator<Piece> {
  let after = 0
  for (;;) {
    const rows = await failedDeliveries(database, at, { after, limit: readAtOnce })
    const keys = rows
      .filter(({ created_at: made }) => made >= from && made < to)
      .filter(({ type, grant_id }) => (types?.has(type) ?? true) && (grantId ?? grant_id) === grant_id)
      .map(({ id }) => id)
    yield { keys, scanned: rows.length }
    if (rows.length < readAtOnce) return
    after = rows.at(-1)?.id ?? after
    await nextTurn()
  }
}

/** Reads the stream from the end of the range back to its start. */
async function* notificationsOf(
  database: Database,
  at: DestinationAddress,
  { outcome, from, to, types, grantId }: Selection,
  now: number,
): AsyncGenerator<Piece> {
  const { applicationId } = at
  let before: StreamPosition | undefined =
    to < now - disorderMs ? await lastBefore(database, applicationId, to) : undefined
  for (;;) {
    const part = { applicationId, grantId, order: 'desc', from: before, limit: readAtOnce } as const
    const heads = await scanStream(database, database.engine, part)
    const fitting = heads
      .filter(({ type, created_at: made }) => made >= from && made < to && (types?.has(type) ?? true))
      .map(({ position }) => position)
    const keys = outcome === 'delivered' ? await taken(database, at, fitting) : fitting
    yield { keys, scanned: heads.length }
    const last = heads.at(-1)
    if (!last || heads.length < readAtOnce || last.created_at < from - disorderMs) return
    before = positionOf(last)
    await nextTurn()
  }
}

async function taken(database: Database, at: DestinationAddress, positions: readonly number[]): Promise<number[]> {
  const found: number[] = []
  for (let from = 0; from < positions.length; from += rowsAtOnce) {
    found.push(...(await takenOf(database, at, positions.slice(from, from + rowsAtOnce))))
  }
  return found
}
