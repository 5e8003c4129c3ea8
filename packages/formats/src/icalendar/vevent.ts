/**
 * Writes one of our events as the properties of a VEVENT (RFC 5545 §3.6.1): times, recurrence, content and status.
 * `itip.ts` adds guests and SEQUENCE.
 */
import type { Conferencing, Event, When } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import {
  cleanText,
  exactTime,
  type Moment,
  oneLine,
  type Property,
  plain,
  text,
  wallTime,
  zoneOf,
} from './icalendar.ts'

const STATUS = { confirmed: 'CONFIRMED', maybe: 'TENTATIVE', cancelled: 'CANCELLED' } as const
const CLASS = { public: 'PUBLIC', private: 'PRIVATE', default: undefined } as const

/** The status that guests see. */
export const statusOf = (event: Event): Property => plain('STATUS', STATUS[event.status])

/** The times, texts and visibility of an event. One occurrence has no recurrence lines. */
export function contentOf(event: Event, recurrenceId: Moment | undefined): Property[] {
  const { title, location, busy, visibility } = event
  const description = descriptionOf(event)
  const url = joinUrl(event.conferencing)
  const kind = CLASS[visibility ?? 'default']
  return [
    ...timingOf(event, recurrenceId),
    text('SUMMARY', title ?? ''),
    ...(description === '' ? [] : [text('DESCRIPTION', description)]),
    ...(location == null || location === '' ? [] : [text('LOCATION', location)]),
    ...(url === undefined ? [] : [plain('URL', url), conference(url, event.conferencing)]),
    plain('TRANSP', busy ? 'OPAQUE' : 'TRANSPARENT'),
    ...(kind === undefined ? [] : [plain('CLASS', kind)]),
  ]
}

/** RFC 7986 §5.11. Many calendars support only URL, so URL has the same value. */
const conference = (url: string, conferencing: Conferencing | undefined): Property =>
  plain('CONFERENCE', url, { VALUE: 'URI', FEATURE: 'VIDEO', LABEL: commonName({ name: conferencing?.provider }) })

/** DTSTART, DTEND and the recurrence lines, which a single occurrence does not have. */
export function timingOf(event: Event, recurrenceId: Moment | undefined): Property[] {
  const [start, end] = endsOf(event.when)
  const lines = recurrenceId === undefined ? recurrenceOf(event) : []
  return [
    lines.length === 0 ? exactTime('DTSTART', start) : wallTime('DTSTART', start),
    ...(end === undefined ? [] : [exactTime('DTEND', end)]),
    ...lines,
  ]
}

/** DTSTART and DTEND. The end of whole days is the day after, and a point in time has no end (RFC 5545 §3.6.1). */
export function endsOf(when: When): [Moment, Moment?] {
  switch (when.object) {
    case 'time':
      return [when]
    case 'timespan': {
      const start = { time: when.start_time, timezone: when.start_timezone }
      if (when.end_time <= when.start_time) return [start]
      return [start, { time: when.end_time, timezone: when.end_timezone ?? when.start_timezone }]
    }
    case 'date':
      return [when, { date: dayAfter(when.date) }]
    case 'datespan':
      return [{ date: when.start_date }, { date: dayAfter(when.end_date) }]
  }
}

const dayAfter = (date: string): string => Temporal.PlainDate.from(date).add({ days: 1 }).toString()

export const isSeries = ({ recurrence = [] }: Event): boolean => recurrence.length > 0

/** The recurrence lines. Dates have the form of DTSTART, because that is the only form that all calendars match. */
export function recurrenceOf(event: Event): Property[] {
  const [start] = endsOf(event.when)
  const written = (event.recurrence ?? []).flatMap((line): Property[] => {
    const found = /^(RRULE|EXDATE|RDATE)((?:;[^:;=]+=[^:;]+)*):([\w=;,+-]+)$/i.exec(line.replace(/\s/g, ''))
    if (found === null) throw invalidField('recurrence', 'holds a line that is neither RRULE, EXDATE nor RDATE')
    const [, name = '', parameters = '', value = ''] = found
    if (name.toUpperCase() === 'RRULE') return [plain('RRULE', value.toUpperCase())]
    const tzid = /;TZID="?([^;"]+)/i.exec(parameters)?.[1]
    return value.split(',').map((date) => wallTime(name.toUpperCase(), slot(date.toUpperCase(), start, tzid)))
  })
  const unique = new Map(written.map((property) => [`${property.name}:${property.value}`, property]))
  const order = (line: string): string => (line.startsWith('RRULE') ? '' : line)
  return Array.from(unique)
    .sort(([a], [b]) => (order(a) < order(b) ? -1 : 1))
    .map(([, property]) => property)
}

function slot(date: string, start: Moment, tzid: string | undefined): Moment {
  try {
    const day = Temporal.PlainDate.from(date.slice(0, 8))
    if ('date' in start) return { date: day.toString() }
    const zone = zoneOf(start.timezone)
    if (date.endsWith('Z')) return { time: Temporal.Instant.from(date).epochMilliseconds / 1000, timezone: zone }
    // A day in a timed series selects the occurrence on that day.
    const wall = date.includes('T')
      ? Temporal.PlainDateTime.from(date).toZonedDateTime(zoneOf(tzid ?? zone))
      : day.toZonedDateTime({ timeZone: zone, plainTime: atZone(start.time, zone).toPlainTime() })
    return { time: wall.epochMilliseconds / 1000, timezone: zone }
  } catch (cause) {
    if (cause instanceof RangeError) throw invalidField('recurrence', 'holds a date that is none')
    throw cause
  }
}

const atZone = (time: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(time * 1000).toZonedDateTimeISO(zone)

/** A name as a parameter value on one line, or undefined if it is empty. */
export function commonName({ name }: { name?: string | null }): string | undefined {
  const line = oneLine(name ?? '')
  return line === '' ? undefined : line
}

/** Whether a text may be offered as a link. */
export const isWebAddress = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value)

function joinUrl(conferencing: Conferencing | undefined): string | undefined {
  const url = oneLine(conferencing?.details?.url ?? '')
  return isWebAddress(url) ? new URL(url).href : undefined
}

/** One labelled line of text. */
export type Row = readonly [label: string, value: string]

/** How to join, as labelled lines for people. */
export function conferenceRows(conferencing: Conferencing | undefined): Row[] {
  const { url, meeting_code, password, pin, phone } = conferencing?.details ?? {}
  const rows: [string, string | null | undefined][] = [
    ['Join', joinUrl(conferencing) ?? url],
    ['Meeting code', meeting_code],
    ['Password', password],
    ['PIN', pin],
    ['Phone', phone?.join(', ')],
  ]
  return rows.map(([label, value]): Row => [label, oneLine(value ?? '')]).filter(([, value]) => value !== '')
}

/** The description, followed by the join details that it does not contain yet. */
function descriptionOf(event: Event): string {
  const description = plainText(event.description ?? '')
  const rows = conferenceRows(event.conferencing).filter(([, value]) => !description.includes(value))
  const lines = rows.map(([label, value]) => `${label}: ${value}`).join('\n')
  return [description, lines].filter((part) => part !== '').join('\n\n')
}

const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Converts a description that may be HTML to plain text, as iCalendar requires. */
export function plainText(description: string): string {
  const clean = cleanText(description).trim()
  if (!/<\/?[a-z][^<>]*>/i.test(clean)) return clean
  return clean
    .replace(/<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6])\b[^<>]*>\n?/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, entity: string) => ENTITIES[entity] ?? '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
