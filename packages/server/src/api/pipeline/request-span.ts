/** The span of a request: its route and how it ended, and nothing of what it brought. */
import type { NamedRoute } from '@waypost/contract'
import type { Span, Tracer } from '../../lib/span.ts'
import type { HttpRequest } from '../http/http.ts'
import type { Outcome } from './pipeline.ts'

/** Continues the trace of who asks, where the request names one. */
export const beginRequest = (
  tracer: Tracer,
  { id, route }: NamedRoute,
  { request, requestId }: { request: HttpRequest; requestId: string },
): Span | undefined =>
  tracer.begin(`${request.method} ${route.path}`, 'server', {
    parent: request.header('traceparent'),
    attributes: {
      'http.request.method': request.method,
      'http.route': route.path,
      'waypost.route': id,
      'waypost.request_id': requestId,
    },
  })

export function endRequest(span: Span, { answer: { status }, caller, error }: Outcome): void {
  span.set({ 'http.response.status_code': status, 'waypost.application_id': caller?.id })
  // What a client asked wrongly is no failure of the service; its name is told all the same.
  if (error && status < 500) span.set({ 'error.type': error.code })
  span.end(status >= 500 ? (error?.code ?? String(status)) : undefined)
}
