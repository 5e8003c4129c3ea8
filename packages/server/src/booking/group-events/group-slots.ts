/** The group events of a configuration that guests can join: its availability. */
import type { BookableSlot, Event } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import { allowedStarts, sharedPart } from '@waypost/scheduling/configurations/start-times'
import { takenSeats } from '@waypost/scheduling/group-seats'
import type { Interval } from '@waypost/scheduling/intervals'
import { type GroupEventRow, groupEventsOf } from '@waypost/store/tables/scheduling/group-events'
import { type GroupServices, readEvents } from './group-calendar.ts'
import { type GroupDetails, openGroupDetails } from './group-details.ts'
import { bookedIn } from './group-event-answers.ts'
import { calendarOf, type GroupRequest } from './group-events.ts'

/** The events that start in a window and have at least one free seat, in order. Times are Unix seconds. */
export async function findGroupSlots(
  services: GroupServices,
  { record, account }: GroupRequest,
  window: Interval,
): Promise<BookableSlot[]> {
  const starts = sharedPart(window, allowedStarts(record.configuration, seconds(services.clock.now())))
  if (!starts) return []
  const rows = await groupEventsOf(services.database, { ...record, configurationId: record.id })
  if (rows.length === 0) return []
  const detailsOf = await openGroupDetails(services.seals, rows)
  const byId = new Map(rows.map((row) => [`${row.calendar_id} ${row.event_id}`, row]))
  // Events can be in several calendars: imported ones are where they were.
  const calendars = new Set([calendarOf(record, undefined), ...rows.map(({ calendar_id }) => calendar_id)])
  const found = await Promise.all(
    [...calendars].map((calendarId) => readEvents(services, account, { calendarId, ...starts })),
  )
  const slots = new Map<string, BookableSlot>()
  for (const event of found.flat()) {
    const key = `${event.calendar_id} ${event.id}`
    const row = byId.get(key) ?? byId.get(`${event.calendar_id} ${event.master_event_id}`)
    const slot = row && slotOf(event, row, { details: detailsOf(row), organizer: account.record.grant.email })
    if (slot && contains(starts, slot.start_time)) slots.set(key, slot)
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
