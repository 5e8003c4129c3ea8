/**
 * Changes of the calendars of an account and of the events of each. Google returns changes since a sync token. If it
 * has forgotten the token, the list is compared with the recorded one, and changed events are found by their change
 * dates.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Change } from '../../provider.ts'
import { isRetryable } from '../../shared/retryable.ts'
import { hasAnyScope, type PartFound, pushedSeconds, type WatchedPart } from '../../shared/watched-parts.ts'
import type { Session } from '../session.ts'
import { type ListState, listSince } from './calendar-list-changes.ts'
import { type Channels, hasChannels, keepChannels } from './channels.ts'
import { type EventsState, eventsSince, type WatchedCalendar } from './event-changes.ts'

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

/** At most this many calendars are watched in addition to the primary one, the account's own first. */
const maxCalendars = 50

type CalendarsState = Record<string, EventsState>

const rank: Readonly<Record<string, number>> = { owner: 0, writer: 1, reader: 2 }

/** The calendars whose events can be read; of others Google returns only busy times. */
function watchedCalendars({ roles = {} }: ListState): WatchedCalendar[] {
  const rankOf = ({ accessRole }: WatchedCalendar): number => rank[accessRole] ?? 3
  return Object.entries(roles)
    .map(([id, accessRole]) => ({ id, accessRole }))
    .filter((calendar) => rankOf(calendar) < 3)
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1))
    .slice(0, maxCalendars)
}

interface CalendarsFound {
  changes: Change[]
  state: CalendarsState
  /** Whether there is more to read at once. */
  more: boolean
  /** Whether some calendars could not be read and may be readable soon. */
  isLate: boolean
}

/**
 * From when on events are notified in a calendar that is read for the first time. An own calendar that appeared
 * during the watch may have received events before it was noticed, so they are notified from the last poll of the
 * list.
 */
const beginningOf = ({ id, accessRole }: WatchedCalendar, before: ListState | undefined): number | undefined =>
  accessRole === 'owner' && before?.roles && !(id in before.known) ? before.taken : undefined

/**
 * Changes of the events of all calendars except the primary one. A calendar that cannot be read now does not delay the
 * others; the next poll reads it from where it was.
 */
async function calendarsSince(
  session: Session,
  state: CalendarsState,
  lists: { before: ListState | undefined; after: ListState },
): Promise<CalendarsFound> {
  const found: CalendarsFound = { changes: [], state: {}, more: false, isLate: false }
  for (const calendar of watchedCalendars(lists.after)) {
    const before = state[calendar.id]
    try {
      const one = await eventsSince(session, calendar, before, beginningOf(calendar, lists.before))
      found.changes.push(...one.changes)
      found.state[calendar.id] = one.state
      found.more ||= one.more
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
      if (before) found.state[calendar.id] = before
      found.isLate ||= isRetryable(error)
      session.io.log.debug({ error, grant_id: session.grant.id }, 'changes of one calendar cannot be read now')
    }
  }
  return found
}
