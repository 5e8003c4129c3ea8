// The `Contains` restriction: the mode defines where to search, the comparison which characters count as equal.
// https://learn.microsoft.com/exchange/client-developer/web-service-reference/contains

export type ContainmentMode = 'FullString' | 'Prefixed' | 'Substring' | 'PrefixOnWords' | 'ExactPhrase'

export interface Containment {
  /** Default `FullString`. */
  readonly mode: string | undefined
  /** Default `Exact`. */
  readonly comparison: string | undefined
  readonly wanted: string
}

export function containsText(
  text: string,
  { mode = 'FullString', comparison = 'Exact', wanted }: Containment,
): boolean {
  const fold = foldOf(comparison)
  const [whole, part] = [fold(text), fold(wanted)]
  switch (mode) {
    case 'Prefixed':
      return whole.startsWith(part)
    case 'Substring':
      return whole.includes(part)
    case 'PrefixOnWords':
      return wordsAt(whole).some((at) => whole.startsWith(part, at))
    case 'ExactPhrase':
      return wordsAt(whole).some(
        (at) => whole.startsWith(part, at) && !/^[\p{L}\p{N}_]/u.test(whole.slice(at + part.length)),
      )
    default:
      return whole === part
  }
}

/** The positions of word beginnings. */
function wordsAt(text: string): number[] {
  return text
    .matchAll(/[\p{L}\p{N}_]+/gu)
    .map(({ index }) => index)
    .toArray()
}

function foldOf(comparison: string): (text: string) => string {
  const ignoresCase = /IgnoreCase/.test(comparison)
  const ignoresMarks = /NonSpac/.test(comparison)
  return (text) => {
    const bare = ignoresMarks ? text.normalize('NFD').replace(/\p{Mn}/gu, '') : text
    return ignoresCase ? bare.toLowerCase() : bare
  }
}
