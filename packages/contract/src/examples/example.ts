/**
 * An example of a route: a realistic request and its response, typed by the route. Examples are separate from the
 * contract, so that pages and servers that only validate requests do not load them.
 */
import type { z } from 'zod'
import type { Contract, Item, Params, Route } from '../route.ts'

/** Parameters shared by all examples: the sample grant and application. */
type Given = 'grant_id' | 'application_id'

/** Makes fields optional that can be undefined. */
type Loose<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
}

/** A required field, unless an empty object is valid. */
type Needed<Name extends string, Value> =
  Record<never, never> extends Value ? { [N in Name]?: Value } : { [N in Name]: Value }

type ParamsPart<R extends Route> = Needed<
  'params',
  Omit<Params<R>, Given> & { [N in Given & keyof Params<R>]?: string }
>
type QueryPart<R extends Route> = R['query'] extends z.ZodObject ? Needed<'query', Loose<z.input<R['query']>>> : unknown
type HeadersPart<R extends Route> = R['headers'] extends z.ZodObject
  ? Needed<'headers', Loose<z.input<R['headers']>>>
  : unknown
type BodyPart<R extends Route> = R['body'] extends z.ZodObject
  ? { body: Loose<z.input<R['body']>> }
  : R['body'] extends z.ZodArray<infer Item extends z.ZodObject>
    ? { body: Loose<z.input<Item>>[] }
    : unknown
type AnswerPart<R extends Route> = R['returns'] extends z.ZodType
  ? {
      /** The content of `data`: an array for lists; the fields of the response if it is flat. */
      answer: R['list'] extends string ? Item<R>[] : Item<R>
    }
  : unknown
type BesidePart<R extends Route> = R['beside'] extends z.ZodObject
  ? Needed<'beside', Loose<z.output<R['beside']>>>
  : unknown
type PagePart<R extends Route> = R['list'] extends 'cursor' | 'offset'
  ? {
      /** Set if the example shows a further page. */
      next_cursor?: string
    }
  : unknown

type Case<R extends Route> = ParamsPart<R> &
  QueryPart<R> &
  HeadersPart<R> &
  BodyPart<R> &
  AnswerPart<R> &
  BesidePart<R> &
  PagePart<R> & {
    /** Short description of the example. */
    summary?: string
  }

/** The example of a route; `more` contains further ones by a short name. */
export type Example<R extends Route> = Case<R> & { more?: Record<string, Case<R>> }

/** An example of each operation of a resource. */
export type ExamplesOf<Operations extends Record<string, Route>> = {
  [Operation in keyof Operations]: Example<Operations[Operation]>
}

/** An example of each operation of a contract. */
export type Examples<C extends Contract> = { [Resource in keyof C]: ExamplesOf<C[Resource]> }

type Fields = Readonly<Record<string, unknown>>

/** An example without the type of its route. */
export interface AnyCase {
  readonly summary?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: Fields | readonly Fields[]
  readonly answer?: unknown
  readonly beside?: Readonly<Record<string, unknown>>
  readonly next_cursor?: string
}

/** The fields of the body; undefined if there is none, or if it is a list. */
export const bodyFields = ({ body }: AnyCase): Fields | undefined => (isList(body) ? undefined : body)

const isList = (body: AnyCase['body']): body is readonly Fields[] => Array.isArray(body)

export interface AnyExample extends AnyCase {
  readonly more?: Readonly<Record<string, AnyCase>>
}
