/** Addresses that a booking leads to: the pages that change it, and the page of the application. */
import type { Booking } from '@waypost/contract'
import type { BookingPageData } from '@waypost/contract/booking-page'

type Kind = 'reschedule' | 'cancel'

/** Only web addresses: a configuration must not run scripts in the page. */
export function webAddress(text: string | null | undefined): URL | undefined {
  const url = text ? URL.parse(text) : null
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined
}

/** The page that changes a booking, of the application or of this service; undefined if it is hidden. */
export function changeLink(
  kind: Kind,
  { settings: { scheduler }, prefix }: Pick<BookingPageData, 'settings' | 'prefix'>,
  ref: string | undefined,
): string | undefined {
  const [hidden, own] =
    kind === 'reschedule'
      ? [scheduler.hide_rescheduling_options, scheduler.rescheduling_url]
      : [scheduler.hide_cancellation_options, scheduler.cancellation_url]
  if (hidden || !ref) return undefined
  return webAddress(own?.replaceAll(':booking_ref', ref))?.href ?? `${prefix}/book/${kind}/${ref}`
}

/** The application's page after a booking, with the details in its query. */
export function redirectLink(
  { settings }: Pick<BookingPageData, 'settings'>,
  booking: Booking,
  language: string,
): string | undefined {
  const url = webAddress(
    settings.scheduler.confirmation_redirect_url?.replaceAll(':booking_ref', booking.booking_ref ?? ''),
  )
  if (!url) return undefined
  const facts: Record<string, string> = {
    booking_id: booking.booking_id,
    name: booking.guest.name,
    email: booking.guest.email,
    start_time: String(booking.start_time),
    end_time: String(booking.end_time),
    tz: booking.timezone,
    language,
    additional_values: JSON.stringify(booking.additional_fields),
    page_slug: settings.slug ?? '',
    config_id: settings.configuration_id,
    location: booking.location,
    booking_ref: booking.booking_ref ?? '',
  }
  for (const [name, value] of Object.entries(facts)) url.searchParams.set(name, value)
  return url.href
}
