import { EmailLanguage } from '@waypost/contract'

/** The language of a locale such as `de`, `de-AT` or `zh_CN`; English if there are no texts for it. */
export function languageOf(locale: string | null | undefined): EmailLanguage {
  const code = (locale ?? '').slice(0, 2).toLowerCase()
  return EmailLanguage.options.find((language) => language === code) ?? 'en'
}
