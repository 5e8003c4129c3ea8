// Events as iCalendar, as Exchange includes them in its messages and returns them as MIME (RFC 5545, RFC 5546).
import { type EventTime, wallTime } from './event-time.ts'
import { occurrenceGlobalId } from './global-id.ts'
import type { Attendee, Person } from './people.ts'
import type { Recurrence } from './recurrence.ts'
import type { Weekday } from './recurrence-days.ts'
import type { Zone } from './zones.ts'

export type ItipMethod = 'REQUEST' | 'REPLY' | 'CANCEL' | 'PUBLISH'

/** A meeting, or one of its occurrences. */
export interface ItipItem {
  readonly uid: string
  readonly organizer: Person
  readonly attendees: readonly Attendee[]
  readonly subject: string
  readonly location?: string
  readonly start: EventTime
  readonly end: EventTime
  readonly isAllDay: boolean
  readonly recurrence: Recurrence | null
  /** For an occurrence: its original day and time in the series. */
  readonly date?: string
  readonly originalStart?: number
  /** Increases with every change. */
  readonly version: number
  readonly sensitivity: string
}

export interface ItipMessage extends ItipEvent {
  readonly method: ItipMethod
  readonly now: number
}

/** One VEVENT. */
export interface ItipEvent {
  readonly item: ItipItem
  /** The listed attendees; in a reply, only the attendee that responds. */
  readonly attendees: readonly Attendee[]
  readonly comment: string
  readonly description?: string
  /** For a series: the start times of excluded occurrences. */
  readonly excluded?: readonly number[]
  /** Minutes before the start. */
  readonly alarm?: number
}

const PARTSTAT: Readonly<Record<string, string>> = {
  accepted: 'ACCEPTED',
  tentativelyAccepted: 'TENTATIVE',
  declined: 'DECLINED',
}
const ROLE = { required: 'REQ-PARTICIPANT', optional: 'OPT-PARTICIPANT', resource: 'NON-PARTICIPANT' } as const

export function itipText({ method, now, ...event }: ItipMessage): string {
  return calendarText([event], { method, now })
}

/** A calendar with one event, or with a series and its exceptions. */
export function calendarText(
  events: readonly ItipEvent[],
  { method, now }: Pick<ItipMessage, 'method' | 'now'>,
): string {
  const [first] = events
  const lines = [
    'BEGIN:VCALENDAR',
    `METHOD:${method}`,
    'PRODID:Microsoft Exchange Server 2010',
    'VERSION:2.0',
    ...(first === undefined || first.item.isAllDay ? [] : zoneLines(zoneOf(first.item), first.item.start.ms)),
    ...events.flatMap((event) => eventLines(event, { method, now })),
    'END:VCALENDAR',
  ]
  return `${lines.flatMap(folded).join('\r\n')}\r\n`
}

const zoneOf = ({ recurrence, start }: ItipItem): Zone => recurrence?.range.zone ?? start.zone

function eventLines(event: ItipEvent, { method, now }: Pick<ItipMessage, 'method' | 'now'>): string[] {
  const { item, attendees, comment, description = '', excluded = [], alarm } = event
  const { location, isAllDay } = item
  const zone = zoneOf(item)
  const isOccurrence = item.date !== undefined && method !== 'PUBLISH'
  return [
    'BEGIN:VEVENT',
    `ORGANIZER;CN=${quoted(item.organizer)}:mailto:${item.organizer.address}`,
    ...attendees.map((attendee) => attendeeLine(attendee, method)),
    ...(description === '' ? [] : [`DESCRIPTION:${escaped(description)}`]),
    `SUMMARY:${escaped(item.subject)}`,
    `UID:${isOccurrence ? occurrenceGlobalId(item.uid, item.date ?? '') : item.uid}`,
    `DTSTART${timeOf(item.start, zone, isAllDay)}`,
    `DTEND${timeOf(item.end, zone, isAllDay)}`,
    ...(item.recurrence === null ? [] : [`RRULE:${ruleOf(item.recurrence)}`]),
    ...excluded.map((ms) => `EXDATE${timeOf({ ms, zone }, zone, isAllDay)}`),
    ...(item.originalStart === undefined
      ? []
      : [`RECURRENCE-ID${timeOf({ ms: item.originalStart, zone }, zone, isAllDay)}`]),
    `DTSTAMP:${stamp(now)}Z`,
    `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    `SEQUENCE:${item.version}`,
    `CLASS:${item.sensitivity === 'normal' ? 'PUBLIC' : 'PRIVATE'}`,
    ...(location === undefined ? [] : [`LOCATION:${escaped(location)}`]),
    ...(comment === '' ? [] : [`COMMENT:${escaped(comment)}`]),
    ...(alarm === undefined
      ? []
      : ['BEGIN:VALARM', 'DESCRIPTION:REMINDER', `TRIGGER;RELATED=START:-PT${alarm}M`, 'ACTION:DISPLAY', 'END:VALARM']),
    'END:VEVENT',
  ]
}

function attendeeLine({ name, address, type, status }: Attendee, method: ItipMethod): string {
  const isKnown = method === 'REPLY' || method === 'PUBLISH'
  const partstat = (isKnown && PARTSTAT[status.response]) || 'NEEDS-ACTION'
  const kind = type === 'resource' ? ';CUTYPE=RESOURCE' : ''
  const rsvp = method === 'REQUEST' ? ';RSVP=TRUE' : ''
  return `ATTENDEE${kind};ROLE=${ROLE[type]};PARTSTAT=${partstat}${rsvp};CN=${quoted({ name, address })}:mailto:${address}`
}

function quoted({ name }: Person): string {
  return `"${name.replace(/["\r\n]/g, ' ')}"`
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')
}

/** Folds a line into lines of at most 75 octets. */
function folded(line: string): string[] {
  const parts: string[] = []
  let rest = line
  while (Buffer.byteLength(rest) > 74) {
    let end = 74
    while (Buffer.byteLength(rest.slice(0, end)) > 74) end--
    parts.push(rest.slice(0, end))
    rest = ` ${rest.slice(end)}`
  }
  return [...parts, rest]
}

function timeOf(time: EventTime, zone: Zone, isAllDay: boolean): string {
  if (isAllDay) return `;VALUE=DATE:${wallTime(time.ms, time.zone).toPlainDate().toString().replaceAll('-', '')}`
  return zone.iana === 'UTC' ? `:${stamp(time.ms)}Z` : `;TZID=${zone.name}:${wallStamp(wallTime(time.ms, zone))}`
}

function stamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '')
}

function wallStamp(time: Temporal.PlainDateTime): string {
  return time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')
}

/** The VTIMEZONE of a zone: up to four clock changes, starting one year before the event. */
function zoneLines({ name, iana }: Zone, ms: number): string[] {
  if (iana === 'UTC') return []
  const from = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(iana).subtract({ years: 1 })
  const changes: Temporal.ZonedDateTime[] = []
  for (let next = from.getTimeZoneTransition('next'); next !== null && changes.length < 4; ) {
    changes.push(next)
    next = next.getTimeZoneTransition('next')
  }
  const parts = (changes.length === 0 ? [from] : changes).flatMap((at) => {
    const before = at.subtract({ nanoseconds: 1 })
    const kind = at.offsetNanoseconds > before.offsetNanoseconds ? 'DAYLIGHT' : 'STANDARD'
    const wall = at.toPlainDateTime().subtract({ nanoseconds: at.offsetNanoseconds - before.offsetNanoseconds })
    return [
      `BEGIN:${kind}`,
      `DTSTART:${wallStamp(wall)}`,
      `TZOFFSETFROM:${before.offset.replace(':', '')}`,
      `TZOFFSETTO:${at.offset.replace(':', '')}`,
      `END:${kind}`,
    ]
  })
  return ['BEGIN:VTIMEZONE', `TZID:${name}`, ...parts, 'END:VTIMEZONE']
}

const INDEX = { first: 1, second: 2, third: 3, fourth: 4, last: -1 } as const
const frequencies = {
  daily: 'DAILY',
  weekly: 'WEEKLY',
  absoluteMonthly: 'MONTHLY',
  relativeMonthly: 'MONTHLY',
  absoluteYearly: 'YEARLY',
  relativeYearly: 'YEARLY',
} as const

/** The RRULE value of a recurrence. */
export function ruleOf({ pattern, range }: Recurrence): string {
  const { type, interval, daysOfWeek, dayOfMonth, month, index, firstDayOfWeek } = pattern
  const days = daysOfWeek.map(dayName).join(',')
  const parts = [`FREQ=${frequencies[type]}`, `INTERVAL=${interval}`]
  if (range.numberOfOccurrences !== undefined) parts.push(`COUNT=${range.numberOfOccurrences}`)
  if (range.endDate !== undefined) parts.push(`UNTIL=${endOf(range.endDate, range.zone)}`)
  if (month > 0) parts.push(`BYMONTH=${month}`)
  if (dayOfMonth > 0) parts.push(`BYMONTHDAY=${dayOfMonth}`)
  if (days !== '') parts.push(`BYDAY=${days}`)
  if (type.startsWith('relative')) parts.push(`BYSETPOS=${INDEX[index]}`)
  return [...parts, `WKST=${dayName(firstDayOfWeek)}`].join(';')
}

function dayName(day: Weekday): string {
  return day.slice(0, 2).toUpperCase()
}

/** The last moment of a day. */
function endOf(date: string, { iana }: Zone): string {
  const next = Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(iana)
  return `${stamp(next.epochMilliseconds - 1000)}Z`
}
