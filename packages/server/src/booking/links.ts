/** The pages where guests and organizers change a booking: those of the configuration, or those of this service. */
import type { Configuration } from '@waypost/contract'

export interface BookingLinks {
  reschedule: string
  cancel: string
  confirm: string
}

export function linksOf(baseUrl: string, { scheduler }: Configuration, reference: string): BookingLinks {
  const linkTo = (page: string, own: string | null | undefined): string =>
    own ? own.replaceAll(':booking_ref', reference) : `${baseUrl}/book/${page}/${reference}`
  return {
    reschedule: linkTo('reschedule', scheduler.rescheduling_url),
    cancel: linkTo('cancel', scheduler.cancellation_url),
    confirm: linkTo('confirm', scheduler.organizer_confirmation_url),
  }
}
