/** Events in results, and times of events in arguments. Pure. */
import { Event, EventDraft, type When, type WhenInput } from '@waypost/contract'
import { textOfDescription } from '@waypost/formats/html/description-text'
import { z } from 'zod'
import { Moment, momentOf } from '../content/moment.ts'
import { type Row, untrusted } from '../content/result-text.ts'
import { secondsOf, Time, timezone } from './parts.ts'

const { id, calendar_id, busy, status, read_only, master_event_id } = Event.shape
const { title, description, location, participants, organizer, recurrence } = Event.shape

export const EventRow = z.object({
  id,
  calendar_id,
  start: Moment.optional(),
  end: Moment.optional(),
  start_date: z.string().optional().meta({ description: 'First day of an all-day event, as `YYYY-MM-DD`' }),
  end_date: z.string().optional().meta({ description: 'Last day of an all-day event, inclusive' }),
  busy,
  status,
  read_only,
  master_event_id,
  participant_count: z.int().meta({ description: 'Number of guests' }),
  untrusted: untrusted({
    title,
    description: description.optional(),
    location,
    organizer,
    participants: participants.optional(),
    recurrence,
    conference_url: z.string().optional().meta({ description: 'Address of the online conference' }),
  }),
})

/** Characters of a description: in a list, and of one event. */
const fewLetters = 300

export function eventRow(event: Event, zone: string): Row {
  return rowOf(event, zone, { letters: fewLetters, guests: 10 })
}

/** An event with its whole description. */
export const wholeEventRow = (event: Event, zone: string): Row => rowOf(event, zone, { letters: 16_000, guests: 100 })

function rowOf(event: Event, zone: string, max: { letters: number; guests: number }): Row {
  const { id, calendar_id, when, busy, status, read_only, master_event_id, participants } = event
  const { title, description, location, organizer, recurrence, conferencing } = event
  const url = conferencing?.details?.url
  return {
    facts: {
      id,
      calendar_id,
      ...timesOf(when, zone),
      busy,
      status,
      read_only,
      ...(master_event_id ? { master_event_id } : {}),
      participant_count: participants.length,
    },
    untrusted: {
      title,
      location,
      ...(description ? { description: textOfDescription(description).slice(0, max.letters) } : {}),
      organizer,
      ...(participants.length > 0 ? { participants: participants.slice(0, max.guests) } : {}),
      ...(recurrence ? { recurrence: recurrence.slice(0, 20) } : {}),
      ...(url ? { conference_url: url } : {}),
    },
  }
}

function timesOf(when: When, zone: string): Row['facts'] {
  switch (when.object) {
    case 'time':
      return { start: momentOf(when.time, when.timezone ?? zone), end: momentOf(when.time, when.timezone ?? zone) }
    case 'timespan':
      return {
        start: momentOf(when.start_time, when.start_timezone ?? zone),
        end: momentOf(when.end_time, when.end_timezone ?? when.start_timezone ?? zone),
      }
    case 'date':
      return { start_date: when.date, end_date: when.date }
    case 'datespan':
      return { start_date: when.start_date, end_date: when.end_date }
  }
}

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date such as 2026-11-18' })
const StartOrEnd = z.union([Time, Day], {
  error:
    'must be Unix seconds, ISO 8601 with an offset such as 2026-11-18T09:00:00+01:00, a local time with the argument timezone, or a date such as 2026-11-18',
})

/** The time of an event in arguments. */
export const whenInput = {
  start: StartOrEnd.meta({
    description:
      'Start: ISO 8601 with an offset, a local time in `timezone`, Unix seconds, or a date for all-day events',
  }),
  end: StartOrEnd.optional().meta({
    description: 'End, in the same form; of an all-day event the last day, inclusive',
  }),
  timezone: timezone.timezone.meta({ description: 'IANA time zone of the event; default UTC' }),
}

type WhenArguments = z.output<z.ZodObject<typeof whenInput>>
type GivenTimes = { [K in keyof WhenArguments]?: WhenArguments[K] | undefined }

const isDay = (time: WhenArguments['start']): time is string => typeof time === 'string' && time.length === 10

/** The problem with the times of an event. */
export function whenProblem({ start, end }: GivenTimes): string | undefined {
  if (start === undefined) return end === undefined ? undefined : 'start: is required with end'
  if (isDay(start)) return end !== undefined && !isDay(end) ? 'end: must be a date, as start is' : undefined
  return end === undefined || isDay(end) ? 'end: is required, as a time such as start' : undefined
}

export function whenOf({ start, end, timezone }: GivenTimes): WhenInput | undefined {
  if (start === undefined) return undefined
  if (isDay(start))
    return typeof end === 'string' && end !== start ? { start_date: start, end_date: end } : { date: start }
  const zone = timezone ?? 'UTC'
  const end_time = secondsOf(end as z.output<typeof Time>)
  return { start_time: secondsOf(start), end_time, start_timezone: zone, end_timezone: zone }
}

const draft = EventDraft.shape

/** The fields of an event that agents write. */
export const eventFields = {
  title: draft.title,
  description: draft.description,
  location: draft.location,
  participants: z
    .array(z.object({ email: z.string().min(1).max(320), name: z.string().max(320).optional() }))
    .max(500)
    .optional()
    .meta({ description: 'Guests, who get an invitation. In a change, the list replaces the old one' }),
  rooms: z
    .array(z.string().min(1).max(320))
    .max(20)
    .optional()
    .meta({ description: 'Addresses of rooms to invite; see find_rooms' }),
  busy: draft.busy,
  recurrence: draft.recurrence,
  conferencing: draft.conferencing,
}
