/** A returned file: its bytes as a stream, or all at once. */
import { WaypostError } from './waypost-error.ts'

export interface WaypostFile {
  /** As declared in the message; `application/octet-stream` if that is not a media type. */
  contentType: string
  /** Undefined if the file has no name. */
  filename: string | undefined
  /** In bytes, where the service knows it before the end. */
  size: number | undefined
  /** The bytes as they come; it fails where the connection breaks before the last of them. Cancel it to stop. */
  stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** All bytes at once, in place of `stream`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

/** The file in a response that is one. */
export function readFile(response: Response, signal: AbortSignal | undefined): WaypostFile {
  const { headers } = response
  const size = headers.get('content-length')
  return {
    contentType: headers.get('content-type') ?? 'application/octet-stream',
    filename: filenameIn(headers.get('content-disposition') ?? ''),
    // A proxy may have packed it, and then the length is another's.
    size: size === null || headers.has('content-encoding') ? undefined : Number(size),
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

/** The exact name before the one in ASCII (RFC 6266 §4.3). */
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
