/** Requests of a connection: read from `node:http` on demand, and answered in one piece. */
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpRequest, HttpResponse } from './http.ts'

/** What a client may still send of a request that was answered early; beyond it the connection is closed. */
const unread = { milliseconds: 60_000, bytes: 67_108_864 }

/** The target of a request as path and query; undefined if it is neither a path nor a URL. */
export function targetOf({ url = '', headers }: IncomingMessage): string | undefined {
  if (url.charCodeAt(0) === 0x2f) return headers.host === undefined || headers.host === '' ? undefined : url
  const address = /^https?:\/\//i.test(url) ? URL.parse(url) : null
  return address ? `${address.pathname}${address.search}` : undefined
}

export class NodeRequest implements HttpRequest {
  readonly method: string
  readonly target: string
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  #signal: AbortSignal | undefined

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, target: string) {
    this.method = incoming.method ?? 'GET'
    this.target = target
    this.#incoming = incoming
    this.#outgoing = outgoing
  }

  get remoteAddress(): string | undefined {
    return this.#incoming.socket.remoteAddress
  }

  get httpVersion(): string {
    return this.#incoming.httpVersion
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#outgoing)
    return this.#signal
  }

  get headerNames(): readonly string[] {
    return Object.keys(this.#incoming.headers)
  }

  header(name: string): string | null {
    const value = this.#incoming.headers[name]
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
  }

  bytes(max: number, arrived?: (size: number) => void): Promise<Uint8Array | undefined> {
    return readIncoming(this.#incoming, max, arrived)
  }

  stream(): AsyncIterable<Uint8Array> {
    // The connection stays open if the reader stops, because the request must still be answered.
    return this.#incoming.iterator({ destroyOnReturn: false })
  }
}

function signalOf(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const leave = (): void => {
    if (!outgoing.writableFinished) gone.abort(new Error('the client went away'))
  }
  if (outgoing.destroyed) leave()
  else outgoing.once('close', leave)
  return gone.signal
}

/** Time for a body that is held in memory. Streams have a limit of their own. */
const bodyMs = 60_000

/** Ends a request that arrives too slowly, as Node does. */
function tooSlow({ socket }: IncomingMessage): void {
  const error = Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  const { server } = socket as typeof socket & { server?: EventEmitter }
  if (!server?.emit('clientError', error, socket)) socket.destroy(error)
}

function readIncoming(
  incoming: IncomingMessage,
  max: number,
  arrived?: (size: number) => void,
): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const timer = setTimeout(tooSlow, bodyMs, incoming).unref()
    const end = (): void => {
      clearTimeout(timer)
      incoming.off('data', take).off('end', whole).off('error', fail).off('close', cut)
    }
    const take = (chunk: Uint8Array): void => {
      size += chunk.byteLength
      chunks.push(chunk)
      if (size <= max) {
        reported()
        return
      }
      end()
      incoming.pause()
      resolve(undefined)
    }
    const reported = (): void => {
      try {
        arrived?.(size)
      } catch (error) {
        incoming.pause()
        fail(error)
      }
    }
    const whole = (): void => {
      end()
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    }
    const fail = (error: unknown): void => {
      end()
      reject(error)
    }
    const cut = (): void => fail(new Error('the connection ended within the body'))
    incoming.on('data', take).once('end', whole).once('error', fail).once('close', cut)
    if (incoming.destroyed) cut()
  })
}

/** Names and values alternating: Node writes them without copying. */
function headerLines(headers: Record<string, string>, length: number | undefined): string[] {
  const lines: string[] = []
  for (const name in headers) {
    const value = headers[name] as string
    if (name !== 'set-cookie') lines.push(name, value)
    else for (const cookie of value.split('\n')) lines.push(name, cookie)
  }
  if (length !== undefined && headers['content-length'] === undefined) lines.push('content-length', String(length))
  return lines
}

/** The length of a body; undefined for a stream, and for statuses without a body. */
function lengthOf(status: number, body: HttpResponse['body']): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (body === null) return status === 204 || status === 304 ? undefined : 0
  return body instanceof Uint8Array ? body.length : undefined
}

/** Writes an answer. The rest of the request is discarded, up to a limit. */
export function send(response: HttpResponse, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { status, headers, body } = response
  const length = lengthOf(status, body)
  if (!incoming.complete) discardRest(incoming)
  outgoing.writeHead(status, headerLines(headers, incoming.method === 'HEAD' ? undefined : length))
  // A text with as many bytes as characters is ASCII, and needs no conversion.
  if (typeof body === 'string') outgoing.end(body, length === body.length ? 'latin1' : 'utf8')
  else if (body instanceof ReadableStream) void flow(body, outgoing)
  else outgoing.end(body ?? undefined)
}

/** Writes a stream at the pace of the client. A stream that fails closes the connection. */
async function flow(stream: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  outgoing.flushHeaders()
  const reader = stream.getReader()
  reader.closed.catch(() => outgoing.destroy())
  outgoing.once('close', () => void reader.cancel(new Error('the client went away')).catch(() => undefined))
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (!outgoing.write(piece.value)) await drained(outgoing)
    }
    outgoing.end()
  } catch {
    outgoing.destroy()
  }
}

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      outgoing.off('drain', go).off('close', go)
      resolve()
    }
    outgoing.once('drain', go).once('close', go)
  })

/**
 * Discards the rest of a request that is about to be answered (RFC 9112 §9.6). Many clients read the answer only
 * after they have sent everything. If the connection were closed earlier, such a client would see a reset instead of
 * the answer.
 */
export function discardRest(incoming: IncomingMessage): void {
  const { socket } = incoming
  const close = socket.destroySoon
  // Reading starts before the answer ends, because Node ignores a body that nobody reads by then.
  drain(incoming)
  // Node calls this to close the connection after an answer with `Connection: close`.
  socket.destroySoon = () => {
    if (incoming.complete || incoming.destroyed) close.call(socket)
    else socket.end()
    incoming.once('end', () => close.call(socket))
  }
}

function drain(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return
  const { socket } = incoming
  let bytes = 0
  const stop = (): void => void socket.destroy()
  const timer = setTimeout(stop, unread.milliseconds).unref()
  const over = (): void => clearTimeout(timer)
  incoming.once('end', over).once('close', over)
  incoming.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes > unread.bytes) stop()
  })
  incoming.resume()
}
