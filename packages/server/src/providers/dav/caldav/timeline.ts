/**
 * Events in the order of their starts, a page at a time, from the objects of a calendar that a window brought. Series are
 * expanded here, because servers do it wrongly or not at all. Pure.
 */
import type { Event } from '@waypost/contract'
import type { EventFields, PlainEvents } from '../../../formats/icalendar/calendar-object.ts'
import { occurrencesIn, type TakesPlace } from '../../../formats/icalendar/calendar-occurrences.ts'
import { instanceId } from '../../../formats/icalendar/instance-ids.ts'
import { RecurrenceTooLarge } from '../../../formats/recurrence/series.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { yieldBetween } from '../../../lib/parsing/yielding.ts'
import type { EventFilter, EventWindow } from '../../calendar/event-queries.ts'

/** What one object of a calendar holds: an event that stands alone, or a series with its changed occurrences. */
export interface EventGroup {
  readonly id: string
  readonly read: PlainEvents
  /** An event of it as ours; with a slot, an occurrence. */
  event(fields: EventFields, slot?: string): Event
}

/** The place of an event in a list: by start, then by id. */
export interface Position {
  readonly startAt: number
  readonly id: string
}

export interface Entry extends Position {
  /** Put together when it is shown: of most nothing is wanted but their places. */
  event(): Event
}

export const inOrder = (a: Position, b: Position): number =>
  a.startAt - b.startAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

export interface TimelineQuery {
  /** The window that the client asked for. */
  readonly window: EventWindow
  /** The part of it that is looked at: what begins before it belongs to the part before, unless there is none. */
  readonly part: EventWindow
  /** What was shown already. */
  readonly after: Position | undefined
  /** Occurrences of series one by one; else their masters, with the changed occurrences. */
  readonly expand: boolean
  readonly showCancelled: boolean
  readonly filter: EventFilter | undefined
  /** The zone of the calendar, in which its days begin. */
  readonly zone: string
}

const maxCandidates = 50_000

const tooMuch = (): ApiError =>
  new ApiError('invalid_request', 'start, end: the window holds too many occurrences: ask for a shorter one')

/** The entries of a part of the window, in order. Many groups take long: others have their turns in between. */
export async function entriesOf(groups: Iterable<EventGroup>, query: TimelineQuery): Promise<Entry[]> {
  const found: Entry[] = []
  const othersTurn = yieldBetween()
  try {
    for (const group of groups) {
      await othersTurn()
      for (const entry of groupEntries(group, query)) found.push(entry)
      if (found.length > maxCandidates) throw tooMuch()
    }
  } catch (error) {
    throw error instanceof RecurrenceTooLarge ? tooMuch() : error
  }
  return found.sort(inOrder)
}

const groupEntries = (group: EventGroup, query: TimelineQuery): Entry[] =>
  query.expand || !group.read.series ? expanded(group, query) : stored(group, query)

function expanded(group: EventGroup, query: TimelineQuery): Entry[] {
  const { part, zone, showCancelled } = query
  const places = occurrencesIn(group.read, atLeastAMoment(part), { zone, cancelled: showCancelled })
  return places.flatMap((place) => entryOf(group, place, query))
}

/** A window without length holds what goes on at that moment. */
const atLeastAMoment = ({ from, to }: EventWindow): EventWindow => ({ from, to: Math.max(to, from + 1) })

/** A series once, at the first of its occurrences in the window, and those that were changed. */
function stored(group: EventGroup, query: TimelineQuery): Entry[] {
  const { window, zone, showCancelled } = query
  const { main, overrides } = group.read
  const options = { zone, cancelled: showCancelled }
  const places = occurrencesIn(group.read, atLeastAMoment(window), options)
  const changed = new Set(overrides.map(({ slot }) => slot))
  const own = places.filter(({ slot }) => slot !== undefined && changed.has(slot))
  const [first] = places.filter(({ start }) => start < Math.max(window.to, window.from))
  const master = main && first ? [{ start: first.start, end: first.end, fields: main }] : []
  return [...master, ...own].flatMap((place) => entryOf(group, place, query))
}

/** What takes place, where it belongs to the part and was not shown yet. */
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
