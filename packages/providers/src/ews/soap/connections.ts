/**
 * The connections of an account to its server, cached on this node between requests. NTLM signs in a connection, so
 * it is never used for another account. The server's throttling policy (EwsMaxConcurrency) limits concurrent requests
 * of all clients of the user; we use at most four.
 */

import type { Clock } from '@waypost/platform/clock'
import type { EgressConnection } from '@waypost/platform/egress/egress'
import type { Io } from '../../io.ts'
import { type MailboxLimits, MailboxRequests } from '../../shared/mailbox-requests.ts'
import { PasswordGuard } from './password-guard.ts'
import type { Scheme } from './schemes.ts'

const limits: MailboxLimits = { requests: 4, refusal: { status: 500, reason: 'ErrorServerBusy' } }
/** Reusing a connection saves three round trips; servers close theirs after two minutes. */
const idleMs = 30_000
/** The state of an account is dropped this long after its last request. */
const forgetMs = 60_000

/** A connection, and whether the account is signed in on it. */
export interface Line {
  readonly connection: EgressConnection
  isSignedIn: boolean
  /** Whether it has answered a request. */
  isUsed: boolean
}

export class AccountConnections implements AsyncDisposable {
  readonly requests: MailboxRequests
  readonly cookies = new Cookies()
  readonly password = new PasswordGuard()
  /** The authentication scheme of the account, once it is detected. */
  scheme: Scheme | undefined
  readonly #forget: () => void
  readonly #forgetAfterMs: number
  readonly #idle: Line[] = []
  readonly #lines = new Set<Line>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(forget: () => void = () => {}, forgetAfterMs = forgetMs) {
    this.#forget = forget
    this.#forgetAfterMs = forgetAfterMs
    this.requests = new MailboxRequests(limits, () => {})
  }

  /** Lends a connection to the origin of a URL: an idle one, or a new one. */
  async use<T>(io: Pick<Io, 'connection'>, url: string, work: (line: Line) => Promise<T>): Promise<T> {
    clearTimeout(this.#timer)
    const line = this.#take() ?? this.open(io, url)
    try {
      return await work(line)
    } finally {
      this.#give(line)
    }
  }

  /** A connection that is not shared, such as for a stream; it is closed with the others at the latest. */
  open(io: Pick<Io, 'connection'>, url: string): Line {
    clearTimeout(this.#timer)
    const line: Line = { connection: io.connection(url, { idleMs }), isSignedIn: false, isUsed: false }
    this.#lines.add(line)
    return line
  }

  async close(line: Line): Promise<void> {
    this.#lines.delete(line)
    await line.connection[Symbol.asyncDispose]()
    this.#rest()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#idle.length = 0
    await Promise.all(Array.from(this.#lines, ({ connection }) => connection[Symbol.asyncDispose]()))
    this.#lines.clear()
  }

  /** The most recently used one, so that the others can become idle. */
  #take(): Line | undefined {
    for (let line = this.#idle.pop(); line; line = this.#idle.pop()) {
      if (line.connection.isOpen) return line
      this.#lines.delete(line)
    }
    return undefined
  }

  #give(line: Line): void {
    if (this.#isClosed) void line.connection[Symbol.asyncDispose]()
    else if (line.connection.isOpen) this.#idle.push(line)
    else this.#lines.delete(line)
    this.#rest()
  }

  /** Drops the state once the account was not used for a while. */
  #rest(): void {
    if (this.#isClosed || this.#lines.size > this.#idle.length) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#forget()
      void this[Symbol.asyncDispose]()
    }, this.#forgetAfterMs).unref()
  }
}

const maxCookies = 20
const maxCookie = 4_096

export class Cookies {
  readonly #values = new Map<string, string>()

  /** The header for a request; undefined if there are none. */
  get header(): string | undefined {
    if (this.#values.size === 0) return undefined
    return Array.from(this.#values, ([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Stores the cookies that a server sets, one per header. */
  take(headers: readonly string[], clock: Clock): void {
    for (const header of headers) {
      const [, name, value = '', attributes = ''] = /^\s*([^=;\s]+)=([^;]*)(.*)$/s.exec(header) ?? []
      if (name === undefined || header.length > maxCookie || !isPlain(value)) continue
      this.#values.delete(name)
      if (value !== '' && !hasEnded(attributes, clock)) this.#values.set(name, value.trim())
      if (this.#values.size > maxCookies) this.#values.delete(this.#values.keys().next().value ?? '')
    }
  }

  clear(): void {
    this.#values.clear()
  }
}

/** Whether a value is allowed in a header. */
const isPlain = (value: string): boolean => /^[\x20-\x7e]*$/.test(value)

function hasEnded(attributes: string, clock: Clock): boolean {
  const [, seconds] = /;\s*max-age=(-?\d+)/i.exec(attributes) ?? []
  if (seconds !== undefined) return Number(seconds) <= 0
  const [, expires] = /;\s*expires=([^;]+)/i.exec(attributes) ?? []
  return expires !== undefined && Date.parse(expires) <= clock.now()
}
