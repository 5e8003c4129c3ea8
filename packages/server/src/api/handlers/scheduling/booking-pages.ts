import { ApiError } from '@waypost/platform/api-error'
import { isUuid } from '@waypost/platform/ids'
import { type BookingRecord, findBooking, provedBy } from '../../../booking/bookings/booking-record.ts'
import { findPageSlots } from '../../../booking/page-slots.ts'
import { findPageVisitor, type PageVisitor } from '../../../booking/page-visitor.ts'
import { readReference } from '../../../booking/references.ts'
import { bookedEventOf, settingsOf } from '../../../booking/ui-settings.ts'
import type { Services } from '../../../services/services.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'

interface Proof {
  booking_id?: string | undefined
  booking_ref?: string | undefined
  salt?: string | undefined
}

export const uiSettings = ({ scheduling }: Pick<Services, 'scheduling'>): Handlers['uiSettings'] => {
  const { database, seals, visitorLimits } = scheduling

  const bookingOf = async ({ record }: PageVisitor, id: string): Promise<BookingRecord> => {
    const booking = isUuid(id)
      ? await findBooking(database, seals, { applicationId: record.applicationId, id: id.toLowerCase() })
      : undefined
    const isShown = booking?.configurationId === record.id && booking.status !== 'creating'
    if (!booking || !isShown) throw new ApiError('not_found', 'no such booking: check booking_id')
    return booking
  }

  /** Whether the request has the right salt. A wrong one is counted, and answered like an unknown booking. */
  const isProvedBy = (booking: BookingRecord, { booking_ref, salt }: Proof, address: string): boolean => {
    const reference = booking_ref === undefined ? undefined : readReference(booking_ref)
    const given = booking_ref === undefined ? salt : reference?.bookingId === booking.id ? reference.salt : ''
    if (given === undefined) return false
    const at = { bookingId: booking.id, address }
    if (visitorLimits.countWrong(at, () => provedBy(booking, given) !== undefined)) {
      // The guest's salt opens the booking, and does not confirm it.
      return provedBy(booking, given) === 'organizer'
    }
    throw new ApiError('not_found', 'no such booking: check booking_id')
  }

  return {
    get: async (context) => {
      const { query, visitor } = context
      const found = await findPageVisitor(scheduling, context)
      const settings = settingsOf(found.record)
      if (query.booking_id === undefined) return settings
      const booking = await bookingOf(found, query.booking_id)
      const isProved = found.kind === 'application' || isProvedBy(booking, query, visitor.address)
      return { ...settings, booking: bookedEventOf(booking, isProved) }
    },
  }
}

export const schedulingAvailability = ({
  scheduling,
}: Pick<Services, 'scheduling'>): Handlers['schedulingAvailability'] => ({
  find: async (context) => {
    const { start_time: start, end_time: end, booking_id: bookingId } = context.query
    const { record } = await findPageVisitor(scheduling, context)
    return findPageSlots(scheduling, {
      record,
      window: { start, end },
      bookingId,
      signal: () => context.signal,
    })
  },
})
