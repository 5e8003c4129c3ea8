/** Calls to providers: operations of adapters, and their HTTP exchanges; and the outcome of some work as one word. */

import { ApiError } from '@waypost/platform/api-error'
import type { Span } from '@waypost/platform/span'
import type { Exchanges } from '@waypost/providers/exchanges'
import { SendFailed } from '@waypost/providers/provider'
import { StoreUnavailable } from '@waypost/store/engine/database'
import type { Metrics } from './metrics.ts'

interface ProviderCalls {
  exchanges: Exchanges
  /** Records the start of an operation. */
  operated(
    at: { provider: string; operation: string },
    span: Span | undefined,
  ): { span: Span | undefined; ended(error: unknown): void }
  /** Records a request for an access token at a provider. */
  refreshed(provider: string, outcome: string): void
}

export function createProviderCalls(metrics: Pick<Metrics, 'counts' | 'histograms'>): ProviderCalls {
  const requests = metrics.counts('waypost_provider_requests_total')
  const requestTimes = metrics.histograms('waypost_provider_request_seconds')
  const operations = metrics.counts('waypost_provider_operations_total')
  const operationTimes = metrics.histograms('waypost_provider_operation_seconds')
  const refreshes = metrics.counts('waypost_token_refreshes_total')
  return {
    exchanges: {
      begin(kind, { method, url }, parent) {
        const began = performance.now()
        const span = parent?.child(method, 'client', { 'http.request.method': method, ...serverOf(url) })
        return (status) => {
          requests.add(kind, statusClass(status))
          requestTimes.of(kind).observe((performance.now() - began) / 1000)
          span?.set({ 'http.response.status_code': status })
          span?.end(status === undefined ? 'unanswered' : status >= 400 ? String(status) : undefined)
        }
      },
    },
    operated({ provider, operation }, parent) {
      const began = performance.now()
      const attributes = { 'waypost.provider': provider, 'waypost.operation': operation }
      const span = parent?.child(`${provider} ${operation}`, 'internal', attributes)
      return {
        span,
        ended(error) {
          const outcome = outcomeOf(error)
          operations.add(provider, operation, outcome)
          operationTimes.of(provider).observe((performance.now() - began) / 1000)
          span?.end(error === undefined ? undefined : outcome)
        },
      }
    },
    refreshed: (provider, outcome) => refreshes.add(provider, outcome),
  }
}

/** The host alone: paths and queries of providers contain ids, addresses and search words. */
function serverOf(text: string | URL): { 'server.address': string; 'server.port': number } {
  const url = typeof text === 'string' ? new URL(text) : text
  return {
    'server.address': url.hostname,
    'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  }
}

/** For a label or a span: a code of the error table, or one of a few others. */
export function outcomeOf(error: unknown): string {
  if (error === undefined) return 'ok'
  if (error instanceof ApiError) return error.code
  if (error instanceof StoreUnavailable) return 'service_unavailable'
  if (error instanceof SendFailed) return 'send_failed'
  return error instanceof Error && error.name === 'Outdated' ? 'outdated' : 'internal_error'
}

/** The class of a status for labels. Statuses with a meaning of their own are listed separately. */
function statusClass(status: number | undefined): string {
  if (status === undefined) return 'unanswered'
  if (status === 401 || status === 429) return String(status)
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other'
}
