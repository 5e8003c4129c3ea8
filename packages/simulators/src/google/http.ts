// What a Google API of the simulator is made of: routes. The frame finds the route, checks the token, its scopes and the
// names of the query parameters, and projects the answer by `fields`; a handler does the rest.
import { GoogleError, invalidArgument } from './errors.ts'
import type { AccountOwner } from './owner.ts'
import type { World } from './world.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type JsonObject = Record<string, unknown>

export interface ApiRoute {
  readonly method: Method
  /** `:x` matches one decoded segment; `:x:verb` one that ends in `:verb`. */
  readonly path: string
  /** Any of them suffices; short names stand after `https://www.googleapis.com/auth/`. */
  readonly scopes: readonly string[]
  /** The names of its query parameters besides those that every method has. */
  readonly query?: readonly string[]
  handle(call: ApiCall): ApiAnswer | Promise<ApiAnswer>
}

export interface ApiCall {
  /** Whose token it is. */
  readonly account: AccountOwner
  readonly scopes: ReadonlySet<string>
  readonly world: World
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: Uint8Array
  readonly now: number
  /** Of the request, whole. */
  readonly url: string
  /** The body; an empty one is an empty object. */
  json(): JsonObject
}

/** Without `json` and `bytes`, the status is 204 unless given. */
export interface ApiAnswer {
  readonly status?: number
  readonly json?: unknown
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** A page or endpoint outside the JSON APIs: no bearer token is asked for, no `fields` are taken. */
export interface WebRoute {
  readonly method: Method
  readonly path: string
  handle(request: RawRequest): RawAnswer | Promise<RawAnswer>
}

export interface RawRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: Uint8Array
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
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

/** Reads a JSON object, as every method with a body takes one. */
export function parseJson(body: Uint8Array): JsonObject {
  if (body.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new GoogleError(400, 'parseError', 'Parse Error')
  }
  if (isObject(value)) return value
  throw new GoogleError(400, 'parseError', 'Parse Error')
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An integer of the query, `fallback` when absent; larger than `max` counts as `max`. */
export function integerOf(query: URLSearchParams, name: string, bounds: { fallback: number; max: number }): number {
  const text = query.get(name)
  if (text === null || text === '') return bounds.fallback
  if (!/^\d{1,10}$/.test(text)) {
    throw invalidArgument(`Invalid value at '${name}' (TYPE_UINT32), "${text}"`)
  }
  return Math.min(Number(text), bounds.max)
}

export function booleanOf(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)
  if (text === null || text === '' || text === 'false') return false
  if (text === 'true') return true
  throw invalidArgument(`Invalid value at '${name}' (TYPE_BOOL), "${text}"`)
}
