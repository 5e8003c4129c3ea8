/** Observes the HTTP requests of adapters: how many, how they ended, how long they took. */
import type { Egress, EgressConnection, EgressRequest, EgressResponse } from '@waypost/platform/egress/egress'
import type { Span } from '@waypost/platform/span'

/** An observer of requests. */
export interface Exchanges {
  /** A request starts, for a kind of provider and a span; returns a function to call at its end, with its status. */
  begin(kind: string, request: EgressRequest, span: Span | undefined): (status: number | undefined) => void
}

type Begin = (request: EgressRequest) => (status: number | undefined) => void

const following =
  <R extends EgressRequest, A extends Pick<EgressResponse, 'status'>>(ask: (request: R) => Promise<A>, begin: Begin) =>
  async (request: R): Promise<A> => {
    const ended = begin(request)
    try {
      const answer = await ask(request)
      ended(answer.status)
      return answer
    } catch (error) {
      ended(undefined)
      throw error
    }
  }

export const followedRequest = (request: Egress['request'], begin: Begin): Egress['request'] =>
  following(request, begin)

/** The same for HTTP connections of a single account. */
export const followedConnection =
  (connection: Egress['connection'], begin: Begin): Egress['connection'] =>
  (...target) => {
    const opened = connection(...target)
    return {
      get isOpen() {
        return opened.isOpen
      },
      get certificate() {
        return opened.certificate
      },
      request: following((request) => opened.request(request), begin),
      stream: following((request) => opened.stream(request), begin),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    } satisfies EgressConnection
  }
