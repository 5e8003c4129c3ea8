// Failures that a test asks for in advance.
import { jsonAnswer, type RawAnswer } from './http.ts'

export interface FaultMatch {
  readonly method?: string
  /** The path whole, or a pattern tried on it. */
  readonly path: string | RegExp
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

/** What becomes of a request: an answer, silence, or the end of the connection. */
export type Outcome = RawAnswer | 'hang' | 'drop'

export interface Faults<Refusal extends { readonly status: number }> {
  add(match: FaultMatch, failure: Failure<Refusal>): void
  /** Answers a call, or lets it fail as was asked; the failure counts as used. */
  meet(method: string, path: string, answer: () => Promise<RawAnswer>): Promise<Outcome>
}

/** `refuse` writes a refusal as the provider would. */
export function createFaults<Refusal extends { readonly status: number }>(
  refuse: (refusal: Refusal) => RawAnswer,
): Faults<Refusal> {
  const pending: { match: FaultMatch; failure: Failure<Refusal>; left: number }[] = []

  function take(method: string, path: string): Failure<Refusal> | undefined {
    const found = pending.find(({ match, left }) => left > 0 && matches(match, method, path))
    if (found === undefined) return undefined
    found.left--
    return found.failure
  }

  return {
    add(match, failure) {
      pending.push({ match, failure, left: match.times ?? 1 })
    },
    async meet(method, path, answer) {
      const failure = take(method, path)
      if (failure === undefined) return answer()
      if ('hang' in failure) return 'hang'
      if ('drop' in failure) {
        if (failure.drop === 'after') await answer()
        return 'drop'
      }
      return 'json' in failure ? jsonAnswer(failure.status, failure.json, failure.headers) : refuse(failure)
    },
  }
}

function matches({ method, path: wanted }: FaultMatch, called: string, path: string): boolean {
  if (method !== undefined && method !== called) return false
  return typeof wanted === 'string' ? wanted === path : wanted.test(path)
}
