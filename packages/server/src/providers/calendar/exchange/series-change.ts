/** What a change makes of the times of an event and of its series. Exchange forgets the exceptions of a series that moves. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { EventChange, When } from '@waypost/contract'
import { addDays, SECONDS_PER_DAY } from '../../../formats/dates.ts'
import { slotKey, slotOfKey } from '../../../formats/instance-ids.ts'
import { shiftExceptions } from '../../../formats/recurrence-move.ts'
import { normaliseRecurrence } from '../../../formats/recurrence-rule.ts'
import { type SeriesStart, startKey, wallOfKey } from '../../../formats/series.ts'
import { invalidField } from '../../../lib/api-error.ts'
import { needWhen, startOf } from '../event-input.ts'
import type { ExchangeEvent, ExchangeFields } from './event-model.ts'
import { cancelledKeys, recurrenceLines, seriesStartOf } from './recurrence-lines.ts'
import { followStart, writtenSeries } from './recurrence-pattern.ts'
import { toTimes, whenOf } from './when.ts'

export interface ChangedTimes {
  fields: ExchangeFields
  /** Occurrences that are to be deleted, by their keys. */
  exdates: readonly number[]
  /** Whether the series forgets its exceptions. */
  isMoved: boolean
}

/** The start of a series; one that names no zone keeps the one that it has. */
function startIn(when: When, zone: string | undefined): SeriesStart {
  const start = startOf(when)
  const isNamed =
    when.object === 'timespan' ? when.start_timezone !== null : when.object === 'time' && when.timezone !== null
  return start.kind === 'timed' && !isNamed && zone !== undefined ? { ...start, zone } : start
}

const linesOf = (event: ExchangeEvent): string[] =>
  event.recurrence ? recurrenceLines(event.recurrence, whenOf(event), event.cancelledOccurrences) : []

/** The times of an event that is no series and does not become one. */
function plainTimes(when: When | undefined): ChangedTimes {
  return { fields: when ? { ...toTimes(when) } : {}, exdates: [], isMoved: false }
}

/** A series that begins at another time, with the occurrences that were deleted of it. */
function movedSeries(event: ExchangeEvent, from: SeriesStart, to: SeriesStart) {
  const { recurrence = {}, cancelledOccurrences = [] } = event
  const pattern = followStart(recurrence.pattern ?? {}, from, to)
  const [rule] = recurrenceLines({ ...recurrence, pattern }, whenOf(event))
  const written = writtenSeries([rule], to)
  const result = normaliseRecurrence([rule], to, { allowRdate: false, startOutsideRule: 'follow-rule' })
  if (!result.ok) throw invalidField('recurrence', result.problem)
  const slots = cancelledKeys(cancelledOccurrences, from).map((key) => slotOfKey(from.kind, key))
  const shifted = shiftExceptions(slots, from, { start: to, recurrence: result.value })
  const range = { ...written.recurrence.range, ...movedEnd(recurrence.range?.endDate, from, to) }
  return {
    recurrence: { ...written.recurrence, ...(range.type === 'endDate' ? { range } : {}) },
    exdates: shifted.flatMap((slot) => slotKey(slot)?.key ?? []),
  }
}

const dayOfStart = (start: SeriesStart): number => Math.floor(wallOfKey(start, startKey(start)) / SECONDS_PER_DAY)

/** The last day stays, or moves by as many days of a week as the start does, so that the last occurrence is not lost. */
function movedEnd(endDate: string | undefined, from: SeriesStart, to: SeriesStart): { endDate?: string } {
  if (endDate === undefined) return {}
  const days = dayOfStart(to) - dayOfStart(from)
  return { endDate: days > 0 && days < 7 ? addDays(endDate, days) : endDate }
}

/** The new recurrence as Exchange would show it, without what has no meaning. */
const essence = (lines: readonly string[]): string => lines.filter((line) => line.startsWith('RRULE')).join()

export function changedTimes(change: EventChange, before: ExchangeEvent): ChangedTimes {
  const when = change.when === undefined ? undefined : needWhen(change.when)
  const given = change.recurrence
  if (before.seriesMasterId !== undefined && (given?.length ?? 0) > 0) {
    throw invalidField('recurrence', 'one occurrence cannot repeat: change the series instead')
  }
  if (given !== undefined && (given?.length ?? 0) === 0) {
    const { fields } = plainTimes(when)
    return before.recurrence
      ? { fields: { ...fields, recurrence: null }, exdates: [], isMoved: true }
      : plainTimes(when)
  }
  const isSeries = before.recurrence !== undefined
  if (!isSeries && given === undefined) return plainTimes(when)

  const from = isSeries ? seriesStartOf(whenOf(before), before.recurrence ?? {}) : undefined
  const zone = from?.kind === 'timed' ? from.zone : undefined
  const to = when ? startIn(when, zone) : (from ?? startOf(whenOf(before)))
  const isSameTime = !when || (from !== undefined && isDeepStrictEqual(from, to) && isSameEnd(when, before))
  // Clients send back what they have read: then the series moves with what was deleted of it.
  const isNew = given && !isDeepStrictEqual(given, linesOf(before))
  const written = isNew ? writtenSeries(given, to) : from && !isSameTime ? movedSeries(before, from, to) : undefined
  if (!written) return { fields: {}, exdates: [], isMoved: false }
  const shown = recurrenceLines(written.recurrence, when ?? whenOf(before))
  if (isSeries && isSameTime && essence(shown) === essence(linesOf(before)))
    return addedExdates(written.exdates, from, before)
  return {
    fields: { ...(when ? toTimes(when, zone) : {}), recurrence: written.recurrence },
    exdates: written.exdates,
    isMoved: true,
  }
}

const isSameEnd = (when: When, before: ExchangeEvent): boolean => {
  const was = whenOf(before)
  return when.object !== 'timespan' || was.object !== 'timespan' || when.end_time === was.end_time
}

/** The rule stays as it is: only further occurrences can be deleted. */
function addedExdates(exdates: readonly number[], start: SeriesStart | undefined, before: ExchangeEvent): ChangedTimes {
  const gone = start ? cancelledKeys(before.cancelledOccurrences ?? [], start) : []
  if (gone.some((key) => !exdates.includes(key))) {
    throw invalidField('recurrence', 'EXDATE: Exchange cannot bring back an occurrence that was deleted')
  }
  return { fields: {}, exdates: exdates.filter((key) => !gone.includes(key)), isMoved: false }
}
