import type { Acting } from '../../applications/acting.ts'
import type { Visitor } from '../../applications/own-page.ts'
import type { Operation } from '../../grants/sessions.ts'
import type { JsonValue } from '../../lib/json/guard.ts'
import type { Log } from '../../lib/log.ts'
import type { Once } from '../../providers/operations.ts'
import type { Queries } from '../../store/engine/database.ts'
import type { GrantRecord } from '../../store/tables/grants/grants.ts'
import type { FormFile } from '../http/payload.ts'
import type { Caller, FoundDocument } from './authenticate.ts'

type Work = (op: Operation, queries: Queries) => Promise<unknown>
type Keep = (tx: Queries, made: unknown) => Promise<unknown>

/** The context of one request; `signal` is made when a handler first asks for it. */
export class RequestContext {
  readonly requestId: string
  readonly application: Caller | undefined
  readonly acting: Acting | undefined
  readonly visitor: Visitor
  readonly grant: GrantRecord | undefined
  readonly op: Operation | undefined
  readonly change: ((work: Work, keep?: Keep) => Promise<unknown>) | undefined
  readonly found: FoundDocument | undefined
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly headers: Record<string, unknown>
  readonly body: unknown
  readonly files: readonly FormFile[]
  readonly mime: Uint8Array | undefined
  readonly idempotencyKey: string | undefined
  readonly once: Once | undefined
  readonly bearer: string | undefined
  readonly responseHeaders: Record<string, string>
  readonly position: JsonValue | undefined
  readonly log: Log
  readonly write: (work: (tx: Queries) => Promise<unknown>) => Promise<unknown>
  #abort: AbortController | undefined
  #over = false

  constructor(fields: Omit<RequestContext, 'signal' | 'expire'>) {
    this.requestId = fields.requestId
    this.application = fields.application
    this.acting = fields.acting
    this.visitor = fields.visitor
    this.grant = fields.grant
    this.op = fields.op
    this.change = fields.change
    this.found = fields.found
    this.params = fields.params
    this.query = fields.query
    this.headers = fields.headers
    this.body = fields.body
    this.files = fields.files
    this.mime = fields.mime
    this.idempotencyKey = fields.idempotencyKey
    this.once = fields.once
    this.bearer = fields.bearer
    this.responseHeaders = fields.responseHeaders
    this.position = fields.position
    this.log = fields.log
    this.write = fields.write
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#over) this.#abort.abort()
    return this.#abort.signal
  }

  /** Ends the time of the request. */
  expire(): void {
    this.#over = true
    this.#abort?.abort()
  }
}
