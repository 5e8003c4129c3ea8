/**
 * Content that was encoded with uuencode (POSIX), which some mailers name as a transfer encoding. A file stands between the
 * lines `begin 644 name` and `end`; each line begins with the count of its bytes.
 */

/** Takes content out of its encoding piece by piece. */
export interface Decoder {
  push(piece: Uint8Array): Buffer
  /** What is left when there is no more. */
  end(): Buffer
}

const NEWLINE = 0x0a
/** What comes before the first line of a file, at most; without one the content is left as it is. */
const MAX_PREAMBLE = 64 * 1024
const BEGIN = /(?:^|\n)begin [0-7]{3,4} [^\n]*\n/

export const isUuencode = (encoding: string): boolean => /^(?:x-)?uue(?:ncode)?$/.test(encoding)

export function decodeUuencode(bytes: Buffer): Buffer {
  const decoder = createUuDecoder()
  return Buffer.concat([decoder.push(bytes), decoder.end()])
}

/** A decoder for content that comes in pieces, cut anywhere. */
export function createUuDecoder(): Decoder {
  let state: 'before' | 'file' | 'after' | 'plain' = 'before'
  let rest: Buffer = Buffer.alloc(0)

  const begin = (isEnd: boolean): Buffer => {
    const text = rest.toString('latin1', 0, MAX_PREAMBLE)
    const found = BEGIN.exec(isEnd ? `${text}\n` : text)
    if (found === null) {
      if (!isEnd && rest.length < MAX_PREAMBLE) return Buffer.alloc(0)
      state = 'plain'
      return take()
    }
    state = 'file'
    rest = rest.subarray(found.index + found[0].length)
    return lines(isEnd)
  }
  const take = (): Buffer => {
    const all = rest
    rest = Buffer.alloc(0)
    return all
  }
  const lines = (isEnd: boolean): Buffer => {
    const pieces: Buffer[] = []
    while (state === 'file' && rest.length > 0) {
      const newline = rest.indexOf(NEWLINE)
      if (newline === -1 && !isEnd) break
      const line = newline === -1 ? rest : rest.subarray(0, newline)
      rest = newline === -1 ? Buffer.alloc(0) : rest.subarray(newline + 1)
      if (/^end\s*$/.test(line.toString('latin1', 0, 8))) state = 'after'
      else pieces.push(decodeLine(line))
    }
    return Buffer.concat(pieces)
  }
  const read = (isEnd: boolean): Buffer => {
    if (state === 'before') return begin(isEnd)
    if (state === 'file') return lines(isEnd)
    return state === 'plain' ? take() : Buffer.alloc(0)
  }
  return {
    push(piece) {
      if (state === 'after') return Buffer.alloc(0)
      rest = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece])
      return read(false)
    },
    end: () => read(true),
  }
}

/** Blanks at the end of a line may have been lost on the way: what is missing is a blank, which is zero. */
function decodeLine(line: Buffer): Buffer {
  const count = ((line[0] ?? 0x20) - 0x20) & 0x3f
  const out = Buffer.alloc(count)
  const digit = (at: number): number =>
    ((at < line.length && line[at] !== 0x0d ? (line[at] ?? 0x20) : 0x20) - 0x20) & 0x3f
  for (let from = 1, to = 0; to < count; from += 4) {
    const bits = (digit(from) << 18) | (digit(from + 1) << 12) | (digit(from + 2) << 6) | digit(from + 3)
    out[to++] = bits >> 16
    if (to < count) out[to++] = (bits >> 8) & 0xff
    if (to < count) out[to++] = bits & 0xff
  }
  return out
}
