import type { MailTexts } from './mail-texts.ts'

export const english: MailTexts = {
  subjects: {
    confirmed: 'Confirmed: {title}',
    requested: 'Booking request: {title}',
    declined: 'Declined: {title}',
    rescheduled: 'Rescheduled: {title}',
    cancelled: 'Cancelled: {title}',
    reminder: 'Reminder: {title}',
  },
  toGuests: {
    confirmed: 'Your booking with {organizer} is confirmed.',
    declined: '{organizer} declined your booking request.',
    rescheduled: 'Your booking with {organizer} has a new time.',
    cancelled: 'Your booking with {organizer} was cancelled.',
    reminder: 'A reminder of your booking with {organizer}.',
  },
  toHosts: {
    confirmed: '{guest} booked this time.',
    requested: '{guest} would like to book this time. Please confirm or decline.',
    declined: 'The booking request of {guest} was declined.',
    rescheduled: 'The booking of {guest} has a new time.',
    cancelled: 'The booking of {guest} was cancelled.',
    reminder: 'A reminder of your booking with {guest}.',
  },
  labels: {
    when: 'When',
    formerly: 'Former time',
    where: 'Where',
    join: 'Join',
    organizer: 'Organizer',
    guest: 'Guest',
    participants: 'Participants',
    reason: 'Reason',
    description: 'Description',
    cancellationPolicy: 'Cancellation policy',
  },
  actions: {
    reschedule: 'Reschedule',
    cancel: 'Cancel',
    confirm: 'Confirm',
    decline: 'Decline',
  },
}
