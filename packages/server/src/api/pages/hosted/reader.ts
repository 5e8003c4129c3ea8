/** The reader of a page and their language. */

import type { PageVisit } from '../../pipeline/page.ts'
import { english, type Language, type Translate, translatorOf } from './languages.ts'
import { chooseLanguage, parseAcceptLanguage, parseUiLocales } from './negotiation.ts'

export interface Reader {
  language: Language
  t: Translate
  /** Request id of the visit, shown with errors and logged. */
  requestId: string
}

export const readerIn = (language: Language, requestId: string): Reader => ({
  language,
  t: translatorOf(language),
  requestId,
})

/** The reader of a visit; `remembered` are the languages from the start of the sign-in or the visitor's choice. */
export function readerOf(languages: readonly Language[], visit: PageVisit, remembered: readonly string[] = []): Reader {
  const requested = parseUiLocales(visit.query.get('ui_locales') ?? '')
  const accepted = parseAcceptLanguage(visit.header('accept-language') ?? '')
  return readerIn(chooseLanguage(languages, [requested, remembered, accepted], english), visit.requestId)
}
