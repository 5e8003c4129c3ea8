import type { MailTexts } from './mail-texts.ts'

export const french: MailTexts = {
  subjects: {
    confirmed: 'Confirmé : {title}',
    requested: 'Demande de réservation : {title}',
    declined: 'Refusé : {title}',
    rescheduled: 'Déplacé : {title}',
    cancelled: 'Annulé : {title}',
    reminder: 'Rappel : {title}',
  },
  toGuests: {
    confirmed: 'Votre réservation avec {organizer} est confirmée.',
    declined: '{organizer} a refusé votre demande de réservation.',
    rescheduled: 'Votre réservation avec {organizer} a un nouvel horaire.',
    cancelled: 'Votre réservation avec {organizer} a été annulée.',
    reminder: 'Un rappel de votre réservation avec {organizer}.',
  },
  toHosts: {
    confirmed: '{guest} a réservé ce créneau.',
    requested: '{guest} souhaite réserver ce créneau. Veuillez confirmer ou refuser.',
    declined: 'La demande de réservation de {guest} a été refusée.',
    rescheduled: 'La réservation de {guest} a un nouvel horaire.',
    cancelled: 'La réservation de {guest} a été annulée.',
    reminder: 'Un rappel de votre réservation avec {guest}.',
  },
  labels: {
    when: 'Quand',
    formerly: 'Ancien horaire',
    where: 'Où',
    join: 'Rejoindre',
    organizer: 'Organisateur',
    guest: 'Invité',
    participants: 'Participants',
    reason: 'Motif',
    description: 'Description',
    cancellationPolicy: 'Conditions d’annulation',
  },
  actions: {
    reschedule: 'Déplacer',
    cancel: 'Annuler',
    confirm: 'Confirmer',
    decline: 'Refuser',
  },
}
