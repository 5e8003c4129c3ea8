/** Ranks search results. */

export interface Entry {
  /** The heading, or the name of an operation. */
  title: string
  /** The guide, or method and path. */
  where: string
  /** Path below these pages, such as `/guides/mail#folders`. */
  at: string
  /** All its words, in lower case. */
  text: string
}

const max = 30
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []

/** Scores a word: the title counts more than the text, the start of a word more than its inside. */
function fitOf(entry: Entry, word: string): number {
  const title = ` ${entry.title.toLowerCase()} ${entry.where.toLowerCase()}`
  const place = title.indexOf(word)
  if (place !== -1) return /[\p{L}\p{N}]/u.test(title[place - 1] ?? ' ') ? 4 : 8
  return entry.text.includes(word) ? 1 : 0
}

/** Entries that contain all words, best first. */
export function rank(entries: readonly Entry[], wanted: string): Entry[] {
  const words = wordsOf(wanted)
  const whole = wanted.trim().toLowerCase()
  return entries
    .map((entry) => {
      const fits = words.map((word) => fitOf(entry, word))
      const isAll = fits.length > 0 && fits.every((fit) => fit > 0)
      const bonus = entry.title.toLowerCase() === whole ? 20 : 0
      return { entry, score: isAll ? fits.reduce((sum, fit) => sum + fit, bonus) : 0 }
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, max)
    .map(({ entry }) => entry)
}
