/**
 * Creates iTIP objects (RFC 5546) from our events: REQUEST and CANCEL for a guest, REPLY for the organizer. Pure.
 *
 * - SEQUENCE grows with a significant change (RFC 5546 §2.1.4), with a change of the guest list, and when the event
 *   ends.
 * - Guests must answer again only if the time or the rule changed.
 * - One occurrence is written with RECURRENCE-ID and without the rule. An object may contain a series and its changed
 *   occurrences.
 */
import type { Event, Participant, Rsvp } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Person } from '../icalendar/calendar-users.ts'
import {
  type Moment,
  mailto,
  oneLine,
  type Property,
  plain,
  text,
  utcTime,
  wallTime,
  writeCalendar,
  zoneOf,
} from '../icalendar/icalendar.ts'
import { commonName, contentOf, endsOf, isSeries, recurrenceOf, statusOf, timingOf } from '../icalendar/vevent.ts'

export type ItipMethod = 'REQUEST' | 'CANCEL' | 'REPLY'

export interface ItipObject {
  readonly method: ItipMethod
  readonly ics: string
}

export interface Sender {
  /** The identifier of a virtual calendar may not be an address; then `sentBy` is used instead. */
  readonly organizer: Person
  /** The address that sends on behalf of the organizer. */
  readonly sentBy?: string
}

export interface InviteOptions extends Sender {
  readonly method: 'REQUEST' | 'CANCEL'
  /** The recipient. With `hide_participants`, the object lists only the recipient and the organizer. */
  readonly to: string
  readonly sequence: number
  /** Milliseconds. */
  readonly now: number
  /** Lists only the recipient. With CANCEL, the invitation is withdrawn and the event continues. */
  readonly alone?: boolean
}

/** The source of one VEVENT. */
export interface VeventSource {
  readonly event: Event
  /** For one occurrence: the original slot, in the form and zone of the master's start. */
  readonly slot?: Moment
}

export interface ReplyOptions {
  readonly comment?: string | null
  /** The address that sends on behalf of the attendee. */
  readonly sentBy?: string
  /** Milliseconds. */
  readonly now: number
  readonly recurrenceId?: Moment
}

export type Answer = Rsvp['status']
type Guest = Person & { readonly resource: boolean; readonly status: Participant['status'] }

const PARTSTAT = { yes: 'ACCEPTED', no: 'DECLINED', maybe: 'TENTATIVE', noreply: 'NEEDS-ACTION' } as const

/**
 * Whether a text is exactly one mail address. Quoted local parts are rejected: they occur only in injection attempts.
 */
export const isMailAddress = (email: string): boolean =>
  email.length <= 320 && /^[^\s\p{Cc}\p{Cf}\p{Cs}@<>()[\]\\,;:"]+@[\p{L}\p{M}\p{N}.-]+$/u.test(email)

/** Whether two addresses are equal, ignoring case. */
export const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The REQUEST or CANCEL for one guest: an event, a series with its changed occurrences, or single occurrences. */
export function inviteFor(reported: readonly VeventSource[], options: InviteOptions): ItipObject {
  const { method, now } = options
  const components = reported.map((one) => ({ properties: propertiesOf(one, options), ...one }))
  return { method, ics: calendar(method, components, now) }
}

function propertiesOf({ event, slot }: VeventSource, options: InviteOptions): Property[] {
  const { method, to, alone } = options
  const guests = alone || event.hide_participants ? [guestOf(event, to)] : guestsOf(event)
  return [
    ...identity(event, { ...options, recurrenceId: slot }),
    ...contentOf(event, slot),
    ...status(event, options),
    organizer(options),
    ...guests.map((guest) => attendee(guest, method)),
  ]
}

/** The REPLY to the organizer with one attendee's answer. */
export function replyFor(event: Event, guest: Person, answer: Answer, options: ReplyOptions): ItipObject {
  const { comment, recurrenceId, sentBy, now } = options
  const reported = comment == null || comment === '' ? [] : [text('COMMENT', comment)]
  const properties = [
    ...identity(event, { ...options, sequence: event.sequence ?? 0 }),
    ...timingOf(event, recurrenceId),
    text('SUMMARY', event.title ?? ''),
    organizer({ organizer: organizerOf(event) }),
    plain('ATTENDEE', mailto(guest.email), {
      PARTSTAT: PARTSTAT[answer],
      CN: commonName(guest),
      'SENT-BY': sentByOf(sentBy, guest.email),
    }),
    ...reported,
  ]
  return { method: 'REPLY', ics: calendar('REPLY', [{ event, slot: recurrenceId, properties }], now) }
}

/** Whether a change makes answers and copies of the event outdated (RFC 5546 §2.1.4). The location also counts. */
export const isSignificantChange = (before: Event, after: Event): boolean =>
  resetsAnswers(before, after) ||
  before.status !== after.status ||
  oneLine(before.location ?? '') !== oneLine(after.location ?? '') ||
  (!isOfSameTimes(before, after) && linesOf(before, ['EXDATE', 'RDATE']) !== linesOf(after, ['EXDATE', 'RDATE']))

/** Whether guests must answer again, because the time or the rule changed. */
export const resetsAnswers = (before: Event, after: Event): boolean =>
  !isOfSameTimes(before, after) &&
  (hours(before) !== hours(after) || linesOf(before, ['RRULE']) !== linesOf(after, ['RRULE']))

/** A shortcut: most changes affect other fields, so their times and rules need no comparison. */
const isOfSameTimes = (before: Event, after: Event): boolean =>
  before.when === after.when && before.recurrence === after.recurrence

/**
 * The SEQUENCE of the event after a change, never below the one in `after`. It grows when the guest list changes. So
 * a guest who is removed and invited again never gets two different mails with the same SEQUENCE.
 */
export function sequenceAfter(before: Event | undefined, after: Event): number {
  const sequence = before?.sequence ?? 0
  const step = before !== undefined && (isSignificantChange(before, after) || !hasSameGuests(before, after)) ? 1 : 0
  return Math.max(sequence + step, after.sequence ?? 0)
}

const hasSameGuests = (before: Event, after: Event): boolean =>
  (before.participants === after.participants && before.resources === after.resources) ||
  addressesOf(before) === addressesOf(after)

const addressesOf = (event: Event): string =>
  JSON.stringify(
    guestsOf(event)
      .map(({ email }) => email.toLowerCase())
      .sort(),
  )

/**
 * Start and end in a form that does not depend on the spelling. The zone counts for series, because it affects the
 * recurrence.
 */
function hours(event: Event): string {
  const [start, end = start] = endsOf(event.when)
  const zone = !isSeries(event) || 'date' in start ? undefined : zoneOf(start.timezone)
  return JSON.stringify([...[start, end].map((moment) => ('date' in moment ? moment.date : moment.time)), zone])
}

const linesOf = (event: Event, names: readonly string[]): string =>
  JSON.stringify(recurrenceOf(event).filter(({ name }) => names.includes(name)))

/**
 * All guests, each address once. A room that is also listed as a guest is a room. Guests without an address are
 * omitted.
 */
export function guestsOf(event: Event): Guest[] {
  const rooms = event.resources.map((room): Guest => roomOf(event, room))
  const people = event.participants.flatMap(({ email, name, status }): Guest[] =>
    email === undefined ? [] : [{ email, name, resource: false, status }],
  )
  const seen = new Map<string, Guest>()
  for (const guest of [...rooms, ...people]) {
    const key = guest.email.toLowerCase()
    if (!seen.has(key)) seen.set(key, guest)
  }
  const guests = [...seen.values()]
  return [...guests.filter(({ resource }) => !resource), ...guests.filter(({ resource }) => resource)]
}

function guestOf(event: Event, email: string): Guest {
  const room = event.resources.find((each) => sameAddress(each.email, email))
  if (room !== undefined) return roomOf(event, room)
  const { name, status } = participantOf(event, email) ?? { name: null, status: 'noreply' }
  return { email, name, resource: false, status }
}

const roomOf = (event: Event, { email, name }: Person): Guest => ({
  email,
  name,
  resource: true,
  status: participantOf(event, email)?.status ?? 'noreply',
})

const participantOf = (event: Event, email: string): Participant | undefined =>
  event.participants.find((each) => each.email !== undefined && sameAddress(each.email, email))

/** The organizer, as the recipient of answers. */
export function organizerOf(event: Event): Person {
  if (event.organizer !== null) return event.organizer
  throw new ApiError('invalid_request', 'The event has no organizer whom an answer could reach')
}

interface Identity {
  readonly sequence: number
  readonly now: number
  readonly recurrenceId?: Moment | undefined
}

const identity = (event: Event, { sequence, now, recurrenceId }: Identity): Property[] => [
  text('UID', event.ical_uid ?? event.master_event_id ?? event.id),
  plain('SEQUENCE', String(sequence)),
  utcTime('DTSTAMP', Math.floor(now / 1000)),
  ...(recurrenceId === undefined ? [] : [wallTime('RECURRENCE-ID', recurrenceId)]),
]

/** RFC 5546 §3.2.5: CANCELLED ends the event, so a guest who is only removed from the list must not get it. */
function status(event: Event, { method, alone }: InviteOptions): Property[] {
  if (method === 'REQUEST') return [statusOf(event)]
  return alone ? [] : [plain('STATUS', 'CANCELLED')]
}

function organizer({ organizer: { email, name }, sentBy }: Sender): Property {
  const address = isMailAddress(email) ? email : (sentBy ?? email)
  return plain('ORGANIZER', mailto(address), {
    CN: commonName({ name }),
    'SENT-BY': sentByOf(sentBy, address),
  })
}

/** SENT-BY, if the sender is not the person itself. */
const sentByOf = (sentBy: string | undefined, address: string): string | undefined =>
  sentBy === undefined || sameAddress(sentBy, address) ? undefined : mailto(sentBy)

const attendee = (guest: Guest, method: 'REQUEST' | 'CANCEL'): Property =>
  plain('ATTENDEE', mailto(guest.email), {
    CUTYPE: guest.resource ? 'ROOM' : 'INDIVIDUAL',
    ROLE: guest.resource ? 'NON-PARTICIPANT' : 'REQ-PARTICIPANT',
    PARTSTAT: PARTSTAT[guest.status],
    RSVP: method === 'REQUEST' ? 'TRUE' : undefined,
    CN: commonName(guest),
  })

interface VeventText {
  readonly event: Event
  readonly slot?: Moment | undefined
  readonly properties: readonly Property[]
}

function calendar(method: ItipMethod, written: readonly VeventText[], now: number): string {
  const times = written.flatMap(({ event, slot }) => {
    const [start, end = start] = endsOf(event.when)
    const moments = [start, end, ...(slot === undefined ? [] : [slot])]
    // A series continues, and the rules of its zone may have changed since it began.
    const present = isSeries(event) ? [now / 1000] : []
    return [...moments.flatMap((moment) => ('date' in moment ? [] : [moment.time])), ...present]
  })
  const span = { from: Math.min(...times), to: Math.max(...times) }
  const components = written.map(({ properties }) => ({ name: 'VEVENT', properties }))
  return writeCalendar(method, { components, span })
}
