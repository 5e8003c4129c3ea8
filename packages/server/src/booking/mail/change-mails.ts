/** Who gets a mail about a change of a booking, and with which content. Pure. */
import type { Configuration, Event } from '@waypost/contract'
import { isMailAddress, sameAddress } from '@waypost/formats/itip/itip'
import {
  type BookingChange,
  type BookingMailKind,
  type BookingRecord,
  organizerReferenceOf,
  referenceOf,
} from '../bookings/booking-record.ts'
import { uidOf } from '../bookings/guest-sequence.ts'
import { linksOf } from '../references.ts'
import type { BookingMail, MailLinks, MailPerson, MailRecipient, RecipientRole } from './booking-mail.ts'
import { languageOf } from './mail-times.ts'

/** Whom a reminder goes to. */
export type ReminderRecipients = 'host' | 'guest' | 'all'

export interface MailOptions {
  /** The public address of this service, for the hosted pages. */
  baseUrl: string
  /** Only for reminders. */
  reminder?: { recipients: ReminderRecipients; subject: string; minutesBefore: number } | undefined
}

const reported: Readonly<Record<BookingMailKind, readonly RecipientRole[]>> = {
  confirmed: ['guest', 'companion', 'organizer', 'host'],
  requested: ['organizer'],
  declined: ['guest'],
  rescheduled: ['guest', 'companion', 'organizer', 'host'],
  cancelled: ['guest', 'companion', 'organizer', 'host'],
  reminder: [],
}
const reminded: Readonly<Record<ReminderRecipients, readonly RecipientRole[]>> = {
  guest: ['guest', 'companion'],
  host: ['organizer', 'host'],
  all: ['guest', 'companion', 'organizer', 'host'],
}

/** The mails about a change, one for each address. */
export function mailsOf(change: BookingChange, options: MailOptions): BookingMail[] {
  const roles = rolesOf(change, options)
  const mails = recipientsOf(change)
    .filter(({ role }) => roles.includes(role))
    .map((recipient) => mailTo(recipient, change, options))
  return [...mails, ...mailToFormerHost(change, options)]
}

function rolesOf({ kind, before, record }: BookingChange, { reminder }: MailOptions): readonly RecipientRole[] {
  if (reminder) return reminded[reminder.recipients]
  if (before?.status !== 'pending' || record.status !== 'cancelled') return reported[kind]
  // The others were not told of a request, unless its event has reached their calendars.
  if (isHeld(record)) return kind === 'declined' ? ['guest', 'companion', 'host'] : reported[kind]
  return kind === 'cancelled' ? ['guest', 'organizer'] : reported[kind]
}

/** Whether the calendars of guests have the event of a booking. */
const isHeld = ({ details }: BookingRecord): boolean => details.told?.sequence != null

/**
 * A booking that moved to another event is taken back from the calendars that have the former one. The words are those
 * of the new time, which comes in a mail of its own: one mail can carry one change of a calendar.
 */
export function withdrawalMailsOf(change: BookingChange, options: MailOptions): BookingMail[] {
  const { before, withdrawn: sequence } = change
  if (before === undefined || sequence === undefined) return []
  const withdrawn = { start: before.startTime, end: before.endTime, organizer: before.details.organizer }
  const entry = { ...entryOf(before), sequence }
  return (
    recipientsOf({ ...change, record: before })
      .filter(({ role }) => role !== 'organizer')
      .map((recipient) => mailTo(recipient, { ...change, kind: 'rescheduled' }, options))
      // A node of the release before this one makes a CANCEL of this kind alone.
      .map((mail) => ({ ...mail, kind: 'cancelled', withdrawn, booking: { ...mail.booking, ...entry } }))
  )
}

/** What the calendar object of a mail is about. */
const entryOf = (record: BookingRecord) => ({
  uid: uidOf(record),
  sequence: record.details.told ? record.details.told.sequence : record.revision,
  slot: record.details.slot,
  isSeat: record.details.group !== undefined,
})

function mailTo(recipient: MailRecipient, change: BookingChange, options: MailOptions): BookingMail {
  const { booking, ...content } = contentOf(change, options)
  const reference = referenceFor(change.record, recipient)
  const links = linksFor(change, recipient, { baseUrl: options.baseUrl, reference })
  return { ...content, booking: { ...booking, reference }, recipient, links }
}

/** The reference of the organizer authorizes to confirm, so guests have another one. The others have none. */
function referenceFor(record: BookingRecord, { role }: MailRecipient): string {
  if (role === 'organizer') return organizerReferenceOf(record)
  return role === 'guest' ? referenceOf(record) : ''
}

/** A booking that moved to another host is cancelled for the former one. */
function mailToFormerHost(change: BookingChange, options: MailOptions): BookingMail[] {
  const { before, record, kind } = change
  if (
    (kind !== 'rescheduled' && kind !== 'requested') ||
    before === undefined ||
    before.hostGrantId === record.hostGrantId
  )
    return []
  const present = recipientsOf(change).map(({ email }) => email.toLowerCase())
  return recipientsOf({ ...change, record: before })
    .filter(({ role, email }) => role === 'organizer' && !present.includes(email.toLowerCase()))
    .map((recipient) =>
      mailTo(
        recipient,
        { ...change, record: { ...before, revision: record.revision }, kind: 'cancelled', previous: undefined },
        options,
      ),
    )
}

/** Everybody who takes part, each address once. Identifiers of virtual calendars may be no addresses. */
function recipientsOf({ record, configuration }: BookingChange): MailRecipient[] {
  const { guest, additionalGuests, organizer, participants, emailLanguage, timezone } = record.details
  const eventZone = configuration.event_booking.timezone ?? 'UTC'
  const zoneOf = ({ email }: MailPerson): string =>
    configuration.participants.find((each) => sameAddress(each.email, email))?.timezone ?? eventZone
  const asGuest = { language: languageOf(emailLanguage), zone: timezone === '' ? eventZone : timezone }
  const hostLanguage = languageOf(configuration.scheduler.email_template?.organizer_locale)
  const asHost = (person: MailPerson) => ({ language: hostLanguage, zone: zoneOf(person) })
  const all: MailRecipient[] = [
    { ...guest, role: 'guest', ...asGuest },
    ...additionalGuests.map((person) => ({ ...person, role: 'companion' as const, ...asGuest })),
    { ...organizer, role: 'organizer', ...asHost(organizer) },
    ...participants.map((person) => ({ ...person, role: 'host' as const, ...asHost(person) })),
  ]
  const unique = new Map<string, MailRecipient>()
  for (const each of all) {
    const key = each.email.toLowerCase()
    if (isMailAddress(each.email) && !unique.has(key)) unique.set(key, each)
  }
  return [...unique.values()]
}

function contentOf(
  { record, configuration, kind, previous, reason, event: shown }: BookingChange,
  { reminder }: MailOptions,
) {
  const { details } = record
  const { scheduler, event_booking: event } = configuration
  const template = scheduler.email_template
  const own = template?.booking_confirmed
  return {
    kind,
    booking: {
      id: record.id,
      configurationId: record.configurationId,
      revision: record.revision,
      changedAt: record.updatedAt,
      ...entryOf(record),
      start: record.startTime,
      end: record.endTime,
      title: shown?.title || details.title,
      description: (shown ? shown.description : details.description) ?? '',
      location: (shown ? shown.location : details.location) ?? '',
      conferenceUrl: details.conferenceUrl ?? event.conferencing?.details?.url ?? '',
    },
    // The guests of a group event do not see each other.
    ...(shown && !details.group ? { attendees: attendeesOf(shown) } : {}),
    ...(previous === undefined ? {} : { previous: { start: previous.startTime, end: previous.endTime } }),
    reason: reason ?? '',
    organizer: details.organizer,
    guest: details.guest,
    companions: details.additionalGuests,
    hosts: details.participants.filter(({ email }) => !sameAddress(email, details.organizer.email)),
    hidesParticipants: event.hide_participants === true || shown?.hide_participants === true,
    answers: answersOf(record, configuration),
    logo: template?.logo ?? '',
    cancellationPolicy: scheduler.cancellation_policy ?? '',
    own: { title: own?.title ?? '', body: own?.body ?? '' },
    ownSubject: reminder?.subject ?? '',
    ...(reminder === undefined ? {} : { minutesBefore: reminder.minutesBefore }),
  }
}

const attendeesOf = ({ participants }: Event): NonNullable<BookingMail['attendees']> =>
  participants.flatMap(({ email, name, status }) => (email === undefined ? [] : [{ email, name: name ?? '', status }]))

/** The answers in the order of the page. Fields of the type `metadata` are for the application only. */
function answersOf({ details }: BookingRecord, { scheduler }: Configuration): BookingMail['answers'] {
  return Object.entries(scheduler.additional_fields ?? {})
    .filter(([key, { type }]) => type !== 'metadata' && (details.additionalFields[key] ?? '') !== '')
    .toSorted(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0))
    .map(([key, { label }]) => ({ key, label, value: details.additionalFields[key] ?? '' }))
}

/** The guest and the organizer can change the booking; the others only attend. */
function linksFor(
  { configuration, kind }: BookingChange,
  { role, language }: MailRecipient,
  { baseUrl, reference }: { baseUrl: string; reference: string },
): MailLinks {
  const { scheduler } = configuration
  const pages = linksOf(baseUrl, configuration, reference)
  /** Our own pages take the language of the mail. */
  const page = (url: string, own: string | null | undefined): string => (own ? url : `${url}?lang=${language}`)
  if (kind === 'requested') {
    const own = scheduler.organizer_confirmation_url
    const confirm = page(pages.confirm, own)
    return own ? { confirm } : { confirm, decline: `${confirm}&action=decline` }
  }
  const isOver = kind === 'cancelled' || kind === 'declined'
  if (isOver || (role !== 'guest' && role !== 'organizer')) return {}
  const isHidden = (flag: boolean | null | undefined): boolean => role === 'guest' && flag === true
  const { hide_rescheduling_options: noMove, hide_cancellation_options: noCancel } = scheduler
  return {
    ...(isHidden(noMove) ? {} : { reschedule: page(pages.reschedule, scheduler.rescheduling_url) }),
    ...(isHidden(noCancel) ? {} : { cancel: page(pages.cancel, scheduler.cancellation_url) }),
  }
}
