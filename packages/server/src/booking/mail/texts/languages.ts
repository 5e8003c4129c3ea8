/** The texts of mails about bookings, by language. */
import { EmailLanguage } from '@waypost/contract'
import { chinese } from './chinese.ts'
import { dutch } from './dutch.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'
import { korean } from './korean.ts'
import type { MailTexts } from './mail-texts.ts'
import { spanish } from './spanish.ts'
import { swedish } from './swedish.ts'

export const mailTexts: Readonly<Record<EmailLanguage, MailTexts>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
  nl: dutch,
  sv: swedish,
  ja: japanese,
  zh: chinese,
  ko: korean,
}

/** The language of a locale such as `de`, `de-AT` or `zh_CN`; English if there are no texts for it. */
export function languageOf(locale: string | null | undefined): EmailLanguage {
  const code = (locale ?? '').slice(0, 2).toLowerCase()
  return EmailLanguage.options.find((language) => language === code) ?? 'en'
}
