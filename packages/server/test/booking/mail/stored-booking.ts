/** A stored booking and its configuration, for tests of mails. */
import { randomUUID } from 'node:crypto'
import type { Configuration } from '@waypost/contract'
import { type BookingState, insertBooking } from '@waypost/store/tables/scheduling/bookings'
import type { BookingDetails } from '../../../src/booking/bookings/booking-record.ts'
import {
  type BookingChange,
  type BookingRecord,
  recordOf,
  sealDetails,
} from '../../../src/booking/bookings/booking-record.ts'
import type { TestService } from '../../harness.ts'

export const sampleConfiguration = (changes: Partial<Configuration> = {}): Configuration => ({
  id: randomUUID(),
  name: 'Consultation',
  slug: null,
  type: '',
  requires_session_auth: false,
  participants: [],
  availability: { duration_minutes: 30 },
  event_booking: { title: 'Consultation', timezone: 'Europe/Berlin' },
  scheduler: {},
  appearance: null,
  embed_origins: [],
  ...changes,
})

interface Wish {
  applicationId: string
  /** The host whose calendar has the event. */
  grantId: string
  /** Unix seconds. */
  startTime: number
  status?: BookingState
  configurationId?: string
  eventId?: string
  details?: Partial<BookingDetails>
}

const noDetails: BookingDetails = {
  guest: { email: 'gina@guest.test', name: 'Gina' },
  additionalGuests: [],
  additionalFields: {},
  title: 'Consultation',
  description: '',
  location: '',
  organizer: { email: 'olga@host.test', name: 'Olga' },
  participants: [],
  timezone: 'Asia/Tokyo',
  emailLanguage: 'de',
  salt: 'c2FsdHNhbHRzYWx0',
  guestSalt: 'Z3Vlc3RzYWx0',
  cancellationReason: '',
}

export async function storeBooking({ services }: TestService, wish: Wish): Promise<BookingRecord> {
  const at = { applicationId: wish.applicationId, id: randomUUID() }
  const now = services.storage.clock.now()
  const row = {
    id: at.id,
    application_id: at.applicationId,
    configuration_id: wish.configurationId ?? randomUUID(),
    grant_id: wish.grantId,
    host_grant_id: wish.grantId,
    status: wish.status ?? 'booked',
    revision: 1,
    start_time: wish.startTime,
    end_time: wish.startTime + 1800,
    calendar_id: 'primary',
    event_id: wish.eventId ?? 'event',
    guest_key: 'key',
    sealed_document: sealDetails(services.storage.seals, at, { ...noDetails, ...wish.details }),
    sealed_intent: null,
    created_at: now,
    updated_at: now,
  }
  await services.storage.database.transaction((tx) => insertBooking(tx, row))
  return recordOf(services.storage.seals, row)
}

/** Queues the mails about a change, like the transaction of the change. */
export const queueMails = ({ services }: TestService, change: BookingChange): Promise<void> =>
  services.storage.database.transaction((tx) => services.scheduling.mails.queueBookingMails(tx, change))
export const queueReminders = (
  { services }: TestService,
  booked: Pick<BookingChange, 'record' | 'configuration'>,
): Promise<void> =>
  services.storage.database.transaction((tx) => services.scheduling.mails.queueBookingReminders(tx, booked))
