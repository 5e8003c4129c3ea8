import type { NamedRoute } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
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
import type { Approved } from './call-route.ts'

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
export type ReadObject = <T>(id: string, query?: Record<string, string | undefined>) => Promise<T>

/** A request, with what its effects are found from. */
export interface Action {
  tools: ActionTools
  context: ActionContext
  read: ReadObject
  reading: TextReading
}
