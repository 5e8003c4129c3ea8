import type { MailTexts } from './mail-texts.ts'

export const swedish: MailTexts = {
  subjects: {
    confirmed: 'Bekräftad: {title}',
    requested: 'Bokningsförfrågan: {title}',
    declined: 'Avböjd: {title}',
    rescheduled: 'Ombokad: {title}',
    cancelled: 'Avbokad: {title}',
    reminder: 'Påminnelse: {title}',
  },
  toGuests: {
    confirmed: 'Din bokning med {organizer} är bekräftad.',
    declined: '{organizer} har avböjt din bokningsförfrågan.',
    rescheduled: 'Din bokning med {organizer} har en ny tid.',
    cancelled: 'Din bokning med {organizer} har avbokats.',
    reminder: 'En påminnelse om din bokning med {organizer}.',
  },
  toHosts: {
    confirmed: '{guest} har bokat den här tiden.',
    requested: '{guest} vill boka den här tiden. Bekräfta eller avböj.',
    declined: 'Bokningsförfrågan från {guest} har avböjts.',
    rescheduled: 'Bokningen av {guest} har en ny tid.',
    cancelled: 'Bokningen av {guest} har avbokats.',
    reminder: 'En påminnelse om din bokning med {guest}.',
  },
  labels: {
    when: 'När',
    formerly: 'Tidigare tid',
    where: 'Var',
    join: 'Anslut',
    organizer: 'Arrangör',
    guest: 'Gäst',
    participants: 'Deltagare',
    reason: 'Orsak',
    description: 'Beskrivning',
    cancellationPolicy: 'Avbokningsregler',
  },
  actions: {
    reschedule: 'Boka om',
    cancel: 'Avboka',
    confirm: 'Bekräfta',
    decline: 'Avböj',
  },
}
