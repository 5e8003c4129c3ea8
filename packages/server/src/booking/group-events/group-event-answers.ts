/** Group events in responses: the event of the calendar, with what the store knows about its seats. */
import type { Event, GroupEvent, GroupEventInfo } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import { withTextDescription } from '@waypost/providers/calendar/text-description'
import { takenSeats } from '@waypost/scheduling/group-seats'
import type { GroupEventRow } from '@waypost/store/tables/scheduling/group-events'
import type { GroupDetails } from './group-details.ts'

interface KnownFacts {
  event: Event
  /** The row of the event, or that of its series if it has none. */
  row: GroupEventRow
  details: GroupDetails
  rrule: readonly string[]
  exceptions: readonly { event_id: string; capacity: number }[]
  /** Milliseconds. */
  now: number
}

/** The seats of an event that are booked: an occurrence without a row has none. */
export const bookedIn = (event: Event, row: GroupEventRow): number => (row.event_id === event.id ? row.booked : 0)

function typeOf(event: Event, row: GroupEventRow): GroupEventInfo['type'] {
  if (row.event_id === event.id && row.own_capacity === 1) return 'updated_event'
  return event.recurrence || event.master_event_id ? 'master_event' : 'single_event'
}

export function infoOf({ event, row, details, rrule, exceptions, now }: KnownFacts): GroupEventInfo {
  const booked = bookedIn(event, row)
  const end = 'end_time' in event.when ? event.when.end_time : undefined
  return {
    event_id: event.id,
    calendar_id: event.calendar_id,
    master_id: event.master_event_id ?? null,
    config_id: row.configuration_id,
    capacity: row.capacity,
    type: typeOf(event, row),
    booked: booked > 0,
    booked_seats: takenSeats(event.participants, { hosts: details.hosts, booked }),
    finished: end !== undefined && end < seconds(now),
    participants: hostsOf(event, details),
    rrule: [...rrule],
    exceptions: [...exceptions],
    reminders: [...details.reminders],
    snapshot: null,
    snapshot_expires_at: 0,
  }
}

/** The hosts: those of the request, or else the organizer. */
function hostsOf({ organizer }: Event, { hosts }: GroupDetails): GroupEventInfo['participants'] {
  if (hosts.length > 0) return [...hosts]
  return organizer ? [{ email: organizer.email, name: organizer.name ?? '', is_organizer: true }] : []
}

/** The fields of the event, the event itself, and its seats if it is a group event. */
export function shownEvent(found: Event, info: GroupEventInfo | undefined): GroupEvent {
  const event = withTextDescription(found)
  return {
    ...event,
    ...(info ? { capacity: info.capacity } : {}),
    event,
    ...(info ? { group_event_info: info } : {}),
  }
}
