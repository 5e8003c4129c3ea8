/**
 * Text from other people, made harmless for a model and for terminals: it cannot hide characters, reorder text, or imitate
 * the fence around it. Pure.
 */

/** Terminal escapes: CSI and OSC sequences, and single escapes (ECMA-48). */
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const lineEnds = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g
/**
 * Controls, bidirectional controls, and all characters that are never visible, such as tag characters, which spell hidden
 * text. Joiners and emoji selectors are judged by their neighbors.
 */
const invisible =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: it removes single characters
  /(?![\n\t\u200c-\u200d\ufe0e-\ufe0f])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\ufff9-\ufffb]/gu
/** Joiners that join nothing, and selectors that select nothing. */
const stray =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the same
  /(?<=^|[\p{ASCII}\u200c-\u200d])[\u200c-\u200d]|[\u200c-\u200d](?=$|\p{ASCII})|(?<=^|[\p{ASCII}\u200c-\u200d\ufe0e-\ufe0f])[\ufe0e-\ufe0f]/gu
/** Marks of chat formats, such as `<|system|>`. */
const chatMarks = /<(?=[|｜])|(?<=[|｜])>/g

/** Plain ASCII without anything that could be a mark: most short texts, which need no further work. */
const harmless = /^[\t\n\x20-{}~]*$/
const perhapsMarker = /[uv][^a-z\n]{0,2}n[^a-z\n]{0,2}[t7]/i

/** Makes text of several lines harmless. */
export function neutralize(text: string): string {
  if (harmless.test(text) && !perhapsMarker.test(text)) return text
  const plain = text
    .toWellFormed()
    .replace(escapes, '')
    .replace(lineEnds, '\n')
    .replace(invisible, '')
    .replace(stray, '')
    .replace(chatMarks, '·')
  return withoutMarkers(plain)
}

/** The same for text that belongs on one line. */
export const neutralLine = (text: string): string =>
  isWord.test(text) ? text : neutralize(text).replace(/\s+/g, ' ').trim()

/** An id, a name of a state, or a time. */
const isWord = /^[\w.:@+=/-]{0,200}$/

const spaced = (word: string): string => Array.from(word).join('[^a-z\\n]{0,2}')
const marker = new RegExp(
  `${spaced('untrusted')}(?:[^a-z\\n]{0,3}${spaced('content')})?(?:[^a-z<>\\n][^<>\\n]{0,120}>)?`,
  'g',
)

/** Replaces what looks like the fence: `untrusted` next to a bracket or before `content`, in any letters. */
function withoutMarkers(text: string): string {
  const { folded, positionOf } = foldLetters(text)
  let result = ''
  let end = 0
  for (const { index, 0: found } of folded.matchAll(marker)) {
    const isMarker =
      found.includes('c') ||
      found.endsWith('>') ||
      /[<[{(/\\]\s*$/.test(folded.slice(index - 6 < 0 ? 0 : index - 6, index))
    if (!isMarker) continue
    result += `${text.slice(end, positionOf(index))}(removed marker)`
    end = positionOf(index + found.length)
  }
  return end === 0 ? text : result + text.slice(end)
}

/** The beginning of a text that has at most so many bytes in UTF-8, cut between characters. */
export function cutBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text
  const bytes = Buffer.from(text)
  if (bytes.byteLength <= max) return text
  let end = max
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

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

/** Text as a reader sees it, in plain letters: to find words that are written with letters that only look alike. */
function foldLetters(text: string): Folded {
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
