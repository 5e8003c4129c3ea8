/** Text as a reader sees it, in plain letters: to find words that are written with letters that only look alike. Pure. */

/** Letters and brackets of other scripts that look like ASCII ones. */
const lookAlikes = new Map(
  Object.entries({
    a: 'аαɑ',
    c: 'сϲᴄ',
    d: 'ԁժ',
    e: 'еεєҽ',
    n: 'ոηпν',
    o: 'оοօ',
    r: 'гяᴦ',
    s: 'ѕꜱ$',
    t: 'тτᴛ',
    u: 'υսицᴜ',
    '<': '‹〈⟨《«❮❰≪ᐸ˂',
    '>': '›〉⟩》»❯❱≫ᐳ˃',
    '/': '⁄∕',
  }).flatMap(([plain, others]) => Array.from(others, (other) => [other, plain] as const)),
)
const digits: Readonly<Record<string, string>> = { '0': 'o', '5': 's', '7': 't', '3': 'e', $: 's' }
const digit = /[0573$]/g
const foreign = /\P{ASCII}/u

interface Folded {
  readonly folded: string
  /** The position in the text of a position in `folded`. */
  positionOf(position: number): number
}

export function foldLetters(text: string): Folded {
  if (!foreign.test(text)) return { folded: foldAscii(text), positionOf: (position) => position }
  let folded = ''
  const positions: number[] = []
  let position = 0
  for (const letter of text) {
    const plain = letter < '\u0080' ? foldAscii(letter) : foldForeign(letter)
    folded += plain
    for (let unit = 0; unit < plain.length; unit++) positions.push(position)
    position += letter.length
  }
  return { folded, positionOf: (at) => positions[at] ?? text.length }
}

const foldAscii = (text: string): string => text.toLowerCase().replace(digit, (found) => digits[found] ?? found)

const foldForeign = (letter: string): string =>
  lookAlikes.get(letter) ??
  Array.from(
    letter.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
    (each) => lookAlikes.get(each) ?? each,
  ).join('')
