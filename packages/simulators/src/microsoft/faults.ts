// Graph failures that a test schedules in advance.
import type { Failure } from '../shared/faults.ts'
import { jsonAnswer, type RawAnswer } from '../shared/http.ts'
import { errorBody, requestMark } from './errors.ts'

/** An error of Graph, e.g. `{ status: 429, code: 'TooManyRequests', retryAfter: 2 }`. */
export interface GraphRefusal {
  readonly status: number
  readonly code: string
  readonly message?: string
  readonly retryAfter?: number
}

export type MicrosoftFailure = Failure<GraphRefusal>

export function refusalAnswer({ status, code, message = code, retryAfter }: GraphRefusal): RawAnswer {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return jsonAnswer(status, errorBody({ code, message }, requestMark(new Headers(), Date.now())), headers)
}
