/**
 * The MCP endpoint: `/mcp` and `/mcp/<application_id>`, the same on every node. It holds no sessions: each request carries
 * all that is needed. Origin and credential come before the body is read; the body is bounded and must be one message.
 * docs/adr/0041-mcp.md explains the design.
 */
import { limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import type { JsonValue } from '@waypost/platform/json/guard'
import { isOriginOf } from '@waypost/store/tables/applications/applications'
import { rateHeaders } from '../../../telemetry/rate-limit.ts'
import { asApiError } from '../../http/answer.ts'
import { corsHeaders } from '../../http/cors.ts'
import { eventStream, eventStreamHeaders } from '../../http/event-stream.ts'
import type { HttpRequest, HttpResponse } from '../../http/http.ts'
import { readJsonBytes } from '../../http/json-body.ts'
import { readBody } from '../../http/request.ts'
import { headersOf, respond } from '../../http/respond.ts'
import type { Endpoint } from '../../pipeline/page.ts'
import { answerIn, canAskOf, openQuestion, openSession } from './client-state.ts'
import { encodeResult, generationOf, olderVersions, versions } from './envelope.ts'
import type { Exchange, McpServices, MethodAnswer, MethodCall } from './exchange.ts'
import { codes, ProtocolFault } from './faults.ts'
import { errorText, idOf, type Message, type MessageId, readMessage, resultText } from './json-rpc.ts'
import { findMcpCaller, type McpCaller, type Presented } from './mcp-caller.ts'
import { callMethod, labelOf, traceparentOf } from './methods.ts'

/** A request under way. The fields are filled as it proceeds, so that an error names what is known. */
interface Arrival {
  request: HttpRequest
  presented: Presented
  requestId: string
  caller?: McpCaller
  id?: MessageId | undefined
  headers: Record<string, string>
}

export const mcpEndpoints = (mcp: McpServices): Endpoint[] =>
  ['/mcp', '/mcp/:application_id'].map((path) => ({
    method: 'POST',
    path,
    async respond({ request, params }) {
      const started = performance.now()
      const presented: Presented = {
        authorization: request.header('authorization'),
        address: mcp.api.addressOf(request),
        applicationId: params.application_id,
        baseUrl: mcp.baseUrl,
      }
      const requestId = newId()
      const arrival: Arrival = { request, presented, requestId, headers: headersOf(requestId) }
      const response = await answer(mcp, arrival).catch((error) => refuse(mcp, arrival, error))
      mcp.api.telemetry.metrics.answered(path, response.status, performance.now() - started)
      return response
    },
  }))

async function answer(mcp: McpServices, arrival: Arrival): Promise<HttpResponse> {
  const { request, presented, headers } = arrival
  const { api } = mcp
  const origin = request.header('origin')
  const isOwnOrigin = origin === null || origin === new URL(mcp.baseUrl).origin
  // An origin that no application knows is refused whatever the credential; a known one must belong to the caller.
  if (!isOwnOrigin) {
    Object.assign(headers, await corsHeaders(api.storage, origin))
    if (!headers['access-control-allow-origin']) throw foreignOrigin()
  }
  const caller = await findMcpCaller(api.authentication, presented)
  arrival.caller = caller
  api.telemetry.load.learn(presented.authorization ?? undefined, caller.id)
  if (!isOwnOrigin && !(await isOriginOf(api.storage.database, caller.id, origin))) throw foreignOrigin()
  const budget = api.limiter?.take('mcp', `${caller.id} ${caller.credential.id}`, api.storage.clock.now())
  if (budget) Object.assign(headers, rateHeaders(budget))
  const body = await api.telemetry.underWay.within(bodyOf(mcp, request))
  arrival.id = idOf(body)
  const message = readMessage(body)
  const exchange = exchangeOf(mcp, { ...arrival, caller }, message)
  if (message.kind === 'response') return takeResponse(exchange, message, headers)
  // Notifications ask for nothing that this endpoint does: `initialized`, and `cancelled` for calls at any node.
  if (message.kind === 'notification') return accepted(headers)
  return answerCall({ ...exchange, message }, headers)
}

const foreignOrigin = (): ProtocolFault => {
  const message = 'this origin is not registered: add it to idp_settings.origins of the application'
  return new ProtocolFault(403, message, { status: 403, data: { type: 'origin_not_allowed' } })
}

async function bodyOf({ api }: McpServices, request: HttpRequest): Promise<JsonValue> {
  const type = request.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new ApiError('unsupported_media_type', 'Content-Type: must be application/json')
  const bytes = await readBody(request, limits.bodyBytes)
  const parsed = await readJsonBytes(bytes, { pool: api.mail.threads.composing, signal: request.signal })
  if (!parsed?.ok)
    throw new ProtocolFault(codes.parseError, `Parse error: ${parsed?.problem ?? 'the body is not UTF-8'}`)
  return parsed.value
}

function exchangeOf(mcp: McpServices, arrival: Arrival & { caller: McpCaller }, message: Message): Exchange {
  const { request, presented, requestId, caller } = arrival
  const header = (name: string): string | null => request.header(name)
  const headers = { version: header('mcp-protocol-version'), method: header('mcp-method'), name: header('mcp-name') }
  const found = generationOf(message, headers)
  const exchange = { mcp, caller, presented, request, requestId, span: undefined }
  if (found.generation === 'modern') {
    const canAsk = canAskOf(found.capabilities)
    return { ...exchange, generation: 'modern', version: versions[0] ?? '', canAsk }
  }
  const token = header('mcp-session-id')
  const isNew = message.kind === 'request' && message.method === 'initialize'
  const session =
    token === null || isNew
      ? undefined
      : openSession(mcp.api.storage.cursors, caller, token, mcp.api.storage.clock.now())
  if (token !== null && !isNew && !session) {
    throw new ProtocolFault(codes.invalidRequest, 'Session not found: begin a new one with initialize', { status: 404 })
  }
  const takesStreams = /\btext\/event-stream\b|\*\/\*/.test(header('accept') ?? '')
  return {
    ...exchange,
    generation: 'older',
    version: session?.version ?? found.version ?? olderVersions.at(-1) ?? '',
    canAsk: takesStreams && session?.canAsk === true,
  }
}

const accepted = (headers: Record<string, string>): HttpResponse => {
  const { 'content-type': _, ...rest } = headers
  return { status: 202, headers: rest, body: null }
}

/** The answer of a person to a question that any node asked (versions before 2026-07-28). */
async function takeResponse(
  exchange: Exchange,
  { id, result }: Extract<Message, { kind: 'response' }>,
  headers: Record<string, string>,
): Promise<HttpResponse> {
  const { mcp } = exchange
  const state = openQuestion(exchange, String(id))
  // The client failed to ask: the action still waits for approval.
  if (result) await mcp.questions.decide(exchange, state, answerIn(result))
  mcp.waiting.wake(String(id))
  return accepted(headers)
}

async function answerCall(call: MethodCall, headers: Record<string, string>): Promise<HttpResponse> {
  const { mcp, request, requestId, caller, message } = call
  const span = mcp.api.telemetry.tracer?.begin(`mcp ${labelOf(call)}`, 'server', {
    parent: traceparentOf(call) ?? request.header('traceparent'),
    attributes: { 'mcp.method': labelOf(call), 'waypost.request_id': requestId, 'waypost.application_id': caller.id },
  })
  const end = (error?: unknown): void => span?.end(error === undefined ? undefined : String(codeOf(error)))
  try {
    const answered = await callMethod(span ? { ...call, span } : call)
    end()
    return await encode(call, answered, headers)
  } catch (error) {
    end(error)
    throw error
  }

  async function encode(of: MethodCall, answered: MethodAnswer, own: Record<string, string>): Promise<HttpResponse> {
    if ('produce' in answered) {
      const body = eventStream(answered.produce, { gone: request.signal })
      return { status: 200, headers: { ...own, ...eventStreamHeaders }, body }
    }
    // Results are small, and compressing one costs as much processor time as everything else in the call.
    if ('result' in answered) {
      return { status: 200, headers: own, body: resultText(message.id, encodeResult(of, answered.result)) }
    }
    const body = resultText(message.id, answered.text)
    return respond(request, { status: 200, body }, { ...own, ...answered.headers })
  }
}

const codeOf = (error: unknown): number => (error instanceof ProtocolFault ? error.code : codes.internalError)

/** The answer to a request that failed: always a JSON-RPC error. Failures of the service are logged. */
async function refuse(mcp: McpServices, arrival: Arrival, error: unknown): Promise<HttpResponse> {
  const { request, requestId, caller, id, headers } = arrival
  const fault = error instanceof ProtocolFault ? error : faultOf(error)
  const line = { request_id: requestId, route: 'mcp', status: fault.status, application_id: caller?.id }
  if (fault.status >= 500) mcp.api.storage.log.error({ ...line, error }, 'request failed')
  else if (fault.status >= 400) {
    const { address } = arrival.presented
    mcp.api.telemetry.refusals.note(caller ? { application: caller.id } : { address }, () => ({
      ...line,
      client: address,
      refused: String(fault.code),
      reason: fault.message,
    }))
  }
  const body = errorText(id, fault)
  return respond(request, { status: fault.status, body }, { ...headers, ...fault.headers })
}

/** An error of the API as one of the protocol: its status is the code. */
function faultOf(error: unknown): ProtocolFault {
  const { status, code, message, details } = asApiError(error)
  const retry = details.retryAfter === undefined ? undefined : { 'retry-after': String(Math.ceil(details.retryAfter)) }
  const rpcCode = status >= 500 ? codes.internalError : status
  return new ProtocolFault(rpcCode, message, {
    status,
    data: { type: code },
    headers: { ...details.headers, ...retry },
  })
}
