/**
 * What a route is. Everything else (validation, handler types, OpenAPI, SDK, reference page, capability matrix) is read
 * from objects of this shape, so a fact about the API is written once.
 */
import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** `PATCH` and `PUT` are one method to us: a route declared with either answers both. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call a route.
 * - `public`: no credential.
 * - `application`: an application's API key, or the administrator naming the application.
 * - `administrator`: the administrator's password, or a session of the dashboard.
 * - `grant`: an API key, or an access token of that grant; the only routes that reach a provider.
 * - `client`: an OAuth client; what it must show, and where it may stand, is for the route. Errors have OAuth's own shape.
 */
export type Audience = 'public' | 'application' | 'administrator' | 'grant' | 'client'

/** Which budget a call is counted against; the figures stand in `limits.ts`. */
export type RateGroup = 'application' | 'grant' | 'multipart' | 'detect' | 'testEvent' | 'none'

export interface Route {
  readonly method: Method
  /** Segments that start with a colon are parameters. */
  readonly path: string
  /** Other paths that mean the same route. A parameter that only such a path has is the query field of its name. */
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly audience: Audience
  readonly query?: z.ZodObject
  /** Headers that the request may carry beside those of every request, by their names in lower case. */
  readonly headers?: z.ZodObject
  readonly body?: z.ZodObject
  /** The body may also be multipart/form-data: the part of one of these names holds the JSON, the others are files. */
  readonly parts?: readonly string[]
  /** With `type=mime` a whole message, in a part named `mime`, takes the place of the body. */
  readonly mime?: true
  /** The object in `data`; absent where the answer is `{ request_id }` alone. */
  readonly returns?: z.ZodType
  /** `data` is an array: whole, paged by cursor, or paged by cursor and offset alike. */
  readonly list?: 'whole' | 'cursor' | 'offset'
  /** No operation of a provider has its name: the service answers it itself. */
  readonly own?: true
  /** The answer is a file: its bytes under their own content type, without envelope. Errors are JSON as ever. */
  readonly bytes?: true
  /** A route of the application that an access token opens too; its handler minds whose it is. */
  readonly token?: true
  /** The answer has no `data`: the fields of `returns` stand at its top, beside `request_id`. */
  readonly flat?: true
  /** The body may also be application/x-www-form-urlencoded. */
  readonly form?: true
  /** Fields of the answer beside `data`. */
  readonly beside?: z.ZodObject
  readonly status?: 200 | 201 | 202
  /** The status where the work is left for later. */
  readonly later?: 202
  readonly rate?: RateGroup
  /** Errors beyond those every route of its audience can give. */
  readonly errors?: readonly ErrorCode[]
}

/** Keeps a route's exact type while checking it against `Route`. */
export const route = <const R extends Route>(definition: R): R => definition

type Segments<Path extends string> = Path extends `${infer Head}/${infer Tail}` ? Head | Segments<Tail> : Path

/** The parameters in a route's path, by name. */
export type Params<R extends Route> = {
  [S in Segments<R['path']> as S extends `:${infer Name}` ? Name : never]: string
}
export type Query<R extends Route> = R['query'] extends z.ZodObject ? z.output<R['query']> : Record<string, never>
/** The headers of a route's own that a request carries. */
export type RequestHeaders<R extends Route> = R['headers'] extends z.ZodObject
  ? z.output<R['headers']>
  : Record<string, never>
export type Body<R extends Route> = R['body'] extends z.ZodObject ? z.output<R['body']> : undefined
/** The object, or one item of the list, that a route answers with. */
export type Item<R extends Route> = R['returns'] extends z.ZodType ? z.output<R['returns']> : undefined

/** A resource is a record of operations; a contract a record of resources. */
export type Contract = Record<string, Record<string, Route>>
export interface NamedRoute {
  readonly id: string
  readonly resource: string
  readonly operation: string
  readonly route: Route
}

/** Every route of a contract with its id, in the order written. */
export function routesOf(contract: Contract): NamedRoute[] {
  return Object.entries(contract).flatMap(([resource, operations]) =>
    Object.entries(operations).map(([operation, definition]) => ({
      id: `${resource}.${operation}`,
      resource,
      operation,
      route: definition,
    })),
  )
}

/** The HTTP methods a route answers: an update takes PUT and PATCH alike. */
export function methodsOf(definition: Route): Method[] {
  return definition.method === 'PUT' || definition.method === 'PATCH' ? ['PUT', 'PATCH'] : [definition.method]
}

/** The names of the parameters in a path, in order. */
export function paramsOf(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))
}
