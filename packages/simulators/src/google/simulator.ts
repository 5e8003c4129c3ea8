// One simulated Google: sign-in, Gmail, Calendar, People and the pushes of Pub/Sub, all on one port and under
// Google's paths. State is in memory.

import { createAccounts } from '../shared/accounts.ts'
import { type RawAnswer, type RawRequest, textAnswer } from '../shared/http.ts'
import { createClients, type OAuthClient } from '../shared/oauth/clients.ts'
import { createCodes } from '../shared/oauth/codes.ts'
import { createGrants } from '../shared/oauth/grants.ts'
import { sharedSigningKey } from '../shared/oauth/keys.ts'
import {
  answerConsent,
  type IssuedTokens,
  issueTokens,
  type OAuthOptions,
  type OAuthSimulator,
  type ScopedConsentAnswer,
  type TokenOptions,
} from '../shared/oauth/simulator.ts'
import { createPushes, pause } from '../shared/pushes.ts'
import { routeTable } from '../shared/routing.ts'
import { openSimulator } from '../shared/simulator.ts'
import { type AccountSeed, type ConsentControls, createAccount, type SimulatedAccount } from './account.ts'
import { answerApi } from './api.ts'
import { answerBatch, isBatch } from './batch.ts'
import { calendarRoutes } from './calendar/calendar.ts'
import type { RoomSeed } from './directory/room.ts'
import { addRoom, directoryRoutes } from './directory/rooms.ts'
import { type GoogleFailure, refusalAnswer } from './faults.ts'
import { gmailRoutes } from './gmail/routes.ts'
import type { Space } from './meet/space.ts'
import { meetRoutes } from './meet/spaces.ts'
import { oauthRoutes, userinfoRoutes } from './oauth/routes.ts'
import { isMailScope, parseScopes } from './oauth/scopes.ts'
import { createServiceAccounts, type ServiceAccountKey } from './oauth/service-accounts.ts'
import { peopleRoutes, photoRoute } from './people/contacts.ts'
import { welcomeRoute } from './welcome.ts'
import type { PushSubscription, World } from './world.ts'

export interface GoogleOptions extends OAuthOptions {
  /** Milliseconds added to every API response (not to sign-in). */
  readonly latencyMs?: number
  /**
   * Refresh tokens work once: each refresh issues a new token, and reuse ends the family. Google does not do this,
   * but other providers do.
   */
  readonly rotateRefreshTokens?: boolean
  /** Sent mail retains the Message-ID of its sender. Gmail replaces it when mail is sent through the API. */
  readonly keepMessageIds?: boolean
}

export interface GoogleSimulator
  extends OAuthSimulator<GoogleFailure, AccountSeed, SimulatedAccount, OAuthClient, ScopedConsentAnswer> {
  /** A service account with domain-wide delegation for every account: Google's JSON key file. */
  addServiceAccount(): ServiceAccountKey
  /** Adds a room, or another bookable resource, to the directory of a domain. */
  addRoom(seed: RoomSeed): { email: string }
  /** The meeting spaces that were created with the Meet API, oldest first. */
  spaces(): Space[]
  /** Changes the address of an account. Its id, tokens and data stay (the primary calendar retains the old id). */
  renameAccount(email: string, newEmail: string): void
  /** Issues tokens as if the user had consented earlier. */
  grantToken(email: string, scopes: readonly string[], options?: TokenOptions): IssuedTokens
  /**
   * Sets the push subscription of the Pub/Sub topic `projects/P/topics/T`, and creates the topic if it does not
   * exist.
   */
  pushTo(topicName: string, subscription: PushSubscription): void
  /** Resolves when every push was delivered or given up. */
  settled(): Promise<void>
}

const CLIENT = { id: '1234567890-simulated.apps.googleusercontent.com', secret: 'GOCSPX-simulated-secret' }

/** Starts a simulated Google. */
export async function startGoogle(options: GoogleOptions = {}): Promise<GoogleSimulator> {
  const { latencyMs = 0, now = Date.now, accessTokenSeconds = 3599, rotateRefreshTokens = false } = options
  const { simulator, answerWith, passBatched } = await openSimulator(options, refusalAnswer)
  const pushes = createPushes()
  const grants = createGrants({
    now,
    accessTokenSeconds,
    rotation: rotateRefreshTokens ? 'strict' : 'none',
    prefixes: { access: 'ya29.a0', refresh: '1//0' },
  })
  const clients = createClients(CLIENT)
  const accounts = createAccounts<SimulatedAccount>(({ sub, aliases }) => [sub, ...aliases])
  const world: World = {
    url: simulator.url,
    now,
    accounts: accounts.byEmail,
    findAccount: accounts.find,
    key: await sharedSigningKey(),
    push: pushes.send,
    keepMessageIds: options.keepMessageIds ?? false,
    topics: new Map(),
    rooms: [],
    spaces: [],
  }
  const serviceAccounts = createServiceAccounts(world)
  const web = routeTable([
    ...oauthRoutes({ world, grants, clients, codes: createCodes(now, '4/0A'), serviceAccounts }),
    welcomeRoute(world, CLIENT),
    photoRoute(world),
  ])
  const api = {
    routes: routeTable([
      ...userinfoRoutes,
      ...gmailRoutes,
      ...calendarRoutes,
      ...peopleRoutes,
      ...directoryRoutes,
      ...meetRoutes,
    ]),
    world,
    findCaller(token: string) {
      const found = grants.findAccess(token)
      const account = found && accounts.find(found.consent.sub)
      return found && account && { account, scopes: found.scopes }
    },
  }
  const stop = new AbortController()

  async function answerOne(request: RawRequest): Promise<RawAnswer> {
    const match = web.find(request.method, request.url.pathname)
    if (match !== undefined && match !== 'otherMethod') return match.route.handle(request, match.params)
    return (await answerApi(api, request)) ?? missing(request)
  }

  async function answer(request: RawRequest): Promise<RawAnswer> {
    const isWeb = web.find(request.method, request.url.pathname) !== undefined
    if (latencyMs > 0 && !isWeb) await pause(latencyMs, stop.signal)
    if (!isBatch(request)) return answerOne(request)
    return answerBatch(request, (inner) => passBatched(inner, answerOne))
  }

  answerWith(answer)

  return {
    ...simulator,
    client: CLIENT,
    addClient: clients.add,
    addServiceAccount: serviceAccounts.add,
    addAccount(seed) {
      const controls = (sub: string): ConsentControls => ({
        revokeConsent: (clientId) => grants.endConsents(sub, clientId),
        changePassword: () => grants.endRefreshTokens(sub, isMailScope),
      })
      return accounts.add(seed.email, () => createAccount(seed, world, controls))
    },
    spaces: () => [...world.spaces],
    accounts: accounts.list,
    renameAccount: accounts.rename,
    account: accounts.need,
    addRoom: (seed) => addRoom(world, seed),
    grantToken(email, scopes, { clientId = CLIENT.id, refreshToken: given } = {}) {
      const requested = { sub: accounts.need(email).sub, clientId, scopes: parseScopes(scopes.join(' ')) }
      return issueTokens(grants, requested, given)
    },
    consent: answerGoogleConsent,
    expireAccessTokens: grants.expireAccessTokens,
    pushTo: (topicName, subscription) => world.topics.set(topicName, subscription),
    settled: pushes.settled,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await pushes.close()
      await simulator[Symbol.asyncDispose]()
    },
  }
}

function answerGoogleConsent(url: string, answer: ScopedConsentAnswer): Promise<URL> {
  const refused = parseScopes((answer.refuse ?? []).join(' '))
  const requested = parseScopes(new URL(url).searchParams.get('scope') ?? '')
  return answerConsent(url, answer, { name: 'scope', values: requested.filter((scope) => !refused.includes(scope)) })
}

function missing({ url }: RawRequest): RawAnswer {
  return textAnswer(404, `<!DOCTYPE html><title>Error 404 (Not Found)</title><p>${url.pathname.replace(/[<&]/g, '')}`)
}
