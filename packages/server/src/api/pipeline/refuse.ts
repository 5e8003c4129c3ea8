/** Error responses outside every route, in the shape of all errors. */
import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import { answerError } from '../http/answer.ts'
import { corsAllowHeaders, corsHeaders, openCors } from '../http/cors.ts'
import type { HttpResponse } from '../http/http.ts'
import { whyOf } from '../http/refusals.ts'
import { pathOf } from '../http/request.ts'
import { headersOf, respond } from '../http/respond.ts'
import type { ApiServices } from './api-services.ts'
import { type LivePage, type PageAnswer, visitOf } from './page.ts'
import type { ArrivedRequest } from './request-context.ts'

export async function refuse(api: ApiServices, arrived: ArrivedRequest, error: ApiError): Promise<HttpResponse> {
  const { request, path } = arrived
  const requestId = newId()
  const answer = answerError(error, requestId)
  const line = { request_id: requestId, method: request.method, path: api.patternOf(path) }
  api.telemetry.metrics.answered('none', answer.status, 0)
  api.telemetry.metrics.erred(error.code)
  // An endpoint that is not implemented is no failure of the node.
  if (error.status >= 500 && error.code !== 'not_implemented')
    api.storage.log.error({ ...line, error: error.cause ?? error }, 'request failed')
  else {
    const address = api.addressOf(request)
    api.telemetry.refusals.note({ address }, () => ({
      ...line,
      status: error.status,
      client: address,
      ...whyOf(error),
    }))
  }
  const page = await pageFor(api, arrived, { error, requestId })
  return page ?? respond(request, answer, { ...headersOf(requestId), ...answer.headers })
}

/** An error as a page, for paths that people open in a browser. */
async function pageFor(
  { errorPage, addressOf }: ApiServices,
  { request, path }: ArrivedRequest,
  { error, requestId }: { error: ApiError; requestId: string },
): Promise<PageAnswer | undefined> {
  if (!errorPage) return undefined
  const nothing: Pick<LivePage, 'bodyBytes'> = {}
  const visit = await visitOf(nothing, { request, params: {}, address: addressOf(request) })
  return errorPage(path, { ...visit, requestId }, error)
}

export const refusePath = (api: ApiServices, arrived: ArrivedRequest): Promise<HttpResponse> => {
  const { method, target } = arrived.request
  const path = pathOf(target, '').slice(0, 200)
  return refuse(
    api,
    arrived,
    new ApiError(
      'not_found',
      `no such endpoint: ${method} ${path}${api.config.docs ? '; GET /openapi.json lists all' : ''}`,
    ),
  )
}

export function refuseMethod(
  api: ApiServices,
  arrived: ArrivedRequest,
  methods: readonly string[],
): Promise<HttpResponse> {
  const allow = methods.join(', ')
  const message = `${arrived.request.method} is not allowed on this path; it takes ${allow}`
  return refuse(api, arrived, new ApiError('method_not_allowed', message, { headers: { allow } }))
}

/** The preflight request of a browser (CORS). Origins that an application registered are allowed, for guests any. */
export async function preflight(
  api: ApiServices,
  arrived: ArrivedRequest,
  isForGuests: (path: string) => boolean,
): Promise<HttpResponse> {
  const origin = arrived.request.header('origin')
  const cors: Record<string, string> = !origin
    ? {}
    : isForGuests(arrived.path)
      ? { ...openCors }
      : await corsHeaders(api.storage, origin)
  if (!cors['access-control-allow-origin']) {
    const message = 'this origin is not registered: add it to idp_settings.origins of the application'
    return refuse(api, arrived, new ApiError('not_found', message, { headers: cors }))
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
