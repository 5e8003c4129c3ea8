/** Delivers again what was delivered, or failed: one notification, a range of time, or all that failed. */
import { type Replay, typesOf } from '@waypost/contract'
import { ApiError, invalidField } from '../lib/api-error.ts'
import type { Queries } from '../store/database.ts'
import { replayFailedDeliveries, replayNotifications } from '../store/deliveries.ts'
import { getNotification } from '../store/notification-stream.ts'
import { needWebhook, triggersOf } from './destinations.ts'

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

/** Queues what a request names; answers how many notifications that are. */
export async function replay(
  tx: Queries,
  { applicationId, webhookId }: { applicationId: string; webhookId: string },
  request: Replay,
  now: number,
): Promise<number> {
  checkChoice(request)
  const row = await needWebhook(tx, applicationId, webhookId)
  const { status } = row
  if (status !== 'active' && status !== 'failing') {
    throw new ApiError(
      'conflict',
      `the destination takes nothing while its status is ${status}: set it to active first`,
    )
  }
  const at = { applicationId, webhookId }
  const { notification_id: id, start, end } = request
  if (id !== undefined) {
    if (!(await getNotification(tx, applicationId, id))) {
      throw new ApiError('not_found', 'no notification with this id is kept')
    }
    return replayNotifications(tx, at, { id }, now)
  }
  if (start === undefined) return replayFailedDeliveries(tx, at, now)
  const range = { from: start * 1000, to: end === undefined ? Number.MAX_SAFE_INTEGER : end * 1000 }
  return replayNotifications(tx, at, { ...range, types: triggersOf(row).flatMap(typesOf) }, now)
}
