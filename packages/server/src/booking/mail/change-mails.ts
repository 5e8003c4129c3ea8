/** Who gets a mail about a change of a booking, and with which content. Pure. */
import type { Configuration } from '@waypost/contract'
import { isMailAddress, sameAddress } from '../../formats/itip/itip.ts'
import { type BookingRecord, organizerReferenceOf, referenceOf } from '../bookings/record.ts'
import type {
  BookingMail,
  BookingMailKind,
  MailLinks,
  MailPerson,
  MailRecipient,
  RecipientRole,
} from './booking-mail.ts'
import { languageOf } from './texts/languages.ts'

export interface BookingChange {
  /** After the change. */
  record: BookingRecord
  configuration: Configuration
  kind: BookingMailKind
  /** The former time of a booking that was moved, in Unix seconds. */
  previous?: { startTime: number; endTime: number } | undefined
  /** Why it was cancelled or declined. */
  reason?: string | undefined
}

/** Whom a reminder goes to. */
export type ReminderRecipients = 'host' | 'guest' | 'all'

export interface MailOptions {
  /** The public address of this service, for the hosted pages. */
  baseUrl: string
  /** Only for reminders. */
  reminder?: { recipients: ReminderRecipients; subject: string; minutesBefore: number } | undefined
}

const told: Readonly<Record<BookingMailKind, readonly RecipientRole[]>> = {
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
  const roles = options.reminder ? reminded[options.reminder.recipients] : told[change.kind]
  const common = contentOf(change, options)
  return recipientsOf(change)
    .filter(({ role }) => roles.includes(role))
    .map((recipient) => ({ ...common, recipient, links: linksFor(change, recipient, options.baseUrl) }))
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

function contentOf({ record, configuration, kind, previous, reason }: BookingChange, { reminder }: MailOptions) {
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
      uid: details.icalUid ?? `${record.id}@booking.waypost`,
      start: record.startTime,
      end: record.endTime,
      title: details.title,
      description: details.description,
      location: details.location,
      conferenceUrl: details.conferenceUrl ?? event.conferencing?.details?.url ?? '',
      reference: referenceOf(record),
    },
    ...(previous === undefined ? {} : { previous: { start: previous.startTime, end: previous.endTime } }),
    reason: reason ?? '',
    organizer: details.organizer,
    guest: details.guest,
    companions: details.additionalGuests,
    hosts: details.participants.filter(({ email }) => !sameAddress(email, details.organizer.email)),
    hidesParticipants: event.hide_participants ?? false,
    answers: answersOf(record, configuration),
    logo: template?.logo ?? '',
    cancellationPolicy: scheduler.cancellation_policy ?? '',
    own: { title: own?.title ?? '', body: own?.body ?? '' },
    ownSubject: reminder?.subject ?? '',
    ...(reminder === undefined ? {} : { minutesBefore: reminder.minutesBefore }),
  }
}

/** The answers in the order of the page. Fields of the type `metadata` are for the application only. */
function answersOf({ details }: BookingRecord, { scheduler }: Configuration): BookingMail['answers'] {
  return Object.entries(scheduler.additional_fields ?? {})
    .filter(([key, { type }]) => type !== 'metadata' && (details.additionalFields[key] ?? '') !== '')
    .toSorted(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0))
    .map(([key, { label }]) => ({ key, label, value: details.additionalFields[key] ?? '' }))
}

/** The guest and the organizer can change the booking; the others only attend. */
function linksFor({ record, configuration, kind }: BookingChange, reader: MailRecipient, baseUrl: string): MailLinks {
  const { scheduler } = configuration
  // Only the organizer's reference can confirm.
  const reference = reader.role === 'guest' ? referenceOf(record) : organizerReferenceOf(record)
  const hosted = (page: string, query: Record<string, string> = {}): string =>
    `${baseUrl}/book/${page}/${reference}?${new URLSearchParams({ ...query, lang: reader.language })}`
  const own = (url: string | null | undefined): string | undefined =>
    url ? url.replaceAll(':booking_ref', reference) : undefined
  if (kind === 'requested') {
    const url = own(scheduler.organizer_confirmation_url)
    return url === undefined
      ? { confirm: hosted('confirm'), decline: hosted('confirm', { action: 'decline' }) }
      : { confirm: url }
  }
  const isOver = kind === 'cancelled' || kind === 'declined'
  if (isOver || (reader.role !== 'guest' && reader.role !== 'organizer')) return {}
  const isHidden = (flag: boolean | null | undefined): boolean => reader.role === 'guest' && flag === true
  return {
    ...(isHidden(scheduler.hide_rescheduling_options)
      ? {}
      : { reschedule: own(scheduler.rescheduling_url) ?? hosted('reschedule') }),
    ...(isHidden(scheduler.hide_cancellation_options)
      ? {}
      : { cancel: own(scheduler.cancellation_url) ?? hosted('cancel') }),
  }
}
