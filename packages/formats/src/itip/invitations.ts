/**
 * Decides which mails with iTIP objects (RFC 6047) each guest gets. Pure: it takes a change and returns the mails;
 * `src/sending` sends them.
 *
 * - A guest gets a REQUEST if they are new or their copy changes, and a CANCEL if they are removed or the event is
 *   deleted. Fields that a copy does not contain (reminders, color, metadata, answers of others) cause no mail.
 * - A REQUEST about a series contains the guest's complete copy, because a calendar may replace its copy with it.
 *   After the change or deletion of one occurrence, the mail contains only that occurrence, unless the guest was not
 *   invited to it before.
 * - Each guest gets one mail, or two if their calendar must remove something that a REQUEST cannot remove. That is so
 *   if a guest of the series stays a guest of some occurrences only, or if the occurrences of such a guest have new
 *   slots. The original start identifies an occurrence (RFC 5545 §3.8.4.4), so it gets a new identity when the series
 *   moves, and a REQUEST would leave the old one in place. The second mail is sent after the first.
 * - All parts of a mail have the highest SEQUENCE of the UID, so that it never decreases, regardless of which part
 *   changed.
 * - An event with status `cancelled` counts as deleted.
 */
import type { Event } from '@waypost/contract'
import type { Person } from '../icalendar/calendar-users.ts'
import { type Moment, oneLine } from '../icalendar/icalendar.ts'
import { commonName } from '../icalendar/vevent.ts'
import {
  type Copies,
  type Copy,
  type CopyPart,
  copiesOf,
  type EventSet,
  isSameCopy,
  isSamePart,
  partsOf,
  sequenceOf,
  slotName,
} from './invitation-copies.ts'
import { answerWords, textOf, type Wording, wordings } from './invitation-text.ts'
import {
  type Answer,
  type ItipObject,
  inviteFor,
  organizerOf,
  type ReplyOptions,
  replyFor,
  type Sender,
  sequenceAfter,
} from './itip.ts'

/** One mail to one person. */
export interface Invitation extends ItipObject {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The address for replies, if it is not the sender. */
  readonly replyTo?: string
  /** A mail to send after this one; it describes the replacement. */
  readonly next?: Invitation
}

export interface Change extends Sender {
  /** Absent for a new event. */
  readonly before?: EventSet
  /** Absent for a deleted event. */
  readonly after?: EventSet
  /** Milliseconds. */
  readonly now: number
  /**
   * The slot of the occurrence that was changed or deleted, if the change is about one. `before` then has it as an
   * override.
   */
  readonly occurrence?: Moment
}

/** The mails that a change of an event causes, one for each affected guest. */
export function invitationsFor(change: Change): Invitation[] {
  const copies = { before: copiesOf(change.before, change), after: copiesOf(change.after, change) }
  const guests = new Map([...copies.before.guests, ...copies.after.guests].map((to) => [to.toLowerCase(), to]))
  const writers = { writer: createWriter(change), later: createWriter({ ...change, now: change.now + 1000 }) }
  const mails = [...guests.values()].flatMap((to) => mailFor(to, copies, { change, ...writers }) ?? [])
  const isNew = ({ to }: Invitation): boolean => partsOf(copies.before.of(to)).length === 0
  const order = (mail: Invitation): number => (mail.method === 'CANCEL' ? 0 : isNew(mail) ? 2 : 1)
  return mails.sort((a, b) => order(a) - order(b))
}

/** The mail with an attendee's answer to the organizer. */
export function replyMailFor(event: Event, guest: Person, answer: Answer, options: ReplyOptions): Invitation {
  const to = organizerOf(event)
  const [prefix, verb] = answerWords[answer]
  const lead = `${commonName(guest) ?? oneLine(guest.email)} ${verb} this invitation.`
  const words = textOf([event], { prefix, lead, brief: true, comment: options.comment ?? '', organizer: to })
  return { to: to.email, ...replyFor(event, guest, answer, options), ...words }
}

interface Context {
  readonly change: Change
  readonly writer: Writer
  /** For the second of two mails: its DTSTAMP is one second later. */
  readonly later: Writer
}

/** The mail for one guest: none, one, or one followed by another. */
function mailFor(
  to: string,
  copies: { before: Copies; after: Copies },
  { change, writer, later }: Context,
): Invitation | undefined {
  const [before, after] = [copies.before.of(to), copies.after.of(to)]
  const [had, has] = [partsOf(before), partsOf(after)]
  if (isSameCopy(before, after)) return undefined
  const lost = had.filter(({ key }) => !has.some((part) => part.key === key))
  if (has.length === 0) return writer.cancel(to, before.main ? [before.main] : lost)
  if (had.length === 0) return writer.request(to, has, wordings.invited)
  if (after.main && before.main && change.occurrence) {
    return occurrenceMail(to, { before, after }, { slot: slotName(change.occurrence), writer })
  }
  if (after.main) return writer.request(to, has, wordings.changed)
  const reported = before.main ? has : has.filter((part) => !had.some((old) => isSamePart(old, part)))
  if (lost.length === 0) return writer.request(to, reported, wordings.changed)
  const gone = before.main ? [before.main] : lost
  if (reported.length === 0) return writer.cancel(to, gone)
  return { ...writer.cancel(to, gone, wordings.moved), next: later.request(to, reported, wordings.changed) }
}

/**
 * The mail to a guest of a series about the one occurrence that changed. An occurrence that is restored comes with
 * the whole series, because the EXDATEs of the series changed.
 */
function occurrenceMail(
  to: string,
  { before, after }: { before: Copy; after: Copy },
  { slot, writer }: { slot: string; writer: Writer },
): Invitation {
  const had = before.occurrences.find(({ key }) => key === slot)
  const has = after.occurrences.find(({ key }) => key === slot)
  if (had && has) return writer.request(to, [has], wordings.changed)
  return had ? writer.cancel(to, [had]) : writer.request(to, partsOf(after), wordings.changed)
}

interface Writer {
  request(to: string, parts: readonly CopyPart[], wording: Wording): Invitation
  /** Without a wording: the event is cancelled, or continues without the guest. */
  cancel(to: string, parts: readonly CopyPart[], wording?: Wording): Invitation
}

function createWriter(change: Change): Writer {
  const { after, organizer, sentBy, now } = change
  const sequence = sequenceIn(change)
  const written = new Map<string, string>()
  const write = (
    method: 'REQUEST' | 'CANCEL',
    reported: { to: string; parts: readonly CopyPart[]; wording: Wording; alone?: boolean },
  ): Invitation => {
    const { to, parts, wording, alone = false } = reported
    const isOwn = alone || parts.some(({ event }) => event.hide_participants)
    const key = JSON.stringify([method, isOwn ? to : '', alone, parts.map((part) => [part.key, part.content])])
    const ics = written.get(key) ?? inviteFor(parts, { method, to, sequence, now, organizer, sentBy, alone }).ics
    written.set(key, ics)
    return { to, method, ics, ...textOf(eventsOf(parts), { ...wording, organizer }) }
  }
  const isGone = ({ key }: CopyPart): boolean =>
    after === undefined ||
    after.main.status === 'cancelled' ||
    (key !== '' && !after.overrides.some(({ slot, event }) => slotName(slot) === key && event.status !== 'cancelled'))
  return {
    request: (to, parts, wording) => write('REQUEST', { to, parts, wording }),
    cancel(to, parts, wording) {
      const alone = wording !== undefined || !parts.every(isGone)
      const part = alone ? wordings.withdrawn : wordings.cancelled
      return write('CANCEL', { to, parts, wording: wording ?? part, alone })
    },
  }
}

/** The SEQUENCE of the mails of a change. */
function sequenceIn({ before, after }: Change): number {
  const known = before ? sequenceOf(before) : 0
  const next = after ? sequenceOf(after) : 0
  if (after !== undefined && after.main.status !== 'cancelled') {
    return Math.max(next, sequenceAfter(before && { ...before.main, sequence: known }, after.main))
  }
  return Math.max(known + (before?.main.status === 'cancelled' ? 0 : 1), next)
}

/** The events that the text of a mail describes. For a series with changed occurrences, only the series. */
function eventsOf(parts: readonly CopyPart[]): [Event, ...Event[]] {
  const [first, ...rest] = parts
  if (first === undefined) throw new RangeError('a mail is about one event at least')
  return first.slot === undefined ? [first.event] : [first.event, ...rest.map(({ event }) => event)]
}
