// Every request to the simulator and every request inside a batch passes here: faults asked for by tests come true, and what
// was asked and answered is recorded.
import { createFaults, type Faults, failureAnswer, type GoogleFailure } from './faults.ts'
import type { RawAnswer, RawRequest } from './http.ts'

export interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** 0 where no answer was given. */
  readonly status: number
  /** The email address of the account whose token it was. */
  readonly account: string | undefined
  /** Whether it came inside a batch. */
  readonly batched: boolean
}

export interface Exchange extends Call {
  readonly requestHeaders: Headers
  readonly requestBody: Uint8Array
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: Uint8Array
}

/** What becomes of a request: an answer, silence, or the end of the connection. */
export type Outcome = RawAnswer | 'hang' | 'drop'

export interface Traffic {
  readonly calls: Call[]
  readonly faults: Faults
  observe(listener: (exchange: Exchange) => void): () => void
  /** Answers a request with `answer`, unless it is to fail. */
  pass(request: RawRequest, answer: (request: RawRequest) => Promise<RawAnswer>): Promise<Outcome>
  passBatched(request: RawRequest, answer: (request: RawRequest) => Promise<RawAnswer>): Promise<Outcome>
}

export function createTraffic(): Traffic {
  const calls: Call[] = []
  const listeners = new Set<(exchange: Exchange) => void>()
  const faults = createFaults()

  function record(request: RawRequest, outcome: Outcome, batched: boolean): void {
    const answered = typeof outcome === 'object'
    const call: Call = {
      method: request.method,
      path: request.url.pathname,
      query: request.url.searchParams,
      status: answered ? outcome.status : 0,
      account: answered ? outcome.account : undefined,
      batched,
    }
    calls.push(call)
    if (!answered) return
    const { headers, body } = outcome
    for (const listener of listeners) {
      listener({
        ...call,
        requestHeaders: request.headers,
        requestBody: request.body,
        responseHeaders: headers,
        responseBody: body,
      })
    }
  }

  async function passAs(
    request: RawRequest,
    answer: (request: RawRequest) => Promise<RawAnswer>,
    batched: boolean,
  ): Promise<Outcome> {
    const failure = faults.take(request.method, request.url.pathname)
    const outcome = failure === undefined ? await answer(request) : await fail(failure, () => answer(request))
    record(request, outcome, batched)
    return outcome
  }

  return {
    calls,
    faults,
    observe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pass: (request, answer) => passAs(request, answer, false),
    passBatched: (request, answer) => passAs(request, answer, true),
  }
}

async function fail(failure: GoogleFailure, answer: () => Promise<RawAnswer>): Promise<Outcome> {
  if ('hang' in failure) return 'hang'
  if ('drop' in failure) {
    if (failure.drop === 'after') await answer()
    return 'drop'
  }
  return failureAnswer(failure) ?? 'drop'
}
