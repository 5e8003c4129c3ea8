// Validates the times of an event, and applies changes of times or pattern to a series.
import { isDeepStrictEqual } from 'node:util'
import { isMidnight, wallTime } from '../../shared/calendar/event-time.ts'
import type { Recurrence } from '../../shared/calendar/recurrence.ts'
import { crossesNeighbours } from '../../shared/calendar/series.ts'
import { GraphError } from '../errors.ts'
import { alignSeries, invalidProperty, parseRecurrence } from './recurrence.ts'
import type { EventDetails, StoredEvent } from './state.ts'

type Times = Pick<EventDetails, 'start' | 'end' | 'isAllDay'>

const DAY = 86_400_000

export function checkTimes({ start, end, isAllDay }: Times): void {
  if (end.ms < start.ms) throw invalidProperty()
  if (!isAllDay) return
  for (const [name, time] of [
    ['Start', start],
    ['End', end],
  ] as const) {
    if (isMidnight(time)) continue
    const message = `The Event.${name} property for an all-day event needs to be set to midnight.`
    throw new GraphError(400, 'ErrorInvalidRequest', message)
  }
  if (start.zone.iana !== end.zone.iana) throw invalidProperty()
  const days = wallTime(start.ms, start.zone).until(wallTime(end.ms, end.zone), { largestUnit: 'day' }).days
  if (days < 1) {
    const message = 'The duration of an event marked as All day must be at least 24 hours.'
    throw new GraphError(400, 'ErrorInvalidRequest', message)
  }
}

type Series = Times & Pick<StoredEvent, 'recurrence'>

/** The times of an event after a request changed its recurrence; `undefined` leaves the recurrence unchanged. */
export function withRecurrence(before: Series | undefined, times: Times, recurrence: unknown): Series {
  const known = before?.recurrence ?? null
  if (recurrence === null || (recurrence === undefined && known === null))
    return pickTimes({ ...times, recurrence: null })
  const next =
    recurrence === undefined && known !== null ? moved(known, times) : parseRecurrence(recurrence, times.start)
  const { isAllDay } = times
  return { ...alignSeries({ start: times.start, end: times.end, recurrence: next }), isAllDay }
}

/** The same pattern from another start. */
function moved(recurrence: Recurrence, { start }: Times): Recurrence {
  const startDate = wallTime(start.ms, recurrence.range.zone).toPlainDate().toString()
  return { ...recurrence, range: { ...recurrence.range, startDate } }
}

/** Whether the times or pattern of a series changed. If so, its exceptions are discarded. */
export function isRescheduled(before: Series, after: Series): boolean {
  const { start, end, isAllDay, recurrence } = before
  return !isDeepStrictEqual({ start, end, isAllDay, recurrence }, pickTimes(after))
}

function pickTimes({ start, end, isAllDay, recurrence }: Series): Series {
  return { start, end, isAllDay, recurrence }
}

/** An occurrence must stay between the days of its neighbors. */
export function checkNeighbours(master: StoredEvent, date: string, { start, end }: Times): void {
  if (!crossesNeighbours(master, date, { start, end })) return
  const message = 'Modified occurrence is crossing or overlapping adjacent occurrence.'
  throw new GraphError(400, 'ErrorOccurrenceCrossingBoundary', message)
}

export const maxViewDays = 1825
export const viewLimit = maxViewDays * DAY
