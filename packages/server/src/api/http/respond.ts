/** Sends answers: compressed if the client accepts it and it is worth it; files as they are. */
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { Log } from '@waypost/platform/log'
import type { WireAnswer } from './answer.ts'
import { dropFile, type FileAnswer, flowOf } from './file-answer.ts'
import type { HttpRequest, HttpResponse } from './http.ts'

const deflate = promisify(gzip)

/** Headers of every answer of the API. */
export const headersOf = (requestId: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-request-id': requestId,
  'cache-control': 'no-store',
})

/** Bodies shorter than this are not compressed. */
const worthCompressing = 200
const cheapToCompress = 16_384
/** Whether a client accepts gzip: it is named, and not with the weight 0. */
export const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

export function respond(
  request: HttpRequest,
  { status, body }: Pick<WireAnswer, 'status' | 'body'>,
  headers: Record<string, string>,
): HttpResponse | Promise<HttpResponse> {
  const accepted = body.length < worthCompressing ? null : request.header('accept-encoding')
  if (accepted === null || !takesGzip.test(accepted)) return { status, headers, body }
  const packed = (bytes: Uint8Array<ArrayBuffer>): HttpResponse => {
    const vary = headers.vary ? `${headers.vary}, Accept-Encoding` : 'Accept-Encoding'
    return { status, headers: { ...headers, 'content-encoding': 'gzip', vary }, body: bytes }
  }
  return body.length < cheapToCompress ? packed(gzipSync(body)) : deflate(body).then(packed)
}

/** How long a file may make no progress: the provider sends nothing, or the client does not read. */
const fileQuietMs = 60_000

/** Sends a file: not compressed. If it cannot be completed, the connection breaks. */
export function respondFile(
  { log }: { log: Log },
  request: HttpRequest,
  { status, file }: FileAnswer,
  { headers, line }: { headers: Record<string, string>; line: Record<string, string> },
): HttpResponse {
  if (request.method === 'HEAD') {
    dropFile(file)
    return { status, headers, body: null }
  }
  const flow = flowOf(file, {
    signal: request.signal,
    quietMs: fileQuietMs,
    ended: ({ bytes, error }) =>
      error === undefined
        ? log.debug({ ...line, bytes }, 'file sent')
        : log.info({ ...line, bytes, error }, 'file broken off'),
  })
  return { status, headers, body: flow }
}
