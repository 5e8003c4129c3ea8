/** Caches the calendars of an account, so that a list of events does not request its calendar each time. */

import type { ApiError } from '@waypost/platform/api-error'
import { isPrimary } from '../../calendar/exchange/event-model.ts'
import { noCalendar } from '../../calendar/exchange/refusals.ts'
import { isMissing } from '../errors.ts'
import type { Session } from '../session.ts'
import { calendarFields, calendarPath, type GraphCalendar, graphCalendar } from './calendar-api.ts'

/**
 * A change of access to a calendar is noticed this much later, in milliseconds. The id of the primary one never
 * changes.
 */
const knownMs = 60_000
const maxKnown = 200

class KnownCalendars implements AsyncDisposable {
  readonly #known = new Map<string, { calendar: GraphCalendar; until: number }>()

  find(name: string, now: number): GraphCalendar | undefined {
    const found = this.#known.get(name)
    return found && found.until > now ? found.calendar : undefined
  }

  keep(name: string, calendar: GraphCalendar, now: number): void {
    if (this.#known.size >= maxKnown) this.#known.clear()
    const until = name === 'primary' ? Number.POSITIVE_INFINITY : now + knownMs
    this.#known.set(name, { calendar, until })
  }

  forget(name: string): void {
    this.#known.delete(name)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#known.clear()
  }
}

const knownTo = ({ io }: Session): KnownCalendars => io.retained('calendars', () => new KnownCalendars())

/** Maps an error that means that there is no such object. */
export const asMissing = (error: unknown, missing: () => ApiError): unknown => (isMissing(error) ? missing() : error)

export async function readCalendar(session: Session, id: string): Promise<GraphCalendar> {
  try {
    const options = { query: { $select: calendarFields }, read: graphCalendar }
    const calendar = await session.call('GET', calendarPath(session, id), options)
    knownTo(session).keep(isPrimary(session, id) ? 'primary' : id, calendar, session.io.clock.now())
    return calendar
  } catch (error) {
    throw asMissing(error, noCalendar)
  }
}

/** The calendar with an id, at most `knownMs` old. */
export async function calendarOf(session: Session, id: string): Promise<GraphCalendar> {
  const name = isPrimary(session, id) ? 'primary' : id
  return knownTo(session).find(name, session.io.clock.now()) ?? readCalendar(session, id)
}

export const forgetCalendar = (session: Session, id: string): void => knownTo(session).forget(id)
