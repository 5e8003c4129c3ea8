import { type ErrorCode, errors, type NamedRoute } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { fieldOf, textIn } from '@waypost/platform/json/values'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import type { CallCount } from '@waypost/providers/call-count'
import type { Once } from '@waypost/providers/operations'
import type { Database } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { VisitServices } from '../../booking/page-visitor.ts'
import type { Caller } from '../../grants/caller.ts'
import type { Sessions } from '../../grants/sessions.ts'
import type { RequestFile } from '../../sending/requests/outgoing.ts'
import type { Sending } from '../../sending/sending.ts'
import type { Uploads } from '../../sending/uploads/uploads.ts'
import type { TextReading } from '../effects/readable-text.ts'
import type { Approved, CallRoute, RouteAnswer } from './call-route.ts'

/** The parts of a parsed request that decide about its effects. The context of every route has them. */
export interface ActionContext {
  readonly served: { readonly named: NamedRoute }
  readonly application: Caller | undefined
  readonly grant: GrantRecord | undefined
  readonly schedulingSession: string | undefined
  /** The address of the client. */
  readonly address: string
  readonly params: Readonly<Record<string, string>>
  readonly rawQuery: Readonly<Record<string, string | string[]>>
  readonly query: Readonly<Record<string, unknown>>
  readonly rawHeaders: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** The body as it arrived. */
  readonly json: JsonValue
  readonly files: readonly RequestFile[]
  /** A whole message in place of the body. */
  readonly mime: Uint8Array | undefined
  /** `signal` aborts when the client disconnects. */
  readonly request: { readonly signal: AbortSignal }
  readonly calls: CallCount
  readonly once: Once | undefined
  /** A person has approved the request. */
  readonly approved: Approved | undefined
}

/** The collaborators of everything in this folder. */
export interface ActionTools extends VisitServices {
  database: Database
  sessions: Sessions
  parse: ParsePool
  sending: Pick<Sending, 'examineDraft'>
  uploads: Pick<Uploads, 'find'>
}

/** Reads an object by the id of its route. */
type ReadObject = <T>(id: string, query?: Record<string, string | undefined>) => Promise<T>

/** A request, with what its effects are found from. */
export interface Action {
  tools: ActionTools
  context: ActionContext
  read: ReadObject
  reading: TextReading
}

const codeOf = (status: number, type: unknown): ErrorCode =>
  (Object.keys(errors) as ErrorCode[]).find((code) => errors[code].status === status && errors[code].type === type) ??
  (status === 404 ? 'not_found' : 'service_unavailable')

/** The refusal of an internal call, as an error. */
function refusalOf({ status, body }: RouteAnswer): ApiError {
  return new ApiError(codeOf(status, fieldOf(body.error, 'type')), textIn(body.error, 'message'))
}

/**
 * Reads the object that an action is about, with the parameters of the request's own path and the rights of the
 * application: the credential may lack that of reading.
 */
export function objectReader(call: CallRoute, context: ActionContext): ReadObject {
  const { application, params, grant, address, request, calls } = context
  if (!application) throw new Error('the request has no caller')
  const { credential: _, ...caller }: Caller = application
  return async <T>(id: string, query: Record<string, string | undefined> = {}): Promise<T> => {
    const named = grant ? { ...params, grant_id: grant.grant.id } : params
    const answer = await call({ id, caller, params: named, query, address, calls, signal: request.signal })
    if (answer.status >= 400) throw refusalOf(answer)
    // The route's own types have checked what it returns. Objects that exist as text are read from it.
    return JSON.parse(JSON.stringify(answer.body.data)) as T
  }
}
