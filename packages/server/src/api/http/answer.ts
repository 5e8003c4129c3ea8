/** Turns values and errors into response bodies: envelopes, `select`, the one error shape. */
import { type ErrorCode, errors, type Route } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { JsonText, JsonTexts, toJson } from '@waypost/platform/json/text'
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

/** The answer to a request that succeeded. */
export function answerWith(value: unknown, envelope: Envelope): WireAnswer {
  const { route, select } = envelope
  const head = `{"request_id":"${envelope.requestId}"`
  const status = route.status ?? 200
  if (!route.returns || (route.sometimes && value === undefined)) return { status, headers: {}, body: `${head}}` }
  if (route.flat) return { status, headers: {}, body: `${head},${JSON.stringify(value).slice(1)}` }
  if (route.beside) return answerBeside(value as Enveloped<unknown, object>, envelope)
  if (!route.list) return { status, headers: {}, body: `${head},"data":${itemJson(value, select)}}` }
  const page = pageOf(value)
  const items = Array.from(page.items, (item) => itemJson(item, select))
  return { status, headers: {}, body: `${head},"data":[${items.join(',')}]${endOf(page, envelope)}` }
}

/** The answer to a call within the process that succeeded: the same fields without their text. */
export function answerObject(value: unknown, envelope: Envelope): WireAnswer {
  const { route, select, requestId } = envelope
  const head = { request_id: requestId }
  const status = route.status ?? 200
  const answer = (object: AnswerObject, as = status): WireAnswer => ({ status: as, headers: {}, body: '', object })
  if (!route.returns || (route.sometimes && value === undefined)) return answer(head)
  if (route.flat) return answer({ ...head, ...(value as object) })
  if (route.beside) {
    const { data, beside, later } = value as Enveloped<unknown, object>
    return answer({ ...head, ...beside, data: plainItem(data, select) }, (later && route.later) || status)
  }
  if (!route.list) return answer({ ...head, data: plainItem(value, select) })
  const page = pageOf(value)
  const data = Array.from(page.items, (item) => plainItem(item, select))
  const next = page.next !== undefined && (page.endless || data.length > 0) ? page.next : undefined
  const cursor = next === undefined ? undefined : { next_cursor: envelope.seal(next) }
  const offset = route.list === 'offset' ? { limit: envelope.limit ?? 10, offset: page.offset ?? 0 } : undefined
  return answer({ ...head, data, ...cursor, ...offset })
}

function plainItem(value: unknown, select: readonly string[] | undefined): unknown {
  if (select && select.length > 0) return pick(value, select)
  return value instanceof JsonText ? JSON.parse(value.text) : value
}

const pageOf = (value: unknown): ListPage<unknown> =>
  Array.isArray(value) ? { items: value } : (value as ListPage<unknown>)

const isEmpty = ({ items }: ListPage<unknown>): boolean =>
  items instanceof JsonTexts ? items.isEmpty : items.length === 0

/** The text after the items of a page. */
function endOf(page: ListPage<unknown>, { route, limit, seal }: Envelope): string {
  // An empty page has no cursor, except in an endless list: some clients would request pages for ever.
  const hasNext = page.next !== undefined && (page.endless || !isEmpty(page))
  const next = page.next !== undefined && hasNext ? `,"next_cursor":"${seal(page.next)}"` : ''
  return route.list === 'offset' ? `${next},"limit":${limit ?? 10},"offset":${page.offset ?? 0}}` : `${next}}`
}

/** Characters above which a page is encoded item by item: encoding it at once would block the event loop. */
const longBody = 256 * 1024

/** The same as `answerWith` for a page, whose items may be large: other requests run between them. */
export async function answerPage(value: unknown, envelope: Envelope): Promise<WireAnswer> {
  const page = pageOf(value)
  if (page.items instanceof JsonTexts && !envelope.select?.length) return answerTexts(page, page.items, envelope)
  return answerItems(page, envelope)
}

async function answerItems(page: ListPage<unknown>, envelope: Envelope): Promise<WireAnswer> {
  const bytes: Buffer[] = []
  let text = `{"request_id":"${envelope.requestId}","data":[`
  const othersTurn = yieldBetween()
  let separator = ''
  for (const item of page.items) {
    text += separator + itemJson(item, envelope.select)
    separator = ','
    if (text.length > longBody) {
      bytes.push(Buffer.from(text))
      text = ''
      await othersTurn()
    }
  }
  text += `]${endOf(page, envelope)}`
  const body = bytes.length === 0 ? text : Buffer.concat([...bytes, Buffer.from(text)])
  return { status: envelope.route.status ?? 200, headers: {}, body }
}

/** The same for items that are JSON already. */
function answerTexts(page: ListPage<unknown>, items: JsonTexts<unknown>, envelope: Envelope): WireAnswer {
  const head = `{"request_id":"${envelope.requestId}","data":[`
  const end = `]${endOf(page, envelope)}`
  return { status: envelope.route.status ?? 200, headers: {}, body: items.between(head, end) }
}

/** An answer with fields next to `data`. */
function answerBeside({ data, beside, later }: Enveloped<unknown, object>, envelope: Envelope): WireAnswer {
  const { route, select, requestId } = envelope
  const status = (later ? route.later : route.status) ?? 200
  const head = JSON.stringify({ request_id: requestId, ...beside })
  return { status, headers: {}, body: `${head.slice(0, -1)},"data":${itemJson(data, select)}}` }
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
