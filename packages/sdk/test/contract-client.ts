/** The client's types derived from the contract itself, to compare with the generated ones. */
import type { Contract, Item, Params, Route } from '@waypost/contract'
import type { z } from 'zod'
import type { LiveItem, OutgoingFile, WaypostFile } from '../src/index.ts'

type Flat<T> = { [K in keyof T]: T[K] }
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
type HeadersField<R extends Route> = R extends { headers: infer H extends z.ZodObject }
  ? Field<'headers', Flat<Loose<z.input<H>>>>
  : unknown
type FilesField = { files?: readonly OutgoingFile[] }
type ContentField<R extends Route> = R extends { parts: readonly string[] }
  ? R extends { mime: true }
    ? (BodyField<R> & FilesField & { mime?: undefined }) | { mime: OutgoingFile['content'] }
    : BodyField<R> & FilesField
  : BodyField<R>
type KeyField<R extends Route> = R extends { method: 'GET' } | { audience: 'public' | 'client' }
  ? unknown
  : { idempotencyKey?: string }

export type Arguments<R extends Route> = Flat<
  Params<R> & QueryField<R> & HeadersField<R> & ContentField<R> & KeyField<R> & { signal?: AbortSignal }
>

export type Result<R extends Route> = { requestId: string; headers: Headers } & (R extends { list: string }
  ? { data: Item<R>[]; nextCursor: string | undefined }
  : R extends { returns: z.ZodType }
    ? { data: Item<R> }
    : R extends { bytes: true }
      ? WaypostFile
      : unknown)

type Given<R extends Route> = AllOptional<Arguments<R>> extends true ? [args?: Arguments<R>] : [args: Arguments<R>]

export type Operation<R extends Route> = ((...args: Given<R>) => Promise<Result<R>>) &
  (R extends { list: 'cursor' | 'offset' } ? { all(...args: Given<R>): AsyncGenerator<Item<R>, void> } : unknown) &
  (R extends { events: true }
    ? { stream(args?: Given<R>[0] & { lastEventId?: string | undefined }): AsyncGenerator<LiveItem<Item<R>>, void> }
    : unknown)

export type ClientOf<C extends Contract> = {
  readonly [Resource in keyof C]: { readonly [Name in keyof C[Resource]]: Operation<C[Resource][Name]> }
}
