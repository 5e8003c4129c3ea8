/** A request and its answer as the edge knows them, whatever carries them: a connection (`node-http.ts`) or a test (`web-http.ts`). */

/** What is asked of a request; nothing of it is made before it is asked for. */
export interface HttpRequest {
  readonly method: string
  /** Path and query as they came (RFC 9112 §3.2.1). */
  readonly target: string
  /** The other end of the connection, where there is one. */
  readonly remoteAddress: string | undefined
  /** Of HTTP, such as `1.1`, where it is known. */
  readonly httpVersion: string | undefined
  /** Aborts when the client goes away before it has its answer. */
  readonly signal: AbortSignal
  /** The names of its headers, in lower case. */
  readonly headerNames: readonly string[]
  /** The value of a header, whose name is given in lower case; several are joined with a comma. */
  header(name: string): string | null
  /** The bytes of the body; undefined where there are more than so many. It fails where they do not arrive whole. */
  bytes(most: number): Promise<Uint8Array | undefined>
}

export interface HttpResponse {
  status: number
  /** Names are in lower case. Of cookies there may be several, one to a line. */
  headers: Record<string, string>
  body: HttpBody
}

/** A stream that fails breaks the connection: a part must not pass for the whole. */
export type HttpBody = string | Uint8Array<ArrayBuffer> | BodyParts | ReadableStream<Uint8Array> | null

/** Bytes that were made for an earlier answer, between texts of this one, which are ASCII; the last is mostly empty. */
export class BodyParts {
  readonly head: string
  readonly bytes: Buffer<ArrayBuffer>
  readonly end: string

  constructor(head: string, bytes: Buffer<ArrayBuffer>, end: string) {
    this.head = head
    this.bytes = bytes
    this.end = end
  }

  get length(): number {
    return this.head.length + this.bytes.length + this.end.length
  }

  whole(): Buffer<ArrayBuffer> {
    return Buffer.concat([Buffer.from(this.head, 'latin1'), this.bytes, Buffer.from(this.end, 'latin1')])
  }
}

/** A body in one piece. */
export const inOnePiece = <T>(body: T | BodyParts): T | Buffer<ArrayBuffer> =>
  body instanceof BodyParts ? body.whole() : body
