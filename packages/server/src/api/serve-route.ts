/** One request of a route, from its match to what goes out; what it was is counted, and logged where it failed. */
import { newId } from '../lib/ids.ts'
import { corsHeaders } from './cors.ts'
import type { Edge, Matched } from './edge.ts'
import type { ServedRoute } from './handle-request.ts'
import type { HttpResponse } from './http.ts'
import { type Outcome, runRoute } from './pipeline.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { whyOf } from './refusals.ts'
import type { Incoming } from './request-admission.ts'
import { beginRequest, endRequest } from './request-span.ts'
import { headersOf, respond, respondFile } from './respond.ts'

/** A path that leads to a route. */
export interface ServedPath {
  served: ServedRoute
  /** The parameters of this path that are fields of the query. */
  asQuery: readonly string[]
}

export async function serveRoute(
  { pipeline, addressOf }: Edge,
  { served, asQuery }: ServedPath,
  { request, path, params }: Matched,
): Promise<HttpResponse> {
  const { named } = served
  const started = performance.now()
  const requestId = newId()
  const inPath = asQuery.length === 0 ? undefined : takeOut(params, asQuery)
  const span = pipeline.tracer && beginRequest(pipeline.tracer, named, { request, requestId })
  const incoming: Incoming = { request, requestId, params, inPath, path, address: addressOf(request), span }
  const outcome = await runRoute(pipeline, served, incoming)
  if (span) endRequest(span, outcome)
  const { answer } = outcome
  const headers = Object.assign(headersOf(requestId), answer.headers)
  const origin = request.header('origin')
  if (origin) Object.assign(headers, await corsHeaders(pipeline, origin, outcome.caller?.id))
  const milliseconds = performance.now() - started
  const { caller, grant } = outcome
  pipeline.metrics.answered(named.id, answer.status, milliseconds)
  pipeline.traffic?.answered({ caller, grant, route: named.id, status: answer.status, milliseconds, requestId })
  if (outcome.error || answer.status >= 500 || pipeline.log.isLevelEnabled('debug'))
    report(pipeline, served, outcome, { ...incoming, milliseconds })
  if (!('file' in answer)) return respond(request, answer, headers)
  return respondFile(pipeline, request, answer, { headers, line: { request_id: requestId, route: named.id } })
}

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
  pipeline: PipelineContext,
  { named, known }: ServedRoute,
  { answer: { status }, caller, error }: Outcome,
  { requestId, milliseconds, request, address, span }: Incoming & { milliseconds: number },
): void {
  const line = (): Record<string, unknown> => ({
    request_id: requestId,
    method: request.method,
    route: named.id,
    status,
    ms: Math.round(milliseconds * 10) / 10,
    application_id: caller?.id,
    trace_id: span?.traceId,
  })
  if (error) pipeline.metrics.erred(error.code)
  if (status >= 500) pipeline.log.error({ ...line(), client: address, error: error?.cause ?? error }, 'request failed')
  else if (error) {
    const who = caller ? { application: caller.id } : { address }
    pipeline.refusals.note(who, () => ({ ...line(), client: address, ...whyOf(error, known) }))
  } else pipeline.log.debug(line(), 'request answered')
}
