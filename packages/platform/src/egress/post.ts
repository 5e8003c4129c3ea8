/**
 * Outgoing POST requests for webhook deliveries: many at once to many destinations, with the guard of `request` and
 * the speed of undici's dispatch. The URL is checked once per destination, its addresses for every connection.
 *
 * An exchange ends with a response, with the deadline (over DNS, connect, TLS, headers and body), or with an error.
 * The server may close a kept-alive connection just as a request is written to it. If no byte of a response has
 * arrived, the exchange is repeated once on a new connection, within the same deadline.
 */
import type { Dispatcher } from 'undici'
import type { DeadlineGroup, Deadlines, Expiring } from '../deadlines.ts'
import type { Borrower, DeliveryConnection, DeliveryConnections, Route } from './delivery-connections.ts'
import { EgressError, egressError } from './error.ts'

const DEADLINE_MS = 10_000
const CONNECTIONS = 32
/** Bytes of a response body that are returned, unless the destination says otherwise. */
const KEPT_BYTES = 4_096
/** Bytes of a response body that are read, so that its connection can be reused. */
const MAX_READ_BYTES = 65_536
/** Maximum number of chunks that are read: one chunk per byte would cost as much work as megabytes. */
const MAX_READ_PIECES = 1_024
/** Maximum number of informational responses (1xx). A flood of them would slow down every other exchange. */
const MAX_INFORMATIONAL = 32

export interface DestinationOptions {
  /** Limit for DNS, connect, TLS, headers and body together. It can fire a tenth of a second late. Default 10 s. */
  readonly deadlineMs?: number
  /** Maximum number of connections to this destination. Default 32. */
  readonly connections?: number
  /** Bytes of a response body that are returned, at most 64 KB. Default 4 KB. */
  readonly retainedBytes?: number
}

export interface PostResult {
  readonly status: number
  /** The Retry-After header, unparsed. */
  readonly retryAfter: string | null
  /** Time from the call to the end of the response. */
  readonly latencyMs: number
  /** The start of the body, at most 4 KB or `keptBytes`, as sent: never inflated. */
  readonly answer: Buffer
  /** Whether the body was longer. */
  readonly truncated: boolean
}

/** Disposing it aborts every running post with the reason `aborted` and closes its connections. */
export interface Destination extends Disposable {
  /**
   * Posts `body`. Resolves with any status, including redirects, which are not followed. All other outcomes reject
   * with an `EgressError`. The caller must not change the body and the headers until then.
   */
  post(headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<PostResult>
}

export interface DestinationTools {
  readonly pool: DeliveryConnections
  readonly deadlines: Deadlines
}

/** Creates a destination for a checked URL. */
export function openDestination(
  { pool, deadlines }: DestinationTools,
  url: URL,
  { deadlineMs = DEADLINE_MS, connections = CONNECTIONS, retainedBytes = KEPT_BYTES }: DestinationOptions = {},
): Destination {
  const route: Route = { url, limit: connections, connections: new Set(), idle: [], waiting: new Set(), lent: 0 }
  const path = url.pathname + url.search
  const target: PostTarget = { route, pool, deadlineMs, retainedBytes, path, running: deadlines.of(deadlineMs) }
  let closed = false
  return {
    post(headers, body) {
      if (closed) return Promise.reject(new EgressError('aborted', `The destination ${url.hostname} has been closed`))
      return new Promise((resolve, reject) => {
        // undici would send it on a connection that was checked for another name.
        if (namesHost(headers)) {
          throw new EgressError('refused_url', `The host header for ${url.hostname} comes from the URL; leave it out`)
        }
        const exchange = new Exchange(target, { headers, body, resolve, reject })
        pool.lend(route, exchange)
      })
    },
    [Symbol.dispose]() {
      closed = true
      pool.close(
        route,
        new EgressError('aborted', `The destination ${url.hostname} was closed before the call was complete`),
      )
    },
  }
}

interface PostTarget {
  readonly route: Route
  readonly pool: DeliveryConnections
  readonly path: string
  readonly deadlineMs: number
  readonly retainedBytes: number
  readonly running: DeadlineGroup
}

interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  resolve(result: PostResult): void
  reject(error: EgressError): void
}

/** One post, as seen by undici, the connections and the deadlines. */
class Exchange implements Dispatcher.DispatchHandler, Borrower, Expiring {
  ended = false
  readonly endsAt: number
  place: Expiring['place']
  readonly #target: PostTarget
  readonly #post: Post
  readonly #startedAt = performance.now()
  #connection: DeliveryConnection | undefined
  #controller: Dispatcher.DispatchController | undefined
  #repeated = false
  /** Whether a byte of the response has arrived. */
  #answering = false
  #informational = 0
  #status = 0
  #retryAfter: string | null = null
  #received = 0
  #pieces = 0
  #truncated = false
  #retained: Buffer[] = []

  constructor(target: PostTarget, post: Post) {
    this.#target = target
    this.#post = post
    this.endsAt = this.#startedAt + target.deadlineMs
    target.running.add(this)
  }

  begin(connection: DeliveryConnection): void {
    this.#connection = connection
    this.#dispatch(connection)
  }

  expire(): void {
    const { route, deadlineMs } = this.#target
    const { hostname } = route.url
    const error =
      this.#connection === undefined
        ? new EgressError(
            'overloaded',
            `No connection to ${hostname} was free within ${deadlineMs} ms; post less at once`,
          )
        : new EgressError(
            'timeout',
            `${hostname} did not answer in full within ${deadlineMs} ms; make it answer sooner`,
          )
    this.end(error)
  }

  end(error: EgressError): void {
    if (this.ended) return
    this.#leave()
    this.#post.reject(error)
    if (this.#connection === undefined) this.#target.route.waiting.delete(this)
    else if (this.#controller !== undefined) this.#controller.abort(error)
    else this.#connection.connecting?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.ended) controller.abort(new EgressError('aborted', 'The caller no longer waits for the response'))
  }

  onResponseStarted(): void {
    this.#answering = true
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      this.#informational += 1
      if (this.#informational > MAX_INFORMATIONAL) controller.abort(new Error('too many informational responses'))
      return
    }
    this.#status = status
    const retryAfter = headers['retry-after']
    if (retryAfter !== undefined) this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : retryAfter[0]
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const left = this.#target.retainedBytes - this.#received
    // A copy, because the chunk is a view of the socket's whole read buffer.
    if (left > 0) this.#retained.push(Buffer.from(chunk.subarray(0, left)))
    this.#received += chunk.length
    this.#pieces += 1
    if (this.#received <= MAX_READ_BYTES && this.#pieces <= MAX_READ_PIECES) return
    this.#truncated = true
    this.#succeed()
    controller.abort(new EgressError('too_large', 'Enough of the answer has been read'))
  }

  onResponseEnd(): void {
    const connection = this.#connection
    if (connection === undefined) return
    connection.used = true
    this.#target.pool.giveBack(connection)
    this.#succeed()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const connection = this.#connection
    if (connection === undefined) return
    if (connection.used && !this.#answering && !this.#repeated && !this.ended && closedByPeer(error)) {
      this.#repeated = true
      this.#controller = undefined
      // Deferred, because undici must finish with the closed connection first.
      queueMicrotask(() => this.#dispatch(connection))
      return
    }
    this.#target.pool.retire(connection)
    this.end(egressError(error, this.#target.route.url.hostname))
  }

  #dispatch(connection: DeliveryConnection): void {
    if (this.ended) {
      this.#target.pool.retire(connection)
      return
    }
    const { headers, body } = this.#post
    connection.client.dispatch({ path: this.#target.path, method: 'POST', headers, body, blocking: false }, this)
  }

  #succeed(): void {
    if (this.ended) return
    this.#leave()
    const [first = Buffer.alloc(0), ...others] = this.#retained
    this.#post.resolve({
      status: this.#status,
      retryAfter: this.#retryAfter,
      latencyMs: Math.round(performance.now() - this.#startedAt),
      answer: others.length === 0 ? first : Buffer.concat(this.#retained),
      truncated: this.#truncated || this.#received > this.#target.retainedBytes,
    })
  }

  #leave(): void {
    this.ended = true
    this.#target.running.delete(this)
  }
}

function namesHost(headers: Readonly<Record<string, string>>): boolean {
  for (const name in headers) if (name.length === 4 && name.toLowerCase() === 'host') return true
  return false
}

/** Whether the server closed the connection silently, as after a keep-alive timeout. */
function closedByPeer(error: Error & { code?: string }): boolean {
  return error.code === 'UND_ERR_SOCKET' || error.code === 'ECONNRESET' || error.code === 'EPIPE'
}
