// iTIP objects (RFC 5546) made of our events: the REQUEST and the CANCEL for a guest, the REPLY for the organizer. Pure.
//
// - SEQUENCE grows with a significant change (RFC 5546 §2.1.4), when guests come or go, and with the end of the event.
// - Answers are asked anew when the time or the rule changed, and only then.
// - One occurrence is told by RECURRENCE-ID, without the rule. An object may hold a series and its changed occurrences.
import type { Event, Participant, Rsvp } from '@waypost/contract'
import { ApiError } from '../../lib/api-error.ts'
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

export interface Person {
  readonly email: string
  readonly name?: string | null
}

export interface Sender {
  /** A virtual calendar's identifier may be no address; `sentBy` then stands in for it. */
  readonly organizer: Person
  /** The address that sends for the organizer. */
  readonly sentBy?: string
}

export interface InviteOptions extends Sender {
  readonly method: 'REQUEST' | 'CANCEL'
  /** The reader; with `hide_participants` he finds nobody but himself and the organizer. */
  readonly to: string
  readonly sequence: number
  /** Milliseconds. */
  readonly now: number
  /** Lists the reader alone. With CANCEL: his invitation is withdrawn, and the event goes on. */
  readonly alone?: boolean
}

/** What one VEVENT is made of. */
export interface Told {
  readonly event: Event
  /** Of one occurrence: the original slot, in the form and zone of the master's start. */
  readonly slot?: Moment
}

export interface ReplyOptions {
  readonly comment?: string | null
  /** The address that sends for the attendee. */
  readonly sentBy?: string
  /** Milliseconds. */
  readonly now: number
  readonly recurrenceId?: Moment
}

export type Answer = Rsvp['status']
type Guest = Person & { readonly resource: boolean; readonly status: Participant['status'] }

const PARTSTAT = { yes: 'ACCEPTED', no: 'DECLINED', maybe: 'TENTATIVE', noreply: 'NEEDS-ACTION' } as const

/** Whether a text is one mail address and nothing else. Quoted local parts are refused: nobody has one, injections do. */
export const isMailAddress = (email: string): boolean =>
  email.length <= 320 && /^[^\s\p{Cc}\p{Cf}\p{Cs}@<>()[\]\\,;:"]+@[\p{L}\p{M}\p{N}.-]+$/u.test(email)

/** Whether two addresses are one; case does not count. */
export const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The REQUEST or CANCEL that one guest gets: an event, a series with its changed occurrences, or occurrences alone. */
export function inviteFor(told: readonly Told[], options: InviteOptions): ItipObject {
  const { method, now } = options
  const components = told.map((one) => ({ properties: propertiesOf(one, options), ...one }))
  return { method, ics: calendar(method, components, now) }
}

function propertiesOf({ event, slot }: Told, options: InviteOptions): Property[] {
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

/** The REPLY that tells the organizer of one attendee's answer. */
export function replyFor(event: Event, guest: Person, answer: Answer, options: ReplyOptions): ItipObject {
  const { comment, recurrenceId, sentBy, now } = options
  const told = comment == null || comment === '' ? [] : [text('COMMENT', comment)]
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
    ...told,
  ]
  return { method: 'REPLY', ics: calendar('REPLY', [{ event, slot: recurrenceId, properties }], now) }
}

/** Whether a change makes answers and copies of the event out of date (RFC 5546 §2.1.4; the place counts as well). */
export const isSignificantChange = (before: Event, after: Event): boolean =>
  resetsAnswers(before, after) ||
  before.status !== after.status ||
  oneLine(before.location ?? '') !== oneLine(after.location ?? '') ||
  (!isOfSameTimes(before, after) && linesOf(before, ['EXDATE', 'RDATE']) !== linesOf(after, ['EXDATE', 'RDATE']))

/** Whether guests must answer again: the time or the rule is another one. */
export const resetsAnswers = (before: Event, after: Event): boolean =>
  !isOfSameTimes(before, after) &&
  (hours(before) !== hours(after) || linesOf(before, ['RRULE']) !== linesOf(after, ['RRULE']))

/** Whether nobody wrote times or rules: most changes are of other fields, and need no comparison of what these say. */
const isOfSameTimes = (before: Event, after: Event): boolean =>
  before.when === after.when && before.recurrence === after.recurrence

/**
 * The SEQUENCE of the event after a change; never below what `after` has already. It grows when guests come or go, so that
 * who is taken off the list and invited again never finds one number on two different mails.
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

/** Start and end as values that two spellings of one time share; the zone counts where it decides how to repeat. */
function hours(event: Event): string {
  const [start, end = start] = endsOf(event.when)
  const zone = !isSeries(event) || 'date' in start ? undefined : zoneOf(start.timezone)
  return JSON.stringify([...[start, end].map((moment) => ('date' in moment ? moment.date : moment.time)), zone])
}

const linesOf = (event: Event, names: readonly string[]): string =>
  JSON.stringify(recurrenceOf(event).filter(({ name }) => names.includes(name)))

/** Every address once; a room that is listed as a guest too is a room. Who has no address cannot be written down. */
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

/** The one whom answers go to. */
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

/** RFC 5546 §3.2.5: CANCELLED ends the event, so a guest who is merely taken off the list must not read it. */
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

/** Who sends for somebody else says so. */
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

interface Written {
  readonly event: Event
  readonly slot?: Moment | undefined
  readonly properties: readonly Property[]
}

function calendar(method: ItipMethod, written: readonly Written[], now: number): string {
  const times = written.flatMap(({ event, slot }) => {
    const [start, end = start] = endsOf(event.when)
    const moments = [start, end, ...(slot === undefined ? [] : [slot])]
    // A series goes on, and the rules of its zone may have changed since it began.
    const present = isSeries(event) ? [now / 1000] : []
    return [...moments.flatMap((moment) => ('date' in moment ? [] : [moment.time])), ...present]
  })
  const span = { from: Math.min(...times), to: Math.max(...times) }
  const components = written.map(({ properties }) => ({ name: 'VEVENT', properties }))
  return writeCalendar(method, { components, span })
}
