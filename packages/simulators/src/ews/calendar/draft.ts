// Computes the times of an event from a request: wall times in their zones, whole days, and a series that starts with
// its first occurrence.
import { isDeepStrictEqual } from 'node:util'
import type { EventTime } from '../../shared/calendar/event-time.ts'
import { alignedSeries, type Recurrence } from '../../shared/calendar/recurrence.ts'
import { crossesNeighbours } from '../../shared/calendar/series.ts'
import { UTC, type Zone } from '../../shared/calendar/zones.ts'
import type { EwsCall } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import { childOf } from '../xml/read.ts'
import { type CalendarContent, type EventDraft, eventOf } from './content.ts'
import { movedRecurrence, noOccurrence, readRecurrence } from './recurrence-xml.ts'
import { midnightAfter, midnightBefore, timeOf } from './times.ts'
import { zoneOfId } from './zones-xml.ts'

const halfHour = 30 * 60_000
const DAY = 86_400_000
const maxDuration = 5 * 366 * DAY

type Times = Pick<CalendarContent, 'start' | 'end' | 'isAllDay' | 'recurrence'>

/** The zone that the request names, if any. */
export function contextZone({ header, zone }: Pick<EwsCall, 'header' | 'zone'>): Zone | undefined {
  return childOf(header, 'TimeZoneContext') === undefined ? undefined : zoneOfId(zone)
}

/** The times of a new event. */
export function newTimes(call: EwsCall, draft: EventDraft): Times {
  const zone = draft.startZone ?? contextZone(call) ?? UTC
  // Without a start, the event starts at the next half hour.
  const now = Math.ceil(call.world.now() / halfHour) * halfHour
  const start = draft.start === undefined ? now : timeOf(draft.start, zone)
  const end = draft.end === undefined ? start + halfHour : timeOf(draft.end, draft.endZone ?? zone)
  const times = {
    start: { ms: start, zone },
    end: { ms: end, zone: draft.endZone ?? zone },
    isAllDay: draft.isAllDay ?? false,
  }
  return settled(times, (begin) => (draft.recurrence ? readRecurrence(draft.recurrence, begin) : null))
}

/** The times of an event after a change. */
export function changedTimes(call: EwsCall, content: CalendarContent): Times {
  const { draft = {}, start, end, isAllDay, recurrence, occurrence } = content
  const startZone = draft.startZone ?? start.zone
  const endZone = draft.endZone ?? (draft.startZone === undefined ? end.zone : startZone)
  const readIn = draft.startZone ?? contextZone(call) ?? startZone
  const times = {
    start: { ms: draft.start === undefined ? start.ms : timeOf(draft.start, readIn), zone: startZone },
    end: { ms: draft.end === undefined ? end.ms : timeOf(draft.end, draft.endZone ?? readIn), zone: endZone },
    isAllDay: draft.isAllDay ?? isAllDay,
  }
  const next = settled(times, (begin) => {
    if (draft.recurrence === null) return null
    if (draft.recurrence !== undefined) return readRecurrence(draft.recurrence, begin)
    if (recurrence === null) return null
    return isDeepStrictEqual(begin, start) ? recurrence : movedRecurrence(recurrence, begin)
  })
  if (occurrence !== undefined) checkOccurrence(content, next)
  return next
}

function settled(
  { start, end, isAllDay }: { start: EventTime; end: EventTime; isAllDay: boolean },
  recurrenceFrom: (start: EventTime) => Recurrence | null,
): Times {
  if (end.ms < start.ms) {
    throw new EwsError('ErrorCalendarEndDateIsEarlierThanStartDate', 'EndDate is earlier than StartDate')
  }
  if (end.ms - start.ms > maxDuration) {
    throw new EwsError('ErrorCalendarDurationIsTooLong', 'Duration is too long. The maximum is 1825 days.')
  }
  const whole = isAllDay ? widened(start, end) : { start, end }
  const recurrence = recurrenceFrom(whole.start)
  if (recurrence === null) return { ...whole, isAllDay, recurrence }
  const aligned = alignedSeries({ ...whole, recurrence })
  if (aligned === undefined) throw noOccurrence()
  return { ...aligned, isAllDay }
}

/** An all-day event lasts from midnight to midnight in its zone, at least one day. */
function widened(start: EventTime, end: EventTime): { start: EventTime; end: EventTime } {
  const { zone } = start
  const from = midnightBefore(start.ms, zone)
  const to = midnightAfter(Math.max(end.ms, from + 1), zone)
  return { start: { ms: from, zone }, end: { ms: to, zone } }
}

/** An occurrence must stay between the days of its neighbors. */
function checkOccurrence({ occurrence, start, end, draft }: CalendarContent, next: Times): void {
  if (occurrence === undefined) return
  if (draft?.recurrence !== undefined) {
    throw new EwsError('ErrorInvalidPropertySet', 'Set action is invalid for property.')
  }
  if (isDeepStrictEqual({ start, end }, { start: next.start, end: next.end })) return
  if (!crossesNeighbours(eventOf(occurrence.master), occurrence.date, next)) return
  throw new EwsError(
    'ErrorOccurrenceCrossingBoundary',
    'Modified occurrence is crossing or overlapping adjacent occurrence.',
  )
}
