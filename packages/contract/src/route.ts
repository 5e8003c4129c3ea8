/**
 * The definition of a route. Validation, handler types, OpenAPI, SDK, reference page and capability matrix are all
 * derived from these objects, so every fact about the API is written once.
 */
import type { z } from 'zod'
import type { KeyOperation } from './agents/key-rights.ts'
import type { ErrorCode } from './errors.ts'

/** `PATCH` and `PUT` are equivalent: a route declared with either accepts both, unless it says `exactMethod`. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call a route.
 * - `public`: no credential.
 * - `application`: an application's API key, or the administrator naming the application.
 * - `administrator`: the administrator's password, a dashboard session, or the signature of a service account.
 * - `grant`: an API key, or an access token of that grant. Only these routes reach a provider.
 * - `guest`: anyone. A scheduling session, a public configuration, an API key or an administrator naming the application
 *   opens it; the handler finds out what the caller may see.
 * - `client`: an OAuth client. The route defines its authentication. Errors have OAuth's own format.
 */
export type Audience = 'public' | 'application' | 'administrator' | 'grant' | 'guest' | 'client'

/** The rate limit that a call counts toward; see `limits.ts` for the figures. */
export type RateGroup =
  | 'application'
  | 'grant'
  | 'multipart'
  | 'detect'
  | 'testEvent'
  | 'guest'
  | 'guestPage'
  | 'guestBooking'
  | 'mcp'
  | 'serviceAccount'
  | 'none'

/** The body of a request: one object, or a list of objects of the same kind. */
export type BodySchema = z.ZodObject | z.ZodArray<z.ZodObject>

/**
 * What a restricted API key or an agent needs to call a route: an operation, one of several operations, or
 * - `every`: every restricted credential may call it; its handler returns only what the credential may see.
 * - `never`: no restricted credential may call it.
 */
export type RouteRight = KeyOperation | readonly KeyOperation[] | 'every' | 'never'

/** A route that API keys open says which of them: without `right`, it does not compile. */
export interface KeyedRoute extends RouteFacts {
  readonly audience: 'application' | 'grant' | 'guest'
  readonly right: RouteRight
}

/** A route that no API key opens. */
export interface UnkeyedRoute extends RouteFacts {
  readonly audience: 'public' | 'administrator' | 'client'
  readonly right?: undefined
}

export type Route = KeyedRoute | UnkeyedRoute

interface RouteFacts {
  readonly method: Method
  /** The route accepts only this method: on its path, `PUT` and `PATCH` mean different things. */
  readonly exactMethod?: true
  /** Segments that start with a colon are parameters. */
  readonly path: string
  /**
   * Alternative paths of the route. A parameter that occurs only in such a path fills the query field of the same
   * name.
   */
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly audience: Audience
  readonly query?: z.ZodObject
  /** Additional request headers, with lower-case names. */
  readonly headers?: z.ZodObject
  readonly body?: BodySchema
  /**
   * The body can also be multipart/form-data: a part with one of these names contains the JSON, the others are files.
   */
  readonly parts?: readonly string[]
  /** With `type=mime`, a whole message in a part named `mime` replaces the body. */
  readonly mime?: true
  /** The object in `data`; absent if the response is only `{ request_id }`. */
  readonly returns?: z.ZodType
  /** Some responses have no `data`, as the description says. */
  readonly sometimes?: true
  /** `data` is an array: complete, paged by cursor, or paged by cursor and offset. */
  readonly list?: 'whole' | 'cursor' | 'offset'
  /** The service handles the route itself, without an operation of a provider. */
  readonly own?: true
  /** The response is a file: its bytes with their own content type, without an envelope. Errors are JSON. */
  readonly bytes?: true
  /** With `bytes`: a request can ask for a range of bytes (RFC 9110 §14). The file is the same every time. */
  readonly ranges?: true
  /** An application route that also accepts an access token; its handler checks the token's grant. */
  readonly token?: true
  /**
   * With `Accept: text/event-stream`, the response is a stream of server-sent events: each item of the list is one event,
   * and its id is the cursor after it.
   */
  readonly events?: true
  /** The response has no `data`: the fields of `returns` are at the top level next to `request_id`. */
  readonly flat?: true
  /** The body can also be application/x-www-form-urlencoded. */
  readonly form?: true
  /** Response fields next to `data`. */
  readonly beside?: z.ZodObject
  readonly status?: 200 | 201 | 202
  /** Status of a response whose work is done later. */
  readonly later?: 202
  readonly rate?: RateGroup
  /** Errors in addition to those of every route of its audience. */
  readonly errors?: readonly ErrorCode[]
}

/** Checks a route against `Route` without losing its exact type. */
export const route = <const R extends Route>(definition: R): R => definition

type Segments<Path extends string> = Path extends `${infer Head}/${infer Tail}` ? Head | Segments<Tail> : Path

/** The parameters in a route's path, by name. */
export type Params<R extends Route> = {
  [S in Segments<R['path']> as S extends `:${infer Name}` ? Name : never]: string
}
export type Query<R extends Route> = R['query'] extends z.ZodObject ? z.output<R['query']> : Record<string, never>
/** The route's own request headers. */
export type RequestHeaders<R extends Route> = R['headers'] extends z.ZodObject
  ? z.output<R['headers']>
  : Record<string, never>
export type Body<R extends Route> = R['body'] extends BodySchema ? z.output<R['body']> : undefined
/** The returned object, or one item of the returned list. */
export type Item<R extends Route> = R['returns'] extends z.ZodType ? z.output<R['returns']> : undefined

/** A resource is a record of operations; a contract a record of resources. */
export type Contract = Record<string, Record<string, Route>>
export interface NamedRoute {
  readonly id: string
  readonly resource: string
  readonly operation: string
  readonly route: Route
}

/** All routes of a contract with their ids, in source order. */
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

/** The HTTP methods of a route: an update accepts PUT and PATCH, unless it has an exact method. */
export function methodsOf({ method, exactMethod }: Route): Method[] {
  return !exactMethod && (method === 'PUT' || method === 'PATCH') ? ['PUT', 'PATCH'] : [method]
}

/** Whether the body of a route is a list. */
export const takesList = ({ body }: Route): boolean => body !== undefined && 'element' in body

/** The object in the body of a route, or one item of the list. */
export const bodyObject = ({ body }: Route): z.ZodObject | undefined =>
  body !== undefined && 'element' in body ? body.element : body

/** The names of the parameters in a path, in order. */
export function paramsOf(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))
}
