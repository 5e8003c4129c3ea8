/** Reads lines from a server that sends a greeting, such as a mail server, until a signal aborts. */
import type { Duplex } from 'node:stream'
import { ConnectionFailed } from '@waypost/providers/mail/connection-failed'

/** Maximum length of a line, and of unread data, for any mail server. */
const maxBytes = 65_536

export class Lines {
  readonly #socket: Duplex
  readonly #signal: AbortSignal
  readonly #lines: string[] = []
  #rest = ''
  #bytes = 0
  #failure: unknown
  #waiting: PromiseWithResolvers<string> | undefined

  constructor(socket: Duplex, signal: AbortSignal) {
    this.#socket = socket
    this.#signal = signal
    socket.on('data', this.#hear)
    for (const event of ['end', 'close', 'error']) socket.on(event, this.#close)
    signal.addEventListener('abort', this.#abort)
    if (signal.aborted) this.#abort()
  }

  async next(): Promise<string> {
    const line = this.#lines.shift()
    if (line !== undefined) return line
    if (this.#failure) throw this.#failure
    this.#waiting = Promise.withResolvers()
    return this.#waiting.promise
  }

  write(text: string): void {
    if (this.#socket.writable) this.#socket.write(text)
  }

  /** Releases the socket to another reader. */
  detach(): void {
    this.#socket.off('data', this.#hear)
    for (const event of ['end', 'close']) this.#socket.off(event, this.#close)
    this.#signal.removeEventListener('abort', this.#abort)
  }

  readonly #hear = (chunk: Buffer): void => {
    this.#bytes += chunk.length
    const lines = (this.#rest + chunk.toString('latin1')).split(/\r?\n/)
    this.#rest = lines.pop() ?? ''
    this.#lines.push(...lines)
    if (this.#bytes > maxBytes)
      this.#fail(new ConnectionFailed('protocol', 'the server sent too much data for a mail server'))
    const waiting = this.#waiting
    const line = waiting && this.#lines.shift()
    if (line === undefined) return
    this.#waiting = undefined
    waiting?.resolve(line)
  }

  readonly #close = (): void => this.#fail(new ConnectionFailed('connect', 'the server closed the connection'))

  readonly #abort = (): void => this.#fail(this.#signal.reason)

  #fail(error: unknown): void {
    this.#failure ??= error
    this.#waiting?.reject(this.#failure)
    this.#waiting = undefined
  }
}
