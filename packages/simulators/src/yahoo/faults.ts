// Yahoo failures that a test schedules in advance.
import type { Failure } from '../shared/faults.ts'
import { jsonAnswer, type RawAnswer } from '../shared/http.ts'

/** An error of the token endpoint, e.g. `{ status: 401, error: 'TOKEN_EXPIRED' }`. */
export interface YahooRefusal {
  readonly status: number
  readonly error: string
  readonly description?: string
  readonly retryAfter?: number
}

export type YahooFailure = Failure<YahooRefusal>

export function refusalAnswer({ status, error, description = error, retryAfter }: YahooRefusal): RawAnswer {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return jsonAnswer(status, { error, error_description: description }, headers)
}
