// Requests and answers as the simulators hand them on: whole, with their bodies in memory.

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type JsonObject = Record<string, unknown>

/** A page or endpoint outside the JSON APIs: no bearer token is asked for. */
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
  /** Ends when the client is gone. */
  readonly signal?: AbortSignal
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The body piece by piece, each sent when it is there, instead of `body`. */
  readonly stream?: AsyncIterable<Uint8Array>
  /** The connection ends in the middle of the body. */
  readonly isCut?: boolean
  /** The email address of the account that asked, where one was recognised. */
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
