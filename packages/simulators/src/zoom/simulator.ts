// One simulated Zoom: its sign-in under the paths of zoom.us, and meetings under those of api.zoom.us. State is in
// memory.
import type { FaultMatch } from '../shared/faults.ts'
import { jsonAnswer, type RawAnswer, type RawRequest } from '../shared/http.ts'
import { createClients } from '../shared/oauth/clients.ts'
import { createCodes } from '../shared/oauth/codes.ts'
import { createGrants } from '../shared/oauth/grants.ts'
import { routeTable } from '../shared/routing.ts'
import { listen } from '../shared/server.ts'
import { type Call, createTraffic, type Exchange } from '../shared/traffic.ts'
import { type AccountSeed, findAccount, type SimulatedZoomAccount, userIdOf } from './account.ts'
import { apiRoutes } from './api.ts'
import { refusalAnswer, type ZoomFailure } from './faults.ts'
import { createMeetings, type SimulatedMeeting } from './meetings.ts'
import { beginAuthorization, decideAuthorization } from './oauth/authorize.ts'
import { answerRevocation, answerToken } from './oauth/token.ts'
import { welcomeRoute } from './welcome.ts'
import { scopesOf, type Zoom, type ZoomClient } from './zoom.ts'

export interface ZoomOptions {
  /** Default: any free port on 127.0.0.1. */
  readonly port?: number
  /** The clock, in milliseconds; default `Date.now`. */
  now?(): number
  /** Lifetime of access tokens; default 3600. */
  readonly accessTokenSeconds?: number
}

export interface ConsentAnswer {
  readonly email: string
  readonly deny?: boolean
}

export interface ZoomSimulator extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string
  /** An app that exists from the start. */
  readonly client: { readonly id: string; readonly secret: string }
  addClient(client: ZoomClient): void
  addAccount(seed: AccountSeed): SimulatedZoomAccount
  account(email: string): SimulatedZoomAccount
  accounts(): SimulatedZoomAccount[]
  /** The meetings that exist, oldest first. */
  meetings(): SimulatedMeeting[]
  /** Issues tokens as if the user had consented earlier. */
  grantToken(
    email: string,
    options?: { clientId?: string; refreshToken?: string },
  ): { refreshToken: string; accessToken: string }
  /**
   * Answers the consent page as the user `email` would, without a browser. Returns the URL that the browser would go
   * to next.
   */
  consent(authorizationUrl: string, answer: ConsentAnswer): Promise<URL>
  /** Ends every access token, as if it had expired. */
  expireAccessTokens(): void
  /** The recorded requests, oldest first. */
  readonly calls: Call[]
  clearCalls(): void
  /** The next matching calls fail this way. */
  fail(match: FaultMatch, failure: ZoomFailure): void
  /** The listener receives every request that got a response. */
  observe(listener: (exchange: Exchange) => void): () => void
}

const CLIENT = { id: 'c1mulatedZ00mClient123', secret: 'simulatedZoomSecret', name: 'Waypost' }

/** Starts a simulated Zoom. */
export async function startZoom(options: ZoomOptions = {}): Promise<ZoomSimulator> {
  const { now = Date.now, accessTokenSeconds = 3600 } = options
  const server = await listen(options.port ?? 0)
  const traffic = createTraffic(refusalAnswer)
  const accounts = new Map<string, SimulatedZoomAccount>()
  const prefixes = { access: 'eyJzdiI6', refresh: 'eyJzdiI7' }
  const grants = createGrants({ now, accessTokenSeconds, rotation: 'once', prefixes })
  const clients = createClients<ZoomClient>(CLIENT)
  const meetings = createMeetings(now)
  const zoom: Zoom = { url: server.url, now, accounts, grants, clients, codes: createCodes(now, 'zc'), meetings }
  const web = routeTable([
    { method: 'GET', path: '/oauth/authorize', handle: (request: RawRequest) => beginAuthorization(zoom, request) },
    { method: 'POST', path: '/oauth/authorize', handle: (request: RawRequest) => decideAuthorization(zoom, request) },
    { method: 'POST', path: '/oauth/token', handle: (request: RawRequest) => answerToken(zoom, request) },
    { method: 'POST', path: '/oauth/revoke', handle: (request: RawRequest) => answerRevocation(zoom, request) },
    ...apiRoutes(zoom),
    welcomeRoute(zoom, CLIENT),
  ])

  async function answer(request: RawRequest): Promise<RawAnswer> {
    const match = web.find(request.method, request.url.pathname)
    if (typeof match === 'object') return match.route.handle(request, match.params)
    return jsonAnswer(404, { code: 2300, message: 'This API endpoint is not recognized.' })
  }

  function existing(email: string): SimulatedZoomAccount {
    const account = findAccount(accounts, email)
    if (account === undefined) throw new Error(`There is no account ${email}`)
    return account
  }

  server.answerWith((request) => traffic.pass(request, answer))

  return {
    url: server.url,
    client: CLIENT,
    addClient: clients.add,
    addAccount({ email, name = email.slice(0, email.indexOf('@')) }) {
      if (findAccount(accounts, email) !== undefined) throw new Error(`There is an account ${email} already`)
      const id = userIdOf(email)
      const revokeConsent = (clientId?: string): void => grants.endConsents(id, clientId)
      const account: SimulatedZoomAccount = { email, name, id, revokeConsent }
      accounts.set(email.toLowerCase(), account)
      return account
    },
    account: existing,
    accounts: () => [...accounts.values()],
    meetings: meetings.all,
    grantToken(email, { clientId = CLIENT.id, refreshToken: given } = {}) {
      const client = clients.find(clientId)
      if (client === undefined) throw new Error(`There is no client ${clientId}`)
      const scopes = scopesOf(client)
      const consent = grants.allow(existing(email).id, clientId, scopes)
      const refreshToken = grants.issueRefresh(consent, scopes, given)
      return { refreshToken, accessToken: grants.issueAccess(consent, scopes, refreshToken).accessToken }
    },
    consent: answerConsent,
    expireAccessTokens: grants.expireAccessTokens,
    calls: traffic.calls,
    clearCalls: () => traffic.calls.splice(0),
    fail: traffic.fail,
    observe: traffic.observe,
    [Symbol.asyncDispose]: () => server.close(),
  }
}

async function answerConsent(authorizationUrl: string, { email, deny = false }: ConsentAnswer): Promise<URL> {
  const body = new URLSearchParams({ decision: deny ? 'deny' : 'allow', account: email })
  const response = await fetch(authorizationUrl, { method: 'POST', body, redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`No consent page for this request: ${await response.text()}`)
  return new URL(location)
}
