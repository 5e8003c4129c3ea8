/**
 * Changes of the calendars of an account and of the events of each. Google returns changes since a sync token. If it
 * has forgotten the token, the list is compared with the recorded one, and changed events are found by their change
 * dates.
 */
import type { Change } from '../../provider.ts'
import { hasAnyScope, type PartFound, pushedSeconds, type WatchedPart } from '../../shared/watched-parts.ts'
import type { Session } from '../session.ts'
import { type ListState, listSince } from './calendar-list-changes.ts'
import { type Channels, hasChannels, keepChannels } from './channels.ts'
import { type EventsState, eventsSince } from './event-changes.ts'
import { type CalendarsState, calendarsSince, watchedCalendars } from './watched-calendars.ts'

export interface CalendarState {
  list?: ListState
  /** Of the primary calendar. */
  events?: EventsState
  /** Of the others, by id. */
  calendars?: CalendarsState
  channels?: Channels
}

const scoped = (...names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => `https://www.googleapis.com/auth/${name}`))
const ofList = scoped('calendar', 'calendar.readonly', 'calendar.calendarlist', 'calendar.calendarlist.readonly')
const ofEvents = scoped(
  'calendar',
  'calendar.readonly',
  'calendar.events',
  'calendar.events.readonly',
  'calendar.events.owned',
  'calendar.events.owned.readonly',
)
async function since(session: Session, state: CalendarState = {}): Promise<PartFound<CalendarState>> {
  const changes: Change[] = []
  const next: CalendarState = { ...state }
  let more = false
  if (hasAnyScope(session, ofList)) {
    const found = await listSince(session, state.list)
    changes.push(...found.changes)
    next.list = found.state
  }
  if (hasAnyScope(session, ofEvents)) {
    const found = await eventsSince(session, { id: 'primary', accessRole: 'owner' }, state.events)
    changes.push(...found.changes)
    next.events = found.state
    more = found.more
  }
  let isLate = false
  if (next.list && next.events) {
    const lists = { before: state.list, after: next.list }
    const found = await calendarsSince(session, state.calendars ?? {}, lists)
    changes.push(...found.changes)
    next.calendars = found.state
    more ||= found.more
    isLate = found.isLate
  }
  if (more) return { changes, state: next, more }
  const watched = {
    list: next.list !== undefined,
    events: next.events !== undefined,
    calendars: next.list && next.events ? watchedCalendars(next.list).map(({ id }) => id) : [],
  }
  next.channels = await keepChannels(session, state.channels ?? {}, watched)
  const isReported = hasChannels(next.channels, watched) && !isLate
  return { changes, state: next, ...(isReported ? { again: pushedSeconds } : {}) }
}

export const calendar: WatchedPart<Session, CalendarState> = {
  name: 'calendar',
  isWatched: (session) => hasAnyScope(session, ofList) || hasAnyScope(session, ofEvents),
  since,
}
