// One simulated Microsoft: sign-in and Graph, both on one port and under Microsoft's paths. State is in memory.

import { createAccounts } from '../shared/accounts.ts'
import { createDelayed } from '../shared/delayed.ts'
import { type JsonObject, type RawAnswer, type RawRequest, textAnswer } from '../shared/http.ts'
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
  type ScopedConsentAnswer,
  type TokenOptions,
} from '../shared/oauth/simulator.ts'
import { createPushes, pause } from '../shared/pushes.ts'
import { routeTable } from '../shared/routing.ts'
import { openSimulator } from '../shared/simulator.ts'
import { type AccountSeed, type ConsentControls, createAccount, type SimulatedAccount } from './account.ts'
import { type Api, answerApi, isGraph } from './api.ts'
import { answerBatch, isBatch } from './batch.ts'
import { openRoom } from './calendar/calendar.ts'
import { onlineMeetingsOf } from './calendar/online-meetings.ts'
import { addRoom, addRoomList, type RoomListSeed, type RoomSeed } from './directory/places.ts'
import { type MicrosoftFailure, refusalAnswer } from './faults.ts'
import type { Caller } from './http.ts'
import { createTenantConsents, type MicrosoftClient, type OAuth } from './oauth/oauth.ts'
import { createSignInProblems } from './oauth/problems.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { parseScopes } from './oauth/scopes.ts'
import { applicationSubject } from './oauth/token.ts'
import { createStateTokens } from './odata/state-tokens.ts'
import type { Tenant } from './owner.ts'
import { parts } from './parts.ts'
import type { LifecycleEvent, StoredSubscription as SimulatedSubscription } from './subscriptions/stored.ts'
import { createSubscriptions } from './subscriptions/subscriptions.ts'
import { createThrottle, type ThrottleLimits } from './throttle.ts'
import { createUploadSessions } from './upload-sessions.ts'
import { welcomeRoute } from './welcome.ts'
import type { World } from './world.ts'

export interface MicrosoftOptions extends OAuthOptions {
  /** Milliseconds added to every response of Graph (not to sign-in). */
  readonly latencyMs?: number
  /**
   * Refresh tokens work once, and reuse ends the family. Microsoft issues a new token each time and the old one stays
   * valid.
   */
  readonly strictRotation?: boolean
  readonly limits?: ThrottleLimits
  /** Delay from acceptance of a message to its delivery and its copy in Sent Items; default 0. */
  readonly sendDelayMs?: number
  /** How many times each notification is sent; Graph sends some more than once. Default 1. */
  readonly notificationCopies?: number
  /** The maximum number of items in the first round of a delta query with a filter; default 5000, as documented. */
  readonly filteredDeltaItems?: number
  /** The largest message that a mailbox sends, in bytes; default 35 MB, which administrators raise to 150 MB. */
  readonly maxMessageBytes?: number
}

export interface MicrosoftSimulator
  extends OAuthSimulator<MicrosoftFailure, AccountSeed, SimulatedAccount, MicrosoftClient, ScopedConsentAnswer> {
  /** The online meetings of an account that no calendar event created, oldest first. */
  onlineMeetings(email: string): JsonObject[]
  /** Adds a room to the organization of its address's domain. It responds to invitations automatically. */
  addRoom(seed: RoomSeed): void
  addRoomList(seed: RoomListSeed): void
  /** Changes the address of an account. Its ids, tokens and data stay. */
  renameAccount(email: string, newEmail: string): void
  /** Issues tokens as if the user had consented earlier. */
  grantToken(email: string, scopes: readonly string[], options?: TokenOptions): IssuedTokens
  /**
   * An administrator of the tenant with this domain consents to roles (default: those the client is registered with).
   */
  consentForTenant(
    domain: string,
    given?: { clientId?: string; scopes?: readonly string[]; roles?: readonly string[] },
  ): void
  /** Sets whether users of a tenant may consent themselves; default true. */
  setUsersMayConsent(domain: string, may: boolean): void
  /** Expires every `$skiptoken` and `$deltatoken`. */
  expirePages(): void
  /** The existing subscriptions. */
  subscriptions(): SimulatedSubscription[]
  /** Sends a lifecycle event to a subscription's lifecycle URL; a removed subscription ends. */
  tellLifecycle(subscriptionId: string, event: LifecycleEvent): void
  /** While true, notifications are dropped and not sent later. */
  muteNotifications(isMuted: boolean): void
  /** Resolves when every notification was delivered or given up. */
  settled(): Promise<void>
}

const CLIENT = {
  id: '5b1f7f4e-7d0e-4f2b-9a54-51a0c0de0001',
  secret: 'sim8Q~simulated-secret',
  name: 'Waypost',
  roles: [
    'User.Read.All',
    'Mail.ReadWrite',
    'Mail.Send',
    'MailboxSettings.Read',
    'Calendars.ReadWrite',
    'Contacts.ReadWrite',
    'Place.Read.All',
  ],
}

/** Starts a simulated Microsoft. */
export async function startMicrosoft(options: MicrosoftOptions = {}): Promise<MicrosoftSimulator> {
  const { latencyMs = 0, now = Date.now, accessTokenSeconds = 3599 } = options
  const { simulator, answerWith, passBatched } = await openSimulator(options, refusalAnswer)
  const { url } = simulator
  const pushes = createPushes()
  const clients = createClients<MicrosoftClient>(CLIENT)
  const grants = createGrants({
    now,
    accessTokenSeconds,
    rotation: options.strictRotation === true ? 'strict' : 'lenient',
    prefixes: { access: 'EwB', refresh: '1.AX' },
  })
  const subscriptions = createSubscriptions(() => world, {
    resources: parts.flatMap(({ subscribable }) => subscribable),
    copies: options.notificationCopies ?? 1,
  })
  const delayed = createDelayed(options.sendDelayMs ?? 0)
  const accounts = createAccounts<SimulatedAccount>(({ id, oid, aliases }) => [id, oid, ...aliases])
  const world: World = {
    url,
    now,
    accounts: accounts.byEmail,
    findAccount: accounts.find,
    tenants: new Map(),
    findTenant: (name) => world.tenants.values().find(({ id, domain }) => [id, domain].includes(name.toLowerCase())),
    key: await sharedSigningKey(),
    endSessions: (oid) => grants.endRefreshTokens(oid, () => true),
    push: pushes.send,
    tell: subscriptions.tell,
    tokens: createStateTokens(now),
    uploads: createUploadSessions(url, now),
    later: delayed.run,
    filteredDeltaItems: options.filteredDeltaItems ?? 5000,
    maxMessageBytes: options.maxMessageBytes ?? 35 * 1024 * 1024,
  }
  const oauth: OAuth = {
    world,
    grants,
    clients,
    codes: createCodes(now, '1.AX'),
    problems: createSignInProblems(),
    tenants: createTenantConsents(),
  }
  const web = routeTable([...oauthRoutes(oauth), ...world.uploads.routes, welcomeRoute(world, CLIENT)])
  const stop = new AbortController()
  const api: Api = {
    routes: routeTable([...parts.flatMap(({ routes }) => routes), ...subscriptions.routes], { foldsCase: true }),
    world,
    throttle: createThrottle(now, options.limits),
    pause: async () => {
      if (latencyMs > 0) await pause(latencyMs, stop.signal)
    },
    findCaller: (token) => callerOf(world, grants.findAccess(token)),
  }

  async function answer(request: RawRequest): Promise<RawAnswer> {
    if (isBatch(request)) return answerBatch(api, request, passBatched)
    if (isGraph(request.url)) return answerApi(api, request)
    const match = web.find(request.method, request.url.pathname)
    if (typeof match === 'object') return match.route.handle(request, match.params)
    return textAnswer(404, '<!DOCTYPE html><title>404 - File or directory not found.</title>')
  }

  answerWith(answer)

  return {
    ...simulator,
    client: CLIENT,
    addClient: clients.add,
    addAccount(seed) {
      const controls = (oid: string): ConsentControls => ({
        revokeConsent: (clientId) => grants.endConsents(oid, clientId),
        refuseSignIn: (problem) => oauth.problems.set(oid, problem),
      })
      return accounts.add(seed.email, () => createAccount(seed, world, controls))
    },
    account: accounts.need,
    accounts: accounts.list,
    onlineMeetings: (email) => onlineMeetingsOf(accounts.need(email)),
    addRoom: (seed) => openRoom(world, addRoom(world, seed)),
    addRoomList: (seed) => addRoomList(world, seed),
    renameAccount: accounts.rename,
    grantToken(email, scopes, { clientId = CLIENT.id, refreshToken: given } = {}) {
      const requested = { sub: accounts.need(email).oid, clientId, scopes: parseScopes(scopes.join(' ')) }
      return issueTokens(grants, requested, given)
    },
    consent: (url, answer) => answerConsent(url, answer, { name: 'refuse', values: answer.refuse ?? [] }),
    consentForTenant(domain, { clientId = CLIENT.id, scopes = [], roles } = {}) {
      const registered = clients.find(clientId)?.roles ?? []
      oauth.tenants.consent(existingTenant(world, domain), clientId, {
        scopes: parseScopes(scopes.join(' ')),
        roles: roles ?? registered,
      })
    },
    setUsersMayConsent: (domain, may) => oauth.tenants.setUsersMayConsent(existingTenant(world, domain), may),
    expireAccessTokens: grants.expireAccessTokens,
    expirePages: world.tokens.expire,
    subscriptions: subscriptions.list,
    tellLifecycle: subscriptions.tellLifecycle,
    muteNotifications: subscriptions.mute,
    async settled() {
      await delayed.settled()
      await pushes.settled()
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      delayed.close()
      await pushes.close()
      await simulator[Symbol.asyncDispose]()
    },
  }
}

type FoundAccess = ReturnType<ReturnType<typeof createGrants>['findAccess']>

function callerOf(world: World, found: FoundAccess): Caller | undefined {
  if (found === undefined) return undefined
  const { consent, scopes } = found
  const { clientId } = consent
  const account = world.findAccount(consent.sub)
  if (account !== undefined) return { clientId, tenant: account.tenant, account, scopes }
  const tenant = world.tenants.values().find(({ id }) => applicationSubject(id) === consent.sub)
  return tenant && { clientId, tenant, account: undefined, scopes }
}

function existingTenant(world: World, domain: string): Tenant {
  const tenant = world.findTenant(domain)
  if (tenant === undefined) throw new Error(`There is no tenant ${domain}`)
  return tenant
}
