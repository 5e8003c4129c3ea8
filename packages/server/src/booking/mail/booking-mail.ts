/**
 * One mail about a booking to one person, as plain data: everything that the texts, the calendar object and the
 * variables of templates need. It waits in the outbox in this form.
 */
import type { EmailLanguage } from '@waypost/contract'

export type BookingMailKind = 'confirmed' | 'requested' | 'declined' | 'rescheduled' | 'cancelled' | 'reminder'

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
    /** SEQUENCE of the calendar object. */
    revision: number
    /** UID of the calendar object. */
    uid: string
    title: string
    description: string
    location: string
    /** URL to join the conference; empty if there is none. */
    conferenceUrl: string
    reference: string
  }
  /** The former time of a booking that was moved. */
  previous?: BookedTime
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

export const isGuest = ({ role }: MailRecipient): boolean => role === 'guest' || role === 'companion'
