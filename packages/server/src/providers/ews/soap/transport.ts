/** Posts envelopes to an Exchange server in an account's name. */
import type { Io } from '../../io.ts'
import { exchange, type ProviderAnswer } from '../../shared/exchange.ts'
import type { EwsAccount } from '../account.ts'
import { httpError } from '../errors.ts'

export interface Post {
  body: string
  maxBytes: number
  deadlineMs: number
}

export interface Transport {
  /** What the server answered, whatever it is; throws an ApiError where there was no answer. */
  post(post: Post): Promise<ProviderAnswer>
}

export function openTransport(io: Io, account: EwsAccount): Transport {
  const authorization = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`
  const headers = { 'content-type': 'text/xml; charset=utf-8', accept: 'text/xml', authorization }
  return {
    post: (post) =>
      exchange(
        io,
        { ...post, url: account.url, method: 'POST', headers: { ...headers, 'x-anchormailbox': account.address } },
        { name: 'Exchange', headers: { 'user-agent': 'waypost' }, refused: httpError },
      ),
  }
}
