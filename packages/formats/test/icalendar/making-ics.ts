/** Builders of difficult calendar objects, with their expected reading. */
import type { EventFields } from '../../src/icalendar/calendar-object.ts'

export interface Expected {
  /** The zone of floating times and whole days; by default Europe/Berlin. */
  zone?: string
  /** Start and end as ISO times, or the first and the last day. */
  start?: string
  end?: string
  /** Of the start. */
  timezone?: string | null
  /** Fields of the event or the series. */
  fields?: Partial<EventFields>
  /** The starts of all occurrences in 2026, as ISO times; whole days as dates. */
  at?: string[]
  /** Titles of the same. */
  titles?: (string | null)[]
  /** Why ical.js cannot be compared here. */
  noOracle?: string
  /** There is no readable event. */
  unreadable?: true
  /** There are only overrides. */
  orphan?: true
}

export interface DifficultIcs extends Expected {
  name: string
  text: string
}

const crlf = (lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join('')

const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** A calendar of these components and lines; `%UID%` is replaced by the object's own. */
export const calendar = (name: string, lines: readonly string[], expected: Expected): DifficultIcs => ({
  name,
  text: crlf([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example Corp.//Difficult Calendar 1.0//EN',
    ...lines.map((line) => line.replace('%UID%', `${slug(name)}@calendars.example`)),
    'END:VCALENDAR',
  ]),
  ...expected,
})

/** The lines of a VEVENT. */
export const vevent = (...lines: string[]): string[] => [
  'BEGIN:VEVENT',
  'UID:%UID%',
  'DTSTAMP:20251120T101500Z',
  ...lines,
  'END:VEVENT',
]

/** A calendar with one event. */
export const single = (name: string, lines: readonly string[], expected: Expected): DifficultIcs =>
  calendar(name, vevent(...lines), expected)

/** Exactly these characters. */
export const raw = (name: string, text: string, expected: Expected): DifficultIcs => ({ name, text, ...expected })

/** A VTIMEZONE as Outlook writes it. */
export const outlookZone = (
  tzid: string,
  { from, to }: { from: string; to: string } = { from: '+0100', to: '+0200' },
): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  `TZOFFSETFROM:${to}`,
  `TZOFFSETTO:${from}`,
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]
