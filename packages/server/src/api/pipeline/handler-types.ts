/** The types of handlers: their context and their results, both derived from the contract. */
import type { Body, Contract, Item, Params, Query, RequestHeaders, Route, Waypost } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { Log } from '@waypost/platform/log'
import type { CallCount } from '@waypost/providers/call-count'
import type { Bound, FileContent, Once, Operations } from '@waypost/providers/operations'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { z } from 'zod'
import type { Acting } from '../../applications/acting.ts'
import type { Credential } from '../../applications/key-rights.ts'
import type { Visitor } from '../../applications/own-page.ts'
import type { Owner } from '../../grants/verify-credentials.ts'
import type { RequestFile } from '../../sending/requests/outgoing.ts'
import type { Answerable, Enveloped, ListPage } from '../http/answer.ts'
import type { LiveList } from '../http/event-stream.ts'
import type { FoundDocument } from './authenticate.ts'

/** A file that is one page of an export. The next page begins after the position `next`, sealed in `next-cursor`. */
export interface FilePage extends FileContent {
  next?: JsonValue
}

interface BaseContext<R extends Route> {
  readonly requestId: string
  readonly visitor: Visitor
  /** The document of the grant that the path names, where it was read together with the key. */
  readonly found: FoundDocument | undefined
  readonly params: Params<R>
  readonly query: Query<R>
  readonly headers: RequestHeaders<R>
  /** Undefined if the client sent a whole message instead. */
  readonly body: R extends { mime: true } ? Body<R> | undefined : Body<R>
  /** The files of a form. */
  readonly files: readonly RequestFile[]
  /** A whole message, where the client sent one. */
  readonly mime: Uint8Array | undefined
  readonly idempotencyKey: string | undefined
  /** The digest of a draft that was checked or approved. Sent as it is then, or not at all. */
  readonly onlyAs: string | undefined
  /** The identity of this attempt for objects that are created at a provider under an Idempotency-Key. */
  readonly once: Once | undefined
  /** The start of the page, from the cursor of the client. */
  readonly position: JsonValue | undefined
  readonly log: Log
  /** Aborts at the deadline of the request. */
  readonly signal: AbortSignal
  /** Additional response headers. */
  readonly responseHeaders: Record<string, string>
  /** The provider calls of the request: for every session that the handler opens. */
  readonly calls: CallCount
  /**
   * Runs the one transaction of a request that changes something. The result of `work` is the handler's result. With
   * an Idempotency-Key the answer is stored in the same transaction, so that a crash leaves both or neither.
   */
  write<T extends Answer<R>>(work: (tx: Queries) => Promise<T>): Promise<T>
  /**
   * Called by a handler that changes something at a provider itself. If the request then fails, its Idempotency-Key
   * keeps its identity, so that a retry finds what the provider already has.
   */
  reachesProvider(): void
}

/** The context of a route that is an operation of the grant's provider: the operation, bound to an open session. */
interface OperationContext<R extends Route, O> {
  readonly op: O
  /**
   * Runs an operation that changes something. If the service itself stores the account, it runs in the transaction of
   * the request, as with `write`, and `queries` reads there. `keep` writes in the transaction of the request after
   * the change, and its result is the handler's result.
   */
  change<T extends Answer<R>>(work: (op: O, queries: Queries) => Promise<T>): Promise<T>
  change<M, T extends Answer<R>>(
    work: (op: O, queries: Queries) => Promise<M>,
    keep: (tx: Queries, made: M) => Promise<T>,
  ): Promise<T>
}

/** The application of a request. `credential`: a restricted key or an agent calls; lists contain only what it may see. */
export type ApplicationCaller = Owner & {
  environment: string
  settings: string
  keyId?: string | undefined
  credential?: Credential | undefined
}

/** The context of a route that anyone may call. `booking/page-visitor.ts` finds out what the caller may see. */
export interface GuestContext {
  /** The application, where its API key was sent or an administrator calls for it. */
  readonly application: ApplicationCaller | undefined
  readonly acting: Acting | undefined
  /** The id of a scheduling session, not checked yet. */
  readonly schedulingSession: string | undefined
}

interface EventsContext {
  /** Whether the client asks for a stream of events. */
  readonly wantsEvents: boolean
  /** Whether the caller may still make this request, by its credential as it is now. */
  stillAdmitted(): Promise<boolean>
}

/** Routes called by an application have `application`; routes about a grant's data have `grant`. */
export type Context<R extends Route, O = unknown> = BaseContext<R> &
  (R['audience'] extends 'application' | 'grant'
    ? {
        readonly application: ApplicationCaller
        /** The administrator that calls for the application. */
        readonly acting: Acting | undefined
      }
    : unknown) &
  (R extends { events: true } ? EventsContext : unknown) &
  (R extends { token: true } ? { readonly application: { readonly grantId?: string } } : unknown) &
  (R['audience'] extends 'administrator' ? { readonly acting: Acting } : unknown) &
  (R['audience'] extends 'guest' ? GuestContext : unknown) &
  (R['audience'] extends 'client' ? { readonly bearer: string | undefined } : unknown) &
  (R['audience'] extends 'grant' ? { readonly grant: GrantRecord } : unknown) &
  (R extends { own: true } ? unknown : R['audience'] extends 'grant' ? OperationContext<R, O> : unknown)

export type Answer<R extends Route> = R extends { returns: unknown }
  ? R extends { list: 'whole' }
    ? readonly Answerable<Item<R>>[]
    : R extends { list: 'cursor' | 'offset' }
      ? ListPage<Item<R>> | (R extends { events: true } ? LiveList : never)
      : R extends { beside: infer Beside extends z.ZodObject }
        ? Enveloped<Item<R>, z.output<Beside>>
        : Answerable<Item<R>> | (R extends { sometimes: true } ? undefined : never)
  : R extends { bytes: true }
    ? FilePage
    : // biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing
      void

export type Handler<R extends Route, O = unknown> = (context: Context<R, O>) => Promise<Answer<R>> | Answer<R>

type OperationOf<Ops, Resource, Operation> = Resource extends keyof Ops
  ? Operation extends keyof Ops[Resource]
    ? Bound<Ops[Resource][Operation]>
    : never
  : never

/**
 * One handler for each route; a missing or additional one does not compile. `Ops` is the interface of the adapters.
 */
export type HandlersOf<C extends Contract, Ops = unknown> = {
  [Resource in keyof C]: {
    [Operation in keyof C[Resource]]: Handler<C[Resource][Operation], OperationOf<Ops, Resource, Operation>>
  }
}

/** The handlers of every route of the contract. */
export type Handlers = HandlersOf<Waypost, Operations<never>>
