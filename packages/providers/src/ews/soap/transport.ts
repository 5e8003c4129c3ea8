/** Posts envelopes to an Exchange server for an account: on its own connections, signed in, with its cookies. */
import { ApiError } from '@waypost/platform/api-error'
import type { EgressRequest, EgressResponse, EgressStream, StreamedBody } from '@waypost/platform/egress/egress'
import { newId } from '@waypost/platform/ids'
import type { Io } from '../../io.ts'
import {
  type ExchangeRequest,
  type ExchangeRules,
  exchange,
  type ProviderAnswer,
  unreachable,
  isUnsent as wasUnsent,
} from '../../shared/exchange.ts'
import { httpError } from '../http-errors.ts'
import type { EwsAccount } from '../login.ts'
import type { AccountConnections, Line } from './connections.ts'
import type { Attempt } from './password-guard.ts'
import { openSignIn } from './sign-in.ts'

export interface Post {
  body: string | StreamedBody
  maxBytes: number
  deadlineMs: number
  /** The requested mailbox, which determines the server that the request is routed to. */
  mailbox: string
}

export interface StreamPost extends Post {
  /** The maximum time between two pieces of the answer. */
  silenceMs: number
  /** The maximum duration of the answer. */
  lifetimeMs: number
}

export interface Transport {
  /** Any answer of the server; throws an ApiError if there was none. */
  post(post: Post): Promise<ProviderAnswer>
  /** The same on a connection of its own, with the answer as a stream; disposing it closes the connection. */
  stream(post: StreamPost): Promise<EgressStream>
  /** Makes no requests for this many seconds, because the server said that it is busy. */
  pauseFor(seconds: number | undefined): void
}

/** Unauthorized, and the end of a session. */
const refusals = new Set([401, 440])

interface StreamAttempt {
  answer: EgressStream
  /** Whether it was refused, and another attempt may succeed. */
  again: boolean
}

const rules: ExchangeRules = { name: 'Exchange', headers: { 'user-agent': 'waypost' }, refused: httpError }

export function openTransport(io: Io, account: EwsAccount, connections: AccountConnections): Transport {
  const { url } = account

  const headersOf = (authorization: string | undefined, mailbox: string) =>
    headersWith(connections.cookies.header, authorization, mailbox)

  const exchangeOn = (
    { connection }: Line,
    request: Omit<ExchangeRequest, 'url' | 'method'>,
  ): Promise<ProviderAnswer> => {
    const withCookies = async (requested: EgressRequest): Promise<EgressResponse> => {
      const response = await connection.request(requested)
      connections.cookies.take([response.headers['set-cookie'] ?? []].flat(), io.clock)
      return response
    }
    return exchange(
      { signal: io.signal, request: withCookies, calls: io.calls },
      { ...request, url, method: 'POST' },
      rules,
    )
  }

  const ask = (line: Line, authorization: string | undefined): Promise<ProviderAnswer> =>
    exchangeOn(line, {
      headers: headersOf(authorization, account.address),
      body: '',
      maxBytes: 65_536,
      deadlineMs: 30_000,
    })

  const signIn = openSignIn({ io, account, connections, ask })

  /** Posts on an open connection, or on the next one if the server closed it before anything was sent. */
  async function postOn(line: Line, { mailbox, ...post }: Post): Promise<Attempt> {
    const headers = headersOf(await signIn.authorization(line), mailbox)
    const answer = await exchangeOn(line, { ...post, headers })
    const again = signIn.isWorthAnother(line, answer.status, answer.headerList('www-authenticate'))
    line.isUsed = true
    // The refusal may be due to the connection, or to a session that has ended.
    if (refusals.has(answer.status)) connections.cookies.clear()
    // Some servers answer twice after a fault, and the second answer would be taken for that to the next request.
    if (refusals.has(answer.status) || answer.status >= 500) await connections.close(line)
    return { answer, again }
  }

  async function postOnce(post: Post): Promise<Attempt> {
    for (;;) {
      let wasUsed = false
      try {
        return await connections.use(io, url, (line) => {
          wasUsed = line.isUsed
          return postOn(line, post)
        })
      } catch (error) {
        if (!wasUsed || !isUnsent(error)) throw error
      }
    }
  }

  async function streamOnce({ mailbox, silenceMs, lifetimeMs, ...post }: StreamPost): Promise<StreamAttempt> {
    const line = connections.open(io, url)
    try {
      const headers = { ...rules.headers, ...headersOf(await signIn.authorization(line), mailbox) }
      const request = { ...post, url, method: 'POST' as const, headers, signal: io.signal, silenceMs, lifetimeMs }
      const answer = await line.connection.stream(request)
      const again = signIn.isWorthAnother(line, answer.status, [answer.headers['www-authenticate'] ?? []].flat())
      return { answer: { ...answer, [Symbol.asyncDispose]: () => connections.close(line) }, again }
    } catch (error) {
      await connections.close(line)
      io.signal.throwIfAborted()
      throw unreachable(error, rules.name)
    }
  }

  return {
    post: (post) => connections.requests.run(io, 1, () => connections.password.run(() => postOnce(post))),
    async stream(post) {
      const first = await streamOnce(post)
      if (!first.again) return first.answer
      await first.answer[Symbol.asyncDispose]()
      return (await streamOnce(post)).answer
    },
    pauseFor: (seconds) => connections.requests.pauseFor(io, seconds),
  }
}

const headersWith = (
  cookie: string | undefined,
  authorization: string | undefined,
  mailbox: string,
): Record<string, string> => ({
  'content-type': 'text/xml; charset=utf-8',
  // An address that no header can contain is routed without it, after a detour.
  ...(/^[\x21-\x7e]+$/.test(mailbox) ? { 'x-anchormailbox': mailbox } : {}),
  'x-preferserveraffinity': 'true',
  'client-request-id': newId(),
  ...(authorization === undefined ? {} : { authorization }),
  ...(cookie === undefined ? {} : { cookie }),
})

/** Whether nothing of a request was sent, so that it can be repeated in any case. */
export const isUnsent = (error: unknown): boolean => error instanceof ApiError && wasUnsent(error.cause)
