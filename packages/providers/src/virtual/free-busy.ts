/** Free/busy and availability of a virtual account. */
import type { Event, FreeBusy, FreeBusyQuery } from '@waypost/contract'
import { instantsOf } from '@waypost/formats/timezones/when'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { JsonText } from '@waypost/platform/json/values'
import { type BusyCalendar, busyIntervals } from '@waypost/scheduling/busy-events'
import { findFreeBusy } from '@waypost/scheduling/free-busy'
import { zoneOffsetsAround } from '@waypost/scheduling/local-time'
import {
  busyEventsOf,
  checkFreeBusyWindow,
  freeBusyError,
  noCalendarFor,
  unknownCalendar,
} from '../calendar/free-busy.ts'
import type { MovingEvent, Provider } from '../provider.ts'
import { type ListedEvent, listEvents } from './event-listing.ts'
import { findCalendar, type Session } from './session.ts'
import type { CalendarRow, Window } from './tables.ts'

const maxEvents = 20_000

/** The events of a calendar in a window, with expanded series, in the form for free/busy. */
async function busyCalendar(
  session: Session,
  calendar: CalendarRow,
  { except, ...window }: Window & { except?: MovingEvent | undefined },
): Promise<BusyCalendar> {
  const query = { calendar, window, after: undefined, limit: maxEvents + 1, filter: undefined }
  const listed = await listEvents(session, query)
  if (listed.length > maxEvents)
    throw invalidField('end_time', 'the window holds too many events: ask for a shorter one')
  const eventOf = ({ event }: ListedEvent): Event => (event instanceof JsonText ? JSON.parse(event.text) : event)
  const events = await busyEventsOf(listed, eventOf, { addresses: [session.grant.email], except })
  return { timezone: calendar.calendar.timezone, events }
}

export async function freeBusy(session: Session, query: FreeBusyQuery): Promise<FreeBusy[]> {
  checkFreeBusyWindow(query)
  const window = { from: query.start_time, to: query.end_time }
  return Promise.all(query.emails.map((email) => freeBusyOf(session, email, window, query)))
}

async function freeBusyOf(session: Session, email: string, window: Window, query: FreeBusyQuery): Promise<FreeBusy> {
  const { io } = session
  const tables = await io.tables.ofAddress(email.trim().normalize('NFC').toLowerCase().normalize('NFC'))
  const calendar = await tables?.calendars.primary()
  if (!tables || !calendar) return noCalendarFor(email)
  const other: Session = { grant: { ...session.grant, email: email.trim() }, io: { ...io, tables } }
  try {
    return findFreeBusy(email, [await busyCalendar(other, calendar, window)], query)
  } catch (error) {
    // A calendar with too many events is an error only for its address.
    if (error instanceof ApiError && error.code === 'invalid_request') {
      return freeBusyError(email, error.message)
    }
    throw error
  }
}

/** The operations for availability. */
export const availability: NonNullable<Provider<Session>['availability']> = {
  async busy(session, { calendarIds, from, to, tentativeAsBusy, except }) {
    const calendars: BusyCalendar[] = []
    for (const id of calendarIds) {
      const calendar = await findCalendar(session, id)
      if (!calendar) throw unknownCalendar(session, id)
      calendars.push(await busyCalendar(session, calendar, { from, to, except }))
    }
    const offsets = zoneOffsetsAround({ start: from, end: to })
    return busyIntervals(calendars, { offsets, tentative_as_busy: tentativeAsBusy })
  },
  async lastBooked(session, { calendarIds, group }) {
    const rows = await Promise.all(calendarIds.map((id) => findCalendar(session, id)))
    const ids = rows.flatMap((row) => (row ? [row.calendar.id] : []))
    const time = ids.length > 0 ? await session.io.tables.events.lastBooked(ids, group) : undefined
    return time === undefined ? undefined : Math.floor(time / 1000)
  },
}

/** Rejects an event that overlaps another event of its calendar, by the rules of availability. */
export async function needFreeTime(session: Session, calendar: CalendarRow, event: Event): Promise<void> {
  if (event.recurrence !== undefined) {
    throw invalidField('if-none-overlap', 'is for events that do not repeat, and for single instances of a series')
  }
  const { start, end } = instantsOf(event.when, calendar.calendar.timezone)
  const blocked = await busyCalendar(session, calendar, {
    from: start,
    to: Math.max(end, start + 1),
    except: { id: event.id, start, end },
  })
  const busy = busyIntervals([blocked], { offsets: zoneOffsetsAround({ start, end }) })
  // An event without length blocks no time.
  if (busy.some((other) => other.start < other.end && start < other.end && end > other.start)) {
    throw new ApiError('conflict', 'if-none-overlap: another event of the calendar blocks this time')
  }
}
