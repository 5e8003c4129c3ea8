/**
 * Decodes charsets that switch alphabets with escape sequences: ISO 2022 in the forms of RFC 1468 and RFC 1554
 * (Japanese), RFC 1557 (Korean) and RFC 1922 (Chinese), and HZ (RFC 1843). Node supports only the first and treats
 * consecutive escapes as an error; neither Node nor iconv-lite supports the others. The alphabets are those of the
 * EUC charsets without the eighth bit, which Node decodes.
 *
 * Text arrives in pieces, the encoded words of a header (RFC 2047 §3: each starts and ends in ASCII). Some mailers
 * split within a character, or omit the escapes at the end of one word and the start of the next.
 */

type Alphabet = 'ascii' | 'jisx0208' | 'jisx0212' | 'kana' | 'ksx1001' | 'gb2312' | 'latin1'

const ESC = 0x1b
const SHIFT_OUT = 0x0e
const SHIFT_IN = 0x0f
const TILDE = 0x7e

/** The text after ESC, its alphabet, and the register it selects. */
const ESCAPES: readonly (readonly [escape: string, alphabet: Alphabet, place: 'g0' | 'g1' | 'g2'])[] = [
  ['(B', 'ascii', 'g0'],
  ['(J', 'ascii', 'g0'],
  ['(H', 'ascii', 'g0'],
  ['(I', 'kana', 'g0'],
  ['$@', 'jisx0208', 'g0'],
  ['$B', 'jisx0208', 'g0'],
  ['$(B', 'jisx0208', 'g0'],
  ['$(Q', 'jisx0208', 'g0'],
  ['$(O', 'jisx0208', 'g0'],
  ['$(D', 'jisx0212', 'g0'],
  ['$A', 'gb2312', 'g0'],
  ['$(A', 'gb2312', 'g0'],
  ['$(C', 'ksx1001', 'g0'],
  ['$)C', 'ksx1001', 'g1'],
  ['$)A', 'gb2312', 'g1'],
  ['.A', 'latin1', 'g2'],
]
const PAIRS: ReadonlySet<Alphabet> = new Set(['jisx0208', 'jisx0212', 'ksx1001', 'gb2312'])
const [EUC_JP, LATIN] = [new TextDecoder('euc-jp'), new TextDecoder('windows-1252')]
const DECODERS: Readonly<Record<Alphabet, TextDecoder>> = {
  ascii: LATIN,
  jisx0208: EUC_JP,
  jisx0212: EUC_JP,
  kana: EUC_JP,
  ksx1001: new TextDecoder('euc-kr'),
  gb2312: new TextDecoder('gb18030'),
  latin1: LATIN,
}
/** The EUC prefix of a character from an alphabet that is not the first. */
const PREFIXES: Partial<Record<Alphabet, number>> = { jisx0212: 0x8f, kana: 0x8e }

export const isStateful = (label: string): boolean => /^(?:cs)?iso-?2022-?(?:jp|kr|cn)|^hz(?:-gb-2312)?$/.test(label)

/** Decodes pieces in one of these charsets. */
export function decodeStateful(pieces: readonly Buffer[], label: string): string {
  const reader = label.startsWith('hz') ? new HzReader() : new Iso2022Reader(label.includes('kr') ? 'ksx1001' : 'ascii')
  for (const [index, piece] of pieces.entries()) {
    if (index > 0 && !(reader.isShifted && (reader.hasHalf || goesOn(pieces, index)))) reader.reset()
    reader.read(piece)
  }
  return reader.end()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes and shifts are control characters
const SWITCH = /\x1b(?:\([BJHI]|\$[@ABC()])|[\x0e\x0f]|~[{}]/
/** Maximum number of pieces searched for a switch back to ASCII. */
const MAX_AHEAD = 20

/**
 * Whether the following pieces return to ASCII before they leave it, which means that they started in another
 * alphabet.
 */
function goesOn(pieces: readonly Buffer[], from: number): boolean {
  for (const piece of pieces.slice(from, from + MAX_AHEAD)) {
    const [next] = SWITCH.exec(piece.toString('latin1')) ?? []
    if (next !== undefined) return next === '\x0f' || next === '~}' || /[BJH]$/.test(next.slice(1).replace('$B', ''))
  }
  return false
}

/** Collects characters of one alphabet and decodes them when another one follows. */
abstract class Reader {
  #text = ''
  #alphabet: Alphabet = 'ascii'
  #bytes: number[] = []
  #half: number | undefined

  abstract get isShifted(): boolean
  abstract reset(): void
  abstract read(piece: Buffer): void

  get hasHalf(): boolean {
    return this.#half !== undefined
  }

  protected put(byte: number, alphabet: Alphabet): void {
    if (alphabet !== this.#alphabet) {
      this.#flush()
      this.#alphabet = alphabet
    }
    if (PAIRS.has(alphabet)) {
      if (this.#half === undefined) {
        this.#half = byte
        return
      }
      this.#keep(this.#half, byte)
      this.#half = undefined
    } else this.#keep(byte)
  }

  end(): string {
    this.#flush()
    return this.#text
  }

  #keep(...character: number[]): void {
    const prefix = PREFIXES[this.#alphabet]
    if (prefix !== undefined) this.#bytes.push(prefix)
    for (const byte of character) this.#bytes.push(this.#alphabet === 'ascii' ? byte : byte | 0x80)
  }

  #flush(): void {
    if (this.#bytes.length > 0) this.#text += DECODERS[this.#alphabet].decode(Buffer.from(this.#bytes))
    if (this.#half !== undefined) this.#text += '\ufffd'
    this.#bytes = []
    this.#half = undefined
  }
}

class Iso2022Reader extends Reader {
  #g0: Alphabet = 'ascii'
  #g1: Alphabet
  #g2: Alphabet = 'latin1'
  #isOut = false

  constructor(g1: Alphabet) {
    super()
    this.#g1 = g1
  }

  get isShifted(): boolean {
    return this.#g0 !== 'ascii' || this.#isOut
  }

  reset(): void {
    this.#g0 = 'ascii'
    this.#isOut = false
  }

  read(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      const byte = piece[at] ?? 0
      if (byte === ESC) at = this.#escape(piece, at + 1)
      else {
        this.#take(byte)
        at++
      }
    }
  }

  /** The position after an escape. Unknown escapes are skipped. */
  #escape(piece: Buffer, at: number): number {
    const written = piece.toString('latin1', at, at + 3)
    const [known, alphabet, place] = ESCAPES.find(([each]) => written.startsWith(each)) ?? []
    if (known === undefined || alphabet === undefined) {
      // A single shift: the next byte belongs to the third alphabet.
      if (written[0] === 'N' && piece[at + 1] !== undefined) this.put(piece[at + 1] ?? 0, this.#g2)
      return written[0] === 'N' ? at + 2 : at
    }
    if (place === 'g0') this.#g0 = alphabet
    else if (place === 'g1') this.#g1 = alphabet
    else this.#g2 = alphabet
    return at + known.length
  }

  #take(byte: number): void {
    if (byte === SHIFT_OUT || byte === SHIFT_IN) this.#isOut = byte === SHIFT_OUT
    // Spaces and line ends are the same in every alphabet. A shift ends with its line (RFC 1557).
    else if (byte <= 0x20) {
      if (byte === 0x0a) this.#isOut = false
      this.put(byte, 'ascii')
    } else if (byte >= 0x80) this.put(byte, 'kana')
    else this.put(byte, this.#isOut && this.#g1 !== 'ascii' ? this.#g1 : this.#g0)
  }
}

class HzReader extends Reader {
  #isGb = false
  #tilde = false

  get isShifted(): boolean {
    return this.#isGb
  }

  reset(): void {
    this.#isGb = false
  }

  read(piece: Buffer): void {
    for (const byte of piece) {
      if (this.#tilde) this.#afterTilde(byte)
      else if (byte === TILDE && !this.hasHalf) this.#tilde = true
      else this.#take(byte)
    }
  }

  #afterTilde(byte: number): void {
    this.#tilde = false
    if (byte === 0x7b) this.#isGb = true
    else if (byte === 0x7d) this.#isGb = false
    else if (byte === TILDE) this.put(TILDE, 'ascii')
    else if (byte !== 0x0a) this.#take(byte)
  }

  #take(byte: number): void {
    if (byte === 0x0a) this.#isGb = false
    this.put(byte, byte > 0x20 && (this.#isGb || byte >= 0x80) ? 'gb2312' : 'ascii')
  }
}

/**
 * Joins pieces of UTF-7 (RFC 2152). Base64 that is open at the end of a piece goes on in the next one only if it ends
 * within a character.
 */
export function joinUtf7(pieces: readonly Buffer[]): Buffer {
  const joined: Buffer[] = []
  let digits: number | undefined
  for (const piece of pieces) {
    joined.push(piece)
    digits = openDigits(piece.toString('latin1'), digits)
    if (digits === undefined || digits === 0 || (digits * 6) % 16 >= 6) continue
    joined.push(END_OF_BASE64)
    digits = undefined
  }
  return Buffer.concat(joined)
}

const END_OF_BASE64 = Buffer.from('-')

/** How many digits of base64 are open at the end of a text; undefined if none is. */
function openDigits(text: string, before: number | undefined): number | undefined {
  let from = text.length
  while (from > 0 && /[A-Za-z0-9+/]/.test(text[from - 1] ?? '')) from--
  if (from === 0 && before !== undefined) return before + text.length
  // The first plus opens. Another one is a digit.
  const plus = text.indexOf('+', from)
  return plus === -1 ? undefined : text.length - plus - 1
}
