// Invitations, cancellations and answers: iTIP objects (RFC 5546) made of our events, and the mails that carry them
// (RFC 6047). Pure: what changed comes in, what to send comes out; `src/sending` sends it.
//
// - A guest gets a REQUEST when he is new or when his copy would read differently, a CANCEL when he is taken off the list
//   or the event is gone. What his copy does not hold (reminders, colour, metadata, others' answers) causes no mail.
// - SEQUENCE grows with a significant change (RFC 5546 §2.1.4) and with the end of the event. A guest who is taken off
//   the list gets the number of the event as it is now: he may be invited again with it.
// - Answers are asked anew when the time or the rule changed, and only then.
// - One occurrence is told by RECURRENCE-ID, without the rule. An event whose status is `cancelled` is no longer there.
import type { Conferencing, Event, Participant, Rsvp, When } from '@waypost/contract'
import { ApiError, invalidField } from '../lib/api-error.ts'
import {
  cleanText,
  exactTime,
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
} from './icalendar.ts'

export type ItipMethod = 'REQUEST' | 'CANCEL' | 'REPLY'

export interface ItipObject {
  readonly method: ItipMethod
  readonly ics: string
}

/** One mail to one person. */
export interface Invitation extends ItipObject {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
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
  /** The original slot, in the form and zone of the master's start. */
  readonly recurrenceId?: Moment
  /** Lists this guest alone. With CANCEL: his invitation is withdrawn, and the event goes on. */
  readonly onlyFor?: string
}

export interface ReplyOptions {
  readonly comment?: string | null
  /** Milliseconds. */
  readonly now: number
  readonly recurrenceId?: Moment
}

export interface Change extends Sender {
  /** Absent for a new event. */
  readonly before?: Event
  /** Absent for a deleted event. */
  readonly after?: Event
  /** Milliseconds. */
  readonly now: number
  /** Set when before and after are one occurrence of a series. */
  readonly recurrenceId?: Moment
}

type Answer = Rsvp['status']
type Guest = Person & { readonly resource: boolean; readonly status: Participant['status'] }

const PARTSTAT = { yes: 'ACCEPTED', no: 'DECLINED', maybe: 'TENTATIVE', noreply: 'NEEDS-ACTION' } as const
const STATUS = { confirmed: 'CONFIRMED', maybe: 'TENTATIVE', cancelled: 'CANCELLED' } as const
const CLASS = { public: 'PUBLIC', private: 'PRIVATE', default: undefined } as const

/** Whether a text is one mail address and nothing else. Quoted local parts are refused: nobody has one, injections do. */
export const isMailAddress = (email: string): boolean =>
  email.length <= 320 && /^[^\s\p{Cc}\p{Cf}\p{Cs}@<>()[\]\\,;:"]+@[\p{L}\p{M}\p{N}.-]+$/u.test(email)

/** The REQUEST or CANCEL that one guest gets. */
export function inviteFor(event: Event, options: InviteOptions): ItipObject {
  const { method, to, sequence, recurrenceId, onlyFor } = options
  const alone = onlyFor ?? (event.hide_participants ? to : undefined)
  const guests = alone === undefined ? guestsOf(event) : [guestOf(event, alone)]
  const properties = [
    ...identity(event, { ...options, sequence }),
    ...content(event, recurrenceId),
    ...status(event, options),
    organizer(options),
    ...guests.map((guest) => attendee(guest, method)),
  ]
  return { method, ics: calendar(method, event, { ...options, properties }) }
}

/** The REPLY that tells the organizer of one attendee's answer. */
export function replyFor(event: Event, guest: Person, answer: Answer, options: ReplyOptions): ItipObject {
  const { comment, recurrenceId } = options
  const told = comment == null || comment === '' ? [] : [text('COMMENT', comment)]
  const properties = [
    ...identity(event, { ...options, sequence: event.sequence ?? 0 }),
    ...timing(event, recurrenceId),
    text('SUMMARY', event.title ?? ''),
    organizer({ organizer: organizerOf(event) }),
    plain('ATTENDEE', mailto(guest.email), { PARTSTAT: PARTSTAT[answer], CN: commonName(guest) }),
    ...told,
  ]
  return { method: 'REPLY', ics: calendar('REPLY', event, { ...options, properties }) }
}

/** Whether a change makes answers and copies of the event out of date (RFC 5546 §2.1.4; the place counts as well). */
export const isSignificantChange = (before: Event, after: Event): boolean =>
  resetsAnswers(before, after) ||
  before.status !== after.status ||
  oneLine(before.location ?? '') !== oneLine(after.location ?? '') ||
  linesOf(before, ['EXDATE', 'RDATE']) !== linesOf(after, ['EXDATE', 'RDATE'])

/** Whether guests must answer again: the time or the rule is another one. */
export const resetsAnswers = (before: Event, after: Event): boolean =>
  hours(before) !== hours(after) || linesOf(before, ['RRULE']) !== linesOf(after, ['RRULE'])

/** The SEQUENCE of the event after a change; never below what `after` has already. */
export function sequenceAfter(before: Event | undefined, after: Event): number {
  const sequence = before?.sequence ?? 0
  const step = before !== undefined && isSignificantChange(before, after) ? 1 : 0
  return Math.max(sequence + step, after.sequence ?? 0)
}

/** The mails that a change of an event causes, one for each guest concerned. */
export function invitationsFor(change: Change): Invitation[] {
  const before = alive(change.before)
  const after = alive(change.after)
  if (after !== undefined) return invitationsForUpdate(change, after, before)
  if (before === undefined) return []
  const sequence = Math.max((before.sequence ?? 0) + 1, change.after?.sequence ?? 0)
  const copyFor = copies(before, { ...change, method: 'CANCEL', sequence })
  const words = mail(before, { ...letters.cancelled, organizer: change.organizer })
  return recipients(before, change).map((to) => ({ to, method: 'CANCEL', ics: copyFor(to), ...words }))
}

/** The mail with an attendee's answer to the organizer. */
export function replyMailFor(event: Event, guest: Person, answer: Answer, options: ReplyOptions): Invitation {
  const to = organizerOf(event)
  const [prefix, verb] = answerWords[answer]
  const lead = `${commonName(guest) ?? oneLine(guest.email)} ${verb} this invitation.`
  const words = mail(event, { prefix, lead, brief: true, comment: options.comment ?? '', organizer: to })
  return { to: to.email, ...replyFor(event, guest, answer, options), ...words }
}

function invitationsForUpdate(change: Change, after: Event, before: Event | undefined): Invitation[] {
  const sequence = sequenceAfter(change.before, after)
  const known = before === undefined ? [] : recipients(before, change)
  const invited = recipients(after, change)
  const changed = before !== undefined && readsDifferently(before, after, change.recurrenceId)
  const added = invited.filter((to) => !holds(known, to))
  const staying = changed ? invited.filter((to) => holds(known, to)) : []

  const asked = before !== undefined && resetsAnswers(before, after) ? withoutAnswers(after) : after
  const copyFor = copies(asked, { ...change, method: 'REQUEST', sequence })
  const requests = (list: readonly string[], letter: Letter): Invitation[] => {
    const words = mail(after, { ...letter, organizer: change.organizer })
    return list.map((to) => ({ to, method: 'REQUEST', ics: copyFor(to), ...words }))
  }
  return [
    ...(before === undefined ? [] : withdrawals(change, { before, invited, sequence })),
    ...requests(staying, letters.changed),
    ...requests(added, letters.invited),
  ]
}

interface Withdrawal {
  readonly before: Event
  readonly invited: readonly string[]
  readonly sequence: number
}

function withdrawals(change: Change, { before, invited, sequence }: Withdrawal): Invitation[] {
  const words = mail(before, { ...letters.withdrawn, organizer: change.organizer })
  return recipients(before, change)
    .filter((to) => !holds(invited, to))
    .map((to) => {
      const { ics } = inviteFor(before, { ...change, method: 'CANCEL', to, sequence, onlyFor: to })
      return { to, method: 'CANCEL', ics, ...words }
    })
}

/** The object for each reader: one for all, unless the participants are hidden from one another. */
function copies(event: Event, options: Omit<InviteOptions, 'to'>): (to: string) => string {
  if (event.hide_participants) return (to) => inviteFor(event, { ...options, to }).ics
  let shared: string | undefined
  return (to) => {
    shared ??= inviteFor(event, { ...options, to }).ics
    return shared
  }
}

const alive = (event: Event | undefined): Event | undefined => (event?.status === 'cancelled' ? undefined : event)

const withoutAnswers = (event: Event): Event => ({
  ...event,
  participants: event.participants.map((participant) => ({ ...participant, status: 'noreply' })),
})

const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
const holds = (list: readonly string[], email: string): boolean => list.some((each) => sameAddress(each, email))

/** Who gets mail: guests and resources with an address, but neither the organizer nor ourselves. */
function recipients(event: Event, { organizer, sentBy }: Sender): string[] {
  const senders = [organizer.email, sentBy, event.organizer?.email].filter((email) => email !== undefined)
  return guestsOf(event)
    .map(({ email }) => email)
    .filter((email) => isMailAddress(email) && !holds(senders, email))
}

/** What a guest's copy says, his own answer and the guest list apart. */
function readsDifferently(before: Event, after: Event, recurrenceId: Moment | undefined): boolean {
  const copy = (event: Event): string =>
    JSON.stringify([content(event, recurrenceId), STATUS[event.status], event.hide_participants])
  return copy(before) !== copy(after)
}

/** Every address once; a room that is listed as a guest too is a room. Who has no address cannot be written down. */
function guestsOf(event: Event): Guest[] {
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

function organizerOf(event: Event): Person {
  if (event.organizer !== null) return event.organizer
  throw new ApiError('invalid_request', 'The event has no organizer whom an answer could reach')
}

interface Identity {
  readonly sequence: number
  readonly now: number
  readonly recurrenceId?: Moment
}

const identity = (event: Event, { sequence, now, recurrenceId }: Identity): Property[] => [
  text('UID', event.ical_uid ?? event.master_event_id ?? event.id),
  plain('SEQUENCE', String(sequence)),
  utcTime('DTSTAMP', Math.floor(now / 1000)),
  ...(recurrenceId === undefined ? [] : [wallTime('RECURRENCE-ID', recurrenceId)]),
]

/** RFC 5546 §3.2.5: CANCELLED ends the event, so a guest who is merely taken off the list must not read it. */
function status(event: Event, { method, onlyFor }: InviteOptions): Property[] {
  if (method === 'REQUEST') return [plain('STATUS', STATUS[event.status])]
  return onlyFor === undefined ? [plain('STATUS', 'CANCELLED')] : []
}

function organizer({ organizer: { email, name }, sentBy }: Sender): Property {
  const address = isMailAddress(email) ? email : (sentBy ?? email)
  return plain('ORGANIZER', mailto(address), {
    CN: commonName({ name }),
    'SENT-BY': sentBy === undefined || sameAddress(sentBy, address) ? undefined : mailto(sentBy),
  })
}

const attendee = (guest: Guest, method: 'REQUEST' | 'CANCEL'): Property =>
  plain('ATTENDEE', mailto(guest.email), {
    CUTYPE: guest.resource ? 'ROOM' : 'INDIVIDUAL',
    ROLE: guest.resource ? 'NON-PARTICIPANT' : 'REQ-PARTICIPANT',
    PARTSTAT: PARTSTAT[guest.status],
    RSVP: method === 'REQUEST' ? 'TRUE' : undefined,
    CN: commonName(guest),
  })

function commonName({ name }: { name?: string | null }): string | undefined {
  const line = oneLine(name ?? '')
  return line === '' ? undefined : line
}

function content(event: Event, recurrenceId: Moment | undefined): Property[] {
  const { title, location, busy, visibility } = event
  const description = descriptionOf(event)
  const url = joinUrl(event.conferencing)
  const kind = CLASS[visibility ?? 'default']
  return [
    ...timing(event, recurrenceId),
    text('SUMMARY', title ?? ''),
    ...(description === '' ? [] : [text('DESCRIPTION', description)]),
    ...(location == null || location === '' ? [] : [text('LOCATION', location)]),
    ...(url === undefined ? [] : [plain('URL', url), conference(url, event.conferencing)]),
    plain('TRANSP', busy ? 'OPAQUE' : 'TRANSPARENT'),
    ...(kind === undefined ? [] : [plain('CLASS', kind)]),
  ]
}

/** RFC 7986 §5.11. Many calendars know only URL, which therefore says the same. */
const conference = (url: string, conferencing: Conferencing | undefined): Property =>
  plain('CONFERENCE', url, { VALUE: 'URI', FEATURE: 'VIDEO', LABEL: commonName({ name: conferencing?.provider }) })

function timing(event: Event, recurrenceId: Moment | undefined): Property[] {
  const [start, end] = ends(event.when)
  const lines = recurrenceId === undefined ? recurrenceOf(event) : []
  return [
    lines.length === 0 ? exactTime('DTSTART', start) : wallTime('DTSTART', start),
    ...(end === undefined ? [] : [exactTime('DTEND', end)]),
    ...lines,
  ]
}

/** DTSTART and DTEND: the end of days is the day after, and a point in time has none (RFC 5545 §3.6.1). */
function ends(when: When): [Moment, Moment?] {
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

const isSeries = ({ recurrence = [] }: Event): boolean => recurrence.length > 0

/** Start and end as values that two spellings of one time share; the zone counts where it decides how to repeat. */
function hours(event: Event): string {
  const [start, end = start] = ends(event.when)
  const zone = !isSeries(event) || 'date' in start ? undefined : zoneOf(start.timezone)
  return JSON.stringify([...[start, end].map((moment) => ('date' in moment ? moment.date : moment.time)), zone])
}

const linesOf = (event: Event, names: readonly string[]): string =>
  JSON.stringify(recurrenceOf(event).filter(({ name }) => names.includes(name)))

/** The lines of a series; dates take the form of DTSTART, which is the only one that all calendars match. */
function recurrenceOf(event: Event): Property[] {
  const [start] = ends(event.when)
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
    // A day in a series of hours means the occurrence of that day.
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

interface Written {
  readonly properties: readonly Property[]
  readonly now: number
  readonly recurrenceId?: Moment
}

function calendar(method: ItipMethod, event: Event, { properties, now, recurrenceId }: Written): string {
  const [start, end = start] = ends(event.when)
  const moments = [start, end, ...(recurrenceId === undefined ? [] : [recurrenceId])]
  const times = moments.flatMap((moment) => ('date' in moment ? [] : [moment.time]))
  // A series goes on, and the rules of its zone may have changed since it began.
  if (isSeries(event)) times.push(now / 1000)
  const span = { from: Math.min(...times), to: Math.max(...times) }
  return writeCalendar(method, { components: [{ name: 'VEVENT', properties }], span })
}

/* ---- the words of the mails ---- */

interface Letter {
  readonly prefix: string
  readonly lead: string
  /** Without what only a guest should have: the text, the place and how to join. */
  readonly brief: boolean
}

const letters = {
  invited: { prefix: 'Invitation', lead: 'You are invited to this event.', brief: false },
  changed: { prefix: 'Updated invitation', lead: 'This event has changed.', brief: false },
  cancelled: { prefix: 'Cancelled', lead: 'This event has been cancelled.', brief: true },
  withdrawn: { prefix: 'Invitation withdrawn', lead: 'Your invitation to this event has been withdrawn.', brief: true },
} as const satisfies Record<string, Letter>

const answerWords = {
  yes: ['Accepted', 'accepted'],
  no: ['Declined', 'declined'],
  maybe: ['Tentative', 'tentatively accepted'],
} as const

interface Words extends Letter {
  readonly organizer: Person
  readonly comment?: string
}

type Row = readonly [label: string, value: string]

function mail(event: Event, words: Words): { subject: string; text: string; html: string } {
  const { prefix, lead, brief, organizer, comment = '' } = words
  const title = oneLine(event.title ?? '') || '(no title)'
  const details: Row[] = brief ? [] : [['Where', oneLine(event.location ?? '')], ...conferenceRows(event.conferencing)]
  const rows = [['When', whenText(event.when)], ['Repeats', repeatsText(event)], ...details, organizerRow(organizer)]
    .map(([label = '', value = '']): Row => [label, value])
    .filter(([, value]) => value !== '')
  const body = brief ? cleanText(comment) : plainText(event.description ?? '')
  return {
    subject: `${prefix}: ${title}`,
    text: [lead, '', title, ...rows.map(([label, value]) => `${label}: ${value}`), '', body].join('\n').trimEnd(),
    html: htmlOf({ lead, title, rows, body }),
  }
}

const organizerRow = ({ name, email }: Person): Row => ['Organizer', oneLine(name ?? '') || oneLine(email)]

function htmlOf({
  lead,
  title,
  rows,
  body,
}: {
  lead: string
  title: string
  rows: readonly Row[]
  body: string
}): string {
  const cells = rows.map(([label, value]) => {
    const shown = isWebAddress(value) ? `<a href="${escapeHtml(value)}">${escapeHtml(value)}</a>` : escapeHtml(value)
    return `<tr><th align="left">${label}</th><td>${shown}</td></tr>`
  })
  const below = body === '' ? '' : `<p>${escapeHtml(body).replaceAll('\n', '<br>')}</p>`
  return `<!doctype html><html><body><p>${escapeHtml(lead)}</p><h2>${escapeHtml(title)}</h2><table>${cells.join('')}</table>${below}</body></html>`
}

const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`)

function whenText(when: When): string {
  if (when.object === 'date' || when.object === 'datespan') {
    const [first, last] = when.object === 'date' ? [when.date, when.date] : [when.start_date, when.end_date]
    const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
    return oneLine(days.formatRange(new Date(`${first}T00:00Z`), new Date(`${last}T00:00Z`)))
  }
  if (when.object === 'time') return `${clockOf(when.timezone).format(when.time * 1000)} (${zoneOf(when.timezone)})`
  const [start, end] = [when.start_time * 1000, when.end_time * 1000]
  const [zone, endZone] = [when.start_timezone, when.end_timezone ?? when.start_timezone]
  if (zone === endZone) return oneLine(`${clockOf(zone).formatRange(start, end)} (${zoneOf(zone)})`)
  const [from, to] = [clockOf(zone).format(start), clockOf(endZone).format(end)]
  return oneLine(`${from} (${zoneOf(zone)}) – ${to} (${zoneOf(endZone)})`)
}

const clockOf = (timezone: string | null): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: zoneOf(timezone) })

const PERIODS: Readonly<Record<string, string>> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' }

function repeatsText(event: Event): string {
  const rule = recurrenceOf(event).find(({ name }) => name === 'RRULE')?.value ?? ''
  const period = PERIODS[/FREQ=(\w+)/.exec(rule)?.[1] ?? '']
  const interval = Number(/INTERVAL=(\d+)/.exec(rule)?.[1] ?? 1)
  if (period === undefined) return ''
  return interval === 1 ? `every ${period}` : `every ${interval} ${period}s`
}

const isWebAddress = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value)

function joinUrl(conferencing: Conferencing | undefined): string | undefined {
  const url = oneLine(conferencing?.details?.url ?? '')
  return isWebAddress(url) ? new URL(url).href : undefined
}

function conferenceRows(conferencing: Conferencing | undefined): Row[] {
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

/** The text with how to join below it, unless the text says so already. */
function descriptionOf(event: Event): string {
  const description = plainText(event.description ?? '')
  const rows = conferenceRows(event.conferencing).filter(([, value]) => !description.includes(value))
  const lines = rows.map(([label, value]) => `${label}: ${value}`).join('\n')
  return [description, lines].filter((part) => part !== '').join('\n\n')
}

const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** A description may be HTML; iCalendar's is text. */
function plainText(description: string): string {
  const clean = cleanText(description).trim()
  if (!/<\/?[a-z][^<>]*>/i.test(clean)) return clean
  return clean
    .replace(/<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6])\b[^<>]*>\n?/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, entity: string) => ENTITIES[entity] ?? '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
