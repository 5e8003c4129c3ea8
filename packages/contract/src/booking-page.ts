/** What the server writes into a booking page, so that the page is complete after one request. Types only. */
import type { BookingPageTexts } from '@waypost/texts/booking-pages'
import type { EmailLanguage } from './scheduling/bookings.ts'
import type { UiSettings } from './scheduling/ui-settings.ts'

export type BookingPageTextKey = keyof BookingPageTexts

export interface BookingPageLanguage {
  /** As in BCP 47. */
  tag: string
  /** Name of the language in itself. */
  name: string
}

/** The booking that a page reschedules, cancels or confirms. */
export interface BookingOfPage {
  id: string
  /** The reference in the address of the page. */
  ref: string
  /** Proves that the visitor has the organizer's link. */
  salt: string
  status: 'booked' | 'pending' | 'cancelled'
  /** The configuration was deleted: the booking can be canceled, but not moved. */
  isClosed: boolean
}

export interface BookingPageData {
  view: 'book' | 'reschedule' | 'cancel' | 'confirm'
  /** The path of the service on its host, without a slash at its end. */
  prefix: string
  language: string
  languages: readonly BookingPageLanguage[]
  /** Language of mails to the guest: the nearest one that mails have. */
  emailLanguage: EmailLanguage
  texts: BookingPageTexts
  /** The answer of `GET /v3/scheduling/ui-settings`. */
  settings: UiSettings
  /** Location and conference of the event, as far as they are known before a booking. */
  location?: string | undefined
  hasConference: boolean
  /** Whether the guest gets the mails that the page announces. */
  sendsMail: boolean
  description?: string | undefined
  /** The page of a configuration with `requires_session_auth` calls the API with this session. */
  session?: string | undefined
  booking?: BookingOfPage | undefined
  /** Origins of the pages that may contain this one. */
  embedOrigins: readonly string[]
  /** Shown by the dashboard: the page takes settings from its parent, and books nothing. */
  isPreview: boolean
}
