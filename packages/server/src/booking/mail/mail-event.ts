/**
 * The calendar object of a mail about a booking (RFC 5546): a REQUEST for a booked time, a CANCEL for one that was
 * given up. Mail clients recognize it and offer to enter the event. Pure.
 *
 * The UID stays the same and SEQUENCE is the revision of the booking, so that a later mail replaces an earlier one.
 * The organizer gets none, because the event is already in that calendar. Requests, refusals and reminders change
 * nothing in the calendar of a guest, so they have none either.
 */
import type { Event, Participant } from '@waypost/contract'
import type { Invitation } from '../../formats/itip/invitations.ts'
import { type ItipObject, inviteFor, isMailAddress, sameAddress } from '../../formats/itip/itip.ts'
import type { EventMail } from '../../sending/event-mail/invitation-mail.ts'
import type { BookingMail, BookingMailKind, MailPerson } from './booking-mail.ts'

const methods: Readonly<Record<BookingMailKind, 'REQUEST' | 'CANCEL' | undefined>> = {
  confirmed: 'REQUEST',
  rescheduled: 'REQUEST',
  cancelled: 'CANCEL',
  requested: undefined,
  declined: undefined,
  reminder: undefined,
}

export interface EventSender {
  /** The address that sends on behalf of the organizer, if the account of the organizer does not. */
  sentBy?: string
  /** Milliseconds. */
  now: number
}

/** A mail with its calendar object, if it has one. */
export function withEvent(
  written: Omit<Invitation, 'method' | 'ics' | 'next'>,
  mail: BookingMail,
  sender: EventSender,
): EventMail {
  const object = itipOf(mail, sender)
  return object ? { ...written, ...object } : written
}

/** The object of a mail, or undefined if the mail has none. */
export function itipOf(mail: BookingMail, { sentBy, now }: EventSender): ItipObject | undefined {
  const { booking, organizer, recipient } = mail
  const method = methods[mail.kind]
  const isOwn = sameAddress(recipient.email, organizer.email)
  if (method === undefined || recipient.role === 'organizer' || isOwn || !isMailAddress(recipient.email)) {
    return undefined
  }
  const options = { method, to: recipient.email, sequence: booking.revision, now, organizer }
  return inviteFor([{ event: eventOf(mail) }], { ...options, ...(sentBy === undefined ? {} : { sentBy }) })
}

/** The guest booked and the hosts offered the time, so nobody is asked for an answer again. */
const attending = ({ email, name }: MailPerson): Participant => ({
  email,
  name: name === '' ? null : name,
  status: 'yes',
  comment: null,
  phone_number: null,
})

function eventOf(mail: BookingMail): Event {
  const { booking, organizer, guest, companions, hosts, hidesParticipants } = mail
  const others = hosts.filter(({ email }) => !sameAddress(email, organizer.email))
  return {
    id: booking.id,
    object: 'event',
    grant_id: '',
    calendar_id: '',
    title: booking.title,
    description: booking.description,
    location: booking.location,
    when: {
      object: 'timespan',
      start_time: booking.start,
      end_time: booking.end,
      start_timezone: null,
      end_timezone: null,
    },
    busy: true,
    status: mail.kind === 'cancelled' ? 'cancelled' : 'confirmed',
    hide_participants: hidesParticipants,
    participants: [guest, ...companions, ...others].filter(({ email }) => isMailAddress(email)).map(attending),
    resources: [],
    organizer,
    ical_uid: booking.uid,
    ...(booking.conferenceUrl === '' ? {} : { conferencing: { details: { url: booking.conferenceUrl } } }),
    read_only: false,
    metadata: {},
    created_at: null,
    updated_at: null,
  }
}
