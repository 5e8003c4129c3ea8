// Requests and responses as the simulators pass them on: complete, with their bodies in memory.

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type JsonObject = Record<string, unknown>

/** A page or endpoint outside the JSON APIs, which needs no bearer token. */
export interface WebRoute {
  readonly method: Method
  readonly path: string
  handle(request: RawRequest, params: Readonly<Record<string, string>>): RawAnswer | Promise<RawAnswer>
}

export interface RawRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: Uint8Array
  /** The same object for all requests of one connection; undefined inside a batch. */
  readonly connection?: object
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The body in pieces, each sent as soon as it is available, instead of `body`. */
  readonly stream?: AsyncIterable<Uint8Array>
  /** Whether the connection closes in the middle of the body. */
  readonly isCut?: boolean
  /** The email address of the authenticated account, if any. */
  readonly account?: string
}

const encoder = new TextEncoder()

export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): RawAnswer {
  const body = encoder.encode(`${JSON.stringify(value, null, 2)}\n`)
  return { status, headers: { 'content-type': 'application/json; charset=UTF-8', ...headers }, body }
}

export function textAnswer(status: number, text: string, headers: Readonly<Record<string, string>> = {}): RawAnswer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body: encoder.encode(text) }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
