/**
 * Changes of the events of all calendars of an account except the primary one. A calendar that cannot be read now
 * does not delay the others; the next poll reads it from where it was.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Change } from '../../provider.ts'
import { isRetryable } from '../../shared/retryable.ts'
import type { Session } from '../session.ts'
import type { ListState } from './calendar-list-changes.ts'
import { type EventsState, eventsSince, type WatchedCalendar } from './event-changes.ts'

/** At most this many calendars are watched in addition to the primary one, the account's own first. */
export const maxCalendars = 50

export type CalendarsState = Record<string, EventsState>

const rank: Readonly<Record<string, number>> = { owner: 0, writer: 1, reader: 2 }

/** The calendars whose events can be read; of others Google returns only busy times. */
export function watchedCalendars({ roles = {} }: ListState): WatchedCalendar[] {
  const rankOf = ({ accessRole }: WatchedCalendar): number => rank[accessRole] ?? 3
  return Object.entries(roles)
    .map(([id, accessRole]) => ({ id, accessRole }))
    .filter((calendar) => rankOf(calendar) < 3)
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1))
    .slice(0, maxCalendars)
}

export interface CalendarsFound {
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

export async function calendarsSince(
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
