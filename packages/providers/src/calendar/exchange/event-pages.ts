/**
 * Pages of events at Exchange. Without expansion there are two lists, one after the other: single events and series,
 * and then the changed occurrences, which only a view contains.
 */
import type { Event, EventListQuery } from '@waypost/contract'
import { occurrencesBetween } from '@waypost/formats/recurrence/recurrence'
import { normaliseRecurrence } from '@waypost/formats/recurrence/rule'
import { Steps } from '@waypost/formats/recurrence/steps'
import { instantsOf } from '@waypost/formats/timezones/when'
import { seconds } from '@waypost/platform/clock'
import type { JsonValue } from '@waypost/platform/json/guard'
import { z } from 'zod'
import type { SessionIo } from '../../io.ts'
import type { Operations, Page } from '../../operations.ts'
import { startOf } from '../event-input.ts'
import { type EventWindow, windowOf } from '../event-queries.ts'

/** The list that is read: instances and single events, single events and series, or changed occurrences. */
const Part = z.enum(['view', 'stored', 'exceptions'])
export type Part = z.output<typeof Part>

/** Lists have filters, imports do not. */
export type ListQuery = Pick<EventListQuery, 'calendar_id' | 'limit'> & Partial<EventListQuery>

export interface Listing<Place> {
  query: ListQuery
  window: EventWindow
  part: Part
  /** Where the page begins; undefined at the start of the list. */
  place: Place | undefined
}

export interface EventPage<Place> {
  items: Event[]
  /** Where the next page begins, if there are more. */
  next?: Place | undefined
}

type Lists<Session> = Pick<Operations<Session>['events'], 'list' | 'import'>

/** The lists of an adapter that reads a page from a place. */
export function eventLists<Session extends { io: SessionIo }, Place extends JsonValue>(
  place: z.ZodType<Place>,
  read: (session: Session, listing: Listing<Place>) => Promise<EventPage<Place>>,
): Lists<Session> {
  /** A position: the window that the first page resolved, the list, and the place in it. */
  const Position = z.tuple([z.number(), z.number(), Part, place.nullable()])

  function listingAt({ io }: Session, query: ListQuery, position: JsonValue | undefined, first: Part): Listing<Place> {
    if (position === undefined) {
      return { query, window: windowOf(query, seconds(io.clock.now())), part: first, place: undefined }
    }
    const [from, to, part, at] = Position.parse(position)
    return { query, window: { from, to }, part, place: at ?? undefined }
  }

  async function pageOf(session: Session, listing: Listing<Place>): Promise<Page<Event>> {
    const { items, next } = await read(session, listing)
    const { query, window, part } = listing
    if (next) return { items, next: [window.from, window.to, part, next] }
    const goesOn = part === 'stored' && query.ical_uid === undefined
    return goesOn ? { items, next: [window.from, window.to, 'exceptions', null] } : { items }
  }

  return {
    list(session, query, position) {
      const isStored = query.ical_uid !== undefined || query.expand_recurring === false
      return pageOf(session, listingAt(session, query, position, isStored ? 'stored' : 'view'))
    },
    /** Single events, series and changed occurrences, as Exchange stores them. */
    import: (session, query, position) => pageOf(session, listingAt(session, query, position, 'stored')),
  }
}

/**
 * Whether a series has an occurrence in the window according to its rule. A rule that cannot be expanded counts as
 * inside.
 */
function hasOccurrence({ recurrence, when }: Event, { from, to }: EventWindow): boolean {
  const start = startOf(when)
  const steps = new Steps()
  const rule = normaliseRecurrence(recurrence ?? [], start, {
    allowRdate: false,
    startOutsideRule: 'follow-rule',
    steps,
  })
  if (!rule.ok) return true
  try {
    const series = { start, recurrence: rule.value }
    const inWindow = { from, to: Math.max(to, from + 1) }
    return occurrencesBetween(series, inWindow, { allDayZone: 'UTC', limit: 1, steps }).length > 0
  } catch {
    return true
  }
}

/**
 * Whether an event is in the window. An event that only touches it is outside, unless it has no length. Days count in
 * UTC.
 */
export function isInside(event: Event, window: EventWindow): boolean {
  if (event.recurrence) return hasOccurrence(event, window)
  const { from, to } = window
  const { start, end } = instantsOf(event.when, 'UTC')
  return (end > from && start < to) || (start === end && start === from && from < to)
}
