/**
 * The variables of the templates of workflows (docs/scheduling-mail.md lists them). The names of the notification
 * are there too (`booking_id`, `booking_info.title`), so that templates for its payload can be used. Pure.
 */
import type { WorkflowTrigger } from '@waypost/contract'
import type { BookingMailKind } from '../bookings/booking-record.ts'
import { type BookingMail, isGuest, type MailPerson, shownKind } from './booking-mail.ts'
import { nameOf } from './mail-text.ts'
import { timeParts } from './mail-times.ts'

/** The notification that goes with each kind of mail. */
export const triggerOf: Readonly<Record<BookingMailKind, WorkflowTrigger>> = {
  confirmed: 'booking.created',
  requested: 'booking.pending',
  rescheduled: 'booking.rescheduled',
  declined: 'booking.cancelled',
  cancelled: 'booking.cancelled',
  reminder: 'booking.reminder',
}

const personOf = (person: MailPerson) => ({ name: nameOf(person), email: person.email })
const absent = { reschedule: '', cancel: '', confirm: '', decline: '' }

export function variablesOf(mail: BookingMail): Record<string, unknown> {
  const { booking, recipient, previous, answers, links } = mail
  const fields = Object.fromEntries(answers.map(({ key, value }) => [key, value]))
  const participants = [mail.guest, ...mail.companions, mail.organizer, ...mail.hosts].map(personOf)
  return {
    kind: shownKind(mail),
    recipient: {
      ...personOf(recipient),
      is_guest: isGuest(recipient),
      is_host: !isGuest(recipient),
      language: recipient.language,
    },
    booking: {
      id: booking.id,
      ref: booking.reference,
      title: booking.title,
      description: booking.description,
      location: booking.location,
      conference_url: booking.conferenceUrl,
      reason: mail.reason,
      cancellation_policy: mail.cancellationPolicy,
      minutes_before: mail.minutesBefore ?? 0,
    },
    guest: personOf(mail.guest),
    additional_guests: mail.companions.map(personOf),
    organizer: personOf(mail.organizer),
    time: timeParts(booking, recipient),
    former_time: previous === undefined ? null : timeParts(previous, recipient),
    links: { ...absent, ...links },
    fields,
    booking_id: booking.id,
    configuration_id: booking.configurationId,
    booking_ref: booking.reference,
    booking_info: {
      title: booking.title,
      start_time: booking.start,
      end_time: booking.end,
      duration: Math.round((booking.end - booking.start) / 60),
      location: booking.location,
      participants,
      additional_fields: fields,
      cancellation_reason: mail.reason,
      ...(previous === undefined ? {} : { old_start_time: previous.start, old_end_time: previous.end }),
    },
  }
}
