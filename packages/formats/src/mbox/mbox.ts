/**
 * Writes messages as an mbox file in mboxrd form (RFC 4155 and its references): every message begins with a `From `
 * line and ends with an empty line; lines end in LF; a line of `From ` behind any number of `>` gets one more `>`. So
 * the text of a message can never begin another message, and readers can undo the quoting exactly.
 */

export interface Envelope {
  /** The sender, if it is known. */
  from?: string | undefined
  /** When the message arrived, in Unix seconds. */
  at: number
}

const LF = 0x0a
const CR = 0x0d
const QUOTE = 0x3e
const FROM = Buffer.from('From ')
const pieceBytes = 64 * 1024

/** `From sender Thu Jan  1 00:00:00 1970`. The sender is one word, because a blank ends it. */
export function fromLine({ from, at }: Envelope): string {
  const sender = from !== undefined && from.length <= 320 && /^[!-~]+$/.test(from) ? from : 'MAILER-DAEMON'
  const date = new Date(at * 1000)
  const isDate = !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999
  // `Thu, 01 Jan 1970 00:00:00 GMT`
  const [day = '', number = '', month = '', year = '', time = ''] = (isDate ? date : new Date(0))
    .toUTCString()
    .split(/,? /)
  return `From ${sender} ${day} ${month} ${String(Number(number)).padStart(2)} ${time} ${year}\n`
}

/** A message as a part of an mbox file, in pieces. Memory holds one piece, whatever the size of the message. */
export async function* mboxParts(
  message: Uint8Array | AsyncIterable<Uint8Array>,
  envelope: Envelope,
): AsyncGenerator<Buffer> {
  yield Buffer.from(fromLine(envelope))
  if (message instanceof Uint8Array) yield* quotedLines(bufferOf(message), { isStart: true })
  else yield* quotedStream(message)
  yield Buffer.from('\n')
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Complete lines, each ended by LF. `isStart` is false if the first one began in an earlier piece. */
function* quotedLines(source: Buffer, { isStart }: { isStart: boolean }): Generator<Buffer> {
  let piece = Buffer.allocUnsafe(pieceBytes)
  let used = 0
  for (let begin = 0; begin < source.length; ) {
    const found = source.indexOf(LF, begin)
    const end = found === -1 ? source.length : found
    const line = source.subarray(begin, end > begin && source[end - 1] === CR ? end - 1 : end)
    const needed = line.length + 2
    if (used + needed > piece.length) {
      if (used > 0) yield piece.subarray(0, used)
      piece = Buffer.allocUnsafe(Math.max(pieceBytes, needed))
      used = 0
    }
    if ((begin > 0 || isStart) && isFromLine(line)) piece[used++] = QUOTE
    used += line.copy(piece, used)
    piece[used++] = LF
    begin = end + 1
  }
  yield piece.subarray(0, used)
}

async function* quotedStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0)
  let isStart = true
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk])
    const end = held.lastIndexOf(LF) + 1
    if (end > 0) {
      yield* quotedLines(held.subarray(0, end), { isStart })
      held = held.subarray(end)
      isStart = true
    }
    if (held.length <= pieceBytes) continue
    // A long line. What follows may still decide whether its beginning is quoted, and a CR may belong to its end.
    const quotes: number = isStart ? quotesOf(held) : 0
    const isDecided: boolean = held.length > quotes + FROM.length
    if (isStart && isDecided && isFromLine(held)) yield Buffer.from('>')
    const ready = (isDecided ? held.length : quotes) - 1
    yield held.subarray(0, ready)
    held = held.subarray(ready)
    isStart &&= !isDecided
  }
  if (held.length > 0) yield* quotedLines(held, { isStart })
}

/** The number of quoting signs at the beginning. One more is the same anywhere among them. */
function quotesOf(line: Buffer): number {
  let at = 0
  while (line[at] === QUOTE) at += 1
  return at
}

function isFromLine(line: Buffer): boolean {
  const at = quotesOf(line)
  return line.length >= at + FROM.length && line.compare(FROM, 0, FROM.length, at, at + FROM.length) === 0
}
