/**
 * What happens to the calendars of an account: to the list of them, which is compared with what is known, and to the events
 * of each. One that cannot be looked at now does not hold up the others: it is looked at again the next time, from where it was.
 */
import { ApiError } from '../../../lib/api-error.ts'
import type { Change, SinceOptions } from '../../provider.ts'
import type { KeptSubscription } from '../../shared/push-subscription.ts'
import { isRetryable } from '../../shared/retryable.ts'
import { hasAnyScope, type PartFound, pushedSeconds, retryRefusedPart } from '../../shared/watched-parts.ts'
import { isSubscribed, keepGraphSubscription, type Subscription } from '../kept-subscription.ts'
import { scopes } from '../scopes.ts'
import type { Session } from '../session.ts'
import type { GraphCalendar } from './calendar-api.ts'
import { type ListState, listSince } from './calendar-list-changes.ts'
import { type EventsState, eventsSince } from './event-changes.ts'
import { fromCalendar } from './mapping/calendar.ts'

export interface CalendarState {
  list: ListState
  /** By the ids of calendars. */
  events: Record<string, EventsState>
  /** Calendars that could not be looked at for the first time yet, and from when on they are told, in milliseconds. */
  late?: Record<string, number>
  push?: KeptSubscription<Subscription>
}

/** So many calendars are looked at, the main one and the account's own first. */
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
 * Where telling begins in a calendar that is looked at for the first time: one of the account's own that appeared while
 * the list was watched may have got its events before it was noticed, so it is told from the last look at the list.
 */
function beginningOf(session: Session, calendar: GraphCalendar, before: ListState | undefined): number | undefined {
  if (!before || calendar.id in before.known) return undefined
  return fromCalendar(calendar, session.grant).is_owned_by_user ? before.taken : undefined
}

async function since(
  session: Session,
  state: CalendarState | undefined,
  options: SinceOptions,
): Promise<PartFound<CalendarState>> {
  const list = await listSince(session, state?.list)
  const changes: Change[] = [...list.changes]
  const events: CalendarState['events'] = {}
  const late: Record<string, number> = {}
  let isLate = false
  for (const calendar of watchedCalendars(session, list.calendars)) {
    const before = state?.events[calendar.id]
    const from = state?.late?.[calendar.id] ?? beginningOf(session, calendar, state?.list)
    try {
      const found = await eventsSince(session, calendar, before, from)
      changes.push(...found.changes)
      events[calendar.id] = found.state
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
      if (before) events[calendar.id] = before
      else if (from !== undefined) late[calendar.id] = from
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
  const isTold = isSubscribed(push) && !isLate
  return {
    changes,
    state: { list: list.state, events, ...(Object.keys(late).length > 0 ? { late } : {}), push },
    ...(isTold ? { again: Math.max(pushedSeconds, session.io.pollSeconds) } : {}),
  }
}

export const calendar = retryRefusedPart<Session, CalendarState>({
  name: 'calendar',
  isWatched: (session) => hasAnyScope(session, reading),
  since,
})
