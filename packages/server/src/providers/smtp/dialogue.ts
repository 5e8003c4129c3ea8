/**
 * Commands and replies on an open connection to an SMTP server (RFC 5321 §4). Opening it, TLS and login with a password are
 * nodemailer's; the mail transaction is ours, because what may be repeated depends on exactly how far it got.
 */
import type { Duplex } from 'node:stream'

export interface Reply {
  code: number
  /** All lines, without the code. */
  text: string
}

/** The connection broke, was closed or fell silent. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** No reply is longer; a server that goes on is none. */
const replyBytes = 65_536
/** Nor does one answer before it is asked. */
const maxReplies = 2_000
const notSmtp = 'the server does not answer as a mail server does'

export class Dialogue {
  readonly #socket: Duplex
  #rest = ''
  #lines: string[] = []
  /** Of the reply that is being heard. */
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

  /** Writes bytes, and waits where the server takes them slowly. */
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
    const timer = setTimeout(() => this.end('the server fell silent'), ms)
    try {
      return await listener.promise
    } finally {
      clearTimeout(timer)
      this.#listener = undefined
    }
  }

  /** Ends the connection at once. */
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

/** A reply has no declared charset; today it is UTF-8 where it is not ASCII. */
function readable(text: string): string {
  const decoded = Buffer.from(text, 'latin1').toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}

const stuffedAtOnce = 65_536

/**
 * A message as it goes over the wire, without the dot that ends it (RFC 5321 §4.5.2): lines end with CRLF, however they
 * ended before, and a dot at the beginning of a line is doubled.
 */
export function* onTheWire(source: Uint8Array): Generator<Uint8Array> {
  let last = 0x0a
  for (let from = 0, to = 0; from < source.length; from = to) {
    // Whole lines, where they are not longer than a part.
    const end = source.lastIndexOf(0x0a, from + stuffedAtOnce - 1) + 1
    to = end > from && from + stuffedAtOnce < source.length ? end : from + stuffedAtOnce
    const part = source.subarray(from, to)
    if (isPlain(part, last)) {
      last = 0x0a
      yield part
      continue
    }
    const pieces: Uint8Array[] = []
    let kept = 0
    for (let at = 0; at < part.length; at++) {
      const byte = part[at]
      const before = at === 0 ? last : part[at - 1]
      const inserted = insertion(before, byte)
      if (inserted === undefined) continue
      pieces.push(part.subarray(kept, at), inserted)
      kept = at
    }
    pieces.push(part.subarray(kept))
    last = part.at(-1) ?? last
    yield pieces.length === 1 ? part : Buffer.concat(pieces)
  }
  if (last === 0x0d) yield Buffer.from('\n')
  else if (last !== 0x0a) yield Buffer.from('\r\n')
}

/** Whether a part goes as it is: its lines are whole and end with CRLF, and none begins with a dot. */
function isPlain(part: Uint8Array, before: number): boolean {
  if (before !== 0x0a || part[0] === 0x2e || part.at(-1) !== 0x0a) return false
  // A text is searched several times as fast as bytes are.
  const text = Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1')
  if (text.includes('\n.')) return false
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
    if (text.charCodeAt(at - 1) !== 0x0d) return false
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1))
    if (text.charCodeAt(at + 1) !== 0x0a) return false
  return true
}

const [LF, CR, DOT] = ['\n', '\r', '.'].map((text) => Buffer.from(text))
const LF_DOT = Buffer.from('\n.')

/** What must stand between two bytes. A lone CR may be the end of a line for others, so it becomes one. */
function insertion(before: number | undefined, byte: number | undefined): Uint8Array | undefined {
  if (before === 0x0d && byte !== 0x0a) return byte === 0x2e ? LF_DOT : LF
  if (byte === 0x0a) return before === 0x0d ? undefined : CR
  return byte === 0x2e && before === 0x0a ? DOT : undefined
}
