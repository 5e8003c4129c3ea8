// Every request to the simulator and every request inside a batch passes here: faults asked for by tests come true, and what
// was asked and answered is recorded.
import { createFaults, type Failure, type FaultMatch, type Outcome } from './faults.ts'
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

export interface Traffic<Refusal extends { readonly status: number }> {
  readonly calls: Call[]
  /** The next calls that match are answered with this failure. */
  fail(match: FaultMatch, failure: Failure<Refusal>): void
  observe(listener: (exchange: Exchange) => void): () => void
  /** Answers a request with `answer`, unless it is to fail. */
  pass(request: RawRequest, answer: (request: RawRequest) => Promise<RawAnswer>): Promise<Outcome>
  passBatched(request: RawRequest, answer: (request: RawRequest) => Promise<RawAnswer>): Promise<Outcome>
}

/** `refuse` writes a refusal as the provider would. */
export function createTraffic<Refusal extends { readonly status: number }>(
  refuse: (refusal: Refusal) => RawAnswer,
): Traffic<Refusal> {
  const calls: Call[] = []
  const listeners = new Set<(exchange: Exchange) => void>()
  const faults = createFaults(refuse)

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
    const outcome = await faults.meet(request.method, request.url.pathname, () => answer(request))
    record(request, outcome, batched)
    return outcome
  }

  return {
    calls,
    fail: faults.add,
    observe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pass: (request, answer) => passAs(request, answer, false),
    passBatched: (request, answer) => passAs(request, answer, true),
  }
}
