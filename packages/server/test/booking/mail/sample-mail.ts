/** A mail about a booking, for tests. */
import type { BookingMail } from '../../../src/booking/mail/booking-mail.ts'

export const sampleMail = (changes: Partial<BookingMail> = {}): BookingMail => ({
  kind: 'confirmed',
  recipient: { email: 'gina@guest.test', name: 'Gina', role: 'guest', language: 'en', zone: 'Europe/Berlin' },
  booking: {
    id: '0d3f2f57-4a8f-4f0e-9f35-3a6a1b0c7f11',
    configurationId: '6f0a3c1e-55b2-4c61-8a6e-5d3c2b1a0f99',
    revision: 3,
    uid: 'event-1@calendar.test',
    title: 'Consultation',
    description: 'Bring your <b>questions</b>.',
    location: 'Room 4',
    conferenceUrl: 'https://meet.test/abc',
    reference: 'cmVmZXJlbmNl',
    // 2027-03-28, the day on which clocks in Berlin go forward at 01:00 UTC.
    start: 1_806_193_800,
    end: 1_806_197_400,
  },
  reason: '',
  organizer: { email: 'olga@host.test', name: 'Olga' },
  guest: { email: 'gina@guest.test', name: 'Gina' },
  companions: [{ email: 'carl@guest.test', name: '' }],
  hosts: [{ email: 'hugo@host.test', name: 'Hugo' }],
  hidesParticipants: false,
  answers: [{ key: 'topic', label: 'Topic', value: 'Taxes' }],
  links: { reschedule: 'https://service.test/book/reschedule/x', cancel: 'https://service.test/book/cancel/x' },
  logo: 'https://host.test/logo.png',
  cancellationPolicy: 'Please cancel a day before.',
  own: { title: '', body: '' },
  ownSubject: '',
  ...changes,
})
