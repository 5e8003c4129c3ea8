/** The languages of the booking pages, in the order in which they are offered. */
import type { EmailLanguage } from '@waypost/contract'
import { type BookingPageTexts, bookingPageTexts } from '@waypost/contract/booking-page-texts'
import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'
import { zhHans } from './zh-hans.ts'

export interface BookingLanguage {
  /** As in BCP 47. */
  tag: string
  /** Name of the language in itself. */
  name: string
  texts: BookingPageTexts
  /** The language of mails: mails have fewer languages than the pages. */
  email: EmailLanguage
}

export const english: BookingLanguage = { tag: 'en', name: 'English', texts: bookingPageTexts, email: 'en' }

export const bookingLanguages: readonly BookingLanguage[] = [
  english,
  { tag: 'de', name: 'Deutsch', texts: de, email: 'de' },
  { tag: 'es', name: 'Español', texts: es, email: 'es' },
  { tag: 'fr', name: 'Français', texts: fr, email: 'fr' },
  { tag: 'it', name: 'Italiano', texts: it, email: 'en' },
  { tag: 'nl', name: 'Nederlands', texts: nl, email: 'nl' },
  { tag: 'pl', name: 'Polski', texts: pl, email: 'en' },
  { tag: 'pt', name: 'Português', texts: pt, email: 'en' },
  { tag: 'sv', name: 'Svenska', texts: sv, email: 'sv' },
  { tag: 'ja', name: '日本語', texts: ja, email: 'ja' },
  { tag: 'ko', name: '한국어', texts: ko, email: 'ko' },
  { tag: 'zh-Hans', name: '简体中文', texts: zhHans, email: 'zh' },
]
