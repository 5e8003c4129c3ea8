/** A language: a catalog of all texts, and their formatting. */
import type { en } from './en.ts'

export type TextKey = keyof typeof en

/** All texts of the pages. A missing or unknown key does not compile. */
export type Texts = Readonly<Record<TextKey, string>>

export interface Language {
  /** As in BCP 47. */
  tag: string
  /** Name of the language in itself. */
  name: string
  direction: 'ltr' | 'rtl'
  texts: Texts
}

/** Placeholder names in a text. */
type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type Names<K extends TextKey> = NamesIn<(typeof en)[K]>

/** Formats a text; all its placeholders are required. */
export type Translate = <K extends TextKey>(
  key: K,
  ...values: [Names<K>] extends [never] ? [] : [Readonly<Record<Names<K>, string>>]
) => string

/** Keys of texts without placeholders. */
export type PlainKey = { [K in TextKey]: [Names<K>] extends [never] ? K : never }[TextKey]

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
