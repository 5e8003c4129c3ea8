/** Announces a change of a booking, in its transaction: the notification, the mails, the reminders. */
import type { Trigger } from '@waypost/contract'
import type { Queries } from '@waypost/store/engine/database'
import { getGrant } from '@waypost/store/tables/grants/grants'
import type { IntentKind } from './intents.ts'
import { bookingObjectOf } from './notification-objects.ts'
import type { BookingChange, BookingRecord } from './record.ts'
import type { BookingTools } from './tools.ts'
import type { BookingWork } from './work.ts'

const triggerOf = (kind: IntentKind, { status }: BookingRecord): Trigger & `booking.${string}` => {
  if (kind === 'reschedule') return 'booking.rescheduled'
  if (status === 'cancelled') return 'booking.cancelled'
  return status === 'pending' ? 'booking.pending' : 'booking.created'
}

const mailKindOf = (kind: IntentKind, { status }: BookingRecord): BookingChange['kind'] => {
  // A request that was moved is still one: its organizer confirms the new time.
  if (kind === 'reschedule') return status === 'pending' ? 'requested' : 'rescheduled'
  if (kind === 'decline') return 'declined'
  if (kind === 'cancel') return 'cancelled'
  return status === 'pending' ? 'requested' : 'confirmed'
}

/** What a change has led to. */
export interface Outcome extends Pick<BookingChange, 'event' | 'withdrawn'> {
  next: BookingRecord
}

export async function announce(
  tx: Queries,
  tools: BookingTools,
  { record, intent, configuration: of }: BookingWork,
  { next, ...entry }: Outcome,
): Promise<void> {
  const { configuration } = of
  const { applicationId, grantId } = next
  const host = await getGrant(tx, applicationId, next.hostGrantId)
  const owner = host ?? (await getGrant(tx, applicationId, grantId))
  const provider = owner?.grant.provider ?? ''
  const isMoved = intent.kind === 'reschedule'
  const info = {
    ...(isMoved ? { old_start_time: record.startTime, old_end_time: record.endTime } : {}),
    ...(next.status === 'cancelled' ? { cancellation_reason: intent.reason } : {}),
  }
  await tools.notify(tx, {
    ...{ applicationId, grantId, provider, trigger: triggerOf(intent.kind, next) },
    object: bookingObjectOf({ record: next, configuration, baseUrl: tools.baseUrl, provider }, info),
  })
  await tools.mails.queueBookingMails(tx, {
    ...{
      ...entry,
      record: next,
      before: record,
      configuration,
      kind: mailKindOf(intent.kind, next),
      reason: intent.reason,
    },
    ...(isMoved ? { previous: { startTime: record.startTime, endTime: record.endTime } } : {}),
  })
  if (next.status === 'booked')
    await tools.mails.queueBookingReminders(tx, { event: entry.event, record: next, configuration })
}
