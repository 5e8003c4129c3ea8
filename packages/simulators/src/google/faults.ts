// Google failures that a test schedules in advance.

import type { Failure } from '../shared/faults.ts'
import { jsonAnswer, type RawAnswer } from '../shared/http.ts'
import { errorBody, GoogleError } from './errors.ts'

/** An error of the JSON APIs, e.g. `{ status: 403, reason: 'userRateLimitExceeded', retryAfter: 2 }`. */
export interface GoogleRefusal {
  readonly status: number
  readonly reason: string
  readonly message?: string
  readonly retryAfter?: number
}

export type GoogleFailure = Failure<GoogleRefusal>

export function refusalAnswer({ status, reason, message = reason, retryAfter }: GoogleRefusal): RawAnswer {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return jsonAnswer(status, errorBody(new GoogleError(status, reason, message)), headers)
}
