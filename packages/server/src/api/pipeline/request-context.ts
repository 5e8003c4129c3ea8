/**
 * One request of a route. The same object grows by stages, and later stages only read what earlier ones wrote:
 *
 *   arrived ──admission.ts──▶ admitted ──handle-request.ts──▶ parsed ──▶ handler
 *   path, parameters,         caller, grant,                  query, headers, body,
 *   address, request id       audit entry, budget             cursor position, operation
 *
 * Handlers receive this object under the types of `handler-types.ts`, which are derived from the contract.
 */

import type { NamedRoute } from '@waypost/contract'
import { newId } from '@waypost/platform/ids'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { Log } from '@waypost/platform/log'
import type { Span } from '@waypost/platform/span'
import { CallCount } from '@waypost/providers/call-count'
import type { Once } from '@waypost/providers/operations'
import type { Queries, Sharing } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Approved } from '../../agents/actions/call-route.ts'
import type { Acting } from '../../applications/acting.ts'
import { bearerIn } from '../../applications/api-keys.ts'
import type { AuditNote } from '../../applications/audit.ts'
import type { Visitor } from '../../applications/own-page.ts'
import type { Caller } from '../../grants/caller.ts'
import type { Operation } from '../../grants/sessions.ts'
import type { RequestFile } from '../../sending/requests/outgoing.ts'
import type { HttpRequest } from '../http/http.ts'
import type { Known } from '../http/ignored-fields.ts'
import type { Payload } from '../http/payload.ts'
import { type RawQuery, rawHeaders } from '../http/request.ts'
import type { FoundDocument } from './authenticate.ts'
import type { Attempt } from './idempotency.ts'

/** A call of a route within the process (`internal-call.ts`): who calls is known, and nothing has to be parsed. */
export interface Internal {
  caller: Caller
  query: RawQuery
  payload: Payload
  /** A person has approved exactly this request, and saw the object and the preview of these digests. */
  approved: Approved | undefined
  /** The MCP tool that makes the call. */
  tool: string | undefined
  /** The count of the request that makes the call. */
  calls: CallCount | undefined
}

/** The handler of any route. `HandlersOf` has checked its types against the contract. */
export type AnyHandler = (context: RequestContext) => unknown

/** A route as an app serves it. */
export interface ServedRoute {
  named: NamedRoute
  handler: AnyHandler
  /** The fields that the route accepts, by name: made for its first request. */
  known: { query: Known; body: Known } | undefined
}

/** A request whose path was matched, by a route or by a page. */
export interface ArrivedRequest {
  request: HttpRequest
  /** The path that is routed. */
  path: string
  params: Record<string, string>
}

/** Runs work in a transaction of the request; work of the same key may share one with that of other requests. */
export type Write = (work: (tx: Queries) => Promise<unknown>, sharing?: Sharing) => Promise<unknown>
type Work = (op: Operation, queries: Queries) => Promise<unknown>
type Keep = (tx: Queries, made: unknown) => Promise<unknown>

const noFields: Readonly<Record<string, unknown>> = Object.freeze({})

export class RequestContext {
  // Arrived.
  readonly served: ServedRoute
  readonly request: HttpRequest
  readonly path: string
  readonly params: Record<string, string>
  /** Query fields that an alias of the route has in its path. */
  readonly queryInPath: Record<string, string> | undefined
  /** The address of the client, for limits and logs. */
  readonly address: string
  readonly log: Log
  /** Present for calls within the process. */
  readonly internal: Internal | undefined
  readonly requestId: string = newId()
  /** On the clock of `performance.now()`. */
  readonly startedAt: number = performance.now()
  /** Where the request is traced. */
  span: Span | undefined = undefined

  // Admitted.
  application: Caller | undefined = undefined
  /** The administrator, also where it calls for an application. */
  acting: Acting | undefined = undefined
  /** The bearer token of a guest, in the form of a scheduling session; its handler looks for the session. */
  schedulingSession: string | undefined = undefined
  audit: AuditNote | undefined = undefined
  grant: GrantRecord | undefined = undefined
  /** The document of the grant that the path names, where it was read together with the key. */
  found: FoundDocument | undefined = undefined
  /** The digest of a draft that was checked or approved. Sent as it is then, or not at all. */
  onlyAs: string | undefined = undefined
  /** The body, where admission has read it to check its signature. */
  bodyBytes: Uint8Array | undefined = undefined
  /** Response headers about the rate limit that the request counts against. */
  budget: Record<string, string> | undefined = undefined

  // Parsed.
  rawQuery: Readonly<RawQuery> = {}
  query: Readonly<Record<string, unknown>> = noFields
  headers: Readonly<Record<string, unknown>> = noFields
  body: unknown = undefined
  /** The body as it arrived, for requests that may have to wait for approval. */
  json: JsonValue = {}
  files: readonly RequestFile[] = []
  mime: Uint8Array | undefined = undefined
  /** Names of fields that the client sent and the route does not accept. */
  ignored: readonly string[] = []
  position: JsonValue | undefined = undefined
  /** The claim of the Idempotency-Key, where the client sent one. */
  attempt: Attempt | undefined = undefined
  op: Operation | undefined = undefined
  change: ((work: Work, keep?: Keep) => Promise<unknown>) | undefined = undefined
  write: Write = noWrite
  /** Whether the caller may still make this request, by its credential as it is now. */
  stillAdmitted: () => Promise<boolean> = () => Promise.resolve(false)
  /** A provider was called to change something. It may have done so, even if the request fails. */
  reachedProvider = false
  /** Its handler was called. */
  hasRun = false
  /** The provider calls that the request has made. */
  readonly calls: CallCount
  readonly responseHeaders: Record<string, string> = {}

  #abort: AbortController | undefined
  #isExpired = false

  constructor(
    { request, path, params }: ArrivedRequest,
    {
      served,
      queryInPath,
      address,
      log,
      internal,
    }: Pick<RequestContext, 'served' | 'queryInPath' | 'address' | 'log'> & {
      internal?: Internal
    },
  ) {
    this.request = request
    this.path = path
    this.params = params
    this.served = served
    this.queryInPath = queryInPath
    this.address = address
    this.log = log
    this.internal = internal
    this.calls = internal?.calls ?? new CallCount()
  }

  get visitor(): Visitor {
    const { request, address } = this
    return { method: request.method, address, header: (name) => request.header(name) }
  }

  /** Whether the client asks for a stream of events in place of a list. */
  get wantsEvents(): boolean {
    const { request, internal, served } = this
    return (
      served.named.route.events === true &&
      internal === undefined &&
      request.method === 'GET' &&
      /\btext\/event-stream\b/i.test(request.header('accept') ?? '')
    )
  }

  /** A person has approved exactly this request. */
  get approved(): Approved | undefined {
    return this.internal?.approved
  }

  /** The headers that the route defines, as they arrived. */
  get rawHeaders(): Record<string, string> {
    return rawHeaders(this.served.named.route, this.request)
  }

  get idempotencyKey(): string | undefined {
    return this.request.header('idempotency-key') || undefined
  }

  get once(): Once | undefined {
    return this.attempt?.once
  }

  /** The bearer token of an OAuth client: an empty text for another scheme, undefined without a credential. */
  get bearer(): string | undefined {
    const header = this.request.header('authorization')
    return header === null ? undefined : (bearerIn(header) ?? '')
  }

  /** Made when a handler first reads it. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#isExpired) this.#abort.abort()
    return this.#abort.signal
  }

  reachesProvider(): void {
    this.reachedProvider = true
  }

  /** Ends the time of the request. */
  expire(): void {
    this.#isExpired = true
    this.#abort?.abort()
  }
}

const noWrite: Write = () => Promise.reject(new Error('the request is not parsed yet'))
