/** What a handler is given and what it answers with, both read from the contract's types. */
import type { Body, Contract, Item, Params, Query, RequestHeaders, Route, Waypost } from '@waypost/contract'
import type { z } from 'zod'
import type { Acting } from '../../applications/acting.ts'
import type { Visitor } from '../../applications/own-page.ts'
import type { Owner } from '../../grants/verify-credentials.ts'
import type { JsonValue } from '../../lib/json/guard.ts'
import type { JsonText, JsonTexts } from '../../lib/json/text.ts'
import type { Log } from '../../lib/log.ts'
import type { Bound, FileContent, Once, Operations } from '../../providers/operations.ts'
import type { Queries } from '../../store/engine/database.ts'
import type { GrantRecord } from '../../store/tables/grants/grants.ts'
import type { FormFile } from '../http/payload.ts'
import type { FoundDocument } from './authenticate.ts'

type Answerable<T> = T | JsonText<T>

/** One page of a list. `next` is the position that the next page begins after; it is sealed before a client sees it. */
export interface ListPage<T> {
  items: readonly Answerable<T>[] | JsonTexts<T>
  next?: JsonValue
  /** How many objects stand before this page: for lists that are paged by offset too. */
  offset?: number
  /** The list grows for ever, or was looked through only so far: a page without items carries its cursor too. */
  endless?: boolean
}

/** The answer of a route that has fields beside `data`. */
export interface Enveloped<T, Beside> {
  data: Answerable<T>
  beside: Beside
  /** The work is left for later, which the status tells. */
  later?: boolean
}

interface BaseContext<R extends Route> {
  readonly requestId: string
  readonly visitor: Visitor
  /** The document of the grant that the path names, where it was read together with the key. */
  readonly found: FoundDocument | undefined
  readonly params: Params<R>
  readonly query: Query<R>
  readonly headers: RequestHeaders<R>
  /** Undefined where a whole message takes its place. */
  readonly body: R extends { mime: true } ? Body<R> | undefined : Body<R>
  /** The files of a form. */
  readonly files: readonly FormFile[]
  /** A whole message, where the client sent one. */
  readonly mime: Uint8Array | undefined
  readonly idempotencyKey: string | undefined
  /** What is made at a provider under the key goes by. */
  readonly once: Once | undefined
  /** Where a page begins, from the cursor that the client sent back. */
  readonly position: JsonValue | undefined
  readonly log: Log
  /** Aborts when the request's time is over. */
  readonly signal: AbortSignal
  /** Response headers that tell the client something beside the answer. */
  readonly responseHeaders: Record<string, string>
  /**
   * Runs the one transaction of a request that changes something. What `work` returns is the handler's answer: where the
   * client sent an Idempotency-Key, the answer is kept in the same transaction, so that a crash leaves both or neither.
   */
  write<T extends Answer<R>>(work: (tx: Queries) => Promise<T>): Promise<T>
}

/** What a route has that is an operation of the grant's provider: the operation, with the session already bound. */
interface OperationContext<R extends Route, O> {
  readonly op: O
  /**
   * Runs an operation that changes something. Where the service itself keeps the account, it runs in the one transaction
   * of the request, as with `write`, and `queries` reads there. What `keep` writes beside it is written in the transaction
   * of the request, after the change, and what it returns is the answer.
   */
  change<T extends Answer<R>>(work: (op: O, queries: Queries) => Promise<T>): Promise<T>
  change<M, T extends Answer<R>>(
    work: (op: O, queries: Queries) => Promise<M>,
    keep: (tx: Queries, made: M) => Promise<T>,
  ): Promise<T>
}

/** The application is there where a route is called in its name, the grant where it is about a grant's data. */
export type Context<R extends Route, O = unknown> = BaseContext<R> &
  (R['audience'] extends 'application' | 'grant'
    ? {
        readonly application: Owner & { environment: string; settings: string }
        /** The administrator that calls in the name of the application. */
        readonly acting: Acting | undefined
      }
    : unknown) &
  (R extends { token: true } ? { readonly application: { readonly grantId?: string } } : unknown) &
  (R['audience'] extends 'administrator' ? { readonly acting: Acting } : unknown) &
  (R['audience'] extends 'client' ? { readonly bearer: string | undefined } : unknown) &
  (R['audience'] extends 'grant' ? { readonly grant: GrantRecord } : unknown) &
  (R extends { own: true } ? unknown : R['audience'] extends 'grant' ? OperationContext<R, O> : unknown)

export type Answer<R extends Route> = R extends { returns: unknown }
  ? R extends { list: 'whole' }
    ? readonly Answerable<Item<R>>[]
    : R extends { list: 'cursor' | 'offset' }
      ? ListPage<Item<R>>
      : R extends { beside: infer Beside extends z.ZodObject }
        ? Enveloped<Item<R>, z.output<Beside>>
        : Answerable<Item<R>>
  : R extends { bytes: true }
    ? FileContent
    : // biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing
      void

export type Handler<R extends Route, O = unknown> = (context: Context<R, O>) => Promise<Answer<R>> | Answer<R>

type OperationOf<Ops, Resource, Operation> = Resource extends keyof Ops
  ? Operation extends keyof Ops[Resource]
    ? Bound<Ops[Resource][Operation]>
    : never
  : never

/** One handler for each route: one too few or too many does not compile. `Ops` is the interface of the adapters. */
export type HandlersOf<C extends Contract, Ops = unknown> = {
  [Resource in keyof C]: {
    [Operation in keyof C[Resource]]: Handler<C[Resource][Operation], OperationOf<Ops, Resource, Operation>>
  }
}

/** The handlers of every route of the contract. */
export type Handlers = HandlersOf<Waypost, Operations<never>>
