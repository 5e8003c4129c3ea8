/** The collaborators of bookings. */
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Log } from '@waypost/platform/log'
import type { Database, Queries } from '@waypost/store/engine/database'
import type { Conferences } from '../../conferences/conferences.ts'
import type { Notify } from '../../grants/notify.ts'
import type { Sessions } from '../../grants/sessions.ts'
import type { ConfigurationRecord } from '../configurations.ts'
import type { BookingChange } from './booking-record.ts'

/** Queues mails (`mail/booking-mails.ts`). */
export interface ChangeMails {
  /** Queues the mails about a change, in its transaction. */
  queueBookingMails(tx: Queries, change: BookingChange): Promise<void>
  /**
   * Queues the reminders of a booked time, in the transaction of the change that set it. Reminders of an earlier
   * revision do nothing when their time comes.
   */
  queueBookingReminders(tx: Queries, booked: Pick<BookingChange, 'record' | 'configuration' | 'event'>): Promise<void>
}

/** Moments between two steps of a change, where tests end the process. */
export type BookingMoment = 'recorded' | 'checked' | 'validated' | 'placed' | 'settled'

export interface BookingTools {
  database: Database
  sessions: Sessions
  conferences: Pick<Conferences, 'order'>
  clock: Clock
  log: Log
  seals: DataSeals
  notify: Notify
  nodeId: string
  /** The URL of the service, for links. */
  baseUrl: string
  mails: ChangeMails
  failpoint?(moment: BookingMoment): Promise<void> | void
}

/** The configuration of a booking, as far as bookings use it. */
export type BookedConfiguration = Omit<ConfigurationRecord, 'createdAt' | 'updatedAt'>
