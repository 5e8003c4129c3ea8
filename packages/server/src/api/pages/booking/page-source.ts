/**
 * Finds what a booking page shows: the configuration, and the booking of a reference. Everything that does not exist,
 * has ended or belongs to somebody else looks the same.
 */
import type { Configuration, UiSettings } from '@waypost/contract'
import type { BookingOfPage } from '@waypost/contract/booking-page'
import { ApiError } from '@waypost/platform/api-error'
import { isUuid } from '@waypost/platform/ids'
import type { Database } from '@waypost/store/engine/database'
import { getApplication } from '@waypost/store/tables/applications/applications'
import {
  type BookingMailKind,
  type BookingRecord,
  findBooking,
  provedBy,
} from '../../../booking/bookings/booking-record.ts'
import { needsConfirmation } from '../../../booking/bookings/booking-states.ts'
import { type ConfigurationRecord, findConfigurationOfAny } from '../../../booking/configurations.ts'
import { type GuestMailTools, isGuestMailed } from '../../../booking/mail/mail-route.ts'
import { findPageVisitor, type VisitServices } from '../../../booking/page-visitor.ts'
import { type BookingReference, readReference } from '../../../booking/references.ts'
import { createSchedulingSession } from '../../../booking/scheduling-sessions.ts'
import { bookedEventOf, settingsOf } from '../../../booking/ui-settings.ts'
import type { PageVisit } from '../../pipeline/page.ts'

/** What is known about the event before a booking. */
export interface EventFacts {
  location?: string | undefined
  description?: string | undefined
  hasConference: boolean
  /** Whether the guest gets the mails that the page announces. */
  sendsMail: boolean
}

export interface OpenedPage {
  settings: UiSettings
  embedOrigins: readonly string[]
  event: EventFacts
  /** The session with which the page of a private configuration calls the API. */
  session?: string | undefined
  booking?: BookingOfPage | undefined
}

/** Whose link a page needs. The organizer's link opens every page, the guest's does not open the confirmation. */
export type Proof = 'organizer' | 'guest'

/** Undefined for everything that a visitor may not see. */
export interface BookingPageSource {
  openPage(visit: PageVisit, at: { clientId: string; slug: string }): Promise<OpenedPage | undefined>
  openBooking(visit: PageVisit, at: { reference: string; needed: Proof }): Promise<OpenedPage | undefined>
}

export interface SourceServices extends VisitServices, Pick<GuestMailTools, 'sessions' | 'mail'> {
  database: Database
}

/** Minutes that the page of one booking may stay open, if its configuration is private. */
const sessionMinutes = 30

/** Texts with tokens (`${invitee}`) make sense only after a booking. */
const plainText = (text: string | null | undefined): string | undefined =>
  text && !text.includes('${') ? text : undefined

function eventFacts({ event_booking: event, group_booking: group }: Configuration): Omit<EventFacts, 'sendsMail'> {
  const conference = event.conferencing ?? group?.conferencing
  return {
    location: plainText(event.location),
    description: plainText(event.description),
    hasConference: Boolean(conference && Object.keys(conference).length > 0),
  }
}

/** A request that waits for the organizer is answered by one of these. */
const answers: readonly BookingMailKind[] = ['confirmed', 'declined']

async function openedOf(
  services: SourceServices,
  record: ConfigurationRecord,
  { settings, booking }: { settings: UiSettings; booking?: BookingRecord },
): Promise<OpenedPage> {
  const { configuration } = record
  // The page of a booking can cancel it, too.
  const kinds = booking ? [...answers, 'cancelled' as const] : needsConfirmation(record) ? answers : answers.slice(0, 1)
  const sendsMail = await isGuestMailed(services, record, { kinds, hostGrantId: booking?.hostGrantId })
  return {
    settings,
    embedOrigins: configuration.embed_origins,
    event: { ...eventFacts(configuration), sendsMail },
  }
}

/** A missing page for errors that say that there is none; others are thrown. */
const orMissing = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500 && error.code !== 'rate_limited') return undefined
    throw error
  })

async function bookingOf(
  services: SourceServices,
  { configurationId, bookingId, salt }: BookingReference,
  { address, needed }: { address: string; needed: Proof },
): Promise<{ record: ConfigurationRecord; booking: BookingRecord } | undefined> {
  const { database, seals, visitorLimits } = services
  const record = await findConfigurationOfAny({ queries: database, seals }, configurationId)
  const found = record && (await findBooking(database, seals, { applicationId: record.applicationId, id: bookingId }))
  const booking = found?.configurationId === record?.id && found?.status !== 'creating' ? found : undefined
  const proof = booking && provedBy(booking, salt)
  // An unknown booking counts like a wrong salt.
  const isProved = visitorLimits.countWrong({ bookingId, address }, () => proof === 'organizer' || proof === needed)
  if (!record || !booking || !isProved) return undefined
  visitorLimits.takePage(record.id)
  const application = await getApplication(database, record.applicationId)
  return application?.blocked === 0 ? { record, booking } : undefined
}

/** The page of a private configuration needs a session; the reference has proved that its holder may have one. */
async function sessionFor(
  { database, clock }: SourceServices,
  record: ConfigurationRecord,
): Promise<string | undefined> {
  if (!record.configuration.requires_session_auth) return undefined
  const times = { now: clock.now(), minutes: sessionMinutes }
  const session = await database.transaction((tx) => createSchedulingSession(tx, record, times))
  return session.session_id
}

export function createPageSource(services: SourceServices): BookingPageSource {
  return {
    async openPage(visit, { clientId, slug }) {
      const session = visit.query.get('session_id') ?? undefined
      const find = (query: { slug?: string; configuration_id?: string }) =>
        findPageVisitor(services, {
          application: undefined,
          schedulingSession: session,
          query: { ...query, client_id: clientId },
        })
      // A configuration without a slug has its id in the address.
      const found = await orMissing(find(isUuid(slug) ? { configuration_id: slug } : { slug }))
      const { record } = found ?? {}
      if (!record || (session !== undefined && ![record.id, record.configuration.slug].includes(slug))) return undefined
      return { ...(await openedOf(services, record, { settings: settingsOf(record) })), session }
    },
    async openBooking({ address }, { reference: text, needed }) {
      const reference = readReference(text)
      const found = reference && (await orMissing(bookingOf(services, reference, { address, needed })))
      if (!reference || !found) return undefined
      const { record, booking } = found
      const { status } = booking
      if (status === 'creating') return undefined
      const settings = { ...settingsOf(record), booking: bookedEventOf(booking, needed === 'organizer') }
      return {
        ...(await openedOf(services, record, { settings, booking })),
        session: await sessionFor(services, record),
        booking: { id: booking.id, ref: text, salt: reference.salt, status, isClosed: record.removedAt !== null },
      }
    },
  }
}
