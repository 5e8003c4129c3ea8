/** Selects what a replay delivers, in bounded steps that yield in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Replay, type Trigger, typesOf } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Database } from '@waypost/store/engine/database'
import { takenOf } from '@waypost/store/tables/notifications/attempt-log'
import { type StreamPosition, scanStream } from '@waypost/store/tables/notifications/notification-stream'
import { failedDeliveries } from '@waypost/store/tables/notifications/replays'
import { disorderMs, lastBefore, positionOf } from './stream-reading.ts'

interface DestinationAddress {
  applicationId: string
  webhookId: string
}

/** The time range in milliseconds, and the notification types. */
export interface Selection {
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
export interface Piece {
  keys: readonly number[]
  scanned: number
}

const saysNothing = 'say what to replay: notification_id, or one of start (with end), outcome, trigger_types, grant_id'

/** Refuses contradictory requests. */
export function checkReplay({ notification_id, dry_run: _, failed, ...filter }: Replay): void {
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
export function selectionOf(request: Replay, triggers: readonly Trigger[]): Selection {
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
export const selected = (
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
