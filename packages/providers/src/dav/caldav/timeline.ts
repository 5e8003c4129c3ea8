/**
 * Sorts the events of calendar objects by start, one page at a time. Series are expanded here, because servers do it
 * incorrectly or not at all. Pure.
 */
import type { Event } from '@waypost/contract'
import type { EventFields, PlainEvents } from '@waypost/formats/icalendar/calendar-object'
import { occurrencesIn, type TakesPlace } from '@waypost/formats/icalendar/calendar-occurrences'
import { instanceId } from '@waypost/formats/recurrence/instance-ids'
import { RecurrenceTooLarge, type Steps } from '@waypost/formats/recurrence/steps'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import {
  type EventFilter,
  type EventWindow,
  inOrder,
  type ListPosition,
  tooManyOccurrences,
} from '../../calendar/event-queries.ts'

/** The content of one calendar object: a single event, or a series with its changed occurrences. */
export interface EventGroup {
  readonly id: string
  readonly read: PlainEvents
  /** Converts its fields to an event of the API; with a slot, to an occurrence. */
  event(fields: EventFields, slot?: string): Event
}

export interface Entry extends ListPosition {
  /** Created on demand, because most entries need only a position. */
  event(): Event
}

export interface TimelineQuery {
  /** The window that the client requested. */
  readonly window: EventWindow
  /**
   * The current part of the window. Events that begin before it belong to an earlier part, unless this is the first.
   */
  readonly part: EventWindow
  /** The last event already returned. */
  readonly after: ListPosition | undefined
  /** Expands series to occurrences; otherwise returns masters and changed occurrences. */
  readonly expand: boolean
  readonly showCancelled: boolean
  readonly filter: EventFilter | undefined
  /** The zone of the calendar, in which its days begin. */
  readonly zone: string
  /** The budget of the request. */
  readonly steps: Steps
}

const maxCandidates = 50_000

/** The entries of a part of the window, in order. Yields to other work between groups. */
export async function entriesOf(groups: Iterable<EventGroup>, query: TimelineQuery): Promise<Entry[]> {
  const found: Entry[] = []
  const othersTurn = yieldBetween()
  try {
    for (const group of groups) {
      await othersTurn()
      for (const entry of groupEntries(group, query)) found.push(entry)
      if (found.length > maxCandidates) throw tooManyOccurrences()
    }
  } catch (error) {
    throw error instanceof RecurrenceTooLarge ? tooManyOccurrences() : error
  }
  return found.sort(inOrder)
}

const groupEntries = (group: EventGroup, query: TimelineQuery): Entry[] =>
  query.expand || !group.read.series ? expanded(group, query) : stored(group, query)

function expanded(group: EventGroup, query: TimelineQuery): Entry[] {
  const places = placesIn(group.read, query.part, query)
  return places.flatMap((place) => entryOf(group, place, query))
}

/**
 * What takes place in a window. A rule that takes too many steps must not make a list fail, because a stranger may
 * have sent it: such an event is shown at its own start.
 */
function placesIn(read: PlainEvents, window: EventWindow, query: TimelineQuery): TakesPlace[] {
  const steps = query.steps.part()
  const options = { zone: query.zone, cancelled: query.showCancelled, steps }
  try {
    return occurrencesIn(read, atLeastAMoment(window), options)
  } catch (error) {
    const isCostly = error instanceof RecurrenceTooLarge && steps.left === 0 && query.steps.left > 0
    if (!isCostly) throw error
    const { series: _, ...alone } = read
    return occurrencesIn(alone, atLeastAMoment(window), options)
  }
}

/** An empty window contains the events at that moment. */
const atLeastAMoment = ({ from, to }: EventWindow): EventWindow => ({ from, to: Math.max(to, from + 1) })

/** A series once, at its first occurrence in the window, and its changed occurrences. */
function stored(group: EventGroup, query: TimelineQuery): Entry[] {
  const { window } = query
  const { main, overrides } = group.read
  const places = placesIn(group.read, window, query)
  const changed = new Set(overrides.map(({ slot }) => slot))
  const own = places.filter(({ slot }) => slot !== undefined && changed.has(slot))
  const [first] = places.filter(({ start }) => start < Math.max(window.to, window.from))
  const master = main && first ? [{ start: first.start, end: first.end, fields: main }] : []
  return [...master, ...own].flatMap((place) => entryOf(group, place, query))
}

/** The entry of an occurrence, if it belongs to the part and was not returned yet. */
function entryOf(group: EventGroup, place: TakesPlace, { window, part, after, filter }: TimelineQuery): Entry[] {
  const { slot, start: startAt, fields } = place
  const position = { startAt, id: slot === undefined ? group.id : instanceId(group.id, slot) }
  const isInPart = startAt < part.to && (startAt >= part.from || part.from === window.from)
  if (!isInPart || (after && inOrder(position, after) <= 0)) return []
  let made: Event | undefined
  const event = (): Event => {
    made ??= group.event(fields, slot)
    return made
  }
  return !filter || filter(event()) ? [{ ...position, event }] : []
}
