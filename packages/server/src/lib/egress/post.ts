// The way out for deliveries: POST of ready bytes, many at once to many destinations, under the guard of `request` and at
// the speed of undici's dispatch. The URL is checked once for a destination; its addresses are for every connection.
//
// An exchange ends in one of three ways: with an answer, with the deadline (over DNS, connect, TLS, head and body), or
// with an error. A connection that was kept alive may be closed by the peer just as a request is put on it; where no byte
// of an answer has come, the exchange is made once more on a fresh connection, within the same deadline.
import type { Dispatcher } from 'undici'
import type { DeadlineGroup, Deadlines, Expiring } from '../deadlines.ts'
import { EgressError, egressError } from './error.ts'
import type { Borrower, Line, Lines, Route } from './lines.ts'

const DEADLINE_MS = 10_000
const CONNECTIONS = 32
/** What is kept of an answer. */
const MAX_KEPT_BYTES = 4_096
/** What is read of an answer, so that its connection can be used again. */
const MAX_READ_BYTES = 65_536
/** And in how many pieces at most: a chunk for every byte would be as much work as megabytes. */
const MAX_READ_PIECES = 1_024
/** Responses before the response (1xx). Each is work for us, and a flood of them would slow down every other exchange. */
const MAX_INFORMATIONAL = 32

export interface DestinationOptions {
  /** Wall-clock time over DNS, connect, TLS, head and body; it may pass a tenth of a second late. Default 10 s. */
  readonly deadlineMs?: number
  /** The most connections to this destination. Default 32. */
  readonly connections?: number
}

export interface PostResult {
  readonly status: number
  /** The header, as it came. */
  readonly retryAfter: string | null
  /** From the call to the end of the answer. */
  readonly latencyMs: number
  /** The start of the body, at most 4 KB, as sent: never inflated. */
  readonly answer: Buffer
  /** Whether there was more of it. */
  readonly truncated: boolean
}

/** Disposing it ends every post under way with the reason `aborted` and closes its connections. */
export interface Destination extends Disposable {
  /**
   * Posts `body`. Every status is an answer, redirects too, and none is followed; everything else rejects with an
   * `EgressError`. The body and the headers must not change until then.
   */
  post(headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<PostResult>
}

export interface DestinationTools {
  readonly lines: Lines
  readonly deadlines: Deadlines
}

/** Opens the way to a URL that has been checked. */
export function openDestination(
  { lines, deadlines }: DestinationTools,
  url: URL,
  { deadlineMs = DEADLINE_MS, connections = CONNECTIONS }: DestinationOptions = {},
): Destination {
  const route: Route = { url, limit: connections, lines: new Set(), idle: [], waiting: new Set(), lent: 0 }
  const way: Way = { route, lines, deadlineMs, path: url.pathname + url.search, running: deadlines.of(deadlineMs) }
  let closed = false
  return {
    post(headers, body) {
      if (closed) return Promise.reject(new EgressError('aborted', `The way to ${url.hostname} has been closed`))
      return new Promise((resolve, reject) => {
        // undici would send it beside a connection that was checked for another name.
        if (namesHost(headers)) {
          throw new EgressError('refused_url', `The host header for ${url.hostname} comes from the URL; leave it out`)
        }
        const exchange = new Exchange(way, { headers, body, resolve, reject })
        lines.lend(route, exchange)
      })
    },
    [Symbol.dispose]() {
      closed = true
      lines.close(route, new EgressError('aborted', `The way to ${url.hostname} was closed before the call was done`))
    },
  }
}

interface Way {
  readonly route: Route
  readonly lines: Lines
  readonly path: string
  readonly deadlineMs: number
  readonly running: DeadlineGroup
}

interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  resolve(result: PostResult): void
  reject(error: EgressError): void
}

/** One post, as undici, the lines and the deadlines see it. */
class Exchange implements Dispatcher.DispatchHandler, Borrower, Expiring {
  ended = false
  readonly endsAt: number
  place: Expiring['place']
  readonly #way: Way
  readonly #post: Post
  readonly #startedAt = performance.now()
  #line: Line | undefined
  #controller: Dispatcher.DispatchController | undefined
  #repeated = false
  /** Whether a byte of the answer has come. */
  #answering = false
  #informational = 0
  #status = 0
  #retryAfter: string | null = null
  #received = 0
  #pieces = 0
  #truncated = false
  #kept: Buffer[] = []

  constructor(way: Way, post: Post) {
    this.#way = way
    this.#post = post
    this.endsAt = this.#startedAt + way.deadlineMs
    way.running.add(this)
  }

  begin(line: Line): void {
    this.#line = line
    this.#dispatch(line)
  }

  expire(): void {
    const { route, deadlineMs } = this.#way
    const { hostname } = route.url
    const error =
      this.#line === undefined
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
    if (this.#line === undefined) this.#way.route.waiting.delete(this)
    else if (this.#controller !== undefined) this.#controller.abort(error)
    else this.#line.connecting?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.ended) controller.abort(new EgressError('aborted', 'Nobody waits for the answer any more'))
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
    const left = MAX_KEPT_BYTES - this.#received
    // A copy: the chunk is a window on all that the socket read.
    if (left > 0) this.#kept.push(Buffer.from(chunk.subarray(0, left)))
    this.#received += chunk.length
    this.#pieces += 1
    if (this.#received <= MAX_READ_BYTES && this.#pieces <= MAX_READ_PIECES) return
    this.#truncated = true
    this.#succeed()
    controller.abort(new EgressError('too_large', 'Enough of the answer has been read'))
  }

  onResponseEnd(): void {
    const line = this.#line
    if (line === undefined) return
    line.used = true
    this.#way.lines.giveBack(line)
    this.#succeed()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const line = this.#line
    if (line === undefined) return
    if (line.used && !this.#answering && !this.#repeated && !this.ended && closedByPeer(error)) {
      this.#repeated = true
      this.#controller = undefined
      // Not at once: undici must be done with the closed connection before.
      queueMicrotask(() => this.#dispatch(line))
      return
    }
    this.#way.lines.retire(line)
    this.end(egressError(error, this.#way.route.url.hostname))
  }

  #dispatch(line: Line): void {
    if (this.ended) {
      this.#way.lines.retire(line)
      return
    }
    const { headers, body } = this.#post
    line.client.dispatch({ path: this.#way.path, method: 'POST', headers, body, blocking: false }, this)
  }

  #succeed(): void {
    if (this.ended) return
    this.#leave()
    const [first = Buffer.alloc(0), ...others] = this.#kept
    this.#post.resolve({
      status: this.#status,
      retryAfter: this.#retryAfter,
      latencyMs: Math.round(performance.now() - this.#startedAt),
      answer: others.length === 0 ? first : Buffer.concat(this.#kept),
      truncated: this.#truncated || this.#received > MAX_KEPT_BYTES,
    })
  }

  #leave(): void {
    this.ended = true
    this.#way.running.delete(this)
  }
}

function namesHost(headers: Readonly<Record<string, string>>): boolean {
  for (const name in headers) if (name.length === 4 && name.toLowerCase() === 'host') return true
  return false
}

/** Whether a connection ended without a word, as one does that was kept alive for too long. */
function closedByPeer(error: Error & { code?: string }): boolean {
  return error.code === 'UND_ERR_SOCKET' || error.code === 'ECONNRESET' || error.code === 'EPIPE'
}
