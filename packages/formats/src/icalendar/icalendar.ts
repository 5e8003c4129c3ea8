/**
 * Writes iCalendar (RFC 5545); the tests read the result with ical.js. We have our own writer because client input
 * goes into lines that other people's calendars execute: a value must never end its line. So every value passes
 * through `contentLine`, which removes line breaks and control characters. TEXT and parameter values have their line
 * breaks escaped before that.
 *
 * VTIMEZONE is generated from Temporal's transitions. Yearly onsets on the same weekday become a rule. A rule that
 * applies for ten years up to the horizon is written without an end, as is usual. All other onsets are written one by
 * one.
 */
import { invalidField } from '@waypost/platform/api-error'
import { resolveTimeZone } from '../timezones/timezones.ts'

export interface Property {
  readonly name: string
  readonly parameters: Parameters
  /** The escaped value. */
  readonly value: string
}

/** Undefined parameters are omitted. */
export type Parameters = Readonly<Record<string, string | undefined>>

export interface Component {
  readonly name: string
  readonly properties: readonly Property[]
  readonly components?: readonly Component[]
}

/**
 * A day, or Unix seconds with the zone of display and recurrence (null: UTC). A `when` of these shapes is also a
 * Moment.
 */
export type Moment = { readonly date: string } | { readonly time: number; readonly timezone: string | null }

export const PRODUCT = '-//Waypost//Waypost//EN'
const MAX_OCTETS = 75
const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g
const CONTROLS_BUT_TAB_AND_NEWLINE = /[^\P{Cc}\t\n]/gu
const CONTROLS_BUT_TAB = /[^\P{Cc}\t]/gu

/** A text with `\n` as its only line break, without other control characters and lone surrogates. */
export const cleanText = (value: string): string =>
  value.toWellFormed().replace(LINE_BREAKS, '\n').replace(CONTROLS_BUT_TAB_AND_NEWLINE, '')

/** The text on one line. */
export const oneLine = (value: string): string => cleanText(value).replace(/\s+/g, ' ').trim()

/** A property whose value is free text (RFC 5545 §3.3.11). */
export const text = (name: string, value: string, parameters: Parameters = {}): Property => ({
  name,
  parameters,
  value: cleanText(value)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n'),
})

/** A property whose value has its own grammar: a URI, a rule, a keyword, a number. */
export const plain = (name: string, value: string, parameters: Parameters = {}): Property => ({
  name,
  parameters,
  value,
})

/** A URI such as `mailto:ann@example.com`. Characters outside the URI syntax are encoded (RFC 6068). */
export const mailto = (email: string): string =>
  `mailto:${encodeURI(email.toWellFormed()).replace(/[?#,;]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)}`

/** A property with an instant in UTC, such as DTSTAMP, from Unix seconds. */
export const utcTime = (name: string, time: number): Property => plain(name, `${basic(wallOf(time, 'UTC'))}Z`)

/** A day, or a local time with its zone. The second pass of a repeated hour has no local form and is written in UTC. */
export function exactTime(name: string, moment: Moment): Property {
  if ('date' in moment || isExact(moment.time, zoneOf(moment.timezone))) return wallTime(name, moment)
  return utcTime(name, moment.time)
}

/** A time that a series counts by (its start, its slots), where all values must have one zone. */
export function wallTime(name: string, moment: Moment): Property {
  if ('date' in moment) return plain(name, moment.date.replaceAll('-', ''), { VALUE: 'DATE' })
  const zone = zoneOf(moment.timezone)
  if (zone === 'UTC') return utcTime(name, moment.time)
  return plain(name, basic(wallOf(moment.time, zone)), { TZID: zone })
}

/** The IANA id of a zone; `UTC` for null and all aliases of UTC. */
export function zoneOf(timezone: string | null): string {
  const zone = resolveTimeZone(timezone ?? 'UTC')
  if (zone === undefined) throw invalidField('timezone', 'is not a known time zone')
  return new Temporal.ZonedDateTime(0n, zone).equals(new Temporal.ZonedDateTime(0n, 'UTC')) ? 'UTC' : zone
}

/** A calendar object with a VTIMEZONE for every zone that its components name; `span` is in Unix seconds. */
export function writeCalendar(
  method: string,
  { components, span }: { components: readonly Component[]; span: { from: number; to: number } },
): string {
  const zones = new Set(
    components.flatMap(({ properties }) => properties.flatMap(({ parameters }) => parameters.TZID ?? [])),
  )
  return write({
    name: 'VCALENDAR',
    properties: [
      plain('VERSION', '2.0'),
      text('PRODID', PRODUCT),
      plain('CALSCALE', 'GREGORIAN'),
      plain('METHOD', method),
    ],
    components: [...Array.from(zones, (zone) => timeZone(zone, span)), ...components],
  })
}

/** A component as text. */
export function write({ name, properties, components = [] }: Component): string {
  const body = [...properties.map(contentLine), ...components.map(write)]
  return [contentLine(plain('BEGIN', name)), ...body, contentLine(plain('END', name))].join('')
}

/** One property as folded lines, each ended by CRLF. */
export function contentLine({ name, parameters, value }: Property): string {
  const written = Object.entries(parameters).flatMap(([key, each]) =>
    each === undefined ? [] : [parameter(key, each)],
  )
  return foldedLine(`${name}${written.join('')}:${value}`)
}

/** A complete line: without control characters, folded, and ended by CRLF. */
export const foldedLine = (line: string): string => `${fold(line.toWellFormed().replace(CONTROLS_BUT_TAB, ''))}\r\n`

/**
 * `;NAME=value`. RFC 6868 codes replace characters that quotes cannot contain; quotes are added only where necessary.
 */
export function parameter(name: string, value: string): string {
  const codes: Record<string, string> = { '^': '^^', '\n': '^n', '"': "^'" }
  const encoded = cleanText(value).replace(/[\^\n"]/g, (found) => codes[found] ?? '')
  // A TZID is quoted only where necessary, because some readers treat the quotes as a part of the name.
  const isBare = (name === 'TZID' ? /^[^:;,]+$/ : /^[\w./+-]+$/).test(encoded)
  return `;${name}=${isBare ? encoded : `"${encoded}"`}`
}

/** RFC 5545 §3.1: at most 75 octets per line, including the blank that begins a continuation. */
export function fold(line: string): string {
  const lines: string[] = []
  let begin = 0
  let octets = 0
  for (let i = 0; i < line.length; ) {
    const point = line.codePointAt(i) ?? 0
    const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    if (octets + size > MAX_OCTETS) {
      lines.push(line.slice(begin, i))
      begin = i
      octets = 1
    }
    octets += size
    i += point < 0x10000 ? 1 : 2
  }
  return [...lines, line.slice(begin)].join('\r\n ')
}

const wallOf = (time: number, zone: string): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(time * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()

const isExact = (time: number, zone: string): boolean =>
  wallOf(time, zone).toZonedDateTime(zone).epochMilliseconds === time * 1000

/** `YYYYMMDDTHHMMSS`. */
const basic = (wall: Temporal.PlainDateTime): string => wall.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')

/** The moment at which the offset of a zone changes. */
interface Onset {
  /** Local time before the change; DTSTART is written this way. */
  readonly wall: Temporal.PlainDateTime
  /** Unix seconds. */
  readonly time: number
  /** Seconds east of UTC. */
  readonly offsetFrom: number
  readonly offsetTo: number
  readonly daylight: boolean
}

/** Onsets of consecutive years that one rule describes. */
interface Run {
  readonly onsets: Onset[]
  /** `BYDAY` numbers that match all of them. */
  ordinals: readonly number[]
}

const YEAR_SECONDS = 366 * 86_400
const HORIZON_YEARS = 20
const PROOF_YEARS = 10
const WEEKDAYS = ['', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** Cache by zone and years: a mail to 500 guests requests the same VTIMEZONE 500 times. */
const remembered = new Map<string, Component>()
const REMEMBERED_MAX = 500

/** The VTIMEZONE of an IANA zone, correct from the first year of the span to 20 years after its last. */
export function timeZone(zone: string, span: { from: number; to: number }): Component {
  const [first, last] = [wallOf(span.from, zone).year, wallOf(span.to, zone).year]
  const key = `${zone} ${first} ${last}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  const made = timeZoneOfYears(zone, first, last)
  remembered.set(key, made)
  return made
}

function timeZoneOfYears(zone: string, first: number, last: number): Component {
  const begin = new Temporal.PlainDate(first, 1, 1).toZonedDateTime(zone)
  const end = new Temporal.PlainDate(last + HORIZON_YEARS + 1, 1, 1).toZonedDateTime(zone)
  const horizon = end.epochMilliseconds / 1000
  const onsets = onsetsBetween(begin, horizon)
  const observances = runsOf(onsets).map((run) => observance(run, horizon))
  const isKnown = onsets[0] !== undefined && onsets[0].time <= begin.epochMilliseconds / 1000
  const earlier = isKnown ? [] : [observanceWithoutBeginning(onsets[0]?.offsetFrom ?? offsetOf(begin))]
  return { name: 'VTIMEZONE', properties: [text('TZID', zone)], components: [...earlier, ...observances] }
}

const offsetOf = (moment: Temporal.ZonedDateTime): number => moment.offsetNanoseconds / 1e9

/** The onsets from the one valid at `begin` to the horizon. Transitions that change only the name are skipped. */
function onsetsBetween(begin: Temporal.ZonedDateTime, horizon: number): Onset[] {
  const onsets: Onset[] = []
  let moment = onsetOf(begin) ? begin : transition(begin, 'previous')
  moment ??= transition(begin, 'next')
  while (moment !== null && moment.epochMilliseconds <= horizon * 1000) {
    const onset = onsetOf(moment)
    if (onset !== undefined) onsets.push(onset)
    moment = transition(moment, 'next')
  }
  return onsets
}

function transition(from: Temporal.ZonedDateTime, direction: 'next' | 'previous'): Temporal.ZonedDateTime | null {
  let moment = from.getTimeZoneTransition(direction)
  while (moment !== null && onsetOf(moment) === undefined) moment = moment.getTimeZoneTransition(direction)
  return moment
}

function onsetOf(moment: Temporal.ZonedDateTime): Onset | undefined {
  const offsetFrom = offsetOf(moment.subtract({ nanoseconds: 1 }))
  const offsetTo = offsetOf(moment)
  if (offsetFrom === offsetTo) return undefined
  const time = moment.epochMilliseconds / 1000
  return {
    wall: wallOf(time + offsetFrom, 'UTC'),
    time,
    offsetFrom,
    offsetTo,
    daylight: isDaylight(moment, offsetFrom),
  }
}

/**
 * Temporal does not say which offset is daylight saving time. An offset that moves clocks forward and ends within a
 * year is.
 */
function isDaylight(moment: Temporal.ZonedDateTime, offsetBefore: number): boolean {
  if (offsetOf(moment) < offsetBefore) return false
  const next = moment.getTimeZoneTransition('next')
  if (next === null || offsetOf(next) >= offsetOf(moment)) return false
  return next.epochMilliseconds - moment.epochMilliseconds <= YEAR_SECONDS * 1000
}

function runsOf(onsets: readonly Onset[]): Run[] {
  const runs: Run[] = []
  const latest = new Map<string, Run>()
  for (const onset of onsets) {
    const { wall, offsetFrom, offsetTo, daylight } = onset
    const key = [wall.month, wall.dayOfWeek, wall.toPlainTime(), offsetFrom, offsetTo, daylight].join()
    const run = latest.get(key)
    const shared = run?.ordinals.filter((ordinal) => ordinalsOf(wall).includes(ordinal)) ?? []
    if (run !== undefined && shared.length > 0 && run.onsets.at(-1)?.wall.year === wall.year - 1) {
      run.onsets.push(onset)
      run.ordinals = shared
    } else {
      const begun = { onsets: [onset], ordinals: ordinalsOf(wall) }
      runs.push(begun)
      latest.set(key, begun)
    }
  }
  return runs
}

/** The last Sunday of a month may also be its fourth. */
const ordinalsOf = ({ day, daysInMonth }: Temporal.PlainDateTime): number[] => [
  ...(day + 7 > daysInMonth ? [-1] : []),
  ...(day <= 28 ? [Math.ceil(day / 7)] : []),
]

function observance({ onsets, ordinals }: Run, horizon: number): Component {
  const [first] = onsets
  const last = onsets.at(-1)
  if (first === undefined || last === undefined) throw new RangeError('a run has at least one onset')
  const goesOn = onsets.length >= PROOF_YEARS && last.time > horizon - YEAR_SECONDS
  const until = goesOn ? '' : `;UNTIL=${utcTime('', last.time).value}`
  const { month, dayOfWeek } = first.wall
  const rule = `FREQ=YEARLY;BYMONTH=${month};BYDAY=${ordinals[0]}${WEEKDAYS[dayOfWeek]}${until}`
  return {
    name: first.daylight ? 'DAYLIGHT' : 'STANDARD',
    properties: [
      plain('DTSTART', basic(first.wall)),
      ...(onsets.length > 1 ? [plain('RRULE', rule)] : []),
      plain('TZOFFSETFROM', utcOffset(first.offsetFrom)),
      plain('TZOFFSETTO', utcOffset(first.offsetTo)),
    ],
  }
}

const observanceWithoutBeginning = (offset: number): Component => ({
  name: 'STANDARD',
  properties: [
    plain('DTSTART', '16010101T000000'),
    plain('TZOFFSETFROM', utcOffset(offset)),
    plain('TZOFFSETTO', utcOffset(offset)),
  ],
})

/** `+HHMM`, with seconds where local mean time had them. */
function utcOffset(seconds: number): string {
  const size = Math.abs(seconds)
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, ...(size % 60 === 0 ? [] : [size % 60])]
  return `${seconds < 0 ? '-' : '+'}${parts.map((part) => String(part).padStart(2, '0')).join('')}`
}
