// The routes of the simulated Graph. The framework finds the route, checks the token, its scopes and access to the
// mailbox, and parses `Prefer`. The handler does the rest. See `part.ts` for how a part registers its routes.
import { isObject, type JsonObject, type Method } from '../shared/http.ts'
import { invalidBody } from './errors.ts'
import type { AccountOwner, Tenant } from './owner.ts'
import type { Preferences } from './preferences.ts'
import type { World } from './world.ts'

/** The identity behind a bearer token: a user, or an application on its own. */
export interface Caller {
  readonly clientId: string
  readonly tenant: Tenant
  /** Undefined for an application. */
  readonly account: AccountOwner | undefined
  /** Short names, such as `Mail.Read`: delegated scopes, or the roles of an application. */
  readonly scopes: ReadonlySet<string>
}

export interface GraphRoute {
  readonly method: Method
  /** After `/v1.0`; `:x` matches one decoded segment. Case is ignored. */
  readonly path: string
  /**
   * Any one of them suffices, by short name; another user's mailbox needs the `.Shared` variant. Empty: any token is
   * accepted.
   */
  readonly scopes: readonly string[]
  /** Whether another user's mailbox needs delegate rights; false if the handler decides. Default true. */
  readonly checksDelegates?: boolean
  handle(call: GraphCall): GraphAnswer | Promise<GraphAnswer>
}

export interface GraphCall {
  readonly world: World
  readonly caller: Caller
  /** The owner of the mailbox: the caller for `/me`, or the user of `/users/:userId`. */
  readonly owner: AccountOwner
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly prefer: Preferences
  readonly headers: Headers
  readonly body: Uint8Array
  readonly now: number
  /** The full URL of the request. */
  readonly url: URL
  /** The parsed body; an empty body is an empty object. */
  json(): JsonObject
}

/** Without `json` and `bytes`, the default status is 204. */
export interface GraphAnswer {
  readonly status?: number
  readonly json?: JsonObject
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
