/** Delivers notifications again, delivered or failed: one, or all that a request selects. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits, type Replay } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Database } from '@waypost/store/engine/database'
import { getNotification } from '@waypost/store/tables/notifications/notification-stream'
import { requeueFailed, requeueNotifications } from '@waypost/store/tables/notifications/replays'
import { needDestination, triggersOf } from './destinations.ts'
import { checkReplay, type Selection, selected, selectionOf } from './replay-selection.ts'

interface DestinationAddress {
  applicationId: string
  webhookId: string
}

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
