import type { BookingDraft, Configuration, ListedBooking, PageParams } from '@waypost/contract'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { emailKey } from '@waypost/platform/email-key'
import { isUuid } from '@waypost/platform/ids'
import { listBookings } from '@waypost/store/tables/scheduling/bookings'
import { scopeOf } from '../../../applications/key-rights.ts'
import { readAnswers } from '../../../booking/bookings/additional-fields.ts'
import { bookingOf, organizerBookingOf, referencedBookingOf } from '../../../booking/bookings/booking-answer.ts'
import {
  cancelBooking,
  confirmBooking,
  createBooking,
  declineBooking,
  type GuestDetails,
  rescheduleBooking,
} from '../../../booking/bookings/bookings.ts'
import type { ChosenGroupEvent } from '../../../booking/bookings/group-cast.ts'
import { provedBy } from '../../../booking/bookings/proof.ts'
import { type BookingRecord, findBooking, recordsOf } from '../../../booking/bookings/record.ts'
import { findPageVisitor, type PageVisitor, type Visit } from '../../../booking/page-visitor.ts'
import { isInReach } from '../../../grants/credential-reach.ts'
import type { Scheduling } from '../../../services/scheduling.ts'
import type { Services } from '../../../services/services.ts'
import { tellIgnored } from '../../http/ignored-fields.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'
import { pageOf, placeOf } from '../lists/keyset-page.ts'

const noBooking = (visit: Visit): ApiError =>
  visit.schedulingSession === undefined
    ? new ApiError('not_found', 'no such booking: check booking_id')
    : new ApiError('invalid_session')

/** Seconds as clients send them; the end follows the start. */
function checkTimes({ start_time, end_time }: { start_time: number; end_time: number }): void {
  if (end_time <= start_time) throw invalidField('end_time', 'must be after start_time')
}

/** The guest's zone, from the body or the query. */
function zoneOf(given: string | null | undefined): string | undefined {
  if (!given) return undefined
  const zone = resolveTimeZone(given)
  if (zone === undefined) throw invalidField('timezone', 'must be an IANA time zone, such as Europe/Berlin')
  return zone
}

/** The guest's part of a booking, checked against the configuration. */
function detailsOf(configuration: Configuration, body: BookingDraft, timezone: string | undefined): GuestDetails {
  const own = emailKey(body.guest.email)
  const others = (body.additional_guests ?? []).filter(({ email }) => emailKey(email) !== own)
  if (others.length > 0 && configuration.scheduler.hide_additional_guests) {
    throw invalidField('additional_guests', 'are not allowed on this booking page')
  }
  return {
    guest: body.guest,
    additionalGuests: others.map(({ email, name }) => ({ email, name: name ?? '' })),
    additionalFields: readAnswers(configuration, body.additional_fields ?? {}),
    timezone: zoneOf(body.timezone ?? timezone) ?? (configuration.event_booking.timezone || 'UTC'),
    emailLanguage: body.email_language ?? 'en',
  }
}

/** The group event that a guest chose; undefined for other configurations. */
function groupOf(
  { type }: Configuration,
  { event_id, calendar_id, master_id }: Pick<BookingDraft, 'event_id' | 'calendar_id' | 'master_id'>,
): ChosenGroupEvent | undefined {
  if (type !== 'group') return undefined
  if (!event_id) throw invalidField('event_id', 'is required: the group event to join, as availability returns it')
  if (!calendar_id) throw invalidField('calendar_id', 'is required: the calendar of the group event')
  return { calendarId: calendar_id, eventId: event_id, masterId: master_id ?? null }
}

/** The participants that a guest named. Those of a group event are its own. */
const namedIn = ({ type }: Configuration, { participants }: Pick<BookingDraft, 'participants'>): string[] =>
  type === 'group' ? [] : (participants ?? []).map(({ email }) => email)

const listedOf = (record: BookingRecord): ListedBooking => ({
  ...bookingOf(record),
  grant_id: record.grantId,
  created_at: seconds(record.createdAt),
  updated_at: seconds(record.updatedAt),
})

/** A request about an existing booking. */
type BookingVisit = Visit & { params: { booking_id: string }; query: PageParams; visitor: { address: string } }

interface FoundBooking {
  visitor: PageVisitor
  booking: BookingRecord
}

/** The application finds the configuration by its booking. */
async function configurationOf(scheduling: Scheduling, visit: BookingVisit, id: string): Promise<string | undefined> {
  const { application } = visit
  if (!application) return undefined
  const booking = await findBooking(scheduling.database, scheduling.seals, {
    applicationId: application.id,
    id,
  })
  const isOut = booking && !(await isInReach(scheduling.database, application, { by: 'id', value: booking.grantId }))
  if (isOut) throw noBooking(visit)
  const named = visit.query.configuration_id?.toLowerCase() ?? booking?.configurationId
  if (!booking || named !== booking.configurationId) throw noBooking(visit)
  return booking.configurationId
}

/** A booking of the configuration that the caller may see, also one whose page was closed. */
async function findVisitedBooking(scheduling: Scheduling, visit: BookingVisit): Promise<FoundBooking> {
  const id = visit.params.booking_id.toLowerCase()
  const configurationId = isUuid(id) ? await configurationOf(scheduling, visit, id) : undefined
  if (visit.application && configurationId === undefined) throw noBooking(visit)
  const visitor = await findPageVisitor(scheduling, visit, { isClosedAllowed: true, configurationId })
  const { applicationId } = visitor.record
  const booking = isUuid(id)
    ? await findBooking(scheduling.database, scheduling.seals, { applicationId, id })
    : undefined
  const isOwn = booking?.configurationId === visitor.record.id && booking.eventId !== null
  if (!booking || !isOwn) throw noBooking(visit)
  return { visitor, booking }
}

/** The salt proves that the caller is the organizer. The application needs none. */
function needOrganizer(
  { visitorLimits }: Scheduling,
  visit: BookingVisit,
  { visitor, booking }: FoundBooking,
  salt: string,
): void {
  if (visitor.kind === 'application') return
  const at = { bookingId: booking.id, address: visit.visitor.address }
  const isProved = visitorLimits.countWrong(at, () => provedBy(booking, salt) === 'organizer')
  if (!isProved) throw noBooking(visit)
}

/** What a booking keeps when it moves. Public components send it again. */
const retainedFields = ['guest', 'additional_guests', 'additional_fields'] as const

const addressOf = ({ visitor, booking }: FoundBooking, signal: AbortSignal) => ({
  applicationId: booking.applicationId,
  id: booking.id,
  configuration: visitor.record,
  signal,
  // The application answers for its own cancellations; guests keep the notice.
  isBound: visitor.kind !== 'application',
})

export const bookings = ({ scheduling }: Pick<Services, 'scheduling'>): Handlers['bookings'] => ({
  list: async ({ application, query, position }) => {
    const { limit, order = 'asc' } = query
    const found = await listBookings(
      scheduling.database,
      {
        applicationId: application.id,
        configurationId: query.configuration_id,
        grantId: query.grant_id,
        status: query.status,
        after: query.start,
        before: query.end,
        order,
        scope: application.credential && scopeOf(application.credential),
      },
      { after: placeOf(position), limit },
    )
    return pageOf(found, (await recordsOf(scheduling.seals, found.rows)).map(listedOf))
  },
  create: async (context) => {
    const { body, query, signal } = context
    const { record: configuration } = await findPageVisitor(scheduling, context)
    checkTimes(body)
    const details = detailsOf(configuration.configuration, body, query.timezone)
    const { start_time: startTime, end_time: endTime } = body
    const named = namedIn(configuration.configuration, body)
    const group = groupOf(configuration.configuration, body)
    const wanted = { ...details, configuration, startTime, endTime, named, group, signal }
    return referencedBookingOf(await createBooking(scheduling, wanted))
  },
  get: async (context) => {
    const { visitor, booking } = await findVisitedBooking(scheduling, context)
    return visitor.kind === 'application' ? organizerBookingOf(booking) : bookingOf(booking)
  },
  reschedule: async (context) => {
    const { body, signal } = context
    checkTimes(body)
    const found = await findVisitedBooking(scheduling, context)
    const { start_time: startTime, end_time: endTime } = body
    const { configuration } = found.visitor.record
    const named = namedIn(configuration, body)
    const group = groupOf(configuration, { ...body, master_id: body.master_event_id ?? body.master_id })
    tellIgnored(
      context.responseHeaders,
      retainedFields.filter((name) => body[name] != null),
    )
    const timezone = zoneOf(body.timezone)
    const language = body.email_language
    const reader = { ...(timezone ? { timezone } : {}), ...(language ? { emailLanguage: language } : {}) }
    const wanted = { ...addressOf(found, signal), startTime, endTime, named, group, reader }
    return referencedBookingOf(await rescheduleBooking(scheduling, wanted))
  },
  confirm: async (context) => {
    const { body, signal } = context
    const found = await findVisitedBooking(scheduling, context)
    needOrganizer(scheduling, context, found, body.salt ?? '')
    const at = addressOf(found, signal)
    if (body.status === 'confirmed' || body.status === 'confirm') {
      return bookingOf(await confirmBooking(scheduling, at))
    }
    await declineBooking(scheduling, { ...at, reason: body.cancellation_reason ?? '' })
    return undefined
  },
  cancel: async (context) => {
    const { body, signal } = context
    const found = await findVisitedBooking(scheduling, context)
    await cancelBooking(scheduling, { ...addressOf(found, signal), reason: body.cancellation_reason ?? '' })
  },
})
