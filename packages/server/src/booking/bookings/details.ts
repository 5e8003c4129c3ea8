/** What is known about the people and the event of a booking. It is sealed in the store. */
import type { BookingReminder, EmailLanguage } from '@waypost/contract'

export interface Person {
  email: string
  name: string
}

/** The part of a booking that is sealed. */
export interface BookingDetails {
  guest: Person
  additionalGuests: readonly Person[]
  /** By the key of the field. */
  additionalFields: Readonly<Record<string, string>>
  /** With its tokens replaced, as the event has them. */
  title: string
  description: string
  location: string
  /** Shown to the guest: the organizer of the configuration, or the chosen host. */
  organizer: Person
  /** The participants of the configuration who take part, with those who have no calendar here. */
  participants: readonly Person[]
  /** The guest's zone (IANA). */
  timezone: string
  emailLanguage: EmailLanguage
  /**
   * The salt of the organizer's and the application's reference, which authorizes to confirm; base64url. Guests never get
   * it: theirs is another one.
   */
  salt: string
  guestSalt: string
  /** Empty until the booking is cancelled or declined. */
  cancellationReason: string
  /** The UID of the event, so that an invitation by mail and the provider's copy are the same event. */
  icalUid?: string | undefined
  /** The link of the event's conference. */
  conferenceUrl?: string | undefined
  /** For a seat at a group event: the series of the event, if it is part of one, and the reminders of the event. */
  group?: { masterId: string | null; reminders: readonly BookingReminder[] } | undefined
  /** For a seat at an occurrence: its original start, by which calendars tell it from the others of its series. */
  slot?: { time: number; timezone: string | null } | undefined
  /**
   * The SEQUENCE of the newest mail about the event, null before the first. `revision` is that of the booking then: a
   * release that does not write this leaves an old one.
   */
  told?: { revision: number; sequence: number | null } | undefined
}
