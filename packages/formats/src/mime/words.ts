/**
 * Encoded words in headers (RFC 2047). Read with a scanner of our own, because mailers break the rules in ways that matter:
 * a character is split over two words, so that neighbours in one charset are decoded together (decodePieces);
 * question marks stand unencoded; a word has blanks in it.
 */
import { decodePieces } from './charset.ts'
import { decodeBase64 } from './encoding.ts'

interface Word {
  charset: string
  bytes: Buffer
  end: number
}

const ESCAPE = /=([0-9A-Fa-f]{2})/g

/** The value of a header with its encoded words decoded; what is no encoded word stays as it is. */
export function decodeWords(value: string): string {
  let begin = value.indexOf('=?')
  if (begin === -1) return value
  const out: string[] = []
  let charset = ''
  let pending: Buffer[] = []
  const flush = (): void => {
    if (pending.length > 0) out.push(decodePieces(pending, charset))
    pending = []
  }
  let done = 0
  while (begin !== -1) {
    const word = readWord(value, begin)
    if (word === undefined) {
      begin = value.indexOf('=?', begin + 2)
      continue
    }
    const between = value.slice(done, begin)
    // Blanks between two words only fold the line.
    const joined = pending.length > 0 && between.trim() === ''
    if (!joined || word.charset !== charset) flush()
    if (!joined) out.push(between)
    charset = word.charset
    pending.push(word.bytes)
    done = word.end
    begin = value.indexOf('=?', done)
  }
  flush()
  out.push(value.slice(done))
  return out.join('')
}

const MAX_CHARSET = 60

/** `=?charset*language?B?text?=` at `begin`. */
function readWord(value: string, begin: number): Word | undefined {
  const first = begin + 2
  const nameEnd = value.indexOf('?', first)
  if (nameEnd <= first || nameEnd - first > MAX_CHARSET || value[nameEnd + 2] !== '?') return undefined
  const kind = value[nameEnd + 1]
  const base64 = kind === 'B' || kind === 'b'
  if (!base64 && kind !== 'Q' && kind !== 'q') return undefined
  const from = nameEnd + 3
  const end = wordEnd(value, from)
  if (end === -1) return undefined
  const name = value.slice(first, nameEnd)
  const text = value.slice(from, end)
  const language = name.indexOf('*')
  return {
    charset: (language === -1 ? name : name.slice(0, language)).toLowerCase(),
    bytes: base64 ? decodeBase64(Buffer.from(text, 'latin1')) : decodeQ(text),
    end: end + 2,
  }
}

/** Where the `?=` of a word is. A word that was never closed does not swallow the next, so that the scan ends there. */
function wordEnd(value: string, from: number): number {
  for (let at = value.indexOf('?', from); at !== -1; at = value.indexOf('?', at + 1)) {
    if (value[at + 1] === '=') return at
    if (at > from && value[at - 1] === '=') return -1
  }
  return -1
}

function decodeQ(text: string): Buffer {
  const plain = text.replaceAll('_', ' ')
  // Characters above 255 in a word come of headers with bare UTF-8; their bytes are that.
  const bytes = /[^\0-\x7f]/.test(plain) ? Buffer.from(plain, 'utf8').toString('latin1') : plain
  return Buffer.from(
    bytes.replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  )
}
