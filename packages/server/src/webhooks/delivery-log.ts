/** What came of deliveries, as clients and commands are shown it. */
import type { Delivery, DeliveryAttempt } from '@waypost/contract'
import { seconds } from '../lib/clock.ts'
import type { ListedAttempt, ListedDelivery } from '../store/deliveries.ts'
import { isDelivered } from './lane.ts'

export const attemptOf = (row: ListedAttempt): DeliveryAttempt => ({
  notification_id: row.notification_id,
  type: row.type,
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
