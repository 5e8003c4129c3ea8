/**
 * The language of a page: requested by the application (`ui_locales`), otherwise by the browser (`Accept-Language`),
 * otherwise English. The booking pages choose theirs in the same way.
 */

/** A language of the pages. */
interface Tagged {
  /** As in BCP 47. */
  tag: string
}
/** Longer input is cut off. */
const maxLength = 1_000
const max = 32

/** The tags of `ui_locales`: in order of preference, separated by spaces (OpenID Connect Core §3.1.2.1). */
export const parseUiLocales = (text: string): string[] =>
  text
    .slice(0, maxLength)
    .split(/[\s,]+/)
    .filter(Boolean)
    .slice(0, max)

/** The tags of `Accept-Language`, best first (RFC 9110 §12.5.4), without unacceptable ones. */
export function parseAcceptLanguage(header: string): string[] {
  const ranges = header
    .slice(0, maxLength)
    .split(',')
    .slice(0, max)
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const weight = parameters.map((part) => /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.exec(part)?.[1]).find(Boolean)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
  return ranges
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

interface LanguageRange {
  language: string
  script: string
}

/** Language and script of a tag, explicit or likely (Unicode, UTS #35); undefined if the tag is invalid. */
function writtenIn(tag: string): LanguageRange | undefined {
  try {
    const { language, script = '' } = new Intl.Locale(tag).maximize()
    return { language, script }
  } catch {
    return undefined
  }
}

/** The language for the first supported tag. */
export function matchLanguage<L extends Tagged>(languages: readonly L[], wanted: readonly string[]): L | undefined {
  const find = (
    fits: (offered: LanguageRange, requested: LanguageRange, tag: string, own: string) => boolean,
  ): L | undefined => {
    for (const tag of wanted) {
      const requested = writtenIn(tag)
      const found =
        requested &&
        languages.find((each) => {
          const offered = writtenIn(each.tag)
          return offered !== undefined && fits(offered, requested, tag.toLowerCase(), each.tag.toLowerCase())
        })
      if (found) return found
    }
    return undefined
  }
  return (
    find(
      (offered, requested, tag, own) =>
        tag === own || (offered.language === requested.language && offered.script === requested.script),
    ) ??
    // Another script of the same language, such as zh-Hans for zh-TW, is better than a different language.
    find((offered, requested) => offered.language === requested.language)
  )
}

/** The language of a visitor; the first list has the highest priority. */
export const chooseLanguage = <L extends Tagged>(
  languages: readonly L[],
  wanted: readonly (readonly string[])[],
  otherwise: L,
): L => {
  for (const tags of wanted) {
    const found = matchLanguage(languages, tags)
    if (found) return found
  }
  return otherwise
}
