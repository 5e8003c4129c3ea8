/** Scores how well a text matches typed letters: in order, better at word starts and for adjacent letters. */

const isBoundary = (text: string, index: number): boolean =>
  index === 0 ||
  /[\s._/@-]/.test(text[index - 1] ?? '') ||
  (/[A-Z]/.test(text[index] ?? '') && /[a-z]/.test(text[index - 1] ?? ''))

/** Finds the best position for each letter from left to right; undefined if a letter is missing. */
function scoreOf(typed: string, text: string): number | undefined {
  const lower = text.toLowerCase()
  let score = 0
  let last = -2
  for (const letter of typed) {
    let at = lower.indexOf(letter, last + 1)
    if (at < 0) return undefined
    // A later word start is better than a letter inside another word.
    if (at !== last + 1) {
      for (let next = at; next >= 0; next = lower.indexOf(letter, next + 1)) {
        if (isBoundary(text, next)) {
          at = next
          break
        }
      }
    }
    score += at === last + 1 ? 4 : isBoundary(text, at) ? 3 : 0
    score -= last < 0 ? Math.min(at, 5) / 5 : Math.min(at - last - 1, 5) / 5
    last = at
  }
  return score - text.length / 100
}

/** Undefined if the text does not match. Typed words can be in any order. */
export function fuzzyScore(typed: string, text: string): number | undefined {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  let sum = 0
  for (const word of words) {
    const whole = text.toLowerCase().indexOf(word)
    const score = scoreOf(word, text)
    if (score === undefined) return undefined
    sum += score + (whole >= 0 ? 10 + (isBoundary(text, whole) ? 5 : 0) : 0)
  }
  return sum
}

/** The matching items, best first. */
export const fuzzyFind = <T>(typed: string, items: readonly T[], textOf: (item: T) => string): T[] =>
  items
    .flatMap((item) => {
      const score = fuzzyScore(typed, textOf(item))
      return score === undefined ? [] : [{ item, score }]
    })
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
