import type { MailTexts } from './mail-texts.ts'

export const dutch: MailTexts = {
  subjects: {
    confirmed: 'Bevestigd: {title}',
    requested: 'Boekingsverzoek: {title}',
    declined: 'Afgewezen: {title}',
    rescheduled: 'Verplaatst: {title}',
    cancelled: 'Geannuleerd: {title}',
    reminder: 'Herinnering: {title}',
  },
  toGuests: {
    confirmed: 'Uw boeking bij {organizer} is bevestigd.',
    declined: '{organizer} heeft uw boekingsverzoek afgewezen.',
    rescheduled: 'Uw boeking bij {organizer} heeft een nieuwe tijd.',
    cancelled: 'Uw boeking bij {organizer} is geannuleerd.',
    reminder: 'Een herinnering aan uw boeking bij {organizer}.',
  },
  toHosts: {
    confirmed: '{guest} heeft deze tijd geboekt.',
    requested: '{guest} wil deze tijd boeken. Bevestig het verzoek of wijs het af.',
    declined: 'Het boekingsverzoek van {guest} is afgewezen.',
    rescheduled: 'De boeking van {guest} heeft een nieuwe tijd.',
    cancelled: 'De boeking van {guest} is geannuleerd.',
    reminder: 'Een herinnering aan uw afspraak met {guest}.',
  },
  labels: {
    when: 'Wanneer',
    formerly: 'Vorige tijd',
    where: 'Waar',
    join: 'Deelnemen',
    organizer: 'Organisator',
    guest: 'Gast',
    participants: 'Deelnemers',
    reason: 'Reden',
    description: 'Beschrijving',
    cancellationPolicy: 'Annuleringsbeleid',
  },
  actions: {
    reschedule: 'Verplaatsen',
    cancel: 'Annuleren',
    confirm: 'Bevestigen',
    decline: 'Afwijzen',
  },
}
