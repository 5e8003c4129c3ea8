import type { Booking, ListedBooking } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import { listBookings } from '@waypost/store/tables/scheduling/bookings'
import { scopeOf } from '../../../applications/key-rights.ts'
import {
  type BookingRecord,
  organizerReferenceOf,
  recordsOf,
  referenceOf,
} from '../../../booking/bookings/booking-record.ts'
import { checkTimes, detailsOf, groupOf, namedIn, zoneOf } from '../../../booking/bookings/booking-request.ts'
import {
  cancelBooking,
  confirmBooking,
  createBooking,
  declineBooking,
  rescheduleBooking,
} from '../../../booking/bookings/bookings.ts'
import { addressOf, findPageVisitor, findVisitedBooking, needOrganizer } from '../../../booking/page-visitor.ts'
import type { Services } from '../../../services/services.ts'
import { tellIgnored } from '../../http/ignored-fields.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'
import { pageOf, placeOf } from '../lists/keyset-page.ts'

const listedOf = (record: BookingRecord): ListedBooking => ({
  ...bookingOf(record),
  grant_id: record.grantId,
  created_at: seconds(record.createdAt),
  updated_at: seconds(record.updatedAt),
})

/** What a booking keeps when it moves. Public components send it again. */
const retainedFields = ['guest', 'additional_guests', 'additional_fields'] as const

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

/** Without the reference, which opens the booking. */
function bookingOf({ details, ...record }: BookingRecord): Booking {
  return {
    booking_id: record.id,
    configuration_id: record.configurationId,
    event_id: record.eventId ?? '',
    title: details.title,
    organizer: { email: details.organizer.email, name: details.organizer.name },
    status: record.status === 'creating' ? 'pending' : record.status,
    description: details.description,
    location: details.location || details.conferenceUrl || '',
    start_time: record.startTime,
    end_time: record.endTime,
    timezone: details.timezone,
    email_language: details.emailLanguage,
    guest: details.guest,
    additional_guests: [...details.additionalGuests],
    additional_fields: { ...details.additionalFields },
  }
}

/** With the reference, for callers who made the booking or proved its salt. */
const referencedBookingOf = (record: BookingRecord): Booking => ({
  ...bookingOf(record),
  booking_ref: referenceOf(record),
})

/** With the organizer's reference, for the application, whose own pages confirm with it. */
const organizerBookingOf = (record: BookingRecord): Booking => ({
  ...bookingOf(record),
  booking_ref: organizerReferenceOf(record),
})
