/**
 * The client: one function for each route, under the route's own name. The types are mapped from the contract, the
 * functions made by a loop over it, so there is nothing here to keep in step.
 */
import {
  type Contract,
  contract,
  type Item,
  limits,
  type Params,
  type Route,
  routesOf,
  type Waypost,
} from '@waypost/contract'
import type { z } from 'zod'
import type { WaypostFile } from './file.ts'
import type { OutgoingFile } from './form.ts'
import { type Settings, settingsOf, type WaypostOptions } from './options.ts'
import { type CallArguments, send } from './send.ts'

/** One record out of several, as editors and error messages show it. */
type Flat<T> = { [K in keyof T]: T[K] }
/** `true` where every field may be left out. */
type AllOptional<T> = Partial<T> extends T ? true : false
/** Fields that may be undefined may be left out. */
type Loose<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
}
type Field<Name extends string, T> = AllOptional<T> extends true ? { [K in Name]?: T } : { [K in Name]: T }

type QueryField<R extends Route> = R extends { query: infer Q extends z.ZodObject }
  ? Field<'query', Flat<Loose<z.input<Q>>>>
  : unknown
type BodyField<R extends Route> = R extends { body: infer B extends z.ZodObject } ? Field<'body', z.input<B>> : unknown
interface FilesField {
  /** Sent with the body as a form, up to 25 MB in all. */
  files?: readonly OutgoingFile[]
}
interface MimeField {
  /** A whole message in place of body and files. */
  mime: OutgoingFile['content']
}
/** What a call carries: a body, with files where the route takes them, or else a whole message. */
type ContentField<R extends Route> = R extends { parts: readonly string[] }
  ? (BodyField<R> & FilesField & { mime?: undefined }) | (R extends { mime: true } ? MimeField : never)
  : BodyField<R>
type KeyField<R extends Route> = R extends { method: 'GET' } | { audience: 'public' | 'client' }
  ? unknown
  : {
      /** Calls with the same key and payload do their work once in 24 hours; made for you unless given. */
      idempotencyKey?: string
    }
type HeadersField<R extends Route> = R extends { headers: infer H extends z.ZodObject }
  ? Field<'headers', Flat<Loose<z.input<H>>>>
  : unknown
interface SignalField {
  /** Ends the call, its waits included; the call then throws the signal's reason. */
  signal?: AbortSignal
}

/** What a call of a route takes: the parameters of its path, and beside them `query`, `body` and the rest. */
export type Arguments<R extends Route> = Flat<
  Params<R> & QueryField<R> & HeadersField<R> & ContentField<R> & KeyField<R> & SignalField
>

/** What a call of a route gives. */
export type Result<R extends Route> = {
  requestId: string
  headers: Headers
} & (R extends { list: string }
  ? {
      data: Item<R>[]
      /** The `page_token` of the next page; undefined on the last. */
      nextCursor: string | undefined
    }
  : R extends { returns: z.ZodType }
    ? { data: Item<R> }
    : R extends { bytes: true }
      ? WaypostFile
      : unknown)

type Given<R extends Route> = AllOptional<Arguments<R>> extends true ? [args?: Arguments<R>] : [args: Arguments<R>]
type Paged = { list: 'cursor' | 'offset' }

/** A route as a function. Paged lists have `all` beside it: every item, page after page. */
export type Operation<R extends Route> = ((...args: Given<R>) => Promise<Result<R>>) &
  (R extends Paged ? { all(...args: Given<R>): AsyncGenerator<Item<R>, void> } : unknown)

export type ClientOf<C extends Contract> = {
  readonly [Resource in keyof C]: { readonly [Name in keyof C[Resource]]: Operation<C[Resource][Name]> }
}
export type WaypostClient = ClientOf<Waypost>

/** Makes a client: `waypost.grants.get({ grant_id })`. It holds nothing open and can be shared. */
export function createWaypost(options: WaypostOptions = {}): WaypostClient {
  const settings = settingsOf(options)
  const client: Record<string, Record<string, unknown>> = {}
  for (const { resource, operation, route } of routesOf(contract)) {
    client[resource] ??= {}
    client[resource][operation] = operationOf(settings, route)
  }
  // The loop over the contract makes what the type maps from it; the compiler cannot follow the one to the other.
  return client as unknown as WaypostClient
}

function operationOf(settings: Settings, route: Route): unknown {
  const call = (args: CallArguments = {}) => send(settings, route, args)
  if (route.list !== 'cursor' && route.list !== 'offset') return call
  return Object.assign(call, { all: (args: CallArguments = {}) => itemsOf(settings, route, args) })
}

/** A list that can wait has no end: who reads on waits for what comes, and does not ask in vain. */
function waiting(settings: Settings, route: Route, query: CallArguments['query'] = {}): CallArguments['query'] {
  if (!Object.hasOwn(route.query?.shape ?? {}, 'wait')) return query
  const longest = Math.min(limits.streamWaitSeconds, Math.floor(settings.timeoutMs / 2000))
  return { ...query, wait: query.wait ?? longest }
}

async function* itemsOf(settings: Settings, route: Route, args: CallArguments): AsyncGenerator<unknown, void> {
  let query = waiting(settings, route, args.query)
  for (;;) {
    const { data, nextCursor } = await send(settings, route, { ...args, query })
    if (Array.isArray(data)) yield* data
    if (nextCursor === undefined) return
    query = { ...query, page_token: nextCursor }
  }
}
