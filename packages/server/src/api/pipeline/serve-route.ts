/** One request of a route, from its match to what goes out; what it was is counted, and logged where it failed. */
import { newId } from '../../lib/ids.ts'
import { after, type Ready } from '../../lib/ready.ts'
import { corsHeaders } from '../http/cors.ts'
import type { HttpResponse } from '../http/http.ts'
import { whyOf } from '../http/refusals.ts'
import { headersOf, respond, respondFile } from '../http/respond.ts'
import type { Edge, Matched } from './edge.ts'
import type { ServedRoute } from './handle-request.ts'
import { type Outcome, runRoute } from './pipeline.ts'
import type { PipelineContext } from './pipeline-context.ts'
import type { Incoming } from './request-admission.ts'
import { beginRequest, endRequest } from './request-span.ts'

/** A path that leads to a route. */
export interface ServedPath {
  served: ServedRoute
  /** The parameters of this path that are fields of the query. */
  asQuery: readonly string[]
}

export function serveRoute(
  { pipeline, addressOf }: Edge,
  { served, asQuery }: ServedPath,
  { request, path, params }: Matched,
): Ready<HttpResponse> {
  const { named } = served
  const started = performance.now()
  const requestId = newId()
  const inPath = asQuery.length === 0 ? undefined : takeOut(params, asQuery)
  const span = pipeline.tracer && beginRequest(pipeline.tracer, named, { request, requestId })
  const incoming: Incoming = { request, requestId, params, inPath, path, address: addressOf(request), span }
  return after(runRoute(pipeline, served, incoming), (outcome): Ready<HttpResponse> => {
    if (span) endRequest(span, outcome)
    const headers = Object.assign(headersOf(requestId), outcome.answer.headers)
    const origin = request.header('origin')
    if (!origin) return conclude(pipeline, served, outcome, { incoming, started, headers })
    return corsHeaders(pipeline, origin, outcome.caller?.id).then((cors) =>
      conclude(pipeline, served, outcome, { incoming, started, headers: Object.assign(headers, cors) }),
    )
  })
}

interface Concluded {
  incoming: Incoming
  /** On the clock of `performance.now()`. */
  started: number
  headers: Record<string, string>
}

/** Counts and logs what a request came to, and answers it. */
function conclude(
  pipeline: PipelineContext,
  served: ServedRoute,
  outcome: Outcome,
  { incoming, started, headers }: Concluded,
): Ready<HttpResponse> {
  const { request, requestId } = incoming
  const { named } = served
  const { answer, caller, grant } = outcome
  const milliseconds = performance.now() - started
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
