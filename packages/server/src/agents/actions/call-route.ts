/** Calls a route of the API within the process. The API implements it; agents know only what is here. */
import type { JsonValue } from '@waypost/platform/json/guard'
import type { CallCount } from '@waypost/providers/call-count'
import type { Caller } from '../../grants/caller.ts'
import type { RequestFile } from '../../sending/requests/outgoing.ts'

/** What a person approved besides the request itself. */
export interface Approved {
  /** A digest of the object that it is about, such as a draft; null if there is none. */
  snapshot: string | null
  /** A digest of the preview; undefined in approvals of earlier versions. */
  shown: string | undefined
}

type QueryValue = string | number | boolean | readonly string[] | undefined

export interface RouteCall {
  /** The id of the route, such as `messages.list`. */
  id: string
  caller: Caller
  /** Path parameters, not encoded. */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, QueryValue>>
  /** The body, within the limits of `parseJson`. */
  body?: JsonValue
  files?: readonly RequestFile[]
  /** A whole message in place of the body. */
  mime?: Uint8Array
  idempotencyKey?: string | undefined
  /** Further headers that the route reads, with lower-case names, and `traceparent`. */
  headers?: Readonly<Record<string, string>>
  /** A person has approved exactly this request. */
  approved?: Approved
  /** Counts the provider calls of the request that makes this one. */
  calls?: CallCount
  /** The address of the client. */
  address: string
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

export interface RouteAnswer {
  status: number
  /** The response as an object, also that of an error. Read it only: it shares its parts with the handler. */
  body: { readonly data?: unknown; readonly error?: unknown }
  /** Its handler was called. Otherwise the request was refused before, or answered with what an earlier one stored. */
  hasRun: boolean
  /** An earlier attempt under the same Idempotency-Key ended without an outcome. */
  isRepeated: boolean
}

/** Refusals and failures are answers with their status. */
export type CallRoute = (call: RouteCall) => Promise<RouteAnswer>
