// Failures that a test asks for in advance.
import { errorBody, GoogleError } from './errors.ts'
import { jsonAnswer, type RawAnswer } from './http.ts'

export interface FaultMatch {
  readonly method?: string
  /** The path whole, or a pattern tried on it. */
  readonly path: string | RegExp
  /** How many of the next calls; default 1. */
  readonly times?: number
}

export type GoogleFailure =
  /** An error of the JSON APIs, e.g. `{ status: 403, reason: 'userRateLimitExceeded', retryAfter: 2 }`. */
  | { readonly status: number; readonly reason: string; readonly message?: string; readonly retryAfter?: number }
  /** Any answer, e.g. of OAuth: `{ status: 400, json: { error: 'invalid_grant' } }`. */
  | { readonly status: number; readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** No answer, until the client gives up. */
  | { readonly hang: true }
  /** The connection is closed before the call has its effect, or after. */
  | { readonly drop: 'before' | 'after' }

export interface Faults {
  add(match: FaultMatch, failure: GoogleFailure): void
  /** The failure this call is to have; it counts as used. */
  take(method: string, path: string): GoogleFailure | undefined
}

export function createFaults(): Faults {
  const pending: { match: FaultMatch; failure: GoogleFailure; left: number }[] = []
  return {
    add(match, failure) {
      pending.push({ match, failure, left: match.times ?? 1 })
    },
    take(method, path) {
      const found = pending.find(({ match, left }) => left > 0 && matches(match, method, path))
      if (found === undefined) return undefined
      found.left--
      return found.failure
    },
  }
}

/** The answer of a failure that has one. */
export function failureAnswer(failure: GoogleFailure): RawAnswer | undefined {
  if ('json' in failure) return jsonAnswer(failure.status, failure.json, failure.headers)
  if (!('reason' in failure)) return undefined
  const { status, reason, message = reason, retryAfter } = failure
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return jsonAnswer(status, errorBody(new GoogleError(status, reason, message)), headers)
}

function matches({ method, path: wanted }: FaultMatch, called: string, path: string): boolean {
  if (method !== undefined && method !== called) return false
  return typeof wanted === 'string' ? wanted === path : wanted.test(path)
}
