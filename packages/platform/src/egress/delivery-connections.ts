/**
 * Connections for webhook deliveries. Each is an undici `Client`, which reconnects by itself, and belongs to one
 * destination. The most recently used connection is lent first, so that surplus connections become idle and close.
 *
 * Connections are limited per destination and in total. A destination may hold at most an eighth of the connections
 * that are free (and always one), so destinations that hang cannot take them all: with n greedy destinations each
 * gets 1/(n+8) of the total. When no connection is left, the one that has been idle longest is closed.
 */
import type tls from 'node:tls'
import Client from 'undici/lib/dispatcher/client.js'
import { EgressError, egressError, MAX_HEADER_BYTES } from './error.ts'
import { portOf } from './host.ts'
import { type Guard, openSocket, type Resolve, type ResolvedAddress } from './socket.ts'

const IDLE_MS = 4_000
const SHARE_SHIFT = 3
const OWN_ADDRESSES_MS = 1_000

/** The exchange that a connection is lent to. */
export interface Borrower {
  /** Whether it has ended, by its deadline or because it was aborted. */
  readonly ended: boolean
  /** Called once, when a connection is free. */
  begin(connection: DeliveryConnection): void
  /** Ends the exchange, whether it has a connection or is still waiting for one. */
  end(error: EgressError): void
}

export interface DeliveryConnection {
  readonly client: Client
  readonly route: Route
  borrower: Borrower | undefined
  /** Whether the connection has carried a response, so that the server may have closed it intentionally. */
  used: boolean
  /** Aborts the running connection attempt. */
  connecting: AbortController | undefined
  retired: boolean
}

/** The connections of one destination. */
export interface Route {
  readonly url: URL
  /** Maximum number of connections of this destination. */
  readonly limit: number
  readonly connections: Set<DeliveryConnection>
  /** Most recently used last. */
  readonly idle: DeliveryConnection[]
  readonly waiting: Set<Borrower>
  lent: number
}

export interface DeliveryConnectionsOptions {
  readonly guard: Guard
  readonly roots: tls.ConnectionOptions
  /** Maximum number of connections, and so of sockets, over all destinations. */
  readonly limit: number
}

export class DeliveryConnections {
  readonly #guard: Guard
  readonly #roots: tls.ConnectionOptions
  readonly #limit: number
  /** Longest idle first. */
  readonly #idle = new Set<DeliveryConnection>()
  readonly #waiting = new Set<Route>()
  readonly #closing = new Set<Promise<void>>()
  #open = 0
  #lent = 0

  constructor({ guard, roots, limit }: DeliveryConnectionsOptions) {
    this.#guard = {
      ...guard,
      resolve: resolvingOnce(guard.resolve),
      ownAddresses: remembering(guard.ownAddresses, OWN_ADDRESSES_MS),
    }
    this.#roots = roots
    this.#limit = limit
  }

  /** Lends a connection now, or as soon as one is free. */
  lend(route: Route, borrower: Borrower): void {
    const connection = route.waiting.size === 0 ? this.#take(route) : undefined
    if (connection === undefined) {
      route.waiting.add(borrower)
      this.#waiting.add(route)
      return
    }
    connection.borrower = borrower
    borrower.begin(connection)
  }

  /** Returns a connection that can carry another exchange. */
  giveBack(connection: DeliveryConnection): void {
    if (connection.retired) return
    this.#returned(connection)
    connection.route.idle.push(connection)
    this.#idle.add(connection)
    this.#serveSoon()
  }

  /** Closes a connection, idle or lent. */
  retire(connection: DeliveryConnection): void {
    if (connection.retired) return
    connection.retired = true
    const { route, client } = connection
    if (connection.borrower !== undefined) this.#returned(connection)
    else if (this.#idle.delete(connection)) route.idle.splice(route.idle.indexOf(connection), 1)
    route.connections.delete(connection)
    this.#open -= 1
    connection.connecting?.abort(
      new EgressError('aborted', `The connection to ${route.url.hostname} is no longer needed`),
    )
    const closed: Promise<void> = client.destroy().finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
    this.#serveSoon()
  }

  /** Ends the running and waiting exchanges of a destination. */
  close(route: Route, error: EgressError): void {
    for (const borrower of route.waiting) borrower.end(error)
    this.#waiting.delete(route)
    for (const connection of route.connections) {
      connection.borrower?.end(error)
      this.retire(connection)
    }
  }

  /** Resolves when the sockets of all closed connections are closed. */
  async closed(): Promise<void> {
    await Promise.all(this.#closing)
  }

  #take(route: Route): DeliveryConnection | undefined {
    const share = Math.max(1, (this.#limit - this.#lent) >> SHARE_SHIFT)
    if (route.lent >= route.limit || route.lent >= share) return undefined
    let connection = route.idle.pop()
    if (connection !== undefined) this.#idle.delete(connection)
    else if (this.#open < this.#limit || this.#makeRoom()) connection = this.#create(route)
    else return undefined
    route.lent += 1
    this.#lent += 1
    return connection
  }

  #returned(connection: DeliveryConnection): void {
    connection.borrower = undefined
    connection.route.lent -= 1
    this.#lent -= 1
  }

  #makeRoom(): boolean {
    for (const oldest of this.#idle) {
      this.retire(oldest)
      return true
    }
    return false
  }

  /** Deferred, because undici must finish the exchange first. */
  #serveSoon(): void {
    if (this.#waiting.size > 0) queueMicrotask(() => this.#serve())
  }

  /** Gives free connections to waiting exchanges, one destination after the other. */
  #serve(): void {
    for (const route of [...this.#waiting]) {
      const [first] = route.waiting
      const connection = first && this.#take(route)
      if (first !== undefined && connection === undefined) continue
      this.#waiting.delete(route)
      if (first === undefined || connection === undefined) continue
      route.waiting.delete(first)
      if (route.waiting.size > 0) this.#waiting.add(route)
      connection.borrower = first
      first.begin(connection)
      this.#serveSoon()
    }
  }

  #create(route: Route): DeliveryConnection {
    const client = new Client(route.url.origin, {
      connect: (_options, callback) => {
        this.#connect(connection).then(
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
      // The exchange's deadline covers headers and body.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection: DeliveryConnection = {
      client,
      route,
      borrower: undefined,
      used: false,
      connecting: undefined,
      retired: false,
    }
    client.on('disconnect', () => {
      if (connection.borrower === undefined) this.retire(connection)
    })
    route.connections.add(connection)
    this.#open += 1
    return connection
  }

  /** The borrower's deadline also covers connecting, because ending the borrower aborts `connection.connecting`. */
  async #connect(connection: DeliveryConnection) {
    const { url } = connection.route
    if (connection.borrower === undefined || connection.borrower.ended || connection.retired) {
      throw new EgressError('aborted', `The connection to ${url.hostname} is no longer needed`)
    }
    const connecting = new AbortController()
    connection.used = false
    connection.connecting = connecting
    try {
      return await openSocket(this.#guard, {
        host: url.hostname,
        port: portOf(url),
        tls: url.protocol === 'https:' ? { ...this.#roots, ALPNProtocols: ['http/1.1'] } : undefined,
        signal: connecting.signal,
      })
    } finally {
      connection.connecting = undefined
    }
  }
}

/** Concurrent lookups of the same name share one query: the system's resolver has four threads in total. */
function resolvingOnce(resolve: Resolve): Resolve {
  const requested = new Map<string, Promise<ResolvedAddress[]>>()
  return (host) => {
    const known = requested.get(host)
    if (known !== undefined) return known
    const answer = resolve(host).finally(() => requested.delete(host))
    requested.set(host, answer)
    return answer
  }
}

/** Reading the network interfaces costs more than the rest of a connection. */
function remembering<T>(ask: () => T, ms: number): () => T {
  let known: { readonly value: T; readonly until: number } | undefined
  return () => {
    const now = performance.now()
    if (known === undefined || now >= known.until) known = { value: ask(), until: now + ms }
    return known.value
  }
}
