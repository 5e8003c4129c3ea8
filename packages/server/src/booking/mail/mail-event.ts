/**
 * The calendar object of a mail about a booking (RFC 5546): a REQUEST for a booked time, a CANCEL for one that was
 * given up. Mail clients recognize it and offer to enter the event. Pure.
 *
 * UID, SEQUENCE and content are those of the event in the calendar of the host, so that our mails and those of that
 * calendar replace each other. The organizer gets no object, because the event is already in that calendar. Requests
 * and reminders change nothing in the calendar of a guest, so they have none either. A refusal has one if the guest's
 * calendar has the event.
 */
import type { Event, Participant } from '@waypost/contract'
import type { Invitation } from '@waypost/formats/itip/invitations'
import { type ItipObject, inviteFor, isMailAddress, sameAddress } from '@waypost/formats/itip/itip'
import type { EventMail } from '../../sending/event-mail/invitation-mail.ts'
import type { BookingMailKind } from '../bookings/booking-record.ts'
import type { BookingMail, MailPerson } from './booking-mail.ts'

const methods: Readonly<Record<BookingMailKind, 'REQUEST' | 'CANCEL' | undefined>> = {
  confirmed: 'REQUEST',
  rescheduled: 'REQUEST',
  cancelled: 'CANCEL',
  requested: undefined,
  declined: 'CANCEL',
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
  const { booking, recipient, withdrawn } = mail
  const organizer = withdrawn?.organizer ?? mail.organizer
  const method = methods[mail.kind]
  const { sequence = booking.revision, changedAt = now, isSeat = false } = booking
  // Earlier releases queued refusals without an object.
  if (mail.kind === 'declined' && booking.sequence === undefined) return undefined
  const isOwn = sameAddress(recipient.email, organizer.email)
  if (method === undefined || sequence === null || isOwn || !isMailAddress(recipient.email)) return undefined
  if (recipient.role === 'organizer') return undefined
  // The hosts of a group event attend it whoever has a seat.
  if (recipient.role === 'host' && isSeat) return undefined
  const slot = booking.slot ? { slot: booking.slot } : {}
  const options = {
    method,
    to: recipient.email,
    sequence,
    now: changedAt,
    organizer,
    alone: isSeat && method === 'CANCEL',
  }
  return inviteFor([{ event: eventOf(mail), ...slot }], { ...options, ...(sentBy === undefined ? {} : { sentBy }) })
}

/**
 * Those whom the event lists, and always the reader. The guest booked and the hosts offered the time, so nobody of them
 * is asked for an answer again.
 */
function participantsOf(mail: BookingMail, organizer: MailPerson): Participant[] {
  const own = [mail.guest, ...mail.companions, ...mail.hosts, mail.recipient]
  const isOwn = ({ email }: MailPerson): boolean => own.some((each) => sameAddress(each.email, email))
  const listed: NonNullable<BookingMail['attendees']> =
    mail.attendees ?? own.map((each) => ({ ...each, status: 'yes' }))
  const isReaderListed = listed.some(({ email }) => sameAddress(email, mail.recipient.email))
  return [...listed, ...(isReaderListed ? [] : [{ ...mail.recipient, status: 'yes' as const }])]
    .filter(({ email }) => isMailAddress(email) && !sameAddress(email, organizer.email))
    .map((person) => ({
      email: person.email,
      name: person.name === '' ? null : person.name,
      status: isOwn(person) ? 'yes' : person.status,
      comment: null,
      phone_number: null,
    }))
}

function eventOf(mail: BookingMail): Event {
  const { booking, withdrawn, hidesParticipants } = mail
  const { start, end, organizer } = withdrawn ?? { ...booking, organizer: mail.organizer }
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
      start_time: start,
      end_time: end,
      start_timezone: null,
      end_timezone: null,
    },
    busy: true,
    status: 'confirmed',
    hide_participants: hidesParticipants,
    participants: participantsOf(mail, organizer),
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
