/**
 * Reminders for applications: the notification `booking.reminder`, once, at its time. The job removes itself in the
 * transaction that writes the notification. A job of a booking that changed since, or has begun, writes none.
 */
import type { BookingObject } from '@waypost/contract'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Database } from '@waypost/store/engine/database'
import { takeOutbox } from '@waypost/store/tables/notifications/outbox'
import { readBooking } from '@waypost/store/tables/scheduling/bookings'
import type { Notify } from '../../grants/notify.ts'
import { openSealedJob } from '../../grants/queued-mail.ts'
import type { JobHandler } from '../../outbox/runner.ts'

export interface RemindOptions {
  database: Database
  clock: Clock
  seals: DataSeals
  notify: Notify
}

/** The content of a job. */
export interface ReminderJob {
  revision: number
  provider: string
  /** As of the change that set the time of the booking. */
  object: BookingObject
}

export const remindHandler =
  ({ database, clock, seals, notify }: RemindOptions): JobHandler =>
  async (payload) => {
    const { id, applicationId, grantId, content } = await openSealedJob<ReminderJob>(seals, payload)
    const { object, revision, provider } = content
    const secondsLeft = object.booking_info.start_time - Math.floor(clock.now() / 1000)
    if (secondsLeft <= 0) return
    await database.transaction(async (tx) => {
      const booking = await readBooking(tx, { applicationId, id: object.booking_id })
      if (booking?.revision !== revision || !(await takeOutbox(tx, { applicationId, id }))) return
      const booking_info = { ...object.booking_info, time_until_event: secondsLeft }
      await notify(tx, {
        applicationId,
        grantId,
        provider,
        trigger: 'booking.reminder',
        object: { ...object, booking_info },
      })
    })
  }
