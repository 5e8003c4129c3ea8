/** Answers outside every route, in the shape of all errors. */
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { type LivePage, type PageAnswer, visitOf } from '../pages/page.ts'
import type { Edge, Matched } from '../pipeline/edge.ts'
import { pathOf } from '../pipeline/request.ts'
import { answerError } from './answer.ts'
import { corsAllowHeaders, corsHeaders } from './cors.ts'
import type { HttpResponse } from './http.ts'
import { whyOf } from './refusals.ts'
import { headersOf, respond } from './respond.ts'

export async function refuse(edge: Edge, matched: Matched, error: ApiError): Promise<HttpResponse> {
  const { pipeline } = edge
  const { request, path } = matched
  const requestId = newId()
  const answer = answerError(error, requestId)
  const line = { request_id: requestId, method: request.method, path: edge.patternOf(path) }
  pipeline.metrics.answered('none', answer.status, 0)
  pipeline.metrics.erred(error.code)
  // That something is not there yet is no fault of the node.
  if (error.status >= 500 && error.code !== 'not_implemented')
    pipeline.log.error({ ...line, error: error.cause ?? error }, 'request failed')
  else {
    const address = edge.addressOf(request)
    pipeline.refusals.note({ address }, () => ({ ...line, status: error.status, client: address, ...whyOf(error) }))
  }
  const page = await pageFor(edge, matched, { error, requestId })
  return page ?? respond(request, answer, { ...headersOf(requestId), ...answer.headers })
}

/** An error as a page, where people look at it. */
async function pageFor(
  { errorPage, addressOf }: Edge,
  { request, path }: Matched,
  { error, requestId }: { error: ApiError; requestId: string },
): Promise<PageAnswer | undefined> {
  if (!errorPage) return undefined
  const nothing: Pick<LivePage, 'bodyBytes'> = {}
  const visit = await visitOf(nothing, { request, params: {}, address: addressOf(request) })
  return errorPage(path, { ...visit, requestId }, error)
}

export const refusePath = (edge: Edge, matched: Matched): Promise<HttpResponse> => {
  const { method, target } = matched.request
  const path = pathOf(target, '').slice(0, 200)
  return refuse(
    edge,
    matched,
    new ApiError(
      'not_found',
      `no such endpoint: ${method} ${path}${edge.hasDocs ? '; GET /openapi.json lists all' : ''}`,
    ),
  )
}

export function refuseMethod(edge: Edge, matched: Matched, methods: readonly string[]): Promise<HttpResponse> {
  const allow = methods.join(', ')
  const message = `${matched.request.method} is not allowed on this path; it takes ${allow}`
  return refuse(edge, matched, new ApiError('method_not_allowed', message, { headers: { allow } }))
}

/** A browser asks before it calls: origins that an application registered may. */
export async function preflight(edge: Edge, matched: Matched): Promise<HttpResponse> {
  const origin = matched.request.header('origin')
  const cors = origin ? await corsHeaders(edge.pipeline, origin) : {}
  if (!cors['access-control-allow-origin']) {
    const message = 'this origin is not registered: add it to idp_settings.origins of the application'
    return refuse(edge, matched, new ApiError('not_found', message, { headers: cors }))
  }
  const headers = {
    ...cors,
    'x-request-id': newId(),
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': corsAllowHeaders,
    'access-control-max-age': '600',
  }
  return { status: 204, headers, body: null }
}
