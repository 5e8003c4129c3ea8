/**
 * The fields and filters of a request that a provider does not accept, as data: refused, or ignored and named in
 * `x-ignored-fields`. One check applies them before the provider is called, and `docs/generated/providers.md` lists
 * them.
 *
 * Conditions that depend on other fields, on lengths and counts, or on the contents of the account stay in the code
 * of the providers.
 */
import type { Body, Query, RequestHeaders, Route, Waypost } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Capability } from './operations.ts'

/** The answer: an error of the contract, or an answer that names the ignored field. */
export type LimitAnswer = 'not_supported_by_provider' | 'invalid_request' | 'ignored'

/** A field that a provider does not accept. */
export interface Limit<V = unknown> {
  readonly answer: LimitAnswer
  /** The reason and the alternative, for the client. */
  readonly why: string
  /** Only these values are affected. */
  readonly values?: readonly V[]
  /** Values are compared without regard to case. */
  readonly anyCase?: true
  /** All values except these are affected. */
  readonly except?: readonly V[]
}

type KnownKeys<T> = keyof { [K in keyof T as string extends K ? never : K]: true } & string
type Below<Name extends string, V> = V extends readonly (infer Item)[]
  ? `${Name}[]` | (Item extends object ? `${Name}[].${FieldPath<Item>}` : never)
  : V extends object
    ? `${Name}.${FieldPath<V>}`
    : never
/** The path of a field of `T`: `conferencing.autocreate`; in every item of a list: `participants[].comment`. */
export type FieldPath<T> = { [K in KnownKeys<T>]: K | Below<K, NonNullable<T[K]>> }[KnownKeys<T>]

type Property<T, Name extends string> = T extends null | undefined ? never : Name extends keyof T ? T[Name] : never
type Item<T> = T extends readonly (infer I)[] ? I : never
type Step<T, Name extends string> = Name extends `${infer List}[]` ? Item<Property<T, List>> : Property<T, Name>
type ValueAt<T, P extends string> = P extends `${infer Name}.${infer Rest}` ? ValueAt<Step<T, Name>, Rest> : Step<T, P>

type FieldLimits<T> = { readonly [P in FieldPath<T>]?: Limit<ValueAt<T, P>> }
type RouteOf<C> = C extends `${infer R}.${infer O}`
  ? R extends keyof Waypost
    ? O extends keyof Waypost[R]
      ? Waypost[R][O]
      : never
    : never
  : never
interface RequestLimits<R> {
  readonly query?: R extends Route ? FieldLimits<Query<R>> : never
  readonly headers?: R extends Route ? FieldLimits<RequestHeaders<R>> : never
  readonly body?: R extends Route ? FieldLimits<NonNullable<Body<R>>> : never
}

/** The parts of a request that contain fields. */
const requestParts = ['query', 'headers', 'body'] as const
export type RequestPart = (typeof requestParts)[number]

/** By operation, then by the path of the field. */
export type Limits = { readonly [C in Capability]?: RequestLimits<RouteOf<C>> }

type ExactParts<L, Shape> = {
  [P in keyof L]: P extends keyof Shape
    ? { [F in keyof L[P]]: F extends keyof NonNullable<Shape[P]> ? unknown : never }
    : never
}
type Exact<L> = { [C in keyof L]: C extends keyof Limits ? ExactParts<L[C], NonNullable<Limits[C]>> : never }

/** Checks a table: a field that the request does not have is a type error, also if it comes from another table. */
export const defineLimits = <const L extends object>(limits: L & NoInfer<Limits & Exact<L>>): Limits => limits

/** The values that a limit is about. */
type Concerned<V> = Pick<Limit<V>, 'values' | 'anyCase' | 'except'>

/** The provider does not have the feature: answered with `not_supported_by_provider`. */
export const unsupported = <const V = never>(why: string, of: Concerned<V> = {}): Limit<V> => ({
  answer: 'not_supported_by_provider',
  why,
  ...of,
})
/** The provider does not accept the value: answered with `invalid_request`. */
export const invalid = <const V = never>(why: string, of: Concerned<V> = {}): Limit<V> => ({
  answer: 'invalid_request',
  why,
  ...of,
})
/** The field has no effect, and the answer says so. */
export const ignored = <const V = never>(why: string, of: Concerned<V> = {}): Limit<V> => ({
  answer: 'ignored',
  why,
  ...of,
})

const sent = 'the provider sets it, and it is read-only'
const eventFields = {
  status: ignored('it follows from the event: delete an event to cancel it'),
  calendar_id: ignored('the query names the calendar'),
  'participants[].status': ignored('guests answer for themselves: send-rsvp', { except: ['noreply'] }),
} as const
const contactFields = {
  display_name: ignored('it is made of the names'),
  source: ignored('what is written is of the address book', { except: ['address_book'] }),
  picture_url: ignored('write `picture`'),
  'physical_addresses[].format': ignored('the parts of an address are stored'),
} as const

/** The fields of rooms in events except their addresses and names. */
export const roomFields = (limit: Limit<never>) => ({
  'resources[].capacity': limit,
  'resources[].building': limit,
  'resources[].floor_name': limit,
  'resources[].floor_section': limit,
  'resources[].floor_number': limit,
})

/** Preconditions of event changes, which only calendars of the service itself support. */
export const noPreconditions = {
  'if-none-overlap': unsupported(
    'others write to its calendars at the same time, so it cannot be guaranteed: check free/busy first',
  ),
} as const

/** Fields that clients of the public API send and no provider accepts. */
export const commonLimits = defineLimits({
  'events.create': { body: eventFields },
  'events.update': { body: eventFields },
  'events.rsvp': { body: { calendar_id: ignored('the query names the calendar') } },
  'drafts.create': { body: { use_draft: ignored('it is for messages that are sent at a time') } },
  'drafts.update': {
    body: {
      use_draft: ignored('it is for messages that are sent at a time'),
      unread: ignored('a draft is always read', { values: [true] }),
    },
  },
  'contacts.create': { body: contactFields },
  'contacts.update': { body: contactFields },
  'contactGroups.create': { body: { path: ignored(sent) } },
  'contactGroups.update': { body: { path: ignored(sent) } },
})

/** A limit with its place in the request. */
export interface NamedLimit extends Limit {
  operation: string
  part: RequestPart
  path: string
}

/** All limits of a table, in the order written. */
export function namedLimits(limits: Limits): NamedLimit[] {
  return Object.entries(limits).flatMap(([operation, parts]) =>
    requestParts.flatMap((part) =>
      Object.entries<Limit>(parts[part] ?? {}).map(([path, limit]) => ({ ...limit, operation, part, path })),
    ),
  )
}

/** The name of a field in answers, without the index of a list item. */
export const fieldName = (path: string): string => path.replaceAll('[]', '')

/**
 * Finds a value that a limit is about, with the indexes of list items: `attachments.0.id`. It runs for every request,
 * so it allocates nothing unless it finds something.
 */
function findPlace(holder: unknown, path: string, limit: Limit): string | undefined {
  if (typeof holder !== 'object' || holder === null) return undefined
  const dot = path.indexOf('.')
  const step = dot === -1 ? path : path.slice(0, dot)
  const isList = step.endsWith('[]')
  const name = isList ? step.slice(0, -2) : step
  const value: unknown = Reflect.get(holder, name)
  if (value === undefined) return undefined
  const rest = dot === -1 ? undefined : path.slice(dot + 1)
  const below = (found: unknown): string | undefined => {
    if (rest !== undefined) return findPlace(found, rest, limit)
    return concerns(limit, found) ? '' : undefined
  }
  if (!isList) return join(name, below(value))
  if (!Array.isArray(value)) return undefined
  for (const [index, item] of value.entries()) {
    const place = below(item)
    if (place !== undefined) return join(`${name}.${index}`, place)
  }
  return undefined
}

const join = (name: string, below: string | undefined): string | undefined => {
  if (below === undefined) return undefined
  return below === '' ? name : `${name}.${below}`
}

/** Whether a limit is about a value. A value that requests nothing need not be supported. */
function concerns({ values, except, anyCase }: Limit, value: unknown): boolean {
  if (value === undefined) return false
  if (values && anyCase) return values.some((each) => String(each).toLowerCase() === String(value).toLowerCase())
  if (values) return values.includes(value)
  if (value === null || value === false) return false
  return !except?.includes(value)
}

const refusal = (kind: string, { answer, why }: Limit, place: string, path: string): ApiError =>
  answer === 'invalid_request'
    ? new ApiError('invalid_request', `${place}: ${why}`, { validationErrors: { [place]: why } })
    : new ApiError('not_supported_by_provider', `${place}: ${kind} does not support it: ${why}`, {
        fields: { provider: kind, capability: fieldName(path) },
        validationErrors: { [place]: why },
      })

/**
 * Checks a request against the limits of its provider, before the provider is called. Throws for the first refused
 * field and returns the names of the ignored ones.
 */
export function checkLimits(
  provider: { kind: string; limits?: Limits },
  operation: string,
  request: { query: unknown; headers?: unknown; body: unknown },
): string[] {
  const names = new Set<string>()
  for (const table of [provider.limits, commonLimits]) {
    const parts: RequestLimits<unknown> | undefined =
      table && Object.hasOwn(table, operation) ? Reflect.get(table, operation) : undefined
    for (const part of requestParts) {
      for (const [path, limit] of Object.entries<Limit>(parts?.[part] ?? {})) {
        const place = findPlace(request[part], path, limit)
        if (place === undefined) continue
        if (limit.answer !== 'ignored') throw refusal(provider.kind, limit, place, path)
        names.add(fieldName(path))
      }
    }
  }
  return [...names]
}
