/**
 * Changes of the calendars of an account: the list is compared with the recorded one, and the events of each are
 * read. A calendar that cannot be read now does not delay the others; the next poll reads it from where it was.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Reader } from '@waypost/platform/json/reader'
import type { Change, SinceOptions } from '../../provider.ts'
import type { StoredSubscription } from '../../shared/push-subscription.ts'
import { isRetryable } from '../../shared/retryable.ts'
import { hasAnyScope, type PartFound, pushedSeconds, type WatchedPart } from '../../shared/watched-parts.ts'
import { scopes } from '../scopes.ts'
import type { ReadCall, Session } from '../session.ts'
import { isSubscribed, keepGraphSubscription, type Subscription } from '../stored-subscription.ts'
import type { GraphCalendar } from './calendar-api.ts'
import {
  type FirstCalendars,
  firstCalendars,
  type ListFound,
  type ListState,
  listCall,
  listSince,
} from './calendar-list-changes.ts'
import { clocksMs, type EventsState, eventsSince, isOutdated } from './event-changes.ts'
import { type EventsPage, eventsPage, roundCall } from './event-deltas.ts'
import { fromCalendar } from './mapping/calendar.ts'

export interface CalendarState {
  list: ListState
  /** By the ids of calendars. */
  events: Record<string, EventsState>
  /**
   * Calendars that could not be read for the first time yet, and the time from which on their changes are notified,
   * in milliseconds.
   */
  late?: Record<string, number>
  push?: StoredSubscription<Subscription>
}

/** At most this many calendars are watched, the primary one and the account's own first. */
const maxCalendars = 50

const reading = new Set(scopes['events.list']?.flat())

function watchedCalendars({ grant }: Session, calendars: readonly GraphCalendar[]): GraphCalendar[] {
  const rank = (one: GraphCalendar): number => {
    if (one.isDefaultCalendar) return 0
    return fromCalendar(one, grant).is_owned_by_user ? 1 : 2
  }
  return calendars.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxCalendars)
}

/**
 * From when on changes are notified in a calendar that is read for the first time, in milliseconds. At the start of
 * the watch it is the creation of the grant. An own calendar that appeared later may have received events before it
 * was noticed, so it is the last poll of the list. For a calendar of another owner it is now.
 */
function beginningOf(
  session: Session,
  calendar: GraphCalendar,
  state: CalendarState | undefined,
  { notBefore, beganAt = notBefore }: SinceOptions,
): number {
  if (!state) return beganAt
  const late = state.late?.[calendar.id]
  if (late !== undefined) return late
  const isOwn = fromCalendar(calendar, session.grant).is_owned_by_user
  return isOwn && !(calendar.id in state.list.known) ? state.list.taken - clocksMs : session.io.clock.now()
}

/** The answers of the first request: the list of calendars, and the events of the recorded ones. */
interface FirstPoll {
  list?: FirstCalendars
  events: Map<string, EventsPage | ApiError>
}

/** Reads everything that may have changed with one request, or a few if there are many calendars. */
async function readAtOnce(session: Session, state: CalendarState | undefined): Promise<FirstPoll> {
  const events: FirstPoll['events'] = new Map()
  const known = Object.entries(state?.events ?? {}).filter(([, one]) => !isOutdated(session, one))
  if (known.length === 0) return { events }
  type Answer = FirstCalendars | { page: EventsPage }
  const ofEvents: Reader<Answer> = (value, onDropped) => ({ page: eventsPage(value, onDropped) })
  const calls: ReadCall<Answer>[] = [
    { ...listCall(session), read: firstCalendars },
    ...known.map(([, { link }]) => roundCall(session, link)),
  ]
  const [list, ...pages] = await session.batch<Answer>(calls, ofEvents)
  if (list instanceof ApiError) throw list
  for (const [place, answer] of pages.entries()) {
    const id = known[place]?.[0] ?? ''
    if (answer instanceof ApiError) events.set(id, answer)
    else if ('page' in answer) events.set(id, answer.page)
  }
  return { ...(list && 'calendars' in list ? { list } : {}), events }
}

/** The states of calendars that exist and cannot be read now. */
const retainedOf = (
  { calendars, state: { known } }: ListFound,
  before: CalendarState | undefined,
): CalendarState['events'] => {
  const readable = new Set(calendars.map(({ id }) => id))
  const retained = Object.entries(before?.events ?? {}).filter(([id]) => id in known && !readable.has(id))
  return Object.fromEntries(retained)
}

async function since(
  session: Session,
  state: CalendarState | undefined,
  options: SinceOptions,
): Promise<PartFound<CalendarState>> {
  const first = await readAtOnce(session, state)
  const list = await listSince(session, state?.list, first.list)
  const changes: Change[] = [...list.changes]
  const events = retainedOf(list, state)
  const late: Record<string, number> = {}
  let isLate = false
  for (const calendar of watchedCalendars(session, list.calendars)) {
    const before = state?.events[calendar.id]
    const from = beginningOf(session, calendar, state, options)
    try {
      const found = await eventsSince(session, calendar, before, { from, first: first.events.get(calendar.id) })
      changes.push(...found.changes)
      events[calendar.id] = found.state
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
      if (before) events[calendar.id] = before
      else late[calendar.id] = from
      isLate ||= isRetryable(error)
      session.io.log.debug({ error, grant_id: session.grant.id }, 'changes of one calendar cannot be read now')
    }
  }
  const push = await keepGraphSubscription(
    session,
    state?.push ?? {},
    {
      resource: 'events',
      changeType: 'created,updated,deleted',
      refusal: 'Microsoft does not tell of changes of events: they are asked for',
    },
    options,
  )
  const isReported = isSubscribed(push) && !isLate
  return {
    changes,
    state: { list: list.state, events, ...(Object.keys(late).length > 0 ? { late } : {}), push },
    ...(isReported ? { again: Math.max(pushedSeconds, session.io.pollSeconds) } : {}),
  }
}

export const calendar: WatchedPart<Session, CalendarState> = {
  name: 'calendar',
  isWatched: (session) => hasAnyScope(session, reading),
  since,
}
