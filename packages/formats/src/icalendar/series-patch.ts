/**
 * Writes the lines of a series after a change of its time, its lines, or both. Lines with the same meaning as before
 * stay as they are written.
 */
import { invalidField } from '@waypost/platform/api-error'
import { asWritten, type ForeignSeries } from '../recurrence/foreign.ts'
import { slotOfKey } from '../recurrence/instance-ids.ts'
import { type NormalisedRecurrence, normaliseRecurrence } from '../recurrence/rule.ts'
import { basicUtc, parseBasic, type Series, type SeriesStart } from '../recurrence/series.ts'
import { editSeries, type NewPlace } from '../recurrence/series-edit.ts'
import { STEPS_OF_CHANGE, Steps } from '../recurrence/steps.ts'
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { instantToWall } from '../timezones/timezones.ts'
import { slotProperty, type TimeWriting } from './calendar-time-lines.ts'
import { addLines, lineOf, putProperty, withoutLines } from './content-line-changes.ts'
import type { Item } from './content-lines.ts'
import { plain } from './icalendar.ts'

/** Lines from clients must follow all rules. */
const strict = { allowRdate: true, startOutsideRule: 'refuse' } as const

export interface SeriesChange {
  readonly start: SeriesStart
  /** If absent, the lines stay. */
  readonly lines: readonly string[] | null | undefined
}

export interface SeriesAfter {
  /** Undefined if the event no longer repeats. */
  readonly series: Series | undefined
  /** The new places of overrides; undefined for removed ones. */
  placesOf(slots: readonly string[]): (NewPlace | undefined)[]
}

const without = (series: Series | undefined): SeriesAfter => ({
  series,
  placesOf: (slots) => slots.map(() => undefined),
})

/** The series after a change (`series-edit.ts`). */
export function seriesAfter(series: ForeignSeries | undefined, { start, lines }: SeriesChange): SeriesAfter {
  if (lines === null || lines?.length === 0) return without(undefined)
  const steps = new Steps(STEPS_OF_CHANGE)
  if (!series) return without(lines && need(normaliseRecurrence(lines, start, { ...strict, steps }), start))
  const edited = editSeries(asWritten(series), { start, lines, allowRdate: true, steps })
  if (!edited.ok) throw invalidField('recurrence', edited.problem)
  return edited
}

function need(result: NormalisedRecurrence, start: SeriesStart): Series {
  if (!result.ok) throw invalidField('recurrence', result.problem)
  return { start, recurrence: result.value }
}

export interface SeriesLines {
  readonly before: ForeignSeries | undefined
  readonly after: Series | undefined
  /** The form of the new start. */
  readonly writing: TimeWriting
  /** Whether that form differs from before. */
  readonly isRewritten: boolean
}

/** The items with the lines of the series. */
export function putSeries(items: readonly Item[], { before, after, writing, isRewritten }: SeriesLines): Item[] {
  if (after === undefined) return withoutLines(items, ['RRULE', 'RDATE', 'EXDATE', 'EXRULE'])
  const was = before && asWritten(before)
  let next: Item[] = [...items]
  const [oldRule, newRule] = [ruleOf(was), ruleOf(after)]
  if (newRule === undefined) next = withoutLines(next, ['RRULE', 'EXRULE'])
  else if (oldRule !== newRule) next = putProperty(next, plain('RRULE', untilIn(newRule, writing)))
  for (const [name, list] of [
    ['RDATE', 'rdates'],
    ['EXDATE', 'exdates'],
  ] as const) {
    const [old, keys] = [was?.recurrence[list] ?? [], after.recurrence[list]]
    if (old.join() === keys.join() && (!isRewritten || keys.length === 0)) continue
    const slots = keys.map((key) => slotOfKey(after.start.kind, key))
    next = addLines(
      withoutLines(next, [name]),
      slots.map((slot) => lineOf(slotProperty(name, slot, writing))),
    )
  }
  return next
}

const ruleOf = (series: Series | undefined): string | undefined =>
  series?.recurrence.lines.find((line) => line.startsWith('RRULE:'))?.slice('RRULE:'.length)

/** UNTIL is in UTC, but floating if the start is floating (RFC 5545 §3.3.10). */
function untilIn(rule: string, writing: TimeWriting): string {
  if (writing.form !== 'floating') return rule
  return rule.replace(/UNTIL=(\d{8}T\d{6}Z)/, (whole, text: string) => {
    const time = parseBasic(text)
    if (time?.seconds === undefined) return whole
    const wall = instantToWall(writing.zone, time.day * SECONDS_PER_DAY + time.seconds)
    return `UNTIL=${basicUtc(wall).slice(0, -1)}`
  })
}
