/**
 * A request and its answer, independent of the transport: a connection (`node-http.ts`) or a test (`web-http.ts`).
 */

/** A request. Nothing is computed before it is read. */
export interface HttpRequest {
  readonly method: string
  /** Path and query as received (RFC 9112 §3.2.1). */
  readonly target: string
  /** The address of the other end of the connection, if there is one. */
  readonly remoteAddress: string | undefined
  /** The HTTP version, such as `1.1`, if there is a connection. */
  readonly httpVersion: string | undefined
  /** Aborts when the client disconnects before it is answered. */
  readonly signal: AbortSignal
  /** The names of the headers, in lower case. */
  readonly headerNames: readonly string[]
  /** The value of a header by its lower-case name; several values are joined with a comma. */
  header(name: string): string | null
  /**
   * The bytes of the body; undefined if there are more than `max`. Rejects if the body does not arrive completely.
   * `arrived` is called with the size so far. What it throws ends the reading.
   */
  bytes(max: number, arrived?: (size: number) => void): Promise<Uint8Array | undefined>
  /** The bytes of the body as they arrive, at the pace of the reader. Fails if the body does not arrive completely. */
  stream(): AsyncIterable<Uint8Array>
}

export interface HttpResponse {
  status: number
  /** Names are in lower case. Several cookies are separated by line breaks. */
  headers: Record<string, string>
  body: HttpBody
}

/** A stream that fails breaks the connection, so that a client never takes a part for the whole. */
export type HttpBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
