/**
 * The egress guard: every connection to a host that somebody else named goes through here.
 *
 * Requests use `undici.request`, which neither follows redirects nor inflates bodies (473 bytes of brotli can be 300
 * MB). A redirect is returned like any other response. A caller that wants to follow it passes the location to
 * `request` again.
 */
import { isIPv4, type Socket } from 'node:net'
import tls from 'node:tls'
import type { buildConnector } from 'undici'
import Agent from 'undici/lib/dispatcher/agent.js'
import { Deadlines } from '../deadlines.ts'
import type { AddressMode } from './addresses.ts'
import { type AllowList, checkAllowed } from './allow.ts'
import { type ConnectionOptions, type EgressConnection, openConnection } from './connection.ts'
import { startDeadline } from './deadline.ts'
import { DeliveryConnections } from './delivery-connections.ts'
import { EgressError, egressError, MAX_HEADER_BYTES } from './error.ts'
import { type EgressRequest, type EgressResponse, exchange, REQUEST_DEADLINE_MS } from './exchange.ts'
import { checkPort, parseHost, parseUrl, type UrlPolicy } from './host.ts'
import { type Destination, type DestinationOptions, openDestination } from './post.ts'
import {
  type Guard,
  interfaceAddresses,
  openSocket,
  openTls,
  type Resolve,
  type ResolvedAddress,
  resolveChecked,
  systemResolve,
} from './socket.ts'

export type { ConnectionOptions, EgressConnection, EgressStream, EgressStreamRequest } from './connection.ts'
export { EgressError, type EgressReason } from './error.ts'
export type { EgressRequest, EgressResponse, StreamedBody } from './exchange.ts'
export type { Destination, DestinationOptions, PostResult } from './post.ts'
export type { ResolvedAddress } from './socket.ts'

const HTTP_PORTS = [443, 80, 8443, 8843, 8080]
const MAIL_PORTS = [143, 993, 25, 465, 587, 2525, 443, 80]
/** NATS, AMQP with TLS, AMQP, and 443, which some providers of brokers offer for networks with a strict firewall. */
const BROKER_PORTS = [4222, 5671, 5672, 443]
const SECURE = 'amqps: or tls:'
const DNS_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 10_000
const CONNECTIONS_PER_ORIGIN = 16
const MAX_POOLED_SOCKETS = 200
const MAX_POST_SOCKETS = 512
const IDLE_MS = 4_000
/**
 * undici closes the connection after a body on a method that normally has none, in case the server left it unread. It
 * does not know that these methods have bodies (RFC 3253, RFC 4791, RFC 5689).
 */
const WITH_BODY: ReadonlySet<string> = new Set(['REPORT', 'MKCALENDAR', 'MKCOL'])

export interface EgressOptions {
  /** Which addresses are allowed. A function is called on every use. */
  readonly mode: AddressMode | (() => AddressMode)
  readonly resolve?: Resolve
  /** Default: 443, 80, 8443, 8843, 8080 in mode `public`, any in mode `private`. */
  readonly httpPorts?: readonly number[]
  /**
   * Ports for `connect` and for clients that open their own sockets. Default: 143, 993, 25, 465, 587, 2525, 443, 80
   * in mode `public`, any in mode `private`.
   */
  readonly mailPorts?: readonly number[]
  /** Ports of `connect` for message brokers. Default: 4222, 5671, 5672, 443 in mode `public`, any in mode `private`. */
  readonly brokerPorts?: readonly number[]
  readonly ownAddresses?: () => readonly string[]
  /** Hosts that may be reached, in addition to the rules of `mode`. Default: all. */
  readonly allow?: AllowList | undefined
  /** Default: only in mode `private`. */
  readonly allowHttp?: boolean
  readonly dnsTimeoutMs?: number
  /**
   * Whether mail servers on this machine may use self-signed certificates in mode `private`: nothing can intercept
   * the connection. Default: no.
   */
  readonly trustLoopback?: boolean
  /** PEM certificates trusted in addition to the system's. */
  readonly ca?: readonly string[]
  /** Maximum number of sockets of all `post` destinations together. Default 512. */
  readonly postSockets?: number
}

export interface EgressTarget {
  readonly host: string
  readonly port: number
  /** Options cannot weaken what every connection requires: a valid certificate for `host` and TLS 1.2. */
  readonly tls?: boolean | tls.ConnectionOptions
  /**
   * What the host is. A broker has its own ports, and like a URL it needs TLS in mode `public`. The value `later`
   * means that the caller calls `startTls` before it sends anything. Default: a mail server.
   */
  readonly broker?: { readonly tls: 'now' | 'later' | 'none' }
  readonly signal?: AbortSignal
  /** Limit for DNS, connect and TLS together. Default 10 s. */
  readonly timeoutMs?: number
}

/** A socket that `connect` opened. */
export type EgressSocket = Socket

/** All methods throw or reject with an `EgressError`. */
export interface Egress extends AsyncDisposable {
  /** Checks what can be decided from the text. The addresses of a name are checked when it is used. */
  checkUrl(text: string | URL): URL
  /**
   * Resolves a host for a client that opens its own socket. The client must connect to one of the returned addresses.
   */
  resolvePublic(host: string, options?: { port?: number; signal?: AbortSignal }): Promise<readonly ResolvedAddress[]>
  /** TLS options for a host, for a client that opens its own socket. */
  secure(host: string): tls.ConnectionOptions
  /** Makes one HTTP exchange. Redirects are not followed. */
  request(request: EgressRequest): Promise<EgressResponse>
  /** Checks a URL like `checkUrl` and returns a destination for many posts, which share its connections. */
  destination(url: string | URL, options?: DestinationOptions): Destination
  /**
   * One connection to the origin of a URL, for servers that authenticate connections instead of requests (NTLM). It
   * carries the requests of one account, one after the other, and opens with the first one.
   */
  connection(url: string | URL, options?: ConnectionOptions): EgressConnection
  /** Opens a socket for a protocol other than HTTP. The caller owns it. */
  connect(target: EgressTarget): Promise<Socket | tls.TLSSocket>
  /** Secures a socket of `connect`. The certificate must be valid for the host. A failure closes the socket. */
  startTls(socket: Socket, target: Pick<EgressTarget, 'host' | 'signal' | 'timeoutMs'>): Promise<tls.TLSSocket>
}

/** Creates the egress guard. Disposing it aborts every running request. */
export function createEgress(options: EgressOptions): Egress {
  const { mode: chosen } = options
  const modeNow = typeof chosen === 'function' ? chosen : () => chosen
  const policyNow = (): UrlPolicy => {
    const mode = modeNow()
    return {
      mode,
      allowHttp: options.allowHttp ?? mode === 'private',
      ports: options.httpPorts ?? (mode === 'public' ? HTTP_PORTS : undefined),
      allow: options.allow,
    }
  }
  const mailPorts = (): readonly number[] | undefined =>
    options.mailPorts ?? (modeNow() === 'public' ? MAIL_PORTS : undefined)
  const brokerPorts = (): readonly number[] | undefined =>
    options.brokerPorts ?? (modeNow() === 'public' ? BROKER_PORTS : undefined)
  const guard: Guard = {
    mode: modeNow,
    resolve: options.resolve ?? systemResolve,
    dnsTimeoutMs: options.dnsTimeoutMs ?? DNS_TIMEOUT_MS,
    ownAddresses: options.ownAddresses ?? interfaceAddresses,
    allow: options.allow,
  }
  const roots: tls.ConnectionOptions =
    options.ca === undefined ? {} : { ca: [...tls.getCACertificates('default'), ...options.ca] }
  let context: tls.SecureContext | undefined
  const closing = new AbortController()
  const pool = openPool({ guard, roots, closing: closing.signal })
  const deliveries = new DeliveryConnections({ guard, roots, limit: options.postSockets ?? MAX_POST_SOCKETS })
  const deadlines = new Deadlines()
  const destinations = new Set<Destination>()
  const connections = new Set<EgressConnection>()

  return {
    checkUrl: (text) => parseUrl(text, policyNow()),

    async resolvePublic(text, { port, signal } = {}) {
      const host = parseHost(text, modeNow())
      if (port !== undefined) checkPort(host, port, mailPorts())
      const ms = guard.dnsTimeoutMs
      const message = `The host was not resolved within ${ms} ms; check its DNS servers`
      using deadline = startDeadline({ ms, message, signals: [signal, closing.signal] })
      return await resolveChecked(guard, { host, port }, deadline.signal)
    },

    secure: (host) => {
      const trusted = options.trustLoopback === true && modeNow() === 'private' && isLoopback(host)
      // Shared by all connections: a context per connection would each hold a copy of the trusted roots.
      context ??= tls.createSecureContext({ ...roots, minVersion: 'TLSv1.2' })
      return { secureContext: context, rejectUnauthorized: !trusted }
    },

    async request(request) {
      const policy = policyNow()
      const allowHttp = policy.allowHttp || (request.unprotected === true && showsNothing(request))
      const url = parseUrl(request.url, { ...policy, allowHttp })
      const ms = request.deadlineMs ?? REQUEST_DEADLINE_MS
      const message = `${url.hostname} did not answer in full within ${ms} ms; make it answer sooner`
      using deadline = startDeadline({ ms, message, signals: [request.signal, closing.signal] })
      deadline.signal.throwIfAborted()
      try {
        const retained = WITH_BODY.has(request.method) ? false : undefined
        const route = { dispatcher: pool.agent, reset: pool.hasSocketFree() ? retained : true }
        return await exchange(route, { ...request, url, deadlineMs: ms, signal: deadline.signal })
      } catch (error) {
        throw egressError(error, url.hostname)
      }
    },

    destination(text, settings) {
      closing.signal.throwIfAborted()
      const destination = openDestination({ pool: deliveries, deadlines }, parseUrl(text, policyNow()), settings)
      const opened: Destination = {
        post: destination.post,
        [Symbol.dispose]() {
          destinations.delete(opened)
          destination[Symbol.dispose]()
        },
      }
      destinations.add(opened)
      return opened
    },

    connection(text, settings) {
      closing.signal.throwIfAborted()
      const tools = {
        guard,
        roots,
        closing: closing.signal,
        checked: (url: string | URL) => parseUrl(url, policyNow()),
        onClosed: () => connections.delete(connection),
      }
      const connection = openConnection(tools, parseUrl(text, policyNow()), settings)
      connections.add(connection)
      return connection
    },

    async connect({ host: text, port, tls: requested, broker, signal, timeoutMs = CONNECT_TIMEOUT_MS }) {
      const host = parseHost(text, modeNow())
      checkPort(host, port, broker ? brokerPorts() : mailPorts())
      if (broker?.tls === 'none' && !policyNow().allowHttp) {
        throw new EgressError(
          'refused_url',
          `${host} may only be reached with TLS; use a URL that starts with ${SECURE}`,
        )
      }
      const wanted = broker?.tls === 'now' ? true : requested
      checkAllowed(options.allow, host, port)
      const message = `No connection to ${host} port ${port} within ${timeoutMs} ms; check that it is up`
      using deadline = startDeadline({ ms: timeoutMs, message, signals: [signal, closing.signal] })
      const secured = wanted ? { ...roots, ...(wanted === true ? {} : wanted) } : undefined
      return await openSocket(guard, { host, port, tls: secured, signal: deadline.signal })
    },

    async startTls(socket, { host, signal, timeoutMs = CONNECT_TIMEOUT_MS }) {
      const message = `No secure connection to ${host} within ${timeoutMs} ms; check that it is up`
      using deadline = startDeadline({ ms: timeoutMs, message, signals: [signal, closing.signal] })
      return await openTls(socket, { host: parseHost(host, modeNow()), tls: roots, signal: deadline.signal })
    },

    async [Symbol.asyncDispose]() {
      closing.abort(new EgressError('aborted', 'The server is stopping; try again later'))
      for (const destination of destinations) destination[Symbol.dispose]()
      deadlines[Symbol.dispose]()
      const closed = [...connections].map((connection) => connection[Symbol.asyncDispose]())
      await Promise.all([pool.agent.destroy(), deliveries.closed(), ...closed])
    },
  }
}

/** Whether a request contains nothing confidential. */
const showsNothing = ({ method, body, headers = {} }: EgressRequest): boolean =>
  method === 'GET' &&
  body === undefined &&
  !Object.keys(headers).some((name) => /^(authorization|proxy-authorization|cookie)$/i.test(name))

/** Whether a host is this machine, judged by its name or address alone. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))

interface Pool {
  readonly agent: Agent
  /** Whether one more idle socket may stay open. */
  hasSocketFree(): boolean
}

function openPool({
  guard,
  roots,
  closing,
}: {
  guard: Guard
  roots: tls.ConnectionOptions
  closing: AbortSignal
}): Pool {
  let sockets = 0

  async function open({ hostname, protocol, port }: buildConnector.Options): Promise<Socket> {
    // The pool shares connections between requests, so connecting has its own deadline.
    const message = `No connection to ${hostname} within ${CONNECT_TIMEOUT_MS} ms; check that it is up`
    using deadline = startDeadline({ ms: CONNECT_TIMEOUT_MS, message, signals: [closing] })
    const secure = protocol === 'https:'
    const socket = await openSocket(guard, {
      host: hostname,
      port: port === '' ? (secure ? 443 : 80) : Number(port),
      tls: secure ? { ...roots, ALPNProtocols: ['http/1.1'] } : undefined,
      signal: deadline.signal,
    })
    sockets += 1
    socket.once('close', () => {
      sockets -= 1
    })
    return socket
  }

  const agent = new Agent({
    connect: (options, callback) => {
      open(options).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(egressError(error, options.hostname), null),
      )
    },
    allowH2: false,
    // One request at a time on a connection; 0 would turn keep-alive off.
    pipelining: 1,
    connections: CONNECTIONS_PER_ORIGIN,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
  })
  return { agent, hasSocketFree: () => sockets < MAX_POOLED_SOCKETS }
}
