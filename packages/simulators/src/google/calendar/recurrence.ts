// A series: its RRULE, RDATE, EXRULE and EXDATE lines, and the start of the first event. The first start is always
// included. Rules follow the wall clock in the time zone of the start; a time skipped by a clock change moves
// forward.
import { type EventTime, isDay, stampOf } from './event-time.ts'
import { invalidRecurrence, parseRule, type RecurrenceRule, ruleDays } from './recurrence-rule.ts'

export interface Series {
  readonly start: EventTime
  readonly recurrence: readonly string[]
}

interface Line {
  readonly name: string
  readonly zone: string | undefined
  readonly value: string
}

interface ParsedSeries {
  readonly rules: readonly RecurrenceRule[]
  readonly excluded: readonly RecurrenceRule[]
  readonly dates: readonly EventTime[]
  readonly excludedStamps: ReadonlySet<string>
}

/** Throws the API's error if a line is invalid. */
export function checkRecurrence(series: Series): void {
  parseSeries(series)
}

function parseSeries({ start, recurrence }: Series): ParsedSeries {
  const rules: RecurrenceRule[] = []
  const excluded: RecurrenceRule[] = []
  const dates: EventTime[] = []
  const excludedStamps = new Set<string>()
  for (const line of recurrence.map(parseLine)) {
    if (line.name === 'RRULE') rules.push(parseRule(line.value))
    else if (line.name === 'EXRULE') excluded.push(parseRule(line.value))
    else if (line.name === 'RDATE') dates.push(...parseDates(line, start))
    else for (const date of parseDates(line, start)) excludedStamps.add(stampOf(date))
  }
  return { rules, excluded, dates, excludedStamps }
}

function parseLine(text: string): Line {
  const match = /^(RRULE|EXRULE|RDATE|EXDATE)((?:;[^:;]+)*):(.+)$/i.exec(text.trim())
  if (match === null) throw invalidRecurrence()
  const zone = /;TZID=([^;:]+)/i.exec(match[2] ?? '')?.[1]
  return { name: (match[1] ?? '').toUpperCase(), zone, value: match[3] ?? '' }
}

function parseDates({ zone, value }: Line, start: EventTime): EventTime[] {
  return value.split(',').map((text) => {
    const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text.trim())
    if (match === null) throw invalidRecurrence()
    const [, year, month, day, hour, minute, second, utc] = match
    const date = `${year}-${month}-${day}`
    if (isDay(start)) return { date }
    const ownZone = utc === 'Z' ? 'UTC' : (zone ?? start.zone)
    const clock =
      hour === undefined
        ? wallTime(start.ms, start.zone).toPlainTime()
        : Temporal.PlainTime.from(`${hour}:${minute}:${second}`)
    return { ms: instantOf(Temporal.PlainDate.from(date), clock, ownZone), zone: start.zone }
  })
}

function wallTime(ms: number, zone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime()
}

function instantOf(day: Temporal.PlainDate, clock: Temporal.PlainTime, zone: string): number {
  return day.toPlainDateTime(clock).toZonedDateTime(zone).epochMilliseconds
}

/** The starts of the events in a series, ascending; endless if a rule has no end. */
export function* occurrences(series: Series): Generator<EventTime> {
  const { rules, excluded, dates, excludedStamps } = parseSeries(series)
  const gone = excluded.map((rule) => expandRule(rule, series.start))
  const sources = [[series.start][Symbol.iterator](), dates.toSorted(compareTimes)[Symbol.iterator]()]
  const merged = merge([...sources, ...rules.map((rule) => expandRule(rule, series.start))])
  const excludedByRule = merge(gone)
  let out = excludedByRule.next()
  for (const time of merged) {
    while (!out.done && compareTimes(out.value, time) < 0) out = excludedByRule.next()
    if (!out.done && compareTimes(out.value, time) === 0) continue
    if (!excludedStamps.has(stampOf(time))) yield time
  }
}

function* expandRule(rule: RecurrenceRule, start: EventTime): Generator<EventTime> {
  const first = isDay(start) ? Temporal.PlainDate.from(start.date) : wallTime(start.ms, start.zone).toPlainDate()
  const clock = isDay(start) ? undefined : wallTime(start.ms, start.zone).toPlainTime()
  let count = 0
  for (const day of ruleDays(rule, first)) {
    if (rule.count !== undefined && count >= rule.count) return
    const time: EventTime =
      isDay(start) || clock === undefined
        ? { date: day.toString() }
        : { ms: instantOf(day, clock, start.zone), zone: start.zone }
    if (rule.until !== undefined && isPast(rule.until, time, day)) return
    count++
    yield time
  }
}

/** UNTIL is inclusive; a date without a time includes everything that starts on that day. */
function isPast(until: string, time: EventTime, day: Temporal.PlainDate): boolean {
  if (isDay(time) || until.length === 8) return day.toString().replaceAll('-', '') > until.slice(0, 8)
  if (until.endsWith('Z')) return stampOf(time) > until
  return wallTime(time.ms, time.zone).toString({ smallestUnit: 'second' }).replace(/[-:]/g, '') > until
}

function compareTimes(left: EventTime, right: EventTime): number {
  if (isDay(left) || isDay(right)) return stampOf(left) < stampOf(right) ? -1 : Number(stampOf(left) !== stampOf(right))
  return left.ms - right.ms
}

/** Merges ascending lists into one without duplicates. */
function* merge(sources: readonly Iterator<EventTime>[]): Generator<EventTime> {
  const heads = sources.map((source) => ({ source, head: source.next() }))
  for (;;) {
    let least: EventTime | undefined
    for (const { head } of heads) {
      if (!head.done && (least === undefined || compareTimes(head.value, least) < 0)) least = head.value
    }
    if (least === undefined) return
    yield least
    for (const entry of heads) {
      while (!entry.head.done && compareTimes(entry.head.value, least) === 0) entry.head = entry.source.next()
    }
  }
}
