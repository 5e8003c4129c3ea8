// Zoom failures that a test schedules in advance.
import type { Failure } from '../shared/faults.ts'
import { jsonAnswer, type RawAnswer } from '../shared/http.ts'

/** An error of the API, such as `{ status: 429, code: 429, message: '…', retryAfter: 2 }`. */
export interface ZoomRefusal {
  readonly status: number
  readonly code: number
  readonly message?: string
  readonly retryAfter?: number
}

export type ZoomFailure = Failure<ZoomRefusal>

export function refusalAnswer({ status, code, message = `error ${code}`, retryAfter }: ZoomRefusal): RawAnswer {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return jsonAnswer(status, { code, message }, headers)
}
