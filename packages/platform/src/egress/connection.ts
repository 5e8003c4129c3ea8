/**
 * One HTTP/1.1 connection that belongs to one account. With connection-based authentication (NTLM, RFC 4559), every
 * request on the connection acts as the account that signed in. So the connection is never shared and never reopened
 * implicitly. The egress guard, deadlines and limits are those of `request`.
 */
import type { Socket } from 'node:net'
import { TLSSocket, type ConnectionOptions as TlsOptions } from 'node:tls'
import type { Dispatcher } from 'undici'
import Client from 'undici/lib/dispatcher/client.js'
import { startDeadline } from './deadline.ts'
import { EgressError, egressError, MAX_HEADER_BYTES } from './error.ts'
import {
  answerTo,
  definedHeaders,
  type EgressRequest,
  type EgressResponse,
  type Exchange,
  exchange,
  REQUEST_DEADLINE_MS,
} from './exchange.ts'
import { portOf } from './host.ts'
import { type Guard, openSocket } from './socket.ts'

const IDLE_MS = 30_000
const SILENCE_MS = 120_000
const LIFETIME_MS = 3_600_000
const MAX_STREAM_BYTES = 64 * 1024 * 1024

export interface ConnectionOptions {
  /** How long an idle connection stays open. Default 30 s. */
  readonly idleMs?: number
}

export interface EgressStreamRequest extends Omit<EgressRequest, 'onOverflow'> {
  /** Maximum time between two chunks of the body. Default 120 s. */
  readonly silenceMs?: number
  /** Maximum duration of the response. Default one hour. */
  readonly lifetimeMs?: number
}

/** A response whose body is streamed. `deadlineMs` applies to its headers. Disposing it closes the connection. */
export interface EgressStream extends AsyncDisposable {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: AsyncIterable<Buffer>
}

/**
 * All methods throw or reject with an `EgressError`. Disposing the connection aborts running requests with the reason
 * `aborted`.
 */
export interface EgressConnection extends AsyncDisposable {
  /** Whether it can be used. It opens with the first request. Once closed by either side, it stays closed. */
  readonly isOpen: boolean
  /** The server's certificate (DER). Undefined before the first request and without TLS. */
  readonly certificate: Buffer | undefined
  /** Makes one HTTP exchange. Only one can run at a time. The URL must have the connection's origin. */
  request(request: EgressRequest): Promise<EgressResponse>
  /** Same as `request`, with a streamed body. */
  stream(request: EgressStreamRequest): Promise<EgressStream>
}

export interface ConnectionTools {
  readonly guard: Guard
  readonly roots: TlsOptions
  readonly closing: AbortSignal
  /** Checks a URL. The rules may have changed since the connection was opened. */
  checked(url: string | URL): URL
  onClosed(): void
}

/** Creates a connection to the origin of a checked URL. */
export function openConnection(tools: ConnectionTools, url: URL, options: ConnectionOptions = {}): EgressConnection {
  return new Connection(tools, url, options)
}

class Connection implements EgressConnection {
  readonly #tools: ConnectionTools
  readonly #origin: URL
  readonly #client: Client
  readonly #ending = new AbortController()
  #socket: Socket | undefined
  #state: 'new' | 'opening' | 'open' | 'closed' = 'new'
  #isBusy = false

  constructor(tools: ConnectionTools, url: URL, { idleMs = IDLE_MS }: ConnectionOptions) {
    this.#tools = tools
    this.#origin = url
    this.#client = new Client(url.origin, {
      connect: (_options, callback) => {
        this.#connect().then(
          (socket) => callback(null, socket),
          (error: unknown) => callback(egressError(error, url.hostname), null),
        )
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
    })
  }

  get isOpen(): boolean {
    return this.#state !== 'closed'
  }

  get certificate(): Buffer | undefined {
    return this.#socket instanceof TLSSocket ? this.#socket.getPeerCertificate().raw : undefined
  }

  async request(request: EgressRequest): Promise<EgressResponse> {
    const url = this.#begin(request)
    const deadlineMs = request.deadlineMs ?? REQUEST_DEADLINE_MS
    using deadline = this.#deadline(deadlineMs, request.signal)
    try {
      const work: Exchange = { ...request, url, deadlineMs, signal: deadline.signal }
      const answer = await exchange({ dispatcher: this.#client }, work)
      if (answer.truncated || /^close$/i.test(`${answer.headers.connection ?? ''}`)) await this.#close()
      return answer
    } catch (error) {
      await this.#close()
      throw egressError(error, this.#origin.hostname)
    } finally {
      this.#isBusy = false
    }
  }

  async stream({ silenceMs = SILENCE_MS, lifetimeMs = LIFETIME_MS, ...request }: EgressStreamRequest) {
    const url = this.#begin(request)
    const deadlineMs = request.deadlineMs ?? REQUEST_DEADLINE_MS
    const lifetime = this.#deadline(lifetimeMs, request.signal)
    try {
      using head = startDeadline({
        ms: deadlineMs,
        message: `${url.hostname} did not begin to answer within ${deadlineMs} ms`,
        signals: [lifetime.signal],
      })
      const work: Exchange = { ...request, url, deadlineMs, signal: lifetime.signal }
      const answer = await Promise.race([
        answerTo({ dispatcher: this.#client }, work, silenceMs),
        rejected(head.signal),
      ])
      return this.#streamed(answer, lifetime, request.maxBytes ?? MAX_STREAM_BYTES)
    } catch (error) {
      lifetime[Symbol.dispose]()
      await this.#close()
      throw egressError(error, this.#origin.hostname)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new EgressError('aborted', `The connection to ${this.#origin.hostname} was closed`))
    await this.#close()
  }

  #streamed(answer: Dispatcher.ResponseData, lifetime: Disposable, maxBytes: number): EgressStream {
    const end = async (isWhole: boolean): Promise<void> => {
      lifetime[Symbol.dispose]()
      this.#isBusy = false
      if (!isWhole) await this.#close()
    }
    return {
      status: answer.statusCode,
      headers: definedHeaders(answer.headers),
      body: piecesOf(answer.body, { host: this.#origin.hostname, maxBytes, end }),
      [Symbol.asyncDispose]: () => end(false),
    }
  }

  /** Reserves the connection for a request and checks the URL. */
  #begin({ url: text }: Pick<EgressRequest, 'url'>): URL {
    const { hostname, origin } = this.#origin
    const url = this.#tools.checked(text)
    if (url.origin !== origin) {
      throw new EgressError('refused_url', `The connection to ${hostname} cannot be used for another host`)
    }
    if (!this.isOpen) throw closedBefore(hostname)
    if (this.#isBusy) throw new EgressError('overloaded', `The connection to ${hostname} is in use`)
    this.#isBusy = true
    return url
  }

  #deadline(ms: number, signal: AbortSignal | undefined) {
    const message = `${this.#origin.hostname} did not answer in full within ${ms} ms; make it answer sooner`
    return startDeadline({ ms, message, signals: [signal, this.#ending.signal, this.#tools.closing] })
  }

  /** Opens the socket, once. */
  async #connect(): Promise<Socket> {
    const { hostname, protocol } = this.#origin
    // undici would reopen a closed connection, and nobody is signed in on the new one.
    if (this.#state !== 'new') throw closedBefore(hostname)
    this.#state = 'opening'
    const { guard, roots, closing } = this.#tools
    // The request's deadline limits the wait: it closes the connection.
    const signal = AbortSignal.any([closing, this.#ending.signal])
    const tls = protocol === 'https:' ? { ...roots, ALPNProtocols: ['http/1.1'] } : undefined
    const socket = await openSocket(guard, { host: hostname, port: portOf(this.#origin), tls, signal })
    if (!this.isOpen) {
      socket.destroy()
      throw closedBefore(hostname)
    }
    this.#socket = socket
    this.#state = 'open'
    socket.once('close', () => this.#closed())
    return socket
  }

  #closed(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#tools.onClosed()
  }

  async #close(): Promise<void> {
    this.#closed()
    this.#ending.abort(closedBefore(this.#origin.hostname))
    await this.#client.destroy()
  }
}

/** Nothing was sent, so the request may be retried on another connection. */
const closedBefore = (host: string): EgressError =>
  new EgressError('connect_failed', `${host} has closed the connection; open another`)

const rejected = (signal: AbortSignal): Promise<never> => {
  const { promise, reject } = Promise.withResolvers<never>()
  if (signal.aborted) reject(signal.reason)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}

async function* piecesOf(
  body: Dispatcher.ResponseData['body'],
  { host, maxBytes, end }: { host: string; maxBytes: number; end(isWhole: boolean): Promise<void> },
): AsyncGenerator<Buffer> {
  let left = maxBytes
  let isWhole = false
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      left -= piece.length
      if (left < 0) throw new EgressError('too_large', `${host} answered with more than ${maxBytes} bytes; send less`)
      yield piece
    }
    isWhole = true
  } catch (error) {
    throw egressError(error, host)
  } finally {
    await end(isWhole)
  }
}
