/** One HTTP exchange, on a pooled or dedicated connection: headers within the deadline, body within the size limit. */
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import request from 'undici/lib/api/api-request.js'
import { untilAborted } from './deadline.ts'
import { EgressError } from './error.ts'

export const REQUEST_DEADLINE_MS = 10_000
const MAX_BODY_BYTES = 65_536

/** A body that is read while it is sent; again for every request. */
export interface StreamedBody {
  /** In bytes. */
  readonly length: number
  read(): AsyncIterable<Uint8Array>
}

export interface EgressRequest {
  readonly url: string | URL
  readonly method: Dispatcher.HttpMethod
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Uint8Array | StreamedBody
  readonly signal?: AbortSignal
  /** Limit for DNS, connect, TLS, headers and body together. Default 10 s. */
  readonly deadlineMs?: number
  /** Default 64 KB. */
  readonly maxBytes?: number
  /** What to do with a longer body. Default `truncate`. */
  readonly onOverflow?: 'truncate' | 'fail'
  /** A GET without secrets, which may use plain http where other requests may not. */
  readonly unprotected?: true
}

export interface EgressResponse {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  /** As sent: never inflated. */
  readonly body: Buffer
  readonly truncated: boolean
}

/** A request whose URL has been checked. */
export type Exchange = EgressRequest & { readonly url: URL; readonly deadlineMs: number; readonly signal: AbortSignal }

export interface HttpRoute {
  readonly dispatcher: Dispatcher
  /** Whether the connection is closed after the response. */
  readonly reset?: boolean | undefined
}

/** One exchange with the complete body. */
export async function exchange(route: HttpRoute, request: Exchange): Promise<EgressResponse> {
  const answer = await answerTo(route, request, request.deadlineMs)
  return {
    status: answer.statusCode,
    headers: definedHeaders(answer.headers),
    ...(await readBody(answer.body, request)),
  }
}

/** The headers of a response and its body as a stream, with a limit for the time between two chunks. */
export function answerTo(
  { dispatcher, reset }: HttpRoute,
  { url, method, headers = {}, body, signal, deadlineMs }: Exchange,
  silenceMs: number,
): Promise<Dispatcher.ResponseData> {
  // undici takes the TLS server name from this header, so it must not differ from the checked host.
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'host')) {
    throw new EgressError('refused_url', `The host header for ${url.hostname} comes from the URL; leave it out`)
  }
  const work = request.call(dispatcher, {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    ...contentOf(headers, body),
    signal,
    headersTimeout: deadlineMs,
    bodyTimeout: silenceMs,
    reset,
  })
  // undici checks the signal only once it has a socket. Until then this race ends the wait.
  return untilAborted(work, signal)
}

/** The headers and the body of a request. A streamed body has its length in a header, because not all servers accept chunks. */
function contentOf(
  headers: NonNullable<EgressRequest['headers']>,
  body: EgressRequest['body'],
): Pick<Dispatcher.RequestOptions, 'headers' | 'body'> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    return { headers: { ...headers }, body }
  }
  const stream = Readable.from(body.read(), { objectMode: false })
  return { headers: { ...headers, 'content-length': `${body.length}` }, body: stream }
}

async function readBody(
  stream: Dispatcher.ResponseData['body'],
  { url, maxBytes = MAX_BODY_BYTES, onOverflow = 'truncate' }: Exchange,
): Promise<{ body: Buffer; truncated: boolean }> {
  const pieces: Buffer[] = []
  let left = maxBytes
  // Leaving the loop destroys the stream, and with it the connection.
  for await (const chunk of stream) {
    const piece: Buffer = chunk
    if (piece.length > left) {
      if (onOverflow === 'fail') {
        throw new EgressError('too_large', `${url.hostname} answered with more than ${maxBytes} bytes; send less`)
      }
      return { body: Buffer.concat([...pieces, piece.subarray(0, left)]), truncated: true }
    }
    pieces.push(piece)
    left -= piece.length
  }
  return { body: Buffer.concat(pieces), truncated: false }
}

export function definedHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
