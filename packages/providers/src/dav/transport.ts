/**
 * Requests to a DAV server on behalf of an account: credentials, redirects, deadlines, limits, and refusals as
 * errors.
 */
import { randomBytes } from 'node:crypto'
import { ApiError } from '@waypost/platform/api-error'
import type { Io } from '../io.ts'
import type { Auth } from '../mail/server-account.ts'
import { type OwnHosts, ownAddressCheck } from '../shared/domain-hosts.ts'
import { type DavMethod, exchange, type Method, mayRetry, type ProviderAnswer } from '../shared/exchange.ts'
import { withRetry } from '../shared/retry.ts'
import { type DigestChallenge, digestAuthorization, digestChallenge } from './digest.ts'
import { refused } from './errors.ts'
import { resolveHref } from './hrefs.ts'

export interface DavRequest {
  method: Method | DavMethod
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Maximum size of the answer. Default 32 MB. */
  maxBytes?: number
  /** Default 30 s. */
  deadlineMs?: number
  /** Whether a transient failure is retried. Default: only for reads. */
  retries?: boolean
}

export interface DavAnswer extends ProviderAnswer {
  /** The address that answered, after redirects. */
  url: string
  /** The server reported that the address has changed permanently. */
  moved: boolean
}

export interface Transport {
  /** Sends a request and returns a successful answer; throws an ApiError otherwise. */
  send(request: DavRequest): Promise<DavAnswer>
  /** Whether the account's credentials may be sent to an address. */
  isOwn(url: string): boolean
  readonly hosts: OwnHosts
  /** The worker threads that parse answers, and the log. */
  readonly io: Pick<Io, 'answers' | 'log' | 'signal'>
}

export interface TransportOptions {
  io: Io
  auth: Auth
  hosts: OwnHosts
  /** Called when an address has changed permanently. */
  onMoved?(): void
}

/** The credentials of a request, with the token or the nonce that they contain. */
interface Authorization {
  header: string
  token?: string
  nonce?: string
}

const maxRedirects = 5
const callDeadlineMs = 30_000
const callBytes = 32 * 1024 * 1024
const reading = new Set<string>(['GET', 'OPTIONS', 'PROPFIND', 'REPORT'])
const redirects = new Set([301, 302, 307, 308])

export function openTransport({ io, auth, hosts, onMoved }: TransportOptions): Transport {
  const isOwn = ownAddressCheck(hosts)

  /** The Digest challenges of servers that do not accept Basic, by origin. */
  const challenges = new Map<string, { challenge: DigestChallenge; count: number }>()

  async function authorization({ method, url }: DavRequest, refusedToken: string | undefined): Promise<Authorization> {
    if (!('password' in auth)) {
      const token = await auth.accessToken(io.signal, refusedToken)
      return { header: `Bearer ${token}`, token }
    }
    const { origin, pathname, search } = new URL(url)
    const known = challenges.get(origin)
    if (!known) return { header: `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}` }
    known.count += 1
    const requested = {
      method,
      uri: `${pathname}${search}`,
      count: known.count,
      cnonce: randomBytes(16).toString('hex'),
    }
    return { header: digestAuthorization(known.challenge, auth, requested), nonce: known.challenge.nonce }
  }

  /** Whether a refused password may be sent in another way: as a digest, or with a fresh nonce. */
  function isChallenged(answer: ProviderAnswer, url: string, nonce: string | undefined): boolean {
    const challenge = 'password' in auth ? digestChallenge(answer.header('www-authenticate')) : undefined
    if (!challenge || (nonce !== undefined && !(challenge.isStale && challenge.nonce !== nonce))) return false
    challenges.set(new URL(url).origin, { challenge, count: 0 })
    return true
  }

  /** One exchange with an address; repeated once if the server requires another token or a digest. */
  async function once(request: DavRequest, refusedToken?: string, isAnswer = false): Promise<ProviderAnswer> {
    const host = hostOf(request.url)
    const { header, token, nonce } = await authorization(request, refusedToken)
    const answer = await exchange(
      io,
      {
        method: request.method,
        url: request.url,
        headers: { authorization: header, ...request.headers },
        body: request.body,
        maxBytes: request.maxBytes ?? callBytes,
        deadlineMs: request.deadlineMs ?? callDeadlineMs,
      },
      { name: host, headers: { 'user-agent': 'waypost' }, refused: (said) => refused(said, host) },
    )
    if (answer.status !== 401) return answer
    if (token !== undefined) return refusedToken === undefined ? once(request, token) : answer
    return !isAnswer && isChallenged(answer, request.url, nonce) ? once(request, undefined, true) : answer
  }

  /** Follows redirects with the same method and body, only to hosts of the account. */
  async function followed(request: DavRequest): Promise<DavAnswer> {
    let url = request.url
    let moved = false
    for (let left = maxRedirects; ; left--) {
      if (!isOwn(url)) throw foreign(hostOf(request.url), url)
      const answer = await once({ ...request, url })
      const location = answer.header('location')
      if (!redirects.has(answer.status) || location === undefined) return { ...answer, url, moved }
      const next = resolveHref(location, url)
      if (next === undefined || next === url || left === 0) throw refused(answer, hostOf(url))
      moved ||= answer.status === 301 || answer.status === 308
      url = next
    }
  }

  return {
    isOwn,
    hosts,
    io,
    async send(request) {
      const reads = reading.has(request.method)
      const mayPass = (request.retries ?? true) ? mayRetry(reads) : () => false
      return withRetry(
        io,
        async () => {
          const answer = await followed(request)
          if (answer.moved) onMoved?.()
          if (answer.status >= 300) throw refused(answer, hostOf(answer.url))
          return answer
        },
        mayPass,
      )
    },
  }
}

export const hostOf = (url: string): string => new URL(url).hostname

/** `host` received the first request, or is itself the host in an answer. */
function foreign(host: string, url: string): ApiError {
  const { hostname, protocol } = new URL(url)
  const why = protocol === 'https:' ? 'is not a host of the account' : 'is not reached over https'
  const who = host === hostname ? `the server names ${hostname}` : `${host} sends us to ${hostname}`
  return new ApiError('provider_refused', `${who}, which ${why}; nothing was sent there`, {
    providerError: { reason: 'foreign_host', message: hostname },
  })
}
