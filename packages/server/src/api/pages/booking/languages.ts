/** The languages of the booking pages, in the order in which they are offered. */
import type { EmailLanguage } from '@waypost/contract'
import { type BookingPageTexts, bookingPageLanguages } from '@waypost/texts/booking-pages'
import type { PageLanguage } from '@waypost/texts/languages'
import { languageOf } from '../../../booking/mail/mail-times.ts'

export interface BookingLanguage extends PageLanguage<BookingPageTexts> {
  /** The language of mails: mails have fewer languages than the pages. */
  email: EmailLanguage
}

export const bookingLanguages: readonly BookingLanguage[] = bookingPageLanguages.map((each) => ({
  ...each,
  email: languageOf(each.tag),
}))

export const [english] = bookingLanguages
