// What every simulator has: a port, the recorded calls, and scheduled failures.
import type { Failure, FaultMatch } from './faults.ts'
import type { RawAnswer, RawRequest } from './http.ts'
import { listen } from './server.ts'
import { type Call, createTraffic, type Exchange, type Traffic } from './traffic.ts'

export interface SimulatorOptions {
  /** Default: any free port on 127.0.0.1. */
  readonly port?: number
  /** The clock, in milliseconds; default `Date.now`. */
  now?(): number
}

export interface Simulator<AnyFailure> extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string
  /** The recorded requests, oldest first. */
  readonly calls: Call[]
  clearCalls(): void
  /** The next matching calls fail this way. */
  fail(match: FaultMatch, failure: AnyFailure): void
  /**
   * The listener receives every request that got a response, including those inside a batch. A streaming response is
   * reported when it ends.
   */
  observe(listener: (exchange: Exchange) => void): () => void
}

export interface OpenedSimulator<Refusal extends { readonly status: number }> {
  readonly simulator: Simulator<Failure<Refusal>>
  /** Answers the requests that are not to fail. */
  answerWith(answer: (request: RawRequest) => Promise<RawAnswer>): void
  readonly passBatched: Traffic<Refusal>['passBatched']
}

/** `refuse` renders a refusal in the provider's format; `operationOf` names the operation if the path does not. */
export async function openSimulator<Refusal extends { readonly status: number }>(
  { port = 0 }: SimulatorOptions,
  refuse: (refusal: Refusal, request: RawRequest) => RawAnswer,
  operationOf?: (request: RawRequest) => string | undefined,
): Promise<OpenedSimulator<Refusal>> {
  const server = await listen(port)
  const traffic = createTraffic(refuse, operationOf)
  return {
    simulator: {
      url: server.url,
      calls: traffic.calls,
      clearCalls: () => traffic.calls.splice(0),
      fail: traffic.fail,
      observe: traffic.observe,
      [Symbol.asyncDispose]: server.close,
    },
    answerWith: (answer) => server.answerWith((request) => traffic.pass(request, answer)),
    passBatched: traffic.passBatched,
  }
}
