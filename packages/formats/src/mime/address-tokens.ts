/**
 * Splits an address list into tokens (RFC 5322 §3.2) in linear time, whatever a stranger writes. A stranger can open
 * quotes, comments and brackets that never close. So the scanner first computes, from the end of the text, where the
 * text closes at each position. It never searches the same characters again.
 */

export type Kind = 'text' | 'quoted' | 'comment' | 'angle' | 'mark'

export interface Token {
  readonly kind: Kind
  /** Without its delimiters and escapes. */
  readonly value: string
}

/** A longer one is text whose delimiters mean nothing. No program writes one. */
const MAX_ENCLOSED = 1200
const NONE = -1

/** An encoded word, a separator, a domain in brackets, or other text. The next `?` or bracket ends each attempt. */
const OTHER = /(=\?[^?\s]{1,60}\?[bq]\?[^?]{0,2000}\?=)|([,;:])|(\[[^\][\s]{0,300}\])|([^\s"(),:;<>[\]=]+|[\s\S])/giy

export function* tokensOf(value: string): Generator<Token> {
  const closing = closingOf(value)
  let text = ''
  for (let at = 0; at < value.length; ) {
    const enclosed = enclosedAt(value, at, closing)
    OTHER.lastIndex = at
    const found = enclosed ? undefined : OTHER.exec(value)
    at = enclosed ? enclosed.end : OTHER.lastIndex
    const mark = found?.[2]
    if (!enclosed && mark === undefined) {
      text += found?.[0] ?? ''
      continue
    }
    if (text !== '') yield { kind: 'text', value: text }
    text = ''
    yield enclosed?.token ?? { kind: 'mark', value: mark ?? '' }
  }
  if (text !== '') yield { kind: 'text', value: text }
}

/** Where quotes, comments and brackets that contain a position close; -1 if they do not. */
interface Closing {
  readonly quote: Int32Array
  readonly comment: Int32Array
  readonly angle: Int32Array
}

function closingOf(value: string): Closing {
  const end = value.length
  const [quote, comment, angle] = [0, 1, 2].map(() => new Int32Array(end + 2).fill(NONE)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  // Brackets that never close end with the text.
  angle[end] = end
  const after = (table: Int32Array, close: number | undefined): number =>
    close === undefined || close === NONE ? NONE : (table[close + 1] ?? NONE)
  for (let at = end - 1; at >= 0; at--) {
    const next = at + (value[at] === '\\' ? 2 : 1)
    quote[at] = value[at] === '"' ? at : (quote[next] ?? NONE)
    comment[at] = value[at] === ')' ? at : value[at] === '(' ? after(comment, comment[at + 1]) : (comment[next] ?? NONE)
    angle[at] = closingAngle(value[at], at, { quote, angle, after })
  }
  return { quote, comment, angle }
}

function closingAngle(
  character: string | undefined,
  at: number,
  {
    quote,
    angle,
    after,
  }: Pick<Closing, 'quote' | 'angle'> & { after: (table: Int32Array, close: number | undefined) => number },
): number {
  if (character === '>') return at
  if (character === '<') return NONE
  return character === '"' ? after(angle, quote[at + 1]) : (angle[at + 1] ?? NONE)
}

const KINDS: Readonly<Record<string, keyof Closing>> = { '"': 'quote', '(': 'comment', '<': 'angle' }

/** The quoted text, comment or bracket that opens at a position and closes near enough. */
function enclosedAt(value: string, at: number, closing: Closing): { token: Token; end: number } | undefined {
  const kind = KINDS[value[at] ?? '']
  const close = kind ? (closing[kind][at + 1] ?? NONE) : NONE
  if (!kind || close === NONE || close - at > MAX_ENCLOSED) return undefined
  const inner = value.slice(at + 1, close)
  return {
    token:
      kind === 'angle'
        ? { kind, value: inner }
        : { kind: kind === 'quote' ? 'quoted' : kind, value: inner.replaceAll(/\\([\s\S])/g, '$1') },
    end: close + 1,
  }
}
