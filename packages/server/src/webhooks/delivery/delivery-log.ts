/** Outcomes of deliveries, as clients and commands see them. */
import { type Delivery, type DeliveryAttempt, limits, type WebhookHealth } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import type { Queries } from '@waypost/store/engine/database'
import { type ListedAttempt, tallyAttempts } from '@waypost/store/tables/notifications/attempt-log'
import type { ListedDelivery } from '@waypost/store/tables/notifications/deliveries'
import { isDelivered } from './attempt.ts'

/** An attempt with its decrypted response. */
export type OpenedAttempt = Omit<ListedAttempt, 'sealed_answer'> & { answer: string | null }

export const attemptOf = (row: OpenedAttempt): DeliveryAttempt => ({
  notification_id: row.notification_id,
  type: row.type,
  grant_id: row.grant_id,
  webhook_delivery_attempt: row.attempt,
  outcome: isDelivered(row) ? 'delivered' : 'failed',
  at: seconds(row.at),
  latency_ms: row.latency_ms,
  status: row.status,
  error: row.error,
  answer: row.answer,
})

export const deliveryOf = ({ notification_id, type, grant_id, state, attempts, due_at }: ListedDelivery): Delivery => ({
  notification_id,
  type,
  grant_id,
  state,
  attempts,
  next_attempt_at: state === 'waiting' ? seconds(due_at) : null,
})

const hourMs = 3_600_000
const quarterMs = hourMs / 4
/** Up to this many hours are reported by quarters of an hour. */
const byQuarters = 6

/** The outcomes of attempts at a destination in the last hours, without gaps. */
export async function healthOver(
  queries: Queries,
  of: { applicationId: string; webhookId: string },
  { hours, now }: { hours: number; now: number },
): Promise<WebhookHealth[]> {
  const stepMs = hours > byQuarters ? hourMs : quarterMs
  const to = (Math.floor(now / stepMs) + 1) * stepMs
  const from = to - hours * hourMs
  const othersTurn = yieldBetween()
  const steps: WebhookHealth[] = []
  for (let at = from; at < to; at += stepMs) {
    const counted = await tallyAttempts(queries, of, { from: at, to: at + stepMs, max: limits.attemptsCounted })
    steps.push({ at: seconds(at), ...counted })
    await othersTurn()
  }
  return steps
}
