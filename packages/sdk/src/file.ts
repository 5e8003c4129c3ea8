/** A returned file: its bytes as a stream, or all at once. */
import { WaypostError } from './waypost-error.ts'

export interface WaypostFile {
  /** As declared in the message; `application/octet-stream` if that is not a media type. */
  contentType: string
  /** Undefined if the file has no name. */
  filename: string | undefined
  /** In bytes, if the service knows it in advance. */
  size: number | undefined
  /** For exports: the `page_token` of the next page; undefined on the last. */
  nextCursor: string | undefined
  /** The bytes as they arrive; it fails if the connection breaks before the end. Cancel it to stop. */
  stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** All bytes at once, instead of `stream`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

/** The file in a response. */
export function readFile(response: Response, signal: AbortSignal | undefined): WaypostFile {
  const { headers } = response
  const size = headers.get('content-length')
  return {
    contentType: headers.get('content-type') ?? 'application/octet-stream',
    filename: filenameIn(headers.get('content-disposition') ?? ''),
    // A proxy may have compressed the response, and then the length is not that of the file.
    size: size === null || headers.has('content-encoding') ? undefined : Number(size),
    nextCursor: headers.get('next-cursor') ?? undefined,
    stream: response.body ?? new Blob().stream(),
    async bytes() {
      try {
        return new Uint8Array(await response.arrayBuffer())
      } catch (cause) {
        signal?.throwIfAborted()
        throw new WaypostError('the file did not arrive whole', { type: 'network_error', cause })
      }
    },
  }
}

/** Prefers the exact name to the ASCII one (RFC 6266 §4.3). */
function filenameIn(disposition: string): string | undefined {
  const exact = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1]
  if (exact !== undefined) {
    try {
      return decodeURIComponent(exact)
    } catch {
      // What cannot be read is as if it were not there.
    }
  }
  return /;\s*filename="([^"]*)"/i.exec(disposition)?.[1]
}
