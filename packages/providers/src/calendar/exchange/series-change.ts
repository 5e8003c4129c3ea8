/**
 * Applies a change to the times of an event and its series. When the times or the rule of a series change, Exchange
 * drops its changed and deleted occurrences. They are written again afterwards (`series-rewrite.ts`). Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import type { EventChange, When } from '@waypost/contract'
import { normaliseRecurrence } from '@waypost/formats/recurrence/rule'
import type { Series, SeriesStart } from '@waypost/formats/recurrence/series'
import { type EditedSeries, editSeries } from '@waypost/formats/recurrence/series-edit'
import { STEPS_OF_CHANGE, Steps } from '@waypost/formats/recurrence/steps'
import { invalidField } from '@waypost/platform/api-error'
import { needWhen, startOf } from '../event-input.ts'
import type { ExchangeEvent, ExchangeFields } from './event-model.ts'
import { recurrenceLines, seriesStartOf } from './recurrence-lines.ts'
import { writtenSeries } from './recurrence-pattern.ts'
import { toTimes, whenOf } from './when.ts'

export interface ChangedTimes {
  fields: ExchangeFields
  /** The keys of occurrences to delete. */
  exdates: readonly number[]
  /** Present if the series continues and Exchange drops its exceptions. */
  reset?: SeriesReset
}

export interface SeriesReset {
  from: Series
  edited: EditedSeries & { ok: true }
  /** The time of the series after the change. */
  when: When
}

/** The start of a series. If the time names no zone, the series keeps its zone. */
function startIn(when: When, zone: string | undefined): SeriesStart {
  const start = startOf(when)
  const isNamed =
    when.object === 'timespan' ? when.start_timezone !== null : when.object === 'time' && when.timezone !== null
  return start.kind === 'timed' && !isNamed && zone !== undefined ? { ...start, zone } : start
}

/** The times of an event that is not a series and does not become one. */
function plainTimes(when: When | undefined): ChangedTimes {
  return { fields: when ? { ...toTimes(when) } : {}, exdates: [] }
}

/** A series as stored in Exchange, with EXDATE for its deleted occurrences. */
export function seriesOf(event: ExchangeEvent): Series | undefined {
  const { recurrence, cancelledOccurrences } = event
  if (!recurrence) return undefined
  const when = whenOf(event)
  const start = seriesStartOf(when, recurrence)
  const lines = recurrenceLines(recurrence, when, cancelledOccurrences)
  const result = normaliseRecurrence(lines, start, {
    allowRdate: false,
    startOutsideRule: 'follow-rule',
    steps: new Steps(),
  })
  if (!result.ok) throw invalidField('recurrence', result.problem)
  return { start, recurrence: result.value }
}

export function changedTimes(change: EventChange, before: ExchangeEvent): ChangedTimes {
  const when = change.when === undefined ? undefined : needWhen(change.when)
  const lines = change.recurrence === null ? [] : change.recurrence
  if (before.seriesMasterId !== undefined && (lines?.length ?? 0) > 0) {
    throw invalidField('recurrence', 'one occurrence cannot repeat: change the series instead')
  }
  if (lines?.length === 0) {
    const { fields } = plainTimes(when)
    return before.recurrence ? { fields: { ...fields, recurrence: null }, exdates: [] } : plainTimes(when)
  }
  if (before.recurrence) return changedSeries(before, { when, lines })
  if (lines === undefined) return plainTimes(when)
  const { recurrence, exdates } = writtenSeries(lines, startOf(when ?? whenOf(before)))
  return { fields: { ...(when ? toTimes(when) : {}), recurrence }, exdates }
}

interface SeriesInput {
  when: When | undefined
  lines: readonly string[] | undefined
}

function changedSeries(before: ExchangeEvent, { when, lines }: SeriesInput): ChangedTimes {
  if (!when && !lines) return { fields: {}, exdates: [] }
  const from = seriesOf(before)
  if (!from) return plainTimes(when)
  const zone = from.start.kind === 'timed' ? from.start.zone : undefined
  // Exchange repeats in the Windows zone of a series, so a time that equals the one read before is not a change.
  const isSameTime = !when || isDeepStrictEqual(when, whenOf(before))
  const start = isSameTime ? from.start : startIn(when, zone)
  const edited = editSeries(from, { start, lines, allowRdate: false, steps: new Steps(STEPS_OF_CHANGE) })
  if (!edited.ok) throw invalidField('recurrence', edited.problem)
  const { series } = edited
  const { recurrence } = writtenSeries(series.recurrence.lines, start, 'follow-rule')
  // A rule may have several forms, so the form that Exchange would return is compared.
  const [rule] = recurrenceLines(recurrence, when ?? whenOf(before))
  const isSameRule = rule === recurrenceLines(before.recurrence ?? {}, whenOf(before))[0]
  if (isSameRule && isDeepStrictEqual(from.start, start) && isSameZone(when, before)) return addedExdates(series, from)
  return {
    fields: { ...(when ? toTimes(when, zone) : {}), recurrence },
    exdates: series.recurrence.exdates,
    reset: { from, edited, when: when ?? whenOf(before) },
  }
}

/** Exchange stores a separate zone for the end of an event. */
function isSameZone(when: When | undefined, before: ExchangeEvent): boolean {
  const was = whenOf(before)
  if (when?.object !== 'timespan' || was.object !== 'timespan' || when.end_timezone === null) return true
  return when.end_timezone === was.end_timezone
}

/** The rule stays, so only further occurrences can be deleted. */
function addedExdates({ recurrence }: Series, from: Series): ChangedTimes {
  const gone = from.recurrence.exdates
  if (gone.some((key) => !recurrence.exdates.includes(key))) {
    throw invalidField('recurrence', 'EXDATE: Exchange cannot bring back an occurrence that was deleted')
  }
  return { fields: {}, exdates: recurrence.exdates.filter((key) => !gone.includes(key)) }
}
