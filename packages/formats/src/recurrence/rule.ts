/**
 * Validates the `recurrence` lines of an event and converts them to a canonical form. The result can be expanded at a
 * bounded cost, is unambiguous, and has the bounds by which a store finds a series.
 *
 * Limits: RRULE lines of 1024 characters. EXDATE and RDATE lines of 100,000, because 5000 values in one line are
 * legal and our own lines contain all values. 5000 values of EXDATE and RDATE together, counted again after dates of
 * a timed series are converted to times. 5001 lines. For COUNT, INTERVAL and the product of the lists, see
 * `parts.ts`.
 */
import { formatDate, SECONDS_PER_DAY } from '../timezones/dates.ts'
import { addedKeys, type DateLine, dateLine, readDateLine, removedKeys } from './dates.ts'
import { type ReadRule, RecurrenceProblem, readRule, refuse } from './parts.ts'
import { greatestKey, holdsKey, type Recurrence, type SeriesStart, startKey } from './series.ts'
import { type CountedRule, walkRule } from './slots.ts'
import { RecurrenceTooLarge, type Steps } from './steps.ts'

export interface NormaliseOptions {
  /** False rejects RDATE lines. */
  readonly allowRdate: boolean
  /**
   * Handling of a start that is not a slot of the rule. `refuse`: a problem that names the next valid start, unless
   * EXDATE removes the start anyway. `follow-rule`: the start is not an occurrence; for providers that expand their
   * own series.
   */
  readonly startOutsideRule: 'refuse' | 'follow-rule'
  /** The budget of the text or request. */
  readonly steps: Steps
}

export type NormalisedRecurrence =
  | { readonly ok: true; readonly value: Recurrence }
  | { readonly ok: false; readonly problem: string }

const MAX_LINES = 5001
const MAX_RULE_LENGTH = 1024
const MAX_DATES_LENGTH = 100_000
const MAX_DATES = 5000

/** Validates the lines against the start of the series. A problem begins with the invalid part. */
export function normaliseRecurrence(
  lines: readonly string[],
  start: SeriesStart,
  options: NormaliseOptions,
): NormalisedRecurrence {
  try {
    return { ok: true, value: normalise(lines, start, options) }
  } catch (error) {
    if (error instanceof RecurrenceProblem) return { ok: false, problem: error.message }
    if (error instanceof RecurrenceTooLarge) return { ok: false, problem: `RRULE: ${error.why}` }
    throw error
  }
}

function normalise(lines: readonly string[], start: SeriesStart, options: NormaliseOptions): Recurrence {
  const { read, rdateLines, exdateLines } = readLines(lines, start, options)
  const { steps } = options
  steps.take(rdateLines.concat(exdateLines).reduce((sum, { values }) => sum + values.length, 0))
  const rdates = ascending(rdateLines.flatMap((line) => addedKeys(line, start)))
  const rule = read?.rule ?? null
  const exdates = ascending(exdateLines.flatMap((line) => removedKeys(line, { start, rule, rdates, steps })))
  if (rdates.length + exdates.length > MAX_DATES) tooManyDates()
  if (rule !== null && options.startOutsideRule === 'refuse' && !holdsKey(exdates, startKey(start))) {
    checkStart({ start, rule, steps })
  }
  const lastSlot = rule === null ? startKey(start) : lastSlotOf({ start, rule, steps })
  return {
    lines: [
      ...(read === undefined ? [] : [read.line]),
      ...(rdates.length === 0 ? [] : [dateLine('RDATE', start, rdates)]),
      ...(exdates.length === 0 ? [] : [dateLine('EXDATE', start, exdates)]),
    ],
    rule,
    exdates,
    rdates,
    lastSlot,
    ...bounds(start, { lastSlot, rdates }),
  }
}

interface ReadLines {
  readonly read: ReadRule | undefined
  readonly rdateLines: readonly DateLine[]
  readonly exdateLines: readonly DateLine[]
}

function readLines(lines: readonly string[], start: SeriesStart, { allowRdate }: NormaliseOptions): ReadLines {
  if (lines.length > MAX_LINES) refuse('recurrence', `has more than ${MAX_LINES} lines`)
  let read: ReadRule | undefined
  let dates = 0
  const found: Record<'RDATE' | 'EXDATE', DateLine[]> = { RDATE: [], EXDATE: [] }
  for (const line of lines) {
    const name = propertyName(line)
    if (name === 'RRULE') {
      if (read !== undefined) refuse('RRULE', 'is given twice')
      read = readRuleLine(line, start)
    } else if (name === 'EXDATE' || (name === 'RDATE' && allowRdate)) {
      if (line.length > MAX_DATES_LENGTH) refuse(name, `is longer than ${MAX_DATES_LENGTH} characters`)
      const dateLine = readDateLine(name, line)
      dates += dateLine.values.length
      if (dates > MAX_DATES) tooManyDates()
      found[name].push(dateLine)
    } else {
      refuse(name, allowRdate ? 'only RRULE, EXDATE and RDATE are supported' : 'only RRULE and EXDATE are supported')
    }
  }
  if (read === undefined && found.RDATE.length === 0) refuse('RRULE', 'is required')
  return { read, rdateLines: found.RDATE, exdateLines: found.EXDATE }
}

const tooManyDates = (): never => refuse('EXDATE', `EXDATE and RDATE hold more than ${MAX_DATES} dates`)

function propertyName(line: string): string {
  const found = /^\s{0,9}([A-Za-z-]{1,32})\s{0,9}[:;]/.exec(line)
  return found?.[1]?.toUpperCase() ?? refuse(line.trim(), 'a line must begin with the name of a property and a colon')
}

/** Parses an RRULE line without expanding it; throws `RecurrenceProblem`. */
export function readRuleLine(line: string, start: SeriesStart): ReadRule {
  if (line.length > MAX_RULE_LENGTH) refuse('RRULE', `is longer than ${MAX_RULE_LENGTH} characters`)
  const value = /^\s*RRULE\s*:(.*)$/is.exec(line)?.[1]
  return value === undefined ? refuse('RRULE', 'takes no parameters') : readRule(value.trim(), start)
}

const ascending = (keys: readonly number[]): number[] => [...new Set(keys)].sort((a, b) => a - b)

/** The contract requires the start to be the first occurrence; RFC 5545 §3.8.5.3 leaves other cases undefined. */
function checkStart(counted: CountedRule): void {
  const { start } = counted
  const first = firstSlot(counted)
  if (first === startKey(start)) return
  if (first === undefined) refuse('RRULE', 'never occurs after the start of the series')
  refuse('when', `the start must fall on a day and time allowed by RRULE; the next one is ${shown(start, first)}`)
}

function firstSlot(counted: CountedRule): number | undefined {
  const { start } = counted
  let first: number | undefined
  walkRule(counted, { from: startKey(start), to: greatestKey(start) }, (key) => {
    first = key
    return false
  })
  return first
}

function shown(start: SeriesStart, key: number): string {
  if (start.kind === 'all-day') return formatDate(key)
  const moment = new Temporal.ZonedDateTime(BigInt(key) * 1_000_000_000n, start.zone)
  return `${key} (${moment.toString({ smallestUnit: 'second' })})`
}

/** COUNT includes slots that EXDATE removes, but not local times that do not exist. */
function lastSlotOf(counted: CountedRule): number | null {
  const { start, rule } = counted
  if (rule.count === null) return rule.until
  let left = rule.count
  let last = startKey(start)
  walkRule(counted, { from: startKey(start), to: greatestKey(start) }, (key) => {
    last = key
    left -= 1
    return left > 0
  })
  return last
}

function bounds(
  start: SeriesStart,
  { lastSlot, rdates }: { lastSlot: number | null; rdates: readonly number[] },
): { first: number; last: number | null } {
  const firstKey = Math.min(startKey(start), rdates[0] ?? Number.POSITIVE_INFINITY)
  const lastKey = lastSlot === null ? null : Math.max(lastSlot, rdates.at(-1) ?? Number.NEGATIVE_INFINITY)
  if (start.kind === 'timed') {
    return { first: firstKey, last: lastKey === null ? null : lastKey + Math.max(1, start.seconds) }
  }
  // A day on either side, because midnight differs between zones.
  return {
    first: (firstKey - 1) * SECONDS_PER_DAY,
    last: lastKey === null ? null : (lastKey + start.days + 1) * SECONDS_PER_DAY,
  }
}
