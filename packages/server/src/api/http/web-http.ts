/** Web requests within the process: tests and tools call an app without a port. */
import type { HttpRequest, HttpResponse } from './http.ts'

/** For addresses without an origin. */
const origin = 'http://localhost'

/** A request from the arguments of `fetch`. */
export const webRequest = (target: string | URL | Request, init?: RequestInit): Request =>
  // A path may begin with two slashes, which must not be parsed as a host.
  new Request(typeof target === 'string' && target.startsWith('/') ? `${origin}${target}` : target, init)

/** The same as the API reads it. */
export function requestFrom(request: Request): HttpRequest {
  const { method, url, headers } = request
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return {
    method,
    target: start === -1 ? '/' : url.slice(start),
    remoteAddress: undefined,
    httpVersion: undefined,
    get signal() {
      return request.signal
    },
    get headerNames() {
      return [...headers.keys()]
    },
    header: (name) => headers.get(name),
    bytes: (max, arrived) => readStream(request.body, max, arrived),
    stream: () => streamOf(request.body),
  }
}

async function* streamOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (stream) yield* stream
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  max: number,
  arrived?: (size: number) => void,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength
    if (size > max) return undefined
    arrived?.(size)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** An answer as a web `Response`. */
export function responseFrom({ status, headers: given, body }: HttpResponse): Response {
  const { 'set-cookie': cookies, ...others } = given
  const headers = new Headers(others)
  for (const cookie of cookies?.split('\n') ?? []) headers.append('set-cookie', cookie)
  return new Response(body, { status, headers })
}
