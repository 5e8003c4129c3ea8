/** A booking as the service works with it. Everything about people is sealed in the store. */
import { timingSafeEqual } from 'node:crypto'
import type { BookingReminder, Configuration, EmailLanguage, Event } from '@waypost/contract'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { SealContext } from '@waypost/platform/crypto/secrets'
import { emailKey } from '@waypost/platform/email-key'
import type { Queries } from '@waypost/store/engine/database'
import {
  type BookingAddress,
  type BookingRow,
  type BookingState,
  readBooking,
} from '@waypost/store/tables/scheduling/bookings'
import type { WorkOwner } from '../../outbox/recorded-work.ts'
import { formatReference } from '../references.ts'

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

export type IntentKind = 'create' | 'confirm' | 'decline' | 'reschedule' | 'cancel'

/** The values that the booking has after a change. */
export interface IntentTarget {
  /** Unix seconds. */
  startTime: number
  endTime: number
  hostGrantId: string
  calendarId: string
  /** The accounts whose time is claimed. */
  hosts: readonly string[]
  /** The group event; `others` are its guests without a booking. */
  group?: { eventId: string; masterId: string | null; others: number } | undefined
}

/** An event that a booking leaves. */
export interface FormerEvent {
  /** Null if the provider does not say it. */
  sequence: number | null
  /** Whether the calendar of the host has invited the guest. */
  isInvited: boolean
  /** Whether the event goes on with others. Its number counts on then, and the guest may come back to it. */
  goesOn: boolean
}

/** A change of a booking, recorded before it is carried out (`booking-states.ts`). */
export interface Intent extends WorkOwner {
  kind: IntentKind
  target: IntentTarget
  /** Of a cancellation or refusal. */
  reason: string
  /** Whether the slot was found free in the calendars. From then on an event may exist. */
  validated: boolean
  /** When the intent was recorded, in milliseconds. */
  begunAt: number
  /** The event that the booking leaves, as it was before calendars were changed. Absent if it keeps its event. */
  former?: FormerEvent | undefined
  /** The details that change with it. */
  details: Partial<BookingDetails>
}

export interface BookingRecord {
  id: string
  applicationId: string
  configurationId: string
  /** The owner of the configuration. */
  grantId: string
  /** The account whose calendar has the event. */
  hostGrantId: string
  status: BookingState
  /** Counts the changes. Reminders and mails of an older revision are void. */
  revision: number
  /** Unix seconds. */
  startTime: number
  endTime: number
  calendarId: string
  /** Null while the booking is being created. */
  eventId: string | null
  guestKey: string
  details: BookingDetails
  /** The change that is under way, and its stored form. */
  intent: { value: Intent; sealed: string } | undefined
  /** Milliseconds. */
  createdAt: number
  updatedAt: number
}

const sealedIn = (column: 'sealed_document' | 'sealed_intent', { applicationId, id }: BookingAddress): SealContext => ({
  table: 'bookings',
  column,
  application: applicationId,
  row: id,
})

export const sealDetails = (seals: DataSeals, at: BookingAddress, details: BookingDetails): string =>
  seals.seal(JSON.stringify(details), sealedIn('sealed_document', at))
export const sealIntent = (seals: DataSeals, at: BookingAddress, intent: Intent): string =>
  seals.seal(JSON.stringify(intent), sealedIn('sealed_intent', at))

/** A keyed hash of a guest's address, to find the bookings of the same guest. */
export const guestKeyOf = (seals: DataSeals, applicationId: string, email: string): string =>
  seals.hash(emailKey(email), { table: 'bookings', column: 'guest_key', application: applicationId })

export function recordOf(seals: DataSeals, row: BookingRow): BookingRecord {
  const at = { applicationId: row.application_id, id: row.id }
  const details: BookingDetails = JSON.parse(seals.open(row.sealed_document, sealedIn('sealed_document', at)))
  const sealed = row.sealed_intent
  const value: Intent | undefined =
    sealed === null ? undefined : JSON.parse(seals.open(sealed, sealedIn('sealed_intent', at)))
  return {
    ...at,
    configurationId: row.configuration_id,
    grantId: row.grant_id,
    hostGrantId: row.host_grant_id,
    status: row.status,
    revision: row.revision,
    startTime: row.start_time,
    endTime: row.end_time,
    calendarId: row.calendar_id,
    eventId: row.event_id,
    guestKey: row.guest_key,
    details,
    intent: sealed === null || value === undefined ? undefined : { value, sealed },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Opens rows that were just read. */
export async function recordsOf(seals: DataSeals, rows: readonly BookingRow[]): Promise<BookingRecord[]> {
  await seals.learn(rows.flatMap((row) => [row.sealed_document, row.sealed_intent]))
  return rows.map((row) => recordOf(seals, row))
}

/** A booking by its id; undefined if there is none. */
export async function findBooking(
  queries: Queries,
  seals: DataSeals,
  at: BookingAddress,
): Promise<BookingRecord | undefined> {
  const row = await readBooking(queries, at)
  return row && (await recordsOf(seals, [row]))[0]
}

/** The reference for the guest: in answers, and in links to move or cancel the booking. It cannot confirm. */
export const referenceOf = ({ id, configurationId, details }: BookingRecord): string =>
  formatReference({ configurationId, bookingId: id, salt: details.guestSalt })

/** The reference for the organizer and the application: in the link to confirm, and in notifications. */
export const organizerReferenceOf = ({ id, configurationId, details }: BookingRecord): string =>
  formatReference({ configurationId, bookingId: id, salt: details.salt })

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** `organizer` may confirm; `guest` received the booking's link. Takes the same time for every salt of a length. */
export function provedBy({ details }: Pick<BookingRecord, 'details'>, salt: string): 'organizer' | 'guest' | undefined {
  const isOrganizer = isSame(salt, details.salt)
  const isGuest = isSame(salt, details.guestSalt)
  return isOrganizer ? 'organizer' : isGuest ? 'guest' : undefined
}

export type BookingMailKind = 'confirmed' | 'requested' | 'declined' | 'rescheduled' | 'cancelled' | 'reminder'

/** A change of a booking, as mails report it. */
export interface BookingChange {
  /** After the change. */
  record: BookingRecord
  /** Before the change, if there was one. */
  before?: BookingRecord | undefined
  configuration: Configuration
  kind: BookingMailKind
  /** The former time of a booking that was moved, in Unix seconds. */
  previous?: { startTime: number; endTime: number } | undefined
  /** Why it was cancelled or declined. */
  reason?: string | undefined
  /** The event after the change, as the calendar has it: its host may have edited it. Absent if it is unknown or gone. */
  event?: Event | undefined
  /** The SEQUENCE with which the event that the booking had before is taken back from the calendars of guests. */
  withdrawn?: number | undefined
}
