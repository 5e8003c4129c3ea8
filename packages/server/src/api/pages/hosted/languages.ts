/** The languages of the hosted pages, and the formatting of their texts. */
import { type HostedPageTexts, hostedPageLanguages } from '@waypost/texts/hosted-pages'
import type { HostedPlaceholders } from '@waypost/texts/hosted-placeholders'
import type { PageLanguage } from '@waypost/texts/languages'

export type TextKey = keyof HostedPageTexts

export interface Language extends PageLanguage<HostedPageTexts> {
  direction: 'ltr' | 'rtl'
}

/** In the order in which they are offered. */
export const languages: readonly Language[] = hostedPageLanguages.map((each) => ({ ...each, direction: 'ltr' }))

export const [english] = languages

/** Placeholder names in a text. */
type Names<K extends TextKey> = K extends keyof HostedPlaceholders ? HostedPlaceholders[K] : never

/** Formats a text; all its placeholders are required. */
export type Translate = <K extends TextKey>(
  key: K,
  ...values: [Names<K>] extends [never] ? [] : [Readonly<Record<Names<K>, string>>]
) => string

/** Keys of texts without placeholders. */
export type PlainKey = Exclude<TextKey, keyof HostedPlaceholders>

/** Isolates a value from the direction of the text around it (Unicode, UAX #9). */
const isolated = (value: string): string => `\u2068${value}\u2069`

export function translatorOf({ texts, direction }: Language): Translate {
  const shown = direction === 'rtl' ? isolated : (value: string): string => value
  return (key, ...[values]) => {
    const given: Readonly<Record<string, string>> = values ?? {}
    return texts[key].replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(given, name) ? shown(given[name] ?? '') : whole,
    )
  }
}
