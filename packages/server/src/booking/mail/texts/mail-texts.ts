/** The texts of one language. `{organizer}`, `{guest}` and `{title}` are replaced. */
export interface MailTexts {
  subjects: {
    confirmed: string
    requested: string
    declined: string
    rescheduled: string
    cancelled: string
    reminder: string
  }
  /** The first sentence for guests. */
  toGuests: {
    confirmed: string
    declined: string
    rescheduled: string
    cancelled: string
    reminder: string
  }
  /** The first sentence for hosts. */
  toHosts: {
    confirmed: string
    requested: string
    declined: string
    rescheduled: string
    cancelled: string
    reminder: string
  }
  labels: {
    when: string
    formerly: string
    where: string
    join: string
    organizer: string
    guest: string
    participants: string
    reason: string
    description: string
    cancellationPolicy: string
  }
  actions: { reschedule: string; cancel: string; confirm: string; decline: string }
}
