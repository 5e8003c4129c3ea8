// One simulated Yahoo: its sign-in, under the paths of api.login.yahoo.com. Mail is not simulated: a real IMAP server
// checks tokens at the introspection endpoint. State is in memory.
import { createAccounts } from '../shared/accounts.ts'
import { type RawAnswer, type RawRequest, textAnswer } from '../shared/http.ts'
import { createClients } from '../shared/oauth/clients.ts'
import { createCodes } from '../shared/oauth/codes.ts'
import { createGrants } from '../shared/oauth/grants.ts'
import { sharedSigningKey } from '../shared/oauth/keys.ts'
import {
  answerConsent,
  type IssuedTokens,
  issueTokens,
  type OAuthOptions,
  type OAuthSimulator,
  type TokenOptions,
} from '../shared/oauth/simulator.ts'
import { routeTable } from '../shared/routing.ts'
import { openSimulator } from '../shared/simulator.ts'
import { type AccountSeed, guidOf, type SimulatedYahooAccount } from './account.ts'
import { refusalAnswer, type YahooFailure } from './faults.ts'
import { type OAuth, parseScopes, type YahooClient } from './oauth/oauth.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { welcomeRoute } from './welcome.ts'

export interface YahooOptions extends OAuthOptions {
  /**
   * Refresh tokens work once, and reuse ends the family. Otherwise each refresh issues a new token and the old one
   * stays valid.
   */
  readonly strictRotation?: boolean
}

export interface YahooSimulator extends OAuthSimulator<YahooFailure, AccountSeed, SimulatedYahooAccount, YahooClient> {
  /** The credentials that mail servers present for introspection. */
  readonly mailServers: { readonly id: string; readonly secret: string }
  /** Issues tokens as if the user had consented earlier. */
  grantToken(
    email: string,
    scopes: readonly string[],
    options?: TokenOptions & { readonly redirectUri?: string },
  ): IssuedTokens
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
  const { simulator, answerWith } = await openSimulator(options, refusalAnswer)
  const accounts = createAccounts<SimulatedYahooAccount>(({ guid }) => [guid])
  const rotation = options.strictRotation === true ? 'strict' : 'lenient'
  const grants = createGrants({ now, accessTokenSeconds, rotation, prefixes: { access: 'yA0', refresh: 'AOi' } })
  const clients = createClients<YahooClient>(CLIENT)
  const oauth: OAuth = {
    url: simulator.url,
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

  answerWith(answer)

  return {
    ...simulator,
    client: CLIENT,
    mailServers: MAIL_SERVERS,
    addClient: clients.add,
    addAccount({ email, name = email.slice(0, email.indexOf('@')) }) {
      const guid = guidOf(email)
      return accounts.add(email, () => ({
        email,
        name,
        guid,
        revokeConsent: (clientId) => grants.endConsents(guid, clientId),
        refuseRefresh(problem) {
          if (problem === undefined) oauth.problems.delete(guid)
          else oauth.problems.set(guid, problem)
        },
      }))
    },
    account: accounts.need,
    accounts: accounts.list,
    grantToken(email, scopes, { clientId = CLIENT.id, refreshToken: given, redirectUri } = {}) {
      const requested = { sub: accounts.need(email).guid, clientId, scopes: parseScopes(scopes.join(' ')) }
      const issued = issueTokens(grants, requested, given)
      if (redirectUri !== undefined) oauth.redirects.set(issued.refreshToken, redirectUri)
      return issued
    },
    consent: (url, answer) => answerConsent(url, answer),
    expireAccessTokens: grants.expireAccessTokens,
  }
}
