// The connections of the deliveries. A line is one connection at a time to one destination: an undici `Client`, which
// reconnects when it must. Lines are lent to one exchange after the other, the one used last first, so that those that are
// not needed fall idle and close.
//
// There is a limit for a destination and one for all. So that destinations which hang cannot take every line, a destination
// may have only an eighth of the lines that are not lent (and always one): with n greedy ones each gets 1/(n+8) of all, and
// the rest stays free for the others. When no line is left, the one that has been idle longest makes room.
import type tls from 'node:tls'
import Client from 'undici/lib/dispatcher/client.js'
import { EgressError, egressError, MAX_HEADER_BYTES } from './error.ts'
import { portOf } from './host.ts'
import { type Guard, openSocket, type Resolve, type ResolvedAddress } from './socket.ts'

const IDLE_MS = 4_000
const SHARE_SHIFT = 3
const OWN_ADDRESSES_MS = 1_000

/** What a line is lent to. */
export interface Borrower {
  /** Whether it has ended, by its deadline or because nobody waits for it any more. */
  readonly ended: boolean
  /** Called once, when a line is free. */
  begin(line: Line): void
  /** Ends it, with the line it has or while it waits for one. */
  end(error: EgressError): void
}

export interface Line {
  readonly client: Client
  readonly route: Route
  borrower: Borrower | undefined
  /** Whether its connection has carried an answer, so that the peer may have meant to close it. */
  used: boolean
  /** Ends the attempt to connect that is under way. */
  connecting: AbortController | undefined
  retired: boolean
}

/** The lines of one destination. */
export interface Route {
  readonly url: URL
  /** The most lines it may have. */
  readonly limit: number
  readonly lines: Set<Line>
  /** The one used last at the end. */
  readonly idle: Line[]
  readonly waiting: Set<Borrower>
  lent: number
}

export interface LinesOptions {
  readonly guard: Guard
  readonly roots: tls.ConnectionOptions
  /** The most lines, and so sockets, over all destinations. */
  readonly limit: number
}

export class Lines {
  readonly #guard: Guard
  readonly #roots: tls.ConnectionOptions
  readonly #limit: number
  /** The one that has been idle longest first. */
  readonly #idle = new Set<Line>()
  readonly #waiting = new Set<Route>()
  readonly #closing = new Set<Promise<void>>()
  #open = 0
  #lent = 0

  constructor({ guard, roots, limit }: LinesOptions) {
    this.#guard = {
      ...guard,
      resolve: resolvingOnce(guard.resolve),
      ownAddresses: remembering(guard.ownAddresses, OWN_ADDRESSES_MS),
    }
    this.#roots = roots
    this.#limit = limit
  }

  /** Lends a line at once, or as soon as there is one. */
  lend(route: Route, borrower: Borrower): void {
    const line = route.waiting.size === 0 ? this.#take(route) : undefined
    if (line === undefined) {
      route.waiting.add(borrower)
      this.#waiting.add(route)
      return
    }
    line.borrower = borrower
    borrower.begin(line)
  }

  /** Takes back a line that is fit for another exchange. */
  giveBack(line: Line): void {
    if (line.retired) return
    this.#returned(line)
    line.route.idle.push(line)
    this.#idle.add(line)
    this.#serveSoon()
  }

  /** Closes a line, idle or lent. */
  retire(line: Line): void {
    if (line.retired) return
    line.retired = true
    const { route, client } = line
    if (line.borrower !== undefined) this.#returned(line)
    else if (this.#idle.delete(line)) route.idle.splice(route.idle.indexOf(line), 1)
    route.lines.delete(line)
    this.#open -= 1
    line.connecting?.abort(new EgressError('aborted', `The connection to ${route.url.hostname} is not needed any more`))
    const closed: Promise<void> = client.destroy().finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
    this.#serveSoon()
  }

  /** Ends what is under way on a route, and what waits for it. */
  close(route: Route, error: EgressError): void {
    for (const borrower of route.waiting) borrower.end(error)
    this.#waiting.delete(route)
    for (const line of route.lines) {
      line.borrower?.end(error)
      this.retire(line)
    }
  }

  /** Resolves when the sockets of all retired lines are closed. */
  async closed(): Promise<void> {
    await Promise.all(this.#closing)
  }

  #take(route: Route): Line | undefined {
    const share = Math.max(1, (this.#limit - this.#lent) >> SHARE_SHIFT)
    if (route.lent >= route.limit || route.lent >= share) return undefined
    let line = route.idle.pop()
    if (line !== undefined) this.#idle.delete(line)
    else if (this.#open < this.#limit || this.#makeRoom()) line = this.#create(route)
    else return undefined
    route.lent += 1
    this.#lent += 1
    return line
  }

  #returned(line: Line): void {
    line.borrower = undefined
    line.route.lent -= 1
    this.#lent -= 1
  }

  #makeRoom(): boolean {
    for (const oldest of this.#idle) {
      this.retire(oldest)
      return true
    }
    return false
  }

  /** Not at once: undici must be done with the exchange before. */
  #serveSoon(): void {
    if (this.#waiting.size > 0) queueMicrotask(() => this.#serve())
  }

  /** Hands out what is free to those who wait, one each in turn. */
  #serve(): void {
    for (const route of [...this.#waiting]) {
      const [first] = route.waiting
      const line = first && this.#take(route)
      if (first !== undefined && line === undefined) continue
      this.#waiting.delete(route)
      if (first === undefined || line === undefined) continue
      route.waiting.delete(first)
      if (route.waiting.size > 0) this.#waiting.add(route)
      line.borrower = first
      first.begin(line)
      this.#serveSoon()
    }
  }

  #create(route: Route): Line {
    const client = new Client(route.url.origin, {
      connect: (_options, callback) => {
        this.#connect(line).then(
          (socket) => callback(null, socket),
          (error: unknown) => callback(egressError(error, route.url.hostname), null),
        )
      },
      allowH2: false,
      // One request at a time on a connection; 0 would turn keep-alive off.
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // The deadline of the exchange is over head and body.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const line: Line = { client, route, borrower: undefined, used: false, connecting: undefined, retired: false }
    client.on('disconnect', () => {
      if (line.borrower === undefined) this.retire(line)
    })
    route.lines.add(line)
    this.#open += 1
    return line
  }

  /** The borrower's deadline is over the connection too, because ending it aborts `line.connecting`. */
  async #connect(line: Line) {
    const { url } = line.route
    if (line.borrower === undefined || line.borrower.ended || line.retired) {
      throw new EgressError('aborted', `The connection to ${url.hostname} is not needed any more`)
    }
    const connecting = new AbortController()
    line.used = false
    line.connecting = connecting
    try {
      return await openSocket(this.#guard, {
        host: url.hostname,
        port: portOf(url),
        tls: url.protocol === 'https:' ? { ...this.#roots, ALPNProtocols: ['http/1.1'] } : undefined,
        signal: connecting.signal,
      })
    } finally {
      line.connecting = undefined
    }
  }
}

/** Asks once for all who want the same name at the same time: the system's resolver has four threads for everybody. */
function resolvingOnce(resolve: Resolve): Resolve {
  const asked = new Map<string, Promise<ResolvedAddress[]>>()
  return (host) => {
    const known = asked.get(host)
    if (known !== undefined) return known
    const answer = resolve(host).finally(() => asked.delete(host))
    asked.set(host, answer)
    return answer
  }
}

/** Asking the system costs more than the rest of a connection. */
function remembering<T>(ask: () => T, ms: number): () => T {
  let known: { readonly value: T; readonly until: number } | undefined
  return () => {
    const now = performance.now()
    if (known === undefined || now >= known.until) known = { value: ask(), until: now + ms }
    return known.value
  }
}
