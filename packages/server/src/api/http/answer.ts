/** Turns values and errors into response bodies: envelopes, `select`, the one error shape. */
import { type ErrorCode, errors, type Route } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { JsonText, JsonTexts, toJson } from '@waypost/platform/json/values'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import { StoreUnavailable } from '@waypost/store/engine/database'
import type { EventSink } from './event-stream.ts'

export type Answerable<T> = T | JsonText<T>

/** One page of a list. The next page begins after the position `next`, which is sealed before it is sent. */
export interface ListPage<T> {
  items: readonly Answerable<T>[] | JsonTexts<T>
  next?: JsonValue
  /** The number of objects before this page, for lists that are also paged by offset. */
  offset?: number
  /** The list has no end, or a search stopped early: an empty page has a cursor too. */
  endless?: boolean
}

/** The result of a route with fields next to `data`. */
export interface Enveloped<T, Beside> {
  data: Answerable<T>
  beside: Beside
  /** The work is done later, which the status says. */
  later?: boolean
}

export interface WireAnswer {
  status: number
  headers: Record<string, string>
  /** Text, or bytes if the body is long or was encoded before. */
  body: string | Buffer<ArrayBuffer>
  /** The body of an answer within the process, in place of its text. */
  object?: AnswerObject
}

/** An answer that stays open. */
export interface LiveAnswer {
  status: number
  headers: Record<string, string>
  produce(sink: EventSink): Promise<void>
  /** Is called in place of `produce` if the answer is not sent. */
  drop(): void
}

/** The body of an answer as an object. It shares its parts with the handler: read them only. */
export interface AnswerObject {
  readonly request_id: string
  readonly data?: unknown
  readonly next_cursor?: string
  readonly [beside: string]: unknown
}

export interface Envelope {
  requestId: string
  route: Route
  select: readonly string[] | undefined
  limit: number | undefined
  /** Turns a position into the cursor that clients send back. */
  seal(position: JsonValue): string
}

const pick = (value: unknown, select: readonly string[]): unknown => {
  const object = value instanceof JsonText ? JSON.parse(value.text) : value
  return Object.fromEntries(Object.entries(object).filter(([name]) => select.includes(name)))
}

export function itemJson(value: unknown, select: readonly string[] | undefined): string {
  return select && select.length > 0 ? JSON.stringify(pick(value, select)) : toJson(value)
}

/** An answer before it becomes a text or an object. Its fields are sent in this order. */
interface ComposedAnswer {
  status: number
  head: AnswerObject
  /** The field `data`, where the route has one. */
  data: { value: unknown } | { items: ListPage<unknown>['items'] } | undefined
  tail: object
}

function composeAnswer(value: unknown, envelope: Envelope): ComposedAnswer {
  const { route, requestId } = envelope
  const head = { request_id: requestId }
  const status = route.status ?? 200
  if (!route.returns || (route.sometimes && value === undefined)) return { status, head, data: undefined, tail: {} }
  if (route.flat) return { status, head: { ...head, ...(value as object) }, data: undefined, tail: {} }
  if (route.beside) {
    const { data, beside, later } = value as Enveloped<unknown, object>
    return {
      status: (later && route.later) || status,
      head: { ...head, ...beside },
      data: { value: data },
      tail: {},
    }
  }
  if (!route.list) return { status, head, data: { value }, tail: {} }
  const page = Array.isArray(value) ? { items: value } : (value as ListPage<unknown>)
  return { status, head, data: { items: page.items }, tail: tailOf(page, envelope) }
}

/** The fields after the items of a page. */
function tailOf(
  { items, next, endless, offset = 0 }: ListPage<unknown>,
  { route, limit = 10, seal }: Envelope,
): object {
  const isEmpty = items instanceof JsonTexts ? items.isEmpty : items.length === 0
  // An empty page has no cursor, except in an endless list: some clients would request pages for ever.
  const hasNext = next !== undefined && (endless || !isEmpty)
  return {
    ...(hasNext ? { next_cursor: seal(next) } : {}),
    ...(route.list === 'offset' ? { limit, offset } : {}),
  }
}

/** The answer to a call within the process that succeeded. */
export function answerObject(value: unknown, envelope: Envelope): WireAnswer {
  const { status, head, data, tail } = composeAnswer(value, envelope)
  const shown = (item: unknown): unknown => plainItem(item, envelope.select)
  const object = !data
    ? head
    : { ...head, data: 'items' in data ? Array.from(data.items, shown) : shown(data.value), ...tail }
  return { status, headers: {}, body: '', object }
}

function plainItem(value: unknown, select: readonly string[] | undefined): unknown {
  if (select && select.length > 0) return pick(value, select)
  return value instanceof JsonText ? JSON.parse(value.text) : value
}

/** The same fields as text, for a request that succeeded. */
export async function answerText(value: unknown, envelope: Envelope): Promise<WireAnswer> {
  const { status, head, data, tail } = composeAnswer(value, envelope)
  const { select } = envelope
  const start = JSON.stringify(head).slice(0, -1)
  const end = Object.keys(tail).length === 0 ? '}' : `,${JSON.stringify(tail).slice(1)}`
  const answer = (body: WireAnswer['body']): WireAnswer => ({ status, headers: {}, body })
  if (!data) return answer(start + end)
  if ('value' in data) return answer(`${start},"data":${itemJson(data.value, select)}${end}`)
  const around = [`${start},"data":[`, `]${end}`] as const
  if (data.items instanceof JsonTexts && !select?.length) return answer(data.items.between(...around))
  return answer(await textOfItems(data.items, select, around))
}

/** Characters above which a page is encoded item by item: encoding it at once would block the event loop. */
const longBody = 256 * 1024

/** The items of a page, which may be large: other requests run between them. */
async function textOfItems(
  items: Iterable<unknown>,
  select: Envelope['select'],
  [start, end]: readonly [string, string],
): Promise<WireAnswer['body']> {
  const bytes: Buffer[] = []
  let text = start
  const othersTurn = yieldBetween()
  let separator = ''
  for (const item of items) {
    text += separator + itemJson(item, select)
    separator = ','
    if (text.length > longBody) {
      bytes.push(Buffer.from(text))
      text = ''
      await othersTurn()
    }
  }
  text += end
  return bytes.length === 0 ? text : Buffer.concat([...bytes, Buffer.from(text)])
}

/** Any failure as an error of the table. An error outside the table is internal, and its text is not sent. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof StoreUnavailable) {
    const why = error.isReadOnly || error.isFull ? error.message : 'the store does not answer'
    return new ApiError(
      'service_unavailable',
      `${why}; try again, with an Idempotency-Key where the request changes something`,
      {
        retryAfter: 2,
        cause: error,
      },
    )
  }
  return new ApiError('internal_error', undefined, { cause: error })
}

/** The answer to a request that failed. */
export function answerError(error: ApiError, requestId: string): WireAnswer & { body: string } {
  const { providerError, validationErrors, fields, retryAfter, headers } = error.details
  return {
    status: error.status,
    headers: { ...headers, ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }) },
    body: JSON.stringify({
      request_id: requestId,
      error: {
        type: errors[error.code].type,
        message: error.message,
        ...fields,
        ...(providerError ? { provider_error: providerError } : {}),
        ...(validationErrors ? { validation_errors: validationErrors } : {}),
      },
    }),
  }
}

/** The OAuth error for an error that OAuth does not define, by status (RFC 6749 §5.2). */
const oauthNames: Record<number, string> = {
  401: 'invalid_client',
  403: 'access_denied',
  423: 'unauthorized_client',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
  504: 'temporarily_unavailable',
}
const oauthOwn: ReadonlySet<ErrorCode> = new Set([
  'invalid_client',
  'invalid_grant',
  'unsupported_grant_type',
  'invalid_token',
])

/** The error response for an OAuth client: flat, with all four fields, because clients require them. */
export function answerOAuthError(error: ApiError, requestId: string, errorUri: string): WireAnswer {
  const { headers } = answerError(error, requestId)
  const { status, code, message } = error
  const name = oauthOwn.has(code) ? errors[code].type : (oauthNames[status] ?? 'invalid_request')
  const body = { error: name, error_code: status, error_description: message, error_uri: errorUri }
  return { status, headers, body: JSON.stringify({ ...body, request_id: requestId }) }
}
