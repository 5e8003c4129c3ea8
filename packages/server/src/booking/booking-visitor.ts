/** The booking that a request is about, and what the caller proves about it. */
import type { PageParams } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { isUuid } from '@waypost/platform/ids'
import { isInReach } from '../grants/caller.ts'
import { type BookingRecord, findBooking, provedBy } from './bookings/booking-record.ts'
import { findPageVisitor, type PageVisitor, type Visit, type VisitServices } from './page-visitor.ts'

const noBooking = (visit: Visit): ApiError =>
  visit.schedulingSession === undefined
    ? new ApiError('not_found', 'no such booking: check booking_id')
    : new ApiError('invalid_session')

/** A request about an existing booking. */
type BookingVisit = Visit & { params: { booking_id: string }; query: PageParams; visitor: { address: string } }

export interface FoundBooking {
  visitor: PageVisitor
  booking: BookingRecord
}

/** The application finds the configuration by its booking. */
async function configurationOf(services: VisitServices, visit: BookingVisit, id: string): Promise<string | undefined> {
  const { application } = visit
  if (!application) return undefined
  const booking = await findBooking(services.database, services.seals, {
    applicationId: application.id,
    id,
  })
  const isOut = booking && !(await isInReach(services.database, application, { by: 'id', value: booking.grantId }))
  if (isOut) throw noBooking(visit)
  const named = visit.query.configuration_id?.toLowerCase() ?? booking?.configurationId
  if (!booking || named !== booking.configurationId) throw noBooking(visit)
  return booking.configurationId
}

/** A booking of the configuration that the caller may see, also one whose page was closed. */
export async function findVisitedBooking(services: VisitServices, visit: BookingVisit): Promise<FoundBooking> {
  const id = visit.params.booking_id.toLowerCase()
  const configurationId = isUuid(id) ? await configurationOf(services, visit, id) : undefined
  if (visit.application && configurationId === undefined) throw noBooking(visit)
  const visitor = await findPageVisitor(services, visit, { isClosedAllowed: true, configurationId })
  const { applicationId } = visitor.record
  const booking = isUuid(id) ? await findBooking(services.database, services.seals, { applicationId, id }) : undefined
  const isOwn = booking?.configurationId === visitor.record.id && booking.eventId !== null
  if (!booking || !isOwn) throw noBooking(visit)
  return { visitor, booking }
}

/** The salt proves that the caller is the organizer. The application needs none. */
export function needOrganizer(
  { visitorLimits }: VisitServices,
  visit: BookingVisit,
  { visitor, booking }: FoundBooking,
  salt: string,
): void {
  if (visitor.kind === 'application') return
  const at = { bookingId: booking.id, address: visit.visitor.address }
  const isProved = visitorLimits.countWrong(at, () => provedBy(booking, salt) === 'organizer')
  if (!isProved) throw noBooking(visit)
}

export const addressOf = ({ visitor, booking }: FoundBooking, signal: AbortSignal) => ({
  applicationId: booking.applicationId,
  id: booking.id,
  configuration: visitor.record,
  signal,
  // The application answers for its own cancellations; guests keep the notice.
  isBound: visitor.kind !== 'application',
})
