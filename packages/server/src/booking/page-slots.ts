/** What a booking page offers: slots of its hosts, or group events with free seats. */
import type { BookableSlot, BookableSlots, Event } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { isUuid } from '@waypost/platform/ids'
import { allowedStarts, sharedPart } from '@waypost/scheduling/configurations/start-times'
import { takenSeats } from '@waypost/scheduling/group-seats'
import type { Interval } from '@waypost/scheduling/intervals'
import type { GroupEventRow } from '@waypost/store/tables/scheduling/group-events'
import { findBooking } from './bookings/booking-record.ts'
import type { ConfigurationRecord } from './configurations.ts'
import { type ExceptBooking, findSlots, needShortWindow, type SlotServices, unreadable } from './find-slots.ts'
import { type GroupServices, readEvents } from './group-events/group-calendar.ts'
import { type GroupDetails, openGroupEvents } from './group-events/group-details.ts'
import { bookedIn } from './group-events/group-event-answers.ts'
import { calendarOf, type GroupRequest } from './group-events/group-events.ts'

interface PageSlotServices extends SlotServices {
  seals: DataSeals
}

interface PageSlotQuestion {
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

/** The events that start in a window and have at least one free seat, in order. Times are Unix seconds. */
export async function findGroupSlots(
  services: GroupServices,
  { record, account }: GroupRequest,
  window: Interval,
): Promise<BookableSlot[]> {
  const starts = sharedPart(window, allowedStarts(record.configuration, seconds(services.clock.now())))
  if (!starts) return []
  const { rows, rowFor, detailsOf } = await openGroupEvents(services, record)
  if (rows.length === 0) return []
  // Events can be in several calendars: imported ones are where they were.
  const calendars = new Set([calendarOf(record, undefined), ...rows.map(({ calendar_id }) => calendar_id)])
  const found = await Promise.all(
    [...calendars].map((calendarId) => readEvents(services, account, { calendarId, ...starts })),
  )
  const slots = new Map<string, BookableSlot>()
  for (const event of found.flat()) {
    const row = rowFor(event)
    const slot = row && slotOf(event, row, { details: detailsOf(row), organizer: account.record.grant.email })
    if (slot && contains(starts, slot.start_time)) slots.set(`${event.calendar_id} ${event.id}`, slot)
  }
  return [...slots.values()].sort((one, other) => one.start_time - other.start_time)
}

const contains = ({ start, end }: Interval, moment: number): boolean => moment >= start && moment < end

function slotOf(
  event: Event,
  row: GroupEventRow,
  { details: { hosts }, organizer }: { details: GroupDetails; organizer: string },
): BookableSlot | undefined {
  if (!('start_time' in event.when) || event.status === 'cancelled') return undefined
  const left = row.capacity - takenSeats(event.participants, { hosts, booked: bookedIn(event, row) })
  if (left < 1) return undefined
  return {
    emails: hosts.length > 0 ? hosts.map(({ email }) => email) : [organizer],
    start_time: event.when.start_time,
    end_time: event.when.end_time,
    event_id: event.id,
    ...(event.master_event_id ? { master_id: event.master_event_id } : {}),
    calendar_id: event.calendar_id,
    capacity: left,
  }
}
