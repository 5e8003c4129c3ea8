// The mails that carry iTIP objects (RFC 6047): who gets which, and in what words. Pure: what changed comes in, what to
// send comes out; `src/sending` sends it.
//
// - A guest gets a REQUEST when he is new or when his copy would read differently, a CANCEL when he is taken off the list
//   or the event is gone. What his copy does not hold (reminders, colour, metadata, others' answers) causes no mail.
// - A guest who is taken off the list gets the SEQUENCE of the event as it is now: he may be invited again with it.
// - An event whose status is `cancelled` is no longer there.
import type { Event, When } from '@waypost/contract'
import { cleanText, type Moment, oneLine, zoneOf } from './icalendar.ts'
import {
  type Answer,
  guestsOf,
  type InviteOptions,
  type ItipObject,
  inviteFor,
  isMailAddress,
  organizerOf,
  type Person,
  type ReplyOptions,
  replyFor,
  resetsAnswers,
  type Sender,
  sameAddress,
  sequenceAfter,
} from './itip.ts'
import {
  commonName,
  conferenceRows,
  contentOf,
  isWebAddress,
  plainText,
  type Row,
  recurrenceOf,
  statusOf,
} from './vevent.ts'

/** One mail to one person. */
export interface Invitation extends ItipObject {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
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

/** The mails that a change of an event causes, one for each guest concerned. */
export function invitationsFor(change: Change): Invitation[] {
  const before = alive(change.before)
  const after = alive(change.after)
  if (after !== undefined) return invitationsForUpdate(change, after, before)
  if (before === undefined) return []
  const sequence = Math.max((before.sequence ?? 0) + 1, change.after?.sequence ?? 0)
  const copyFor = copies(before, { ...change, method: 'CANCEL', sequence })
  const words = mail(before, { ...wordings.cancelled, organizer: change.organizer })
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
  const requests = (list: readonly string[], wording: Wording): Invitation[] => {
    const words = mail(after, { ...wording, organizer: change.organizer })
    return list.map((to) => ({ to, method: 'REQUEST', ics: copyFor(to), ...words }))
  }
  return [
    ...(before === undefined ? [] : withdrawals(change, { before, invited, sequence })),
    ...requests(staying, wordings.changed),
    ...requests(added, wordings.invited),
  ]
}

interface Withdrawal {
  readonly before: Event
  readonly invited: readonly string[]
  readonly sequence: number
}

function withdrawals(change: Change, { before, invited, sequence }: Withdrawal): Invitation[] {
  const words = mail(before, { ...wordings.withdrawn, organizer: change.organizer })
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
    JSON.stringify([contentOf(event, recurrenceId), statusOf(event), event.hide_participants])
  return copy(before) !== copy(after)
}

/* ---- the words of the mails ---- */

interface Wording {
  readonly prefix: string
  readonly lead: string
  /** Without what only a guest should have: the text, the place and how to join. */
  readonly brief: boolean
}

const wordings = {
  invited: { prefix: 'Invitation', lead: 'You are invited to this event.', brief: false },
  changed: { prefix: 'Updated invitation', lead: 'This event has changed.', brief: false },
  cancelled: { prefix: 'Cancelled', lead: 'This event has been cancelled.', brief: true },
  withdrawn: { prefix: 'Invitation withdrawn', lead: 'Your invitation to this event has been withdrawn.', brief: true },
} as const satisfies Record<string, Wording>

const answerWords = {
  yes: ['Accepted', 'accepted'],
  no: ['Declined', 'declined'],
  maybe: ['Tentative', 'tentatively accepted'],
} as const

interface Words extends Wording {
  readonly organizer: Person
  readonly comment?: string
}

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
