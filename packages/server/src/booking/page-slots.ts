/** What a booking page offers: slots of its hosts, or group events with free seats. */
import type { BookableSlot, BookableSlots } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { isUuid } from '@waypost/platform/ids'
import { allowedStarts, sharedPart } from '@waypost/scheduling/configurations/start-times'
import type { Interval } from '@waypost/scheduling/intervals'
import { findBooking } from './bookings/booking-record.ts'
import type { ConfigurationRecord } from './configurations.ts'
import { type ExceptBooking, findSlots, needShortWindow, type SlotServices, unreadable } from './find-slots.ts'
import { findGroupSlots } from './group-events/group-slots.ts'

export interface PageSlotServices extends SlotServices {
  seals: DataSeals
}

export interface PageSlotQuestion {
  record: ConfigurationRecord
  /** Unix seconds. */
  window: Interval
  /** The booking that moves. */
  bookingId?: string | undefined
  signal(): AbortSignal
}

export async function findPageSlots(services: PageSlotServices, question: PageSlotQuestion): Promise<BookableSlots> {
  const { record, window, bookingId, signal } = question
  const exceptBooking = bookingId === undefined ? undefined : await needMoving(services, record, bookingId)
  if (record.configuration.type === 'group') return { time_slots: await groupSlots(services, question) }
  return findSlots(services, { record, startTime: window.start, endTime: window.end, exceptBooking, signal })
}

/** The booking that moves. One that does not exist, was cancelled, or is of another page gets the same answer. */
async function needMoving(
  { database, seals }: PageSlotServices,
  { id: configurationId, applicationId }: ConfigurationRecord,
  bookingId: string,
): Promise<ExceptBooking> {
  const booking = isUuid(bookingId)
    ? await findBooking(database, seals, { applicationId, id: bookingId.toLowerCase() })
    : undefined
  const canMove = booking?.status === 'booked' || booking?.status === 'pending'
  if (booking?.configurationId === configurationId && canMove) return booking
  throw new ApiError('not_found', 'no such booking: check booking_id')
}

async function groupSlots(
  services: PageSlotServices,
  { record, window, signal }: PageSlotQuestion,
): Promise<BookableSlot[]> {
  const starts = sharedPart(window, allowedStarts(record.configuration, seconds(services.clock.now())))
  if (!starts) return []
  needShortWindow(starts)
  try {
    const owner = await services.sessions.find(record.applicationId, { by: 'id', value: record.grantId })
    return await findGroupSlots(services, { record, account: { record: owner, signal } }, starts)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    services.log.warn({ grant_id: record.grantId, err: error }, 'the group events of a page cannot be read')
    throw unreadable(undefined, error)
  }
}
