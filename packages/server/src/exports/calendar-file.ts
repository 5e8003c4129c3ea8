/**
 * Events as an iCalendar file (RFC 5545): series with their rules, changed instances with RECURRENCE-ID, and a VTIMEZONE
 * for every zone. A deleted instance becomes an EXDATE of its series, or a cancelled instance if the series is on another
 * page. Pure.
 */
import type { Event } from '@waypost/contract'
import {
  type Component,
  type Moment,
  mailto,
  PRODUCT,
  type Property,
  plain,
  text,
  timeZone,
  utcTime,
  wallTime,
  write,
} from '@waypost/formats/icalendar/icalendar'
import { commonName, contentOf, endsOf, statusOf } from '@waypost/formats/icalendar/vevent'
import { guestsOf, isMailAddress } from '@waypost/formats/itip/itip'
import { parseInstanceId, slotKey } from '@waypost/formats/recurrence/instance-ids'
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { ApiError } from '@waypost/platform/api-error'

export interface CalendarPart {
  /** The text of each VTIMEZONE, by its TZID. */
  zones: ReadonlyMap<string, string>
  /** The text of each VEVENT. */
  events: readonly string[]
  /** Ids of the events that iCalendar cannot express. */
  skipped: readonly string[]
}

/** The first lines of a file, without the zones. */
export const calendarHead = `BEGIN:VCALENDAR\r\n${[
  plain('VERSION', '2.0'),
  text('PRODID', PRODUCT),
  plain('CALSCALE', 'GREGORIAN'),
]
  .map(({ name, value }) => `${name}:${value}\r\n`)
  .join('')}`
export const calendarEnd = 'END:VCALENDAR\r\n'

/** A page of events as the components of a file. `now` is in Unix seconds. */
export function calendarPart(events: readonly Event[], now: number): CalendarPart {
  const masters = new Map(events.filter(isMaster).map((event) => [event.id, event]))
  const deleted = deletedOf(events, masters)
  const written: Component[] = []
  const skipped: string[] = []
  for (const event of events) {
    const isExcluded = isDeletedInstance(event) && masters.has(event.master_event_id ?? '')
    if (isExcluded) continue
    const component = componentOf(event, { masters, deleted: deleted.get(event.id) ?? [], now })
    if (component) written.push(component)
    else skipped.push(event.id)
  }
  return { zones: zonesOf(written, now), events: written.map(write), skipped }
}

/** The whole file of one page. */
export const calendarFile = ({ zones, events }: CalendarPart): string[] => [
  calendarHead,
  ...zones.values(),
  ...events,
  calendarEnd,
]

const isMaster = ({ recurrence = [] }: Event): boolean => recurrence.length > 0
const isDeletedInstance = ({ status, master_event_id }: Event): boolean => status === 'cancelled' && !!master_event_id

/** The original starts of deleted instances, by the id of their series. */
function deletedOf(events: readonly Event[], masters: ReadonlyMap<string, Event>): Map<string, Moment[]> {
  const found = new Map<string, Moment[]>()
  for (const event of events) {
    const master = isDeletedInstance(event) ? masters.get(event.master_event_id ?? '') : undefined
    const slot = master && slotOf(event, master)
    if (master && slot) found.set(master.id, [...(found.get(master.id) ?? []), slot])
  }
  return found
}

/** The original start of an instance, in the form and zone of its series if that is known. */
function slotOf(event: Event, master: Event | undefined): Moment | undefined {
  const [start] = endsOf((master ?? event).when)
  const named = slotKey(parseInstanceId(event.id)?.slot ?? '')
  const timezone = 'date' in start ? null : start.timezone
  if (named?.kind === 'all-day') return { date: dateOf(named.key * SECONDS_PER_DAY) }
  const time = named?.key ?? event.original_start_time
  if (time === undefined) return undefined
  return 'date' in start ? { date: dateOf(time) } : { time, timezone }
}

const dateOf = (time: number): string => new Date(time * 1000).toISOString().slice(0, 10)

interface Around {
  masters: ReadonlyMap<string, Event>
  deleted: readonly Moment[]
  now: number
}

/** The VEVENT of an event; undefined if it has no valid form. */
function componentOf(event: Event, around: Around): Component | undefined {
  try {
    return veventOf(event, around)
  } catch (error) {
    // A zone or rule that iCalendar does not have. The times are exact in UTC, too.
    if (!isInvalid(error)) throw error
  }
  try {
    return isMaster(event) ? undefined : veventOf(inUtc(event), around)
  } catch (error) {
    if (!isInvalid(error)) throw error
    return undefined
  }
}

const isInvalid = (error: unknown): boolean => error instanceof ApiError || error instanceof RangeError

function inUtc(event: Event): Event {
  const { when } = event
  if (when.object === 'time') return { ...event, when: { ...when, timezone: null } }
  if (when.object === 'timespan') return { ...event, when: { ...when, start_timezone: null, end_timezone: null } }
  return event
}

function veventOf(event: Event, { masters, deleted, now }: Around): Component | undefined {
  const isInstance = !!event.master_event_id
  const master = masters.get(event.master_event_id ?? '')
  const slot = isInstance ? slotOf(event, master) : undefined
  // Without its original start an instance would look like an event of its own under the name of its series.
  if (isInstance && !slot) return undefined
  const { created_at: created, updated_at: updated, sequence } = event
  return {
    name: 'VEVENT',
    properties: [
      text('UID', event.ical_uid ?? master?.ical_uid ?? event.master_event_id ?? event.id),
      utcTime('DTSTAMP', updated ?? created ?? now),
      ...(created === null ? [] : [utcTime('CREATED', created)]),
      ...(updated === null ? [] : [utcTime('LAST-MODIFIED', updated)]),
      ...(sequence === undefined ? [] : [plain('SEQUENCE', String(sequence))]),
      ...(slot ? [wallTime('RECURRENCE-ID', slot)] : []),
      ...contentOf(event, slot),
      ...deleted.map((moment) => wallTime('EXDATE', moment)),
      ...htmlOf(event),
      statusOf(event),
      ...peopleOf(event),
    ],
    components: alarmsOf(event),
  }
}

/** DESCRIPTION is plain text. The HTML is kept next to it, as other calendars do. */
const htmlOf = ({ description }: Event): Property[] =>
  description !== null && /<\/?[a-z][^<>]*>/i.test(description)
    ? [text('X-ALT-DESC', description, { FMTTYPE: 'text/html' })]
    : []

const partStates = { yes: 'ACCEPTED', no: 'DECLINED', maybe: 'TENTATIVE', noreply: 'NEEDS-ACTION' } as const

function peopleOf(event: Event): Property[] {
  const guests = guestsOf(event).filter(({ email }) => isMailAddress(email))
  const { organizer } = event
  // Calendars treat an event with an organizer as a meeting, so one without guests has none.
  if (guests.length === 0) return []
  return [
    ...(organizer && isMailAddress(organizer.email)
      ? [plain('ORGANIZER', mailto(organizer.email), { CN: commonName(organizer) })]
      : []),
    ...guests.map((guest) =>
      plain('ATTENDEE', mailto(guest.email), {
        CUTYPE: guest.resource ? 'ROOM' : 'INDIVIDUAL',
        ROLE: guest.resource ? 'NON-PARTICIPANT' : 'REQ-PARTICIPANT',
        PARTSTAT: partStates[guest.status],
        CN: commonName(guest),
      }),
    ),
  ]
}

/** Reminders as alarms on the screen: an alarm by mail would send mail from the importing calendar. */
const alarmsOf = ({ reminders, title }: Event): Component[] =>
  (reminders?.overrides ?? []).map(({ reminder_minutes }) => ({
    name: 'VALARM',
    properties: [
      plain('ACTION', 'DISPLAY'),
      plain('TRIGGER', `-PT${Math.max(0, Math.trunc(reminder_minutes))}M`),
      text('DESCRIPTION', title || 'Reminder'),
    ],
  }))

/** The zones of the components. They are valid from 1970, or from the first event if it is earlier. */
function zonesOf(components: readonly Component[], now: number): Map<string, string> {
  const properties = components.flatMap((component) => component.properties)
  const starts = properties
    .filter(({ name }) => name === 'DTSTART')
    .map(({ value }) => Date.UTC(Number(value.slice(0, 4)), 0, 1) / 1000)
  const from = starts.reduce((first, start) => Math.min(first, start), 0)
  const names = new Set(properties.flatMap(({ parameters }) => parameters.TZID ?? []))
  return new Map([...names].map((name) => [name, write(timeZone(name, { from, to: now }))]))
}
