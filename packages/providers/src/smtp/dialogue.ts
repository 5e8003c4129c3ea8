/**
 * Commands and replies on an open SMTP connection (RFC 5321 §4). nodemailer opens it, starts TLS and logs in. The
 * mail transaction is implemented here, because what may be repeated depends on exactly how far it got.
 */
import type { Duplex } from 'node:stream'

export interface Reply {
  code: number
  /** All lines, without the code. */
  text: string
}

/** The connection broke, was closed or became silent. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** No valid reply is longer. */
const replyBytes = 65_536
/** A server must not reply before a command. */
const maxReplies = 2_000
const notSmtp = 'the server does not respond like a mail server'

export class Dialogue {
  readonly #socket: Duplex
  #rest = ''
  #lines: string[] = []
  /** Lines of the reply that is being received. */
  #bytes = 0
  readonly #replies: Reply[] = []
  #listener: PromiseWithResolvers<Reply> | undefined
  #lost: ConnectionLost | undefined

  constructor(socket: Duplex) {
    this.#socket = socket
    socket.removeAllListeners('data')
    socket.on('data', (chunk: Buffer) => this.#hear(chunk.toString('latin1')))
    socket.on('error', () => this.#lose('the connection broke'))
    socket.on('close', () => this.#lose('the server closed the connection'))
    socket.on('end', () => this.#lose('the server closed the connection'))
  }

  get isOpen(): boolean {
    return !this.#lost && this.#socket.writable
  }

  /** Sends commands and waits for the reply to each. */
  async ask(commands: readonly string[], ms: number): Promise<Reply[]> {
    this.#throwIfLost()
    this.#socket.write(commands.map((command) => `${command}\r\n`).join(''))
    const replies: Reply[] = []
    while (replies.length < commands.length) replies.push(await this.reply(ms))
    return replies
  }

  /** Writes bytes, and waits while the server reads slowly. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#throwIfLost()
    if (this.#socket.write(bytes)) return
    await new Promise<void>((resolve, reject) => {
      const done = (): void => {
        this.#socket.off('drain', done)
        this.#socket.off('close', done)
        if (this.#lost) reject(this.#lost)
        else resolve()
      }
      this.#socket.on('drain', done)
      this.#socket.on('close', done)
    })
  }

  async reply(ms: number): Promise<Reply> {
    const ready = this.#replies.shift()
    if (ready) return ready
    this.#throwIfLost()
    const listener = Promise.withResolvers<Reply>()
    this.#listener = listener
    const timer = setTimeout(() => this.end('the server stopped responding'), ms)
    try {
      return await listener.promise
    } finally {
      clearTimeout(timer)
      this.#listener = undefined
    }
  }

  /** Closes the connection at once. */
  end(why: string): void {
    this.#lose(why)
    this.#socket.destroy()
  }

  #throwIfLost(): void {
    if (this.#lost) throw this.#lost
  }

  #hear(words: string): void {
    const lines = (this.#rest + words).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#hearLine(line.replace(/\r$/, ''))
    if (this.#rest.length > replyBytes || this.#replies.length > maxReplies) this.end(notSmtp)
  }

  #hearLine(line: string): void {
    const [, code = '', more, text = ''] = /^(\d{3})(?:([ -])(.*))?$/.exec(line) ?? []
    this.#bytes += line.length
    if (code === '' || this.#bytes > replyBytes) {
      this.end(notSmtp)
      return
    }
    this.#lines.push(text)
    if (more === '-') return
    this.#bytes = 0
    const reply = { code: Number(code), text: readable(this.#lines.splice(0).join(' ')) }
    if (this.#listener) this.#listener.resolve(reply)
    else this.#replies.push(reply)
    this.#listener = undefined
  }

  #lose(why: string): void {
    this.#lost ??= new ConnectionLost(why)
    this.#listener?.reject(this.#lost)
    this.#listener = undefined
  }
}

/** Replies declare no charset; non-ASCII ones are UTF-8 today. */
function readable(text: string): string {
  const decoded = Buffer.from(text, 'latin1').toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}

const stuffedAtOnce = 65_536

/**
 * A message in wire format without the final dot (RFC 5321 §4.5.2): every line ends with CRLF, and a dot at the
 * beginning of a line is doubled.
 */
export function* onTheWire(source: Uint8Array): Generator<Uint8Array> {
  let last = 0x0a
  for (let from = 0, to = 0; from < source.length; from = to) {
    // Whole lines, unless they are longer than a part.
    const end = source.lastIndexOf(0x0a, from + stuffedAtOnce - 1) + 1
    to = end > from && from + stuffedAtOnce < source.length ? end : from + stuffedAtOnce
    const part = source.subarray(from, to)
    if (isPlain(part, last)) {
      last = 0x0a
      yield part
      continue
    }
    const pieces: Uint8Array[] = []
    let retained = 0
    for (let at = 0; at < part.length; at++) {
      const byte = part[at]
      const before = at === 0 ? last : part[at - 1]
      const inserted = insertion(before, byte)
      if (inserted === undefined) continue
      pieces.push(part.subarray(retained, at), inserted)
      retained = at
    }
    pieces.push(part.subarray(retained))
    last = part.at(-1) ?? last
    yield pieces.length === 1 ? part : Buffer.concat(pieces)
  }
  if (last === 0x0d) yield Buffer.from('\n')
  else if (last !== 0x0a) yield Buffer.from('\r\n')
}

/** Whether a part needs no change: its lines are complete, end with CRLF, and none begins with a dot. */
function isPlain(part: Uint8Array, before: number): boolean {
  if (before !== 0x0a || part[0] === 0x2e || part.at(-1) !== 0x0a) return false
  // Searching a string is several times faster than searching bytes.
  const text = Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1')
  if (text.includes('\n.')) return false
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
    if (text.charCodeAt(at - 1) !== 0x0d) return false
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1))
    if (text.charCodeAt(at + 1) !== 0x0a) return false
  return true
}

const [lineFeed, carriageReturn, dot] = ['\n', '\r', '.'].map((text) => Buffer.from(text))
const lineFeedDot = Buffer.from('\n.')

/** The bytes to insert between two bytes. Some servers treat a lone CR as a line end, so it becomes one. */
function insertion(before: number | undefined, byte: number | undefined): Uint8Array | undefined {
  if (before === 0x0d && byte !== 0x0a) return byte === 0x2e ? lineFeedDot : lineFeed
  if (byte === 0x0a) return before === 0x0d ? undefined : carriageReturn
  return byte === 0x2e && before === 0x0a ? dot : undefined
}
