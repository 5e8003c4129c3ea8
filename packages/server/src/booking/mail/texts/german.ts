import type { MailTexts } from './mail-texts.ts'

export const german: MailTexts = {
  subjects: {
    confirmed: 'Bestätigt: {title}',
    requested: 'Buchungsanfrage: {title}',
    declined: 'Abgelehnt: {title}',
    rescheduled: 'Verschoben: {title}',
    cancelled: 'Abgesagt: {title}',
    reminder: 'Erinnerung: {title}',
  },
  toGuests: {
    confirmed: 'Ihre Buchung bei {organizer} ist bestätigt.',
    declined: '{organizer} hat Ihre Buchungsanfrage abgelehnt.',
    rescheduled: 'Ihre Buchung bei {organizer} hat eine neue Zeit.',
    cancelled: 'Ihre Buchung bei {organizer} wurde abgesagt.',
    reminder: 'Eine Erinnerung an Ihre Buchung bei {organizer}.',
  },
  toHosts: {
    confirmed: '{guest} hat diese Zeit gebucht.',
    requested: '{guest} möchte diese Zeit buchen. Bitte bestätigen oder lehnen Sie ab.',
    declined: 'Die Buchungsanfrage von {guest} wurde abgelehnt.',
    rescheduled: 'Die Buchung von {guest} hat eine neue Zeit.',
    cancelled: 'Die Buchung von {guest} wurde abgesagt.',
    reminder: 'Eine Erinnerung an Ihren Termin mit {guest}.',
  },
  labels: {
    when: 'Wann',
    formerly: 'Bisherige Zeit',
    where: 'Wo',
    join: 'Teilnehmen',
    organizer: 'Organisator',
    guest: 'Gast',
    participants: 'Teilnehmer',
    reason: 'Grund',
    description: 'Beschreibung',
    cancellationPolicy: 'Stornierungsbedingungen',
  },
  actions: {
    reschedule: 'Verschieben',
    cancel: 'Absagen',
    confirm: 'Bestätigen',
    decline: 'Ablehnen',
  },
}
