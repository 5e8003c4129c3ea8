/** The job that finishes a change whose process ended before it was settled. */
import type { Queries } from '@waypost/store/engine/database'
import { addToOutbox } from '@waypost/store/tables/notifications/outbox'
import type { BookingRecord } from './record.ts'
import { nextRevision } from './work.ts'

export const settleJob = 'bookings.settle'

/** Most changes are settled by then, and their job is gone. */
const dueMs = 5_000

export interface SettlePayload {
  applicationId: string
  id: string
  /** Of the booking after the change. */
  revision: number
}

export const settleJobId = ({ record }: { record: BookingRecord }): string => `${record.id} ${nextRevision({ record })}`

/** Queues the job, in the transaction that records the intent. */
export async function queueSettling(tx: Queries, record: BookingRecord, now: number): Promise<void> {
  const { applicationId, id, grantId } = record
  const payload: SettlePayload = { applicationId, id, revision: nextRevision({ record }) }
  const job = { id: settleJobId({ record }), applicationId, grantId, kind: settleJob }
  await addToOutbox(tx, { ...job, payload: JSON.stringify(payload), dueAt: now + dueMs, now })
}
