/** Requests to a DAV server in an account's name: credentials, redirects, deadlines, limits, and refusals as errors. */
import { ApiError } from '../../lib/api-error.ts'
import type { Io } from '../io.ts'
import type { Auth } from '../mail/server-account.ts'
import { type DavMethod, exchange, type Method, mayRetry, type ProviderAnswer } from '../shared/exchange.ts'
import { withRetry } from '../shared/retry.ts'
import { refused } from './errors.ts'
import { isOwnAddress, type OwnHosts } from './hosts.ts'
import { resolveHref } from './hrefs.ts'

export interface DavRequest {
  method: Method | DavMethod
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** The most that may be answered. Default 32 MB. */
  maxBytes?: number
  /** Default 30 s. */
  deadlineMs?: number
  /** Whether a passing failure is waited for. Default: for what reads. */
  retries?: boolean
}

export interface DavAnswer extends ProviderAnswer {
  /** The address that answered, after redirects. */
  url: string
  /** The server said that the address has changed for good. */
  moved: boolean
}

export interface Transport {
  /** What a server answered with success; throws an ApiError. */
  send(request: DavRequest): Promise<DavAnswer>
  /** Whether the account's credentials may go to an address. */
  isOwn(url: string): boolean
}

export interface TransportOptions {
  io: Io
  auth: Auth
  hosts: OwnHosts
  /** Called when an address has changed for good. */
  onMoved?(): void
}

const mostRedirects = 5
const callDeadlineMs = 30_000
const callBytes = 32 * 1024 * 1024
const reading = new Set<string>(['GET', 'OPTIONS', 'PROPFIND', 'REPORT'])
const redirects = new Set([301, 302, 307, 308])

export function openTransport({ io, auth, hosts, onMoved }: TransportOptions): Transport {
  const isOwn = (url: string): boolean => isOwnAddress(url, hosts)

  /** One exchange with the address itself; where a token is refused, once more with the next one. */
  async function once(request: DavRequest, refusedToken?: string): Promise<ProviderAnswer> {
    const host = hostOf(request.url)
    const token = 'password' in auth ? undefined : await auth.accessToken(io.signal, refusedToken)
    const answer = await exchange(
      io,
      {
        method: request.method,
        url: request.url,
        headers: { authorization: authorization(auth, token), ...request.headers },
        body: request.body,
        maxBytes: request.maxBytes ?? callBytes,
        deadlineMs: request.deadlineMs ?? callDeadlineMs,
      },
      { name: host, headers: { 'user-agent': 'waypost' }, refused: (said) => refused(said, host) },
    )
    const mayRenew = answer.status === 401 && token !== undefined && refusedToken === undefined
    return mayRenew ? once(request, token) : answer
  }

  /** Follows redirects with the same method and body, to hosts of the account alone. */
  async function followed(request: DavRequest): Promise<DavAnswer> {
    let url = request.url
    let moved = false
    for (let left = mostRedirects; ; left--) {
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

const authorization = (auth: Auth, token: string | undefined): string =>
  'password' in auth
    ? `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}`
    : `Bearer ${token ?? ''}`

function foreign(host: string, url: string): ApiError {
  const { hostname, protocol } = new URL(url)
  const why = protocol === 'https:' ? 'is not a host of the account' : 'is not reached over https'
  return new ApiError('provider_refused', `${host} sends us to ${hostname}, which ${why}; nothing was sent there`, {
    providerError: { reason: 'foreign_host', message: hostname },
  })
}
