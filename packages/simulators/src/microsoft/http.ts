// What Graph is made of in the simulator: routes. The frame finds the route, checks the token, its scopes and whose mailbox it
// is, and reads `Prefer`; a handler does the rest. See `part.ts` on how a part registers its routes.
import { isObject, type JsonObject, type Method } from '../shared/http.ts'
import { invalidBody } from './errors.ts'
import type { AccountOwner, Tenant } from './owner.ts'
import type { Preferences } from './preferences.ts'
import type { World } from './world.ts'

/** Who a bearer token speaks for: a user, or an application by itself. */
export interface Caller {
  readonly clientId: string
  readonly tenant: Tenant
  /** Undefined for an application. */
  readonly account: AccountOwner | undefined
  /** By their short names, such as `Mail.Read`: delegated scopes, or the roles of an application. */
  readonly scopes: ReadonlySet<string>
}

export interface GraphRoute {
  readonly method: Method
  /** After `/v1.0`; `:x` matches one decoded segment. Cases do not matter. */
  readonly path: string
  /** Any of them suffices, by their short names; with `.Shared` for the mailbox of somebody else. None: any token does. */
  readonly scopes: readonly string[]
  /** Whether somebody else's mailbox needs rights in it; false where the handler decides. Default true. */
  readonly checksDelegates?: boolean
  handle(call: GraphCall): GraphAnswer | Promise<GraphAnswer>
}

export interface GraphCall {
  readonly world: World
  readonly caller: Caller
  /** Whose mailbox it is: of `/me` the caller's, of `/users/:userId` that user's. */
  readonly owner: AccountOwner
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly prefer: Preferences
  readonly headers: Headers
  readonly body: Uint8Array
  readonly now: number
  /** Of the request, whole. */
  readonly url: URL
  /** The body; an empty one is an empty object. */
  json(): JsonObject
}

/** Without `json` and `bytes`, the status is 204 unless given. */
export interface GraphAnswer {
  readonly status?: number
  readonly json?: JsonObject
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** Reads a JSON object, as every method with a body takes one. */
export function parseJson(body: Uint8Array): JsonObject {
  if (body.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw unreadable()
  }
  if (isObject(value)) return value
  throw unreadable()
}

function unreadable(): Error {
  return invalidBody(
    'Unable to read JSON request payload. Please ensure Content-Type header is set and payload is of valid JSON format.',
  )
}
