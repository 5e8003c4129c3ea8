// One simulated Zoom: its sign-in under the paths of zoom.us, and meetings under those of api.zoom.us. State is in
// memory.
import { createAccounts } from '../shared/accounts.ts'
import { jsonAnswer, type RawAnswer, type RawRequest } from '../shared/http.ts'
import { createClients } from '../shared/oauth/clients.ts'
import { createCodes } from '../shared/oauth/codes.ts'
import { createGrants } from '../shared/oauth/grants.ts'
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
import { type AccountSeed, type SimulatedZoomAccount, userIdOf } from './account.ts'
import { apiRoutes } from './api.ts'
import { refusalAnswer, type ZoomFailure } from './faults.ts'
import { createMeetings, type SimulatedMeeting } from './meetings.ts'
import { beginAuthorization, decideAuthorization } from './oauth/authorize.ts'
import { answerRevocation, answerToken } from './oauth/token.ts'
import { welcomeRoute } from './welcome.ts'
import { scopesOf, type Zoom, type ZoomClient } from './zoom.ts'

export interface ZoomSimulator extends OAuthSimulator<ZoomFailure, AccountSeed, SimulatedZoomAccount, ZoomClient> {
  /** The meetings that exist, oldest first. */
  meetings(): SimulatedMeeting[]
  /** Issues tokens as if the user had consented earlier. */
  grantToken(email: string, options?: TokenOptions): IssuedTokens
}

const CLIENT = { id: 'c1mulatedZ00mClient123', secret: 'simulatedZoomSecret', name: 'Waypost' }

/** Starts a simulated Zoom. */
export async function startZoom(options: OAuthOptions = {}): Promise<ZoomSimulator> {
  const { now = Date.now, accessTokenSeconds = 3600 } = options
  const { simulator, answerWith } = await openSimulator(options, refusalAnswer)
  const accounts = createAccounts<SimulatedZoomAccount>(({ id }) => [id])
  const prefixes = { access: 'eyJzdiI6', refresh: 'eyJzdiI7' }
  const grants = createGrants({ now, accessTokenSeconds, rotation: 'once', prefixes })
  const clients = createClients<ZoomClient>(CLIENT)
  const meetings = createMeetings(now)
  const zoom: Zoom = { url: simulator.url, now, accounts, grants, clients, codes: createCodes(now, 'zc'), meetings }
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

  answerWith(answer)

  return {
    ...simulator,
    client: CLIENT,
    addClient: clients.add,
    addAccount({ email, name = email.slice(0, email.indexOf('@')) }) {
      const id = userIdOf(email)
      const revokeConsent = (clientId?: string): void => grants.endConsents(id, clientId)
      return accounts.add(email, () => ({ email, name, id, revokeConsent }))
    },
    account: accounts.need,
    accounts: accounts.list,
    meetings: meetings.all,
    grantToken(email, { clientId = CLIENT.id, refreshToken: given } = {}) {
      const client = clients.find(clientId)
      if (client === undefined) throw new Error(`There is no client ${clientId}`)
      return issueTokens(grants, { sub: accounts.need(email).id, clientId, scopes: scopesOf(client) }, given)
    },
    consent: (url, answer) => answerConsent(url, answer),
    expireAccessTokens: grants.expireAccessTokens,
  }
}
