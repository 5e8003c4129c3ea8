/**
 * What happens to the calendars of an account: to the list of them, and to the events of the main one. Google tells what
 * changed since a token; where it has forgotten the token, the list is compared with what is known, and events are looked
 * for by when they were changed.
 */
import type { Change } from '../../provider.ts'
import { type PartFound, retryRefusedPart } from '../../shared/watched-parts.ts'
import type { Session } from '../session.ts'
import { type ListState, listSince } from './calendar-list-changes.ts'
import { type Channels, hasChannels, keepChannels } from './channels.ts'
import { type EventsState, eventsSince } from './event-changes.ts'

export interface CalendarState {
  list?: ListState
  events?: EventsState
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
const has = ({ grant }: Session, scopes: ReadonlySet<string>): boolean => grant.scope.some((one) => scopes.has(one))

/** With pushes, Google is asked this rarely. */
const pushedSeconds = 600

async function since(session: Session, state: CalendarState = {}): Promise<PartFound<CalendarState>> {
  const changes: Change[] = []
  const next: CalendarState = { ...state }
  let more = false
  if (has(session, ofList)) {
    const found = await listSince(session, state.list)
    changes.push(...found.changes)
    next.list = found.state
  }
  if (has(session, ofEvents)) {
    const found = await eventsSince(session, state.events)
    changes.push(...found.changes)
    next.events = found.state
    more = found.more
  }
  if (more) return { changes, state: next, more }
  const watched = { list: next.list !== undefined, events: next.events !== undefined }
  next.channels = await keepChannels(session, state.channels ?? {}, watched)
  return { changes, state: next, ...(hasChannels(next.channels, watched) ? { again: pushedSeconds } : {}) }
}

export const calendar = retryRefusedPart<Session, CalendarState>({
  name: 'calendar',
  isWatched: (session) => has(session, ofList) || has(session, ofEvents),
  since,
})
