/** Signs in on a connection: the scheme, and the header of the next request. */
import { randomBytes } from 'node:crypto'
import { ApiError } from '@waypost/platform/api-error'
import type { Io } from '../../io.ts'
import type { ProviderAnswer } from '../../shared/exchange.ts'
import { httpError, isWebPage, noSignIn } from '../http-errors.ts'
import type { EwsAccount } from '../login.ts'
import type { AccountConnections, Line } from './connections.ts'
import { authenticateMessage, credentialsOf, NtlmError, negotiateMessage, readChallenge } from './ntlm/messages.ts'
import { chosen, isPrivateConnection, OfferedSchemes, offeredIn, type Scheme } from './schemes.ts'

/** Makes a request without a body on a connection. */
export type Ask = (line: Line, authorization: string | undefined) => Promise<ProviderAnswer>

export interface SignIn {
  /** The header of the next request; undefined if the account is signed in on the connection. */
  authorization(line: Line): Promise<string | undefined>
  /** Records the answer to a request; returns whether another attempt on another connection may succeed. */
  isWorthAnother(line: Line, status: number, challenges: readonly string[]): boolean
}

export interface SignInOptions {
  io: Io
  account: EwsAccount
  connections: AccountConnections
  ask: Ask
}

export function openSignIn({ io, account, connections, ask }: SignInOptions): SignIn {
  const offers = io.shared('schemes', () => new OfferedSchemes())
  const url = new URL(account.url)
  const { origin, hostname } = url
  const isPrivate = isPrivateConnection(url)
  const basic = (): string => `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`
  const note = (challenges: readonly string[]): readonly Scheme[] => {
    // A server without any header gets Basic.
    const noted: readonly Scheme[] = challenges.some((header) => header !== '') ? offeredIn(challenges) : ['Basic']
    offers.note(origin, noted)
    return noted
  }

  /** The scheme of the account. An unknown server is first asked without a password. */
  async function schemeOn(line: Line): Promise<Scheme> {
    if (connections.scheme) return connections.scheme
    let offered = offers.of(origin)
    // A server that offered nothing may have been fixed since.
    if (!offered?.length) {
      const answer = await ask(line, undefined)
      // A server that is not Exchange, such as a web site or the login page of a proxy, gets no password.
      if (answer.status === 404 || isPageForPeople(answer)) throw httpError(answer)
      offered = answer.status === 401 ? note(answer.headerList('www-authenticate')) : ['Basic']
    }
    const scheme = chosen(offered, isPrivate)
    if (scheme === undefined) throw noSignIn()
    connections.scheme = scheme
    return scheme
  }

  /** Requests a challenge, and answers it. */
  async function handshake(line: Line, scheme: Scheme): Promise<string> {
    const answer = await ask(line, `${scheme} ${negotiateMessage().toString('base64')}`)
    const header = answer.headerList('www-authenticate').find((value) => value.startsWith(`${scheme} `))
    if (answer.status !== 401 || header === undefined) throw brokenHandshake()
    try {
      const message = authenticateMessage({
        challenge: readChallenge(Buffer.from(header.slice(scheme.length + 1), 'base64')),
        credentials: credentialsOf(account),
        clientChallenge: randomBytes(8),
        now: io.clock.now(),
        host: hostname,
        certificate: line.connection.certificate,
      })
      return `${scheme} ${message.toString('base64')}`
    } catch (error) {
      throw error instanceof NtlmError ? brokenHandshake(error) : error
    }
  }

  return {
    async authorization(line) {
      const scheme = await schemeOn(line)
      if (scheme === 'Basic') return basic()
      return line.isSignedIn ? undefined : handshake(line, scheme)
    },
    isWorthAnother(line, status, challenges) {
      if (status !== 401) {
        line.isSignedIn = connections.scheme !== 'Basic'
        return false
      }
      const offered = note(challenges)
      connections.scheme = chosen(offered, isPrivate, connections.scheme)
      line.isSignedIn = false
      return connections.scheme !== undefined
    },
  }
}

/** Whether the answer is a web page, or a redirect to one. */
const isPageForPeople = (answer: ProviderAnswer): boolean =>
  (answer.status >= 300 && answer.status < 400) || (answer.status < 300 && isWebPage(answer))

/** The server offered NTLM and does not complete it, because a proxy splits connections. */
const brokenHandshake = (cause?: Error): ApiError =>
  new ApiError(
    'provider_unavailable',
    'Exchange offers NTLM, but does not go through with it; a proxy before it must keep connections apart, or Basic must be enabled',
    { providerError: { reason: 'ntlm_failed', message: cause?.message ?? '' }, cause },
  )
