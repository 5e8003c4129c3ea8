// Failures that a test schedules in advance.
import { jsonAnswer, type RawAnswer, type RawRequest } from './http.ts'

export interface FaultMatch {
  readonly method?: string
  /** The exact path, or a pattern for it; default: any. */
  readonly path?: string | RegExp
  /** The exact operation of a SOAP request, or a pattern for it; default: any. */
  readonly operation?: string | RegExp
  /** How many of the next matching calls fail; default 1. */
  readonly times?: number
}

/** The failures that every simulator supports; `Refusal` is an error in the provider's own format. */
export type Failure<Refusal extends { readonly status: number }> =
  | Refusal
  /** Any response, e.g. from OAuth: `{ status: 400, json: { error: 'invalid_grant' } }`. */
  | { readonly status: number; readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** No response until the client gives up. */
  | { readonly hang: true }
  /** The connection is closed before or after the call takes effect. */
  | { readonly drop: 'before' | 'after' }
  /** The connection closes in the middle of the response. */
  | { readonly cut: true }

/** The outcome of a request: a response, no response, or a closed connection. */
export type Outcome = RawAnswer | 'hang' | 'drop'

export interface Faults<Refusal extends { readonly status: number }> {
  add(match: FaultMatch, failure: Failure<Refusal>): void
  /** Answers a call, or makes it fail as scheduled and counts the failure as used. */
  meet(called: Called, request: RawRequest, answer: () => Promise<RawAnswer>): Promise<Outcome>
}

/** The attributes of a call that faults match on. */
export interface Called {
  readonly method: string
  readonly path: string
  readonly operation: string | undefined
}

/** `refuse` renders a refusal in the provider's format. */
export function createFaults<Refusal extends { readonly status: number }>(
  refuse: (refusal: Refusal, request: RawRequest) => RawAnswer,
): Faults<Refusal> {
  const pending: { match: FaultMatch; failure: Failure<Refusal>; left: number }[] = []

  function take(called: Called): Failure<Refusal> | undefined {
    const found = pending.find(({ match, left }) => left > 0 && matches(match, called))
    if (found === undefined) return undefined
    found.left--
    return found.failure
  }

  return {
    add(match, failure) {
      pending.push({ match, failure, left: match.times ?? 1 })
    },
    async meet(called, request, answer) {
      const failure = take(called)
      if (failure === undefined) return answer()
      if ('hang' in failure) return 'hang'
      if ('drop' in failure) {
        if (failure.drop === 'after') await answer()
        return 'drop'
      }
      if ('cut' in failure) return { ...(await answer()), isCut: true }
      return 'json' in failure ? jsonAnswer(failure.status, failure.json, failure.headers) : refuse(failure, request)
    },
  }
}

function matches(match: FaultMatch, called: Called): boolean {
  if (match.method !== undefined && match.method !== called.method) return false
  return fits(match.path, called.path) && fits(match.operation, called.operation ?? '')
}

function fits(wanted: string | RegExp | undefined, text: string): boolean {
  return wanted === undefined || (typeof wanted === 'string' ? wanted === text : wanted.test(text))
}
