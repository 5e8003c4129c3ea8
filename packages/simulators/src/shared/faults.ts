// Failures that a test asks for in advance.
import { jsonAnswer, type RawAnswer, type RawRequest } from './http.ts'

export interface FaultMatch {
  readonly method?: string
  /** The path whole, or a pattern tried on it; default: any. */
  readonly path?: string | RegExp
  /** The operation of a SOAP request, whole, or a pattern tried on it; default: any. */
  readonly operation?: string | RegExp
  /** How many of the next calls; default 1. */
  readonly times?: number
}

/** The failures that every simulator has; `Refusal` is an error in the provider's own form. */
export type Failure<Refusal extends { readonly status: number }> =
  | Refusal
  /** Any answer, e.g. of OAuth: `{ status: 400, json: { error: 'invalid_grant' } }`. */
  | { readonly status: number; readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** No answer, until the client gives up. */
  | { readonly hang: true }
  /** The connection is closed before the call has its effect, or after. */
  | { readonly drop: 'before' | 'after' }
  /** The connection ends in the middle of the answer. */
  | { readonly cut: true }

/** What becomes of a request: an answer, silence, or the end of the connection. */
export type Outcome = RawAnswer | 'hang' | 'drop'

export interface Faults<Refusal extends { readonly status: number }> {
  add(match: FaultMatch, failure: Failure<Refusal>): void
  /** Answers a call, or lets it fail as was asked; the failure counts as used. */
  meet(called: Called, request: RawRequest, answer: () => Promise<RawAnswer>): Promise<Outcome>
}

/** What is asked for. */
export interface Called {
  readonly method: string
  readonly path: string
  readonly operation: string | undefined
}

/** `refuse` writes a refusal as the provider would. */
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
