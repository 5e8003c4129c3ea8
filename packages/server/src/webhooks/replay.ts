/** Delivers again what was delivered, or failed: one notification, a range of time, or all that failed. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Replay, typesOf } from '@waypost/contract'
import { ApiError, invalidField } from '../lib/api-error.ts'
import type { Database } from '../store/database.ts'
import { getNotification, type StreamPosition, scanStream } from '../store/notification-stream.ts'
import { failedDeliveries, requeueFailed, requeueNotifications } from '../store/replays.ts'
import { needWebhook, triggersOf } from './destinations.ts'
import { disorderMs, positionOf } from './stream-reading.ts'

function checkChoice({ notification_id, start, end, failed }: Replay): void {
  const chosen = [notification_id, start, failed || undefined].filter((each) => each !== undefined).length
  if (chosen !== 1) {
    throw new ApiError(
      'invalid_request',
      'say what to replay: one of notification_id, start (with end) or failed: true',
    )
  }
  if (end !== undefined && start === undefined) throw invalidField('end', 'needs start')
  if (start !== undefined && end !== undefined && end <= start) throw invalidField('end', 'must be after start')
}

/** Refuses a destination that nothing is sent to. */
export function needServed({ status }: { status: string }): void {
  if (status === 'active' || status === 'failing') return
  throw new ApiError('conflict', `the destination takes nothing while its status is ${status}: set it to active first`)
}

/**
 * Queues what a request names; answers how many notifications that are. It is read first and queued afterwards, in small
 * steps with turns for others in between. What was queued stays so where the rest fails, and a repetition finds it done.
 */
export async function replay(
  database: Database,
  at: { applicationId: string; webhookId: string },
  request: Replay,
  now: number,
): Promise<number> {
  checkChoice(request)
  const row = await needWebhook(database, at.applicationId, at.webhookId)
  needServed(row)
  const { notification_id: id, start, end } = request
  if (id !== undefined) {
    const one = await getNotification(database, at.applicationId, id)
    if (!one) throw new ApiError('not_found', 'no notification with this id is kept')
    return requeueNotifications(database, at, { positions: [one.position], now })
  }
  if (start === undefined) {
    const ids = await allFailed(database, at)
    return inSteps(ids, (piece) => requeueFailed(database, at, { ids: piece, now }))
  }
  const span = { from: start * 1000, to: end === undefined ? Number.POSITIVE_INFINITY : end * 1000 }
  const types = new Set(triggersOf(row).flatMap(typesOf))
  const positions = await positionsWithin(database, at.applicationId, { ...span, types })
  return inSteps(positions, (piece) => requeueNotifications(database, at, { positions: piece, now }))
}

const readAtOnce = 1_000
const queuedAtOnce = 250

async function inSteps(all: readonly number[], queue: (piece: readonly number[]) => Promise<number>): Promise<number> {
  let count = 0
  for (let from = 0; from < all.length; from += queuedAtOnce) {
    count += await queue(all.slice(from, from + queuedAtOnce))
    await nextTurn()
  }
  return count
}

async function allFailed(database: Database, at: { applicationId: string; webhookId: string }): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const page = await failedDeliveries(database, at, { after: ids.at(-1) ?? 0, limit: readAtOnce })
    ids.push(...page)
    if (page.length < readAtOnce) return ids
    await nextTurn()
  }
}

/** From the newest back to the beginning of the span; answered in the order in which they were written. */
async function positionsWithin(
  database: Database,
  applicationId: string,
  { from, to, types }: { from: number; to: number; types: ReadonlySet<string> },
): Promise<number[]> {
  const positions: number[] = []
  let before: StreamPosition | undefined
  for (;;) {
    const part = { applicationId, order: 'desc', from: before, limit: readAtOnce } as const
    const heads = await scanStream(database, database.engine, part)
    for (const { position, type, created_at: at } of heads) {
      if (at >= from && at < to && types.has(type)) positions.push(position)
    }
    const last = heads.at(-1)
    if (!last || heads.length < readAtOnce || last.created_at < from - disorderMs) break
    before = positionOf(last)
    await nextTurn()
  }
  return positions.sort((a, b) => a - b)
}
