/** The outcome of some work as one word for a label or a span: a code of the error table, or one of a few others. */
import { ApiError } from '@waypost/platform/api-error'
import { SendFailed } from '@waypost/providers/provider'
import { StoreUnavailable } from '@waypost/store/engine/database'

export function outcomeOf(error: unknown): string {
  if (error === undefined) return 'ok'
  if (error instanceof ApiError) return error.code
  if (error instanceof StoreUnavailable) return 'service_unavailable'
  if (error instanceof SendFailed) return 'send_failed'
  return error instanceof Error && error.name === 'Outdated' ? 'outdated' : 'internal_error'
}

/** The class of a status for labels. Statuses with a meaning of their own are listed separately. */
export function statusClass(status: number | undefined): string {
  if (status === undefined) return 'unanswered'
  if (status === 401 || status === 429) return String(status)
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other'
}
