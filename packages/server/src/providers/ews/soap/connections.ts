/**
 * The connections of an account to its server, kept on this node between requests. A connection that NTLM signed in on
 * belongs to the account; none is ever used for another. How many requests are made at a time is bounded by the throttling
 * policy of the server (EwsMaxConcurrency), which counts all clients of the user: four are left to us.
 */
import type { EgressConnection } from '../../../lib/egress/egress.ts'
import type { Io } from '../../io.ts'
import { type MailboxLimits, MailboxRequests } from '../../shared/mailbox-requests.ts'
import { Cookies } from './cookies.ts'
import { PasswordGuard } from './password-guard.ts'
import type { Scheme } from './schemes.ts'

const limits: MailboxLimits = { requests: 4, refusal: { status: 500, reason: 'ErrorServerBusy' } }
/** A connection that is used again saves three round trips; servers keep theirs for two minutes. */
const idleMs = 30_000
/** What is remembered of an account goes a minute after its last request. */
const forgetMs = 60_000

/** A connection, and whether the account is signed in on it. */
export interface Line {
  readonly connection: EgressConnection
  isSignedIn: boolean
  /** Whether a request was answered on it. */
  isUsed: boolean
}

export class AccountConnections implements AsyncDisposable {
  readonly requests: MailboxRequests
  readonly cookies = new Cookies()
  readonly password = new PasswordGuard()
  /** How the account signs in, where that is found out. */
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

  /** Lends a connection to the origin of a URL: one that is open and idle, or a new one. */
  async use<T>(io: Pick<Io, 'connection'>, url: string, work: (line: Line) => Promise<T>): Promise<T> {
    clearTimeout(this.#timer)
    const line = this.#take() ?? this.open(io, url)
    try {
      return await work(line)
    } finally {
      this.#give(line)
    }
  }

  /** A connection that nobody else is lent, such as for a stream; it is closed with the others at the latest. */
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

  /** The one that was used last: the others may go idle. */
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

  /** Once nobody has used the account for a while, nothing is kept. */
  #rest(): void {
    if (this.#isClosed || this.#lines.size > this.#idle.length) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#forget()
      void this[Symbol.asyncDispose]()
    }, this.#forgetAfterMs).unref()
  }
}
