import type { MailTexts } from './mail-texts.ts'

export const spanish: MailTexts = {
  subjects: {
    confirmed: 'Confirmada: {title}',
    requested: 'Solicitud de reserva: {title}',
    declined: 'Rechazada: {title}',
    rescheduled: 'Reprogramada: {title}',
    cancelled: 'Cancelada: {title}',
    reminder: 'Recordatorio: {title}',
  },
  toGuests: {
    confirmed: 'Su reserva con {organizer} está confirmada.',
    declined: '{organizer} rechazó su solicitud de reserva.',
    rescheduled: 'Su reserva con {organizer} tiene un nuevo horario.',
    cancelled: 'Su reserva con {organizer} se ha cancelado.',
    reminder: 'Un recordatorio de su reserva con {organizer}.',
  },
  toHosts: {
    confirmed: '{guest} ha reservado este horario.',
    requested: '{guest} desea reservar este horario. Confirme o rechace la solicitud.',
    declined: 'La solicitud de reserva de {guest} se ha rechazado.',
    rescheduled: 'La reserva de {guest} tiene un nuevo horario.',
    cancelled: 'La reserva de {guest} se ha cancelado.',
    reminder: 'Un recordatorio de su reserva con {guest}.',
  },
  labels: {
    when: 'Cuándo',
    formerly: 'Horario anterior',
    where: 'Dónde',
    join: 'Unirse',
    organizer: 'Organizador',
    guest: 'Invitado',
    participants: 'Participantes',
    reason: 'Motivo',
    description: 'Descripción',
    cancellationPolicy: 'Política de cancelación',
  },
  actions: {
    reschedule: 'Reprogramar',
    cancel: 'Cancelar',
    confirm: 'Confirmar',
    decline: 'Rechazar',
  },
}
