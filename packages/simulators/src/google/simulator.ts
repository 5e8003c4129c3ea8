// One simulated Google: sign-in, Gmail, Calendar, People and the pushes of Pub/Sub, all on one port and under
// Google's paths. State is in memory.

import type { FaultMatch } from '../shared/faults.ts'
import { type RawAnswer, type RawRequest, textAnswer } from '../shared/http.ts'
import { createClients, type OAuthClient } from '../shared/oauth/clients.ts'
import { createCodes } from '../shared/oauth/codes.ts'
import { createGrants } from '../shared/oauth/grants.ts'
import { sharedSigningKey } from '../shared/oauth/keys.ts'
import { createPushes, pause } from '../shared/pushes.ts'
import { routeTable } from '../shared/routing.ts'
import { listen } from '../shared/server.ts'
import { type Call, createTraffic, type Exchange } from '../shared/traffic.ts'
import { type AccountSeed, createAccount, type RenamableAccount, type SimulatedAccount } from './account.ts'
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

export interface GoogleOptions {
  /** Default: any free port on 127.0.0.1. */
  readonly port?: number
  /** Milliseconds added to every API response (not to sign-in). */
  readonly latencyMs?: number
  /** The clock, in milliseconds; default `Date.now`. */
  now?(): number
  /** Lifetime of access tokens; default 3599. */
  readonly accessTokenSeconds?: number
  /**
   * Refresh tokens work once: each refresh issues a new token, and reuse ends the family. Google does not do this,
   * but other providers do.
   */
  readonly rotateRefreshTokens?: boolean
  /** Sent mail retains the Message-ID of its sender. Gmail replaces it when mail is sent through the API. */
  readonly keepMessageIds?: boolean
}

export interface ConsentAnswer {
  readonly email: string
  readonly refuse?: readonly string[]
  readonly deny?: boolean
}

export interface GoogleSimulator extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string
  /** An OAuth client that exists from the start. */
  readonly client: { readonly id: string; readonly secret: string }
  addClient(client: OAuthClient): void
  /** A service account with domain-wide delegation for every account: Google's JSON key file. */
  addServiceAccount(): ServiceAccountKey
  addAccount(seed: AccountSeed): SimulatedAccount
  account(email: string): SimulatedAccount
  /** Adds a room, or another bookable resource, to the directory of a domain. */
  addRoom(seed: RoomSeed): { email: string }
  accounts(): SimulatedAccount[]
  /** The meeting spaces that were created with the Meet API, oldest first. */
  spaces(): Space[]
  /** Changes the address of an account. Its id, tokens and data stay (the primary calendar retains the old id). */
  renameAccount(email: string, newEmail: string): void
  /** Issues tokens as if the user had consented earlier. */
  grantToken(
    email: string,
    scopes: readonly string[],
    options?: { clientId?: string; refreshToken?: string },
  ): { refreshToken: string; accessToken: string }
  /**
   * Answers the consent page as the user `email` would, without a browser: allows every scope except those in
   * `refuse`. Returns the URL that the browser would go to next.
   */
  consent(authorizationUrl: string, answer: ConsentAnswer): Promise<URL>
  /** Ends every access token, as if it had expired. */
  expireAccessTokens(): void
  /** The recorded requests, oldest first. */
  readonly calls: Call[]
  clearCalls(): void
  /** The next matching calls fail this way. */
  fail(match: FaultMatch, failure: GoogleFailure): void
  /** The listener receives every request that got a response, including those inside a batch. */
  observe(listener: (exchange: Exchange) => void): () => void
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
  const server = await listen(options.port ?? 0)
  const { url } = server
  const pushes = createPushes()
  const traffic = createTraffic(refusalAnswer)
  const grants = createGrants({
    now,
    accessTokenSeconds,
    rotation: rotateRefreshTokens ? 'strict' : 'none',
    prefixes: { access: 'ya29.a0', refresh: '1//0' },
  })
  const clients = createClients(CLIENT)
  const accounts = new Map<string, SimulatedAccount>()
  const findAccount = (address: string) => {
    const wanted = address.toLowerCase()
    const isWanted = ({ sub, aliases }: SimulatedAccount) =>
      sub === wanted || aliases.some((alias) => alias.toLowerCase() === wanted)
    return accounts.get(wanted) ?? accounts.values().find(isWanted)
  }
  const world: World = {
    url,
    now,
    accounts,
    findAccount,
    key: await sharedSigningKey(),
    push: pushes.send,
    keepMessageIds: options.keepMessageIds ?? false,
    topics: new Map(),
    ...{ rooms: [], spaces: [] },
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
      const account = found && findAccount(found.consent.sub)
      return found && account && { account, scopes: found.scopes }
    },
  }
  const stop = new AbortController()
  const renames = new Map<SimulatedAccount, RenamableAccount['rename']>()

  function existing(email: string): SimulatedAccount {
    const account = findAccount(email)
    if (account === undefined) throw new Error(`There is no account ${email}`)
    return account
  }

  async function answerOne(request: RawRequest): Promise<RawAnswer> {
    const match = web.find(request.method, request.url.pathname)
    if (match !== undefined && match !== 'otherMethod') return match.route.handle(request, match.params)
    return (await answerApi(api, request)) ?? missing(request)
  }

  async function answer(request: RawRequest): Promise<RawAnswer> {
    const isWeb = web.find(request.method, request.url.pathname) !== undefined
    if (latencyMs > 0 && !isWeb) await pause(latencyMs, stop.signal)
    if (!isBatch(request)) return answerOne(request)
    return answerBatch(request, (inner) => traffic.passBatched(inner, answerOne))
  }

  server.answerWith((request) => traffic.pass(request, answer))

  return {
    url,
    client: CLIENT,
    addClient: clients.add,
    addServiceAccount: serviceAccounts.add,
    addAccount(seed) {
      if (findAccount(seed.email) !== undefined) throw new Error(`There is an account ${seed.email} already`)
      const created = createAccount(seed, world, (sub) => ({
        revokeConsent: (clientId) => grants.endConsents(sub, clientId),
        changePassword: () => grants.endRefreshTokens(sub, isMailScope),
      }))
      accounts.set(seed.email.toLowerCase(), created.account)
      renames.set(created.account, created.rename)
      return created.account
    },
    spaces: () => [...world.spaces],
    accounts: () => [...accounts.values()],
    renameAccount(email, newEmail) {
      const account = existing(email)
      if (findAccount(newEmail) !== undefined) throw new Error(`There is an account ${newEmail} already`)
      accounts.delete(account.email.toLowerCase())
      renames.get(account)?.(newEmail)
      accounts.set(newEmail.toLowerCase(), account)
    },
    account: existing,
    addRoom: (seed) => addRoom(world, seed),
    grantToken(email, scopes, { clientId = CLIENT.id, refreshToken: given } = {}) {
      const expanded = parseScopes(scopes.join(' '))
      const consent = grants.allow(existing(email).sub, clientId, expanded)
      const refreshToken = grants.issueRefresh(consent, expanded, given)
      return { refreshToken, accessToken: grants.issueAccess(consent, expanded, refreshToken).accessToken }
    },
    consent: answerConsent,
    expireAccessTokens: grants.expireAccessTokens,
    calls: traffic.calls,
    clearCalls: () => traffic.calls.splice(0),
    fail: traffic.fail,
    observe: traffic.observe,
    pushTo: (topicName, subscription) => world.topics.set(topicName, subscription),
    settled: pushes.settled,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await pushes.close()
      await server.close()
    },
  }
}

async function answerConsent(authorizationUrl: string, answer: ConsentAnswer): Promise<URL> {
  const refused = parseScopes((answer.refuse ?? []).join(' '))
  const scopes = parseScopes(new URL(authorizationUrl).searchParams.get('scope') ?? '')
  const body = new URLSearchParams({ decision: answer.deny ? 'deny' : 'allow', account: answer.email })
  for (const scope of scopes) if (!refused.includes(scope)) body.append('scope', scope)
  const response = await fetch(authorizationUrl, { method: 'POST', body, redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`No consent page for this request: ${await response.text()}`)
  return new URL(location)
}

function missing({ url }: RawRequest): RawAnswer {
  return textAnswer(404, `<!DOCTYPE html><title>Error 404 (Not Found)</title><p>${url.pathname.replace(/[<&]/g, '')}`)
}
