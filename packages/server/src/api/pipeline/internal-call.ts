/**
 * Calls a route within the process, for MCP tools and for approved actions. The caller is authenticated already. Everything
 * else is as for a request over HTTP: rights, limits, fields, approval, handler, audit, metrics and logs. The body stays an
 * object on both ways, so a call costs less than a request.
 */
import type { RouteAnswer, RouteCall } from '../../agents/actions/call-route.ts'
import type { AnswerObject, WireAnswer } from '../http/answer.ts'
import type { FileAnswer } from '../http/file-answer.ts'
import type { HttpRequest } from '../http/http.ts'
import { noPayload, type Payload } from '../http/payload.ts'
import type { RawQuery } from '../http/request.ts'
import type { ApiServices } from './api-services.ts'
import { RequestContext, type ServedRoute } from './request-context.ts'
import { runRoute } from './serve-route.ts'

export interface InternalCall extends RouteCall {
  origin?: { tool?: string }
}

export interface InternalAnswer extends RouteAnswer {
  headers: Record<string, string>
  requestId: string
  body: AnswerObject
  /** The answer of a route that returns a file; `body` then has only the request id. */
  file?: FileAnswer
}

/** Calls a route; fails only if there is no such route. Refusals and failures are answers with their status. */
export async function callRoute(api: ApiServices, call: InternalCall): Promise<InternalAnswer> {
  const served = routeOf(api, call.id)
  const { method, path: pattern } = served.named.route
  const params = paramsOf(call.params)
  const path = pathOf(pattern, params)
  const context = new RequestContext(
    { request: requestOf(call, method, path), path, params },
    {
      served,
      queryInPath: undefined,
      address: call.address,
      log: api.storage.log,
      internal: {
        caller: call.caller,
        query: rawOf(call.query),
        payload: payloadOf(call),
        approved: call.approved,
        tool: call.origin?.tool,
        calls: call.calls,
      },
    },
  )
  const { answer } = await runRoute(api, context)
  const { status, headers } = answer
  const { requestId, hasRun } = context
  const about = { requestId, hasRun, isRepeated: context.once?.again === true }
  if ('file' in answer) return { status, headers, ...about, body: { request_id: requestId }, file: answer }
  if ('produce' in answer) throw new Error('a call within the process has no events')
  return { status, headers, ...about, body: objectOf(answer) }
}

/** The route of an id. */
export function routeOf({ routes }: Pick<ApiServices, 'routes'>, id: string): ServedRoute {
  const served = routes.get(id)
  if (!served) throw new Error(`there is no route ${id}`)
  return served
}

/** Errors, and answers that were stored under an Idempotency-Key, exist as text only. */
const objectOf = ({ object, body }: WireAnswer): AnswerObject => object ?? JSON.parse(body.toString())

const payloadOf = ({ body, files = [], mime }: InternalCall): Payload => {
  if (mime) return { json: {}, files: [], mime }
  return body === undefined && files.length === 0 ? { ...noPayload } : { json: body ?? {}, files }
}

/** A query as it would arrive: every value is text. */
function rawOf(query: InternalCall['query']): RawQuery {
  const raw: RawQuery = {}
  for (const name in query) {
    const value = query[name]
    if (value !== undefined) raw[name] = typeof value === 'object' ? [...value] : String(value)
  }
  return raw
}

/** As in `path-matcher.ts`, text that no stored value can contain is replaced, so that it matches nothing. */
function paramsOf(given: InternalCall['params']): Record<string, string> {
  const params: Record<string, string> = {}
  for (const name in given) {
    const text = given[name] ?? ''
    params[name] = text === '' || text.includes('\0') || !text.isWellFormed() ? '\uFFFD' : text
  }
  return params
}

const pathOf = (pattern: string, params: Readonly<Record<string, string>>): string =>
  pattern.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

function requestOf({ idempotencyKey, headers, signal }: InternalCall, method: string, target: string): HttpRequest {
  return {
    method,
    target,
    signal,
    remoteAddress: undefined,
    httpVersion: undefined,
    headerNames: [],
    header: (name) => (name === 'idempotency-key' ? idempotencyKey : headers?.[name]) ?? null,
    bytes: () => Promise.resolve(new Uint8Array()),
    stream: async function* nothing() {},
  }
}
