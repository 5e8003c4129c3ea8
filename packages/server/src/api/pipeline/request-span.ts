/** The span of a request: its route and its outcome, and nothing that the client sent. */
import type { ApiError } from '@waypost/platform/api-error'
import type { Span, Tracer } from '@waypost/platform/span'
import type { RequestContext } from './request-context.ts'

/** Continues the trace of the client, where the request names one. */
export function beginRequest(tracer: Tracer, { served, request, requestId }: RequestContext): Span | undefined {
  const { id, route } = served.named
  return tracer.begin(`${request.method} ${route.path}`, 'server', {
    parent: request.header('traceparent'),
    attributes: {
      'http.request.method': request.method,
      'http.route': route.path,
      'waypost.route': id,
      'waypost.request_id': requestId,
    },
  })
}

export function endRequest(
  span: Span,
  { application }: RequestContext,
  { status, error }: { status: number; error: ApiError | undefined },
): void {
  span.set({ 'http.response.status_code': status, 'waypost.application_id': application?.id })
  // An error of the client is no failure of the service, but the span names it.
  if (error && status < 500) span.set({ 'error.type': error.code })
  span.end(status >= 500 ? (error?.code ?? String(status)) : undefined)
}
