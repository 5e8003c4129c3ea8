/**
 * One mail about a booking to one person, as plain data: everything that the texts, the calendar object and the
 * variables of templates need. It waits in the outbox in this form.
 */
import type { EmailLanguage, Participant } from '@waypost/contract'
import type { BookingMailKind } from '../bookings/booking-record.ts'

export interface MailPerson {
  email: string
  /** Empty if unknown. */
  name: string
}

/**
 * `guest`: who booked. `companion`: whom the guest brings. `organizer`: the host whose calendar has the event.
 * `host`: other participants of the configuration.
 */
export type RecipientRole = 'guest' | 'companion' | 'organizer' | 'host'

export interface MailRecipient extends MailPerson {
  role: RecipientRole
  language: EmailLanguage
  /** IANA time zone of the reader. */
  zone: string
}

/** Absolute URLs. An absent link is not shown. */
export interface MailLinks {
  reschedule?: string
  cancel?: string
  confirm?: string
  decline?: string
}

export interface BookedTime {
  /** Unix seconds. */
  start: number
  end: number
}

export interface BookingMail {
  kind: BookingMailKind
  recipient: MailRecipient
  booking: BookedTime & {
    id: string
    configurationId: string
    revision: number
    /** UID of the calendar object. */
    uid: string
    /** SEQUENCE of the calendar object; null if there is none. Jobs of earlier releases lack it: it is the revision. */
    sequence?: number | null
    /** DTSTAMP of the calendar object: the time of the change, in milliseconds, however late the mail is sent. */
    changedAt?: number
    /** The original start of an occurrence: its RECURRENCE-ID. */
    slot?: { time: number; timezone: string | null } | undefined
    /** A seat at an event that others attend: the event itself goes on when the guest leaves. */
    isSeat?: boolean
    title: string
    description: string
    location: string
    /** URL to join the conference; empty if there is none. */
    conferenceUrl: string
    reference: string
  }
  /** The former time of a booking that was moved. */
  previous?: BookedTime
  /** The booking moved to another event: the mail takes the former one, of this organizer, out of calendars. */
  withdrawn?: BookedTime & { organizer: MailPerson }
  /** Whom the event lists, with their answers, where the booking has an event of its own. */
  attendees?: readonly (MailPerson & Pick<Participant, 'status'>)[] | undefined
  /** Why it was cancelled or declined. */
  reason: string
  organizer: MailPerson
  guest: MailPerson
  companions: readonly MailPerson[]
  /** The other participants of the configuration. */
  hosts: readonly MailPerson[]
  /** Whether guests see only the organizer and themselves. */
  hidesParticipants: boolean
  /** Answers to the additional fields, with their labels. */
  answers: readonly { key: string; label: string; value: string }[]
  links: MailLinks
  /** URL of an image; empty if there is none. */
  logo: string
  cancellationPolicy: string
  /** Texts of the configuration for guests, instead of ours. */
  own: { title: string; body: string }
  /** Subject of a reminder, instead of ours. */
  ownSubject: string
  /** Minutes before the start; only of a reminder. */
  minutesBefore?: number
}

/** What the words of a mail are about. A former event is taken back because the booking has a new time. */
export const shownKind = ({ kind, withdrawn }: BookingMail): BookingMailKind => (withdrawn ? 'rescheduled' : kind)

export const isGuest = ({ role }: MailRecipient): boolean => role === 'guest' || role === 'companion'
