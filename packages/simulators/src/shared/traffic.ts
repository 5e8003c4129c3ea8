// Every request to the simulator, including those inside a batch, passes through here. Scheduled faults are applied,
// and the request and its response are recorded.
import { createFaults, type Failure, type FaultMatch, type Outcome } from './faults.ts'
import type { RawAnswer, RawRequest } from './http.ts'

export interface Call {
  readonly method: string
  readonly path: string
  /** The operation of a SOAP request. */
  readonly operation?: string
  readonly query: URLSearchParams
  /** 0 if there was no response. */
  readonly status: number
  /** The email address of the account that the token belongs to. */
  readonly account: string | undefined
  /** Whether it was part of a batch. */
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
  /** The next matching calls fail this way. */
  fail(match: FaultMatch, failure: Failure<Refusal>): void
  observe(listener: (exchange: Exchange) => void): () => void
  /** Answers a request with `answer`, unless a fault is scheduled for it. */
  pass(request: RawRequest, answer: (request: RawRequest) => Promise<RawAnswer>): Promise<Outcome>
  passBatched(request: RawRequest, answer: (request: RawRequest) => Promise<RawAnswer>): Promise<Outcome>
}

/** `refuse` renders a refusal in the provider's format; `operationOf` names the operation if the path does not. */
export function createTraffic<Refusal extends { readonly status: number }>(
  refuse: (refusal: Refusal, request: RawRequest) => RawAnswer,
  operationOf: (request: RawRequest) => string | undefined = () => undefined,
): Traffic<Refusal> {
  const calls: Call[] = []
  const listeners = new Set<(exchange: Exchange) => void>()
  const faults = createFaults(refuse)

  function record(request: RawRequest, outcome: Outcome, batched: boolean): Outcome {
    const answered = typeof outcome === 'object'
    const operation = operationOf(request)
    const call: Call = {
      method: request.method,
      path: request.url.pathname,
      ...(operation === undefined ? {} : { operation }),
      query: request.url.searchParams,
      status: answered ? outcome.status : 0,
      account: answered ? outcome.account : undefined,
      batched,
    }
    calls.push(call)
    if (!answered) return outcome
    const tell = (responseBody: Uint8Array) => {
      const { headers: requestHeaders, body: requestBody } = request
      for (const listener of listeners) {
        listener({ ...call, requestHeaders, requestBody, responseHeaders: outcome.headers, responseBody })
      }
    }
    if (outcome.stream !== undefined) return { ...outcome, stream: overheard(outcome.stream, tell) }
    tell(outcome.body)
    return outcome
  }

  async function passAs(
    request: RawRequest,
    answer: (request: RawRequest) => Promise<RawAnswer>,
    batched: boolean,
  ): Promise<Outcome> {
    const called = { method: request.method, path: request.url.pathname, operation: operationOf(request) }
    return record(request, await faults.meet(called, request, () => answer(request)), batched)
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

/** Passes the pieces of a body on, and reports the whole body after the last piece. */
async function* overheard(stream: AsyncIterable<Uint8Array>, tell: (body: Uint8Array) => void) {
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of stream) {
      pieces.push(piece)
      yield piece
    }
  } finally {
    tell(Buffer.concat(pieces))
  }
}
