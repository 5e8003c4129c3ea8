/** Who reads a page: in which language. */

import type { PageVisit } from '../page.ts'
import { english } from './languages/index.ts'
import { type Language, type Translate, translatorOf } from './languages/language.ts'
import { chooseLanguage, parseAcceptLanguage, parseUiLocales } from './negotiation.ts'

export interface Reader {
  language: Language
  t: Translate
  /** Of the visit: what is shown where something went wrong, and stands in the log. */
  requestId: string
}

export const readerIn = (language: Language, requestId: string): Reader => ({
  language,
  t: translatorOf(language),
  requestId,
})

/** Who visits: `remembered` is what the sign-in was begun with, or the visitor chose since. */
export function readerOf(languages: readonly Language[], visit: PageVisit, remembered: readonly string[] = []): Reader {
  const asked = parseUiLocales(visit.query.get('ui_locales') ?? '')
  const accepted = parseAcceptLanguage(visit.header('accept-language') ?? '')
  return readerIn(chooseLanguage(languages, [asked, remembered, accepted], english), visit.requestId)
}
