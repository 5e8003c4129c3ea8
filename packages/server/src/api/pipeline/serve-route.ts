/**
 * One request of a route, from its match to its answer: admission, fields, handler, envelope. Each step may only spend what
 * the step before it has allowed. Every outcome is counted; failures are logged.
 */

import type { ApiError } from '@waypost/platform/api-error'
import { isUuid } from '@waypost/platform/ids'
import type { CallCount } from '@waypost/providers/call-count'
import { answerError, answerOAuthError, asApiError, type LiveAnswer, type WireAnswer } from '../http/answer.ts'
import { corsHeaders, openCors } from '../http/cors.ts'
import { type EventSink, eventStream, eventStreamHeaders } from '../http/event-stream.ts'
import { dropFile, type FileAnswer } from '../http/file-answer.ts'
import type { HttpResponse } from '../http/http.ts'
import { noPayload } from '../http/payload.ts'
import { whyOf } from '../http/refusals.ts'
import { queryOf } from '../http/request.ts'
import { headersOf, respond, respondFile } from '../http/respond.ts'
import { admit, changingMethods, finishAudit } from './admission.ts'
import { answerChange } from './answer-change.ts'
import type { ApiServices } from './api-services.ts'
import { handleRequest } from './handle-request.ts'
import { type ArrivedRequest, RequestContext, type ServedRoute } from './request-context.ts'
import { beginRequest, endRequest } from './request-span.ts'

/** A path that leads to a route. */
export interface ServedPath {
  served: ServedRoute
  /** The parameters of this path that are fields of the query. */
  asQuery: readonly string[]
}

export interface Outcome {
  answer: WireAnswer | FileAnswer | LiveAnswer
  error: ApiError | undefined
}

export async function serveRoute(
  api: ApiServices,
  { served, asQuery }: ServedPath,
  arrived: ArrivedRequest,
): Promise<HttpResponse> {
  const context = new RequestContext(arrived, {
    served,
    queryInPath: asQuery.length === 0 ? undefined : takeOut(arrived.params, asQuery),
    address: api.addressOf(arrived.request),
    log: api.storage.log,
  })
  const outcome = await runRoute(api, context)
  const headers = Object.assign(headersOf(context.requestId), outcome.answer.headers)
  const origin = context.request.header('origin')
  if (origin) {
    const isForGuests = served.named.route.audience === 'guest'
    Object.assign(headers, isForGuests ? openCors : await corsHeaders(api.storage, origin, context.application?.id))
  }
  return conclude(api, context, outcome, headers)
}

/** Runs a request to its outcome, which is traced, counted and logged; never fails. */
export async function runRoute(api: ApiServices, context: RequestContext): Promise<Outcome> {
  if (api.telemetry.tracer) context.span = beginRequest(api.telemetry.tracer, context)
  const outcome = await answerRoute(api, context)
  if (context.span) endRequest(context.span, context, { status: outcome.answer.status, error: outcome.error })
  count(api, context, outcome)
  return outcome
}

/** Runs the stages of a request; never fails. */
async function answerRoute(api: ApiServices, context: RequestContext): Promise<Outcome> {
  try {
    await admit(api, context)
    context.rawQuery = context.internal?.query ?? queryOf(context.request.target, context.queryInPath)
    const isChange = changingMethods.has(context.request.method)
    const answer = await (isChange ? answerChange(api, context) : handleRequest(api, context, noPayload))
    return await succeedRoute(api, context, answer)
  } catch (thrown) {
    return failRoute(api, context, thrown)
  }
}

async function succeedRoute(api: ApiServices, context: RequestContext, answer: Outcome['answer']): Promise<Outcome> {
  const { audit } = context
  if (!audit || 'idempotent-response' in answer.headers) return outcomeOf(context, answer)
  try {
    await finishAudit(api, audit, answer.status)
  } catch (error) {
    if ('file' in answer) dropFile(answer.file)
    if ('drop' in answer) answer.drop()
    throw error
  }
  return outcomeOf(context, answer)
}

async function failRoute(api: ApiServices, context: RequestContext, thrown: unknown): Promise<Outcome> {
  const { named } = context.served
  const { requestId } = context
  const error = asApiError(thrown)
  if (context.grant) {
    const { applicationId, grant } = context.grant
    api.accounts.activity.failed(grant.id, {
      operation: named.id,
      error,
      requestId,
      of: { applicationId, provider: grant.provider },
      isAdministrator: context.acting !== undefined,
    })
  }
  if (context.audit) await finishAudit(api, context.audit, error.status)
  const answer =
    named.route.audience === 'client' ? answerOAuthError(error, requestId, api.errorUri) : answerError(error, requestId)
  return outcomeOf(context, answer, error)
}

/** The outcome of a request, with the headers of its rate limit and of its provider calls. */
function outcomeOf({ budget, calls }: RequestContext, answer: Outcome['answer'], error?: ApiError): Outcome {
  if (budget) answer.headers = Object.assign(budget, answer.headers)
  if (calls.calls !== undefined) answer.headers = { ...answer.headers, ...callHeaders(calls) }
  return { answer, error }
}

/** Counts and logs the outcome of a request. */
function count(api: ApiServices, context: RequestContext, outcome: Outcome): void {
  const { requestId, application: caller, grant } = context
  const route = context.served.named.id
  const { answer } = outcome
  const milliseconds = performance.now() - context.startedAt
  api.telemetry.metrics.answered(route, answer.status, milliseconds)
  api.telemetry.traffic.answered({ caller, grant, route, status: answer.status, milliseconds, requestId })
  if (caller?.credential) recordRequest(api, context, outcome)
  if (outcome.error || answer.status >= 500 || api.storage.log.isLevelEnabled('debug')) {
    report(api, context, outcome, milliseconds)
  }
}

/** Sends the answer of a request. */
function conclude(
  api: ApiServices,
  { request, requestId, served }: RequestContext,
  { answer }: Outcome,
  headers: Record<string, string>,
): HttpResponse | Promise<HttpResponse> {
  if ('produce' in answer) {
    const line = { request_id: requestId, route: served.named.id }
    const produce = (sink: EventSink): Promise<void> =>
      answer.produce(sink).catch((error: unknown) => {
        api.storage.log.info({ ...line, error }, 'stream broken off')
        throw error
      })
    const body = eventStream(produce, { gone: request.signal })
    return { status: answer.status, headers: { ...headers, ...eventStreamHeaders }, body }
  }
  if (!('file' in answer)) return respond(request, answer, headers)
  return respondFile(api.storage, request, answer, { headers, line: { request_id: requestId, route: served.named.id } })
}

/** Adds a request to the log of its restricted API key or agent. */
function recordRequest(api: ApiServices, context: RequestContext, { answer, error }: Outcome): void {
  const { application: caller, requestId } = context
  if (!caller?.credential) return
  api.telemetry.credentialLog.answered({
    applicationId: caller.id,
    credentialId: caller.credential.id,
    requestId,
    method: context.internal?.tool === undefined ? context.request.method : 'MCP',
    operation: context.served.named.id,
    tool: context.internal?.tool,
    status: answer.status,
    error: error?.code,
    grantId: context.grant?.grant.id ?? namedGrant(context),
  })
}

/** The grant that the path of a refused request names by its id. An address is not recorded. */
const namedGrant = ({ params }: RequestContext): string | undefined =>
  params.grant_id !== undefined && isUuid(params.grant_id) ? params.grant_id.toLowerCase() : undefined

/** Takes the parameters of these names out of those of a path. */
function takeOut(params: Record<string, string>, names: readonly string[]): Record<string, string> {
  const taken: Record<string, string> = {}
  for (const name of names) {
    taken[name] = params[name] ?? ''
    delete params[name]
  }
  return taken
}

function report(
  api: ApiServices,
  { served: { named, known }, request, requestId, application, address, span }: RequestContext,
  { answer: { status }, error }: Outcome,
  milliseconds: number,
): void {
  const line = (): Record<string, unknown> => ({
    request_id: requestId,
    method: request.method,
    route: named.id,
    status,
    ms: Math.round(milliseconds * 10) / 10,
    application_id: application?.id,
    trace_id: span?.traceId,
  })
  if (error) api.telemetry.metrics.erred(error.code)
  if (status >= 500)
    api.storage.log.error({ ...line(), client: address, error: error?.cause ?? error }, 'request failed')
  else if (error) {
    const by = application ? { application: application.id } : { address }
    api.telemetry.refusals.note(by, () => ({ ...line(), client: address, ...whyOf(error, known) }))
  } else api.storage.log.debug(line(), 'request answered')
}

/** The response headers about the provider calls of a request, with the names that published clients know. */
const callHeaders = ({ calls, quotaUnits }: CallCount): Record<string, string> => ({
  ...countHeaders(['x-provider-request-count', 'nylas-provider-request-count'], calls),
  ...countHeaders(['x-google-quota-units', 'nylas-gmail-quota-usage'], quotaUnits),
})

const countHeaders = (names: readonly string[], count: number | undefined): Record<string, string> =>
  count === undefined ? {} : Object.fromEntries(names.map((name) => [name, String(count)]))
