/** Follows the HTTP exchanges of adapters: how many, how they ended, how long they took. */
import type { Egress, EgressConnection, EgressRequest, EgressResponse } from '../lib/egress/egress.ts'
import type { Span } from '../lib/span.ts'

/** What hears of exchanges. */
export interface Exchanges {
  /** One begins, for a kind of provider and for a piece of work; answers what is to be called at its end, with its status. */
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

/** The same for connections of HTTP that an account has for itself. */
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
