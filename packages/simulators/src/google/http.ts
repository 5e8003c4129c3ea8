// The routes of the simulated Google APIs. The framework finds the route, checks the token, its scopes and the names
// of query parameters, and applies `fields` to the response. The handler does the rest.
import { isObject, type JsonObject, type Method } from '../shared/http.ts'
import { GoogleError, invalidArgument } from './errors.ts'
import type { AccountOwner } from './owner.ts'
import type { World } from './world.ts'

export interface ApiRoute {
  readonly method: Method
  /** `:x` matches one decoded segment; `:x:verb` matches one that ends in `:verb`. */
  readonly path: string
  /** Any one of them suffices; short names omit `https://www.googleapis.com/auth/`. */
  readonly scopes: readonly string[]
  /** The names of its query parameters, in addition to the common ones. */
  readonly query?: readonly string[]
  handle(call: ApiCall): ApiAnswer | Promise<ApiAnswer>
}

export interface ApiCall {
  /** The account of the token. */
  readonly account: AccountOwner
  readonly scopes: ReadonlySet<string>
  readonly world: World
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: Uint8Array
  readonly now: number
  /** The full URL of the request. */
  readonly url: string
  /** The parsed body; an empty body is an empty object. */
  json(): JsonObject
}

/** Without `json` and `bytes`, the default status is 204. */
export interface ApiAnswer {
  readonly status?: number
  readonly json?: unknown
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** Parses a JSON object, the body of every method that has one. */
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

/** An integer of the query; `fallback` if absent, at most `max`. */
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
