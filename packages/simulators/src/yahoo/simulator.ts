// One simulated Yahoo: its sign-in, under the paths of api.login.yahoo.com. Mail is not simulated: a real IMAP server
// checks tokens at the introspection endpoint. State is in memory.
import type { FaultMatch } from '../shared/faults.ts'
import { type RawAnswer, type RawRequest, textAnswer } from '../shared/http.ts'
import { createClients } from '../shared/oauth/clients.ts'
import { createCodes } from '../shared/oauth/codes.ts'
import { createGrants } from '../shared/oauth/grants.ts'
import { sharedSigningKey } from '../shared/oauth/keys.ts'
import { routeTable } from '../shared/routing.ts'
import { listen } from '../shared/server.ts'
import { type Call, createTraffic, type Exchange } from '../shared/traffic.ts'
import { type AccountSeed, findAccount, guidOf, type SimulatedYahooAccount } from './account.ts'
import { refusalAnswer, type YahooFailure } from './faults.ts'
import { type OAuth, parseScopes, type YahooClient } from './oauth/oauth.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { welcomeRoute } from './welcome.ts'

export interface YahooOptions {
  /** Default: any free port on 127.0.0.1. */
  readonly port?: number
  /** The clock, in milliseconds; default `Date.now`. */
  now?(): number
  /** Lifetime of access tokens; default 3600. */
  readonly accessTokenSeconds?: number
  /**
   * Refresh tokens work once, and reuse ends the family. Otherwise each refresh issues a new token and the old one
   * stays valid.
   */
  readonly strictRotation?: boolean
}

export interface ConsentAnswer {
  readonly email: string
  readonly deny?: boolean
}

export interface YahooSimulator extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string
  /** An application that exists from the start. */
  readonly client: { readonly id: string; readonly secret: string }
  /** The credentials that mail servers present for introspection. */
  readonly mailServers: { readonly id: string; readonly secret: string }
  addClient(client: YahooClient): void
  addAccount(seed: AccountSeed): SimulatedYahooAccount
  account(email: string): SimulatedYahooAccount
  accounts(): SimulatedYahooAccount[]
  /** Issues tokens as if the user had consented earlier. */
  grantToken(
    email: string,
    scopes: readonly string[],
    options?: { clientId?: string; refreshToken?: string; redirectUri?: string },
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
  fail(match: FaultMatch, failure: YahooFailure): void
  /** The listener receives every request that got a response. */
  observe(listener: (exchange: Exchange) => void): () => void
}

const CLIENT = {
  id: 'dj0yJmk9c2ltdWxhdGVkJnM9Y29uc3VtZXJzZWNyZXQmeD0wMQ--',
  secret: 'simulated0c0ffee0secret',
  name: 'Waypost',
}
const MAIL_SERVERS = { id: 'mail-servers', secret: 'simulated-mail-servers' }

/** Starts a simulated Yahoo. */
export async function startYahoo(options: YahooOptions = {}): Promise<YahooSimulator> {
  const { now = Date.now, accessTokenSeconds = 3600 } = options
  const server = await listen(options.port ?? 0)
  const traffic = createTraffic(refusalAnswer)
  const accounts = new Map<string, SimulatedYahooAccount>()
  const rotation = options.strictRotation === true ? 'strict' : 'lenient'
  const grants = createGrants({ now, accessTokenSeconds, rotation, prefixes: { access: 'yA0', refresh: 'AOi' } })
  const clients = createClients<YahooClient>(CLIENT)
  const oauth: OAuth = {
    url: server.url,
    now,
    accounts,
    grants,
    clients,
    codes: createCodes(now, 'yc'),
    key: await sharedSigningKey(),
    problems: new Map(),
    redirects: new Map(),
    mailServers: MAIL_SERVERS,
  }
  const web = routeTable([...oauthRoutes(oauth), welcomeRoute(oauth, CLIENT)])

  async function answer(request: RawRequest): Promise<RawAnswer> {
    const match = web.find(request.method, request.url.pathname)
    if (typeof match === 'object') return match.route.handle(request, match.params)
    return textAnswer(404, '<!DOCTYPE html><title>Yahoo</title><p>Sorry, the page you requested was not found.')
  }

  function existing(email: string): SimulatedYahooAccount {
    const account = findAccount(accounts, email)
    if (account === undefined) throw new Error(`There is no account ${email}`)
    return account
  }

  server.answerWith((request) => traffic.pass(request, answer))

  return {
    url: server.url,
    client: CLIENT,
    mailServers: MAIL_SERVERS,
    addClient: clients.add,
    addAccount({ email, name = email.slice(0, email.indexOf('@')) }) {
      if (findAccount(accounts, email) !== undefined) throw new Error(`There is an account ${email} already`)
      const guid = guidOf(email)
      const account: SimulatedYahooAccount = {
        email,
        name,
        guid,
        revokeConsent: (clientId) => grants.endConsents(guid, clientId),
        refuseRefresh(problem) {
          if (problem === undefined) oauth.problems.delete(guid)
          else oauth.problems.set(guid, problem)
        },
      }
      accounts.set(email.toLowerCase(), account)
      return account
    },
    account: existing,
    accounts: () => [...accounts.values()],
    grantToken(email, scopes, { clientId = CLIENT.id, refreshToken: given, redirectUri } = {}) {
      const requested = parseScopes(scopes.join(' '))
      const consent = grants.allow(existing(email).guid, clientId, requested)
      const refreshToken = grants.issueRefresh(consent, requested, given)
      if (redirectUri !== undefined) oauth.redirects.set(refreshToken, redirectUri)
      return { refreshToken, accessToken: grants.issueAccess(consent, requested, refreshToken).accessToken }
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
