// One simulated Microsoft: sign-in and Graph, both on one port, each under the paths it has at Microsoft. State is in memory.
import type { FaultMatch } from '../shared/faults.ts'
import { type RawAnswer, type RawRequest, textAnswer } from '../shared/http.ts'
import { createClients, type OAuthClient } from '../shared/oauth/clients.ts'
import { createGrants } from '../shared/oauth/grants.ts'
import { sharedSigningKey } from '../shared/oauth/keys.ts'
import { createPushes, pause } from '../shared/pushes.ts'
import { routeTable } from '../shared/routing.ts'
import { listen } from '../shared/server.ts'
import { type Call, createTraffic, type Exchange } from '../shared/traffic.ts'
import { type AccountSeed, createAccount, type RenamableAccount, type SimulatedAccount } from './account.ts'
import { type Api, answerApi, isGraph } from './api.ts'
import { answerBatch, isBatch } from './batch.ts'
import { type MicrosoftFailure, refusalAnswer } from './faults.ts'
import type { Caller } from './http.ts'
import { parseScopes } from './oauth/scopes.ts'
import { createStateTokens } from './odata/state-tokens.ts'
import { parts } from './parts.ts'
import { createThrottle, type ThrottleLimits } from './throttle.ts'
import type { World } from './world.ts'

export interface MicrosoftOptions {
  /** Default: any free one of 127.0.0.1. */
  readonly port?: number
  /** Milliseconds added to every answer of Graph (not to sign-in). */
  readonly latencyMs?: number
  /** The clock, in milliseconds; default `Date.now`. */
  now?(): number
  /** How long access tokens live; default 3599. */
  readonly accessTokenSeconds?: number
  /** Refresh tokens are used once, and an old one ends the family. Microsoft gives a new one each time and keeps the old. */
  readonly strictRotation?: boolean
  readonly limits?: ThrottleLimits
}

export interface MicrosoftSimulator extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, no slash at the end. */
  readonly url: string
  /** An application that is there from the beginning. */
  readonly client: { readonly id: string; readonly secret: string }
  addClient(client: OAuthClient): void
  addAccount(seed: AccountSeed): SimulatedAccount
  account(email: string): SimulatedAccount
  accounts(): SimulatedAccount[]
  /** Gives an account another address. Its ids, tokens and data stay. */
  renameAccount(email: string, newEmail: string): void
  /** Tokens as if the user had consented long ago. */
  grantToken(
    email: string,
    scopes: readonly string[],
    options?: { clientId?: string; refreshToken?: string },
  ): { refreshToken: string; accessToken: string }
  /** Ends every access token, as if its hour were over. */
  expireAccessTokens(): void
  /** Ends every `$skiptoken` and `$deltatoken`. */
  expirePages(): void
  /** What was asked, oldest first. */
  readonly calls: Call[]
  clearCalls(): void
  /** The next calls that match are answered with this failure. */
  fail(match: FaultMatch, failure: MicrosoftFailure): void
  /** Sees every request that was answered, those inside a batch too. */
  observe(listener: (exchange: Exchange) => void): () => void
  /** Ends when every notification has been delivered or given up. */
  settled(): Promise<void>
}

const CLIENT = { id: '5b1f7f4e-7d0e-4f2b-9a54-51a0c0de0001', secret: 'sim~8Q~simulated-secret' }

/** Starts a simulated Microsoft. */
export async function startMicrosoft(options: MicrosoftOptions = {}): Promise<MicrosoftSimulator> {
  const { latencyMs = 0, now = Date.now, accessTokenSeconds = 3599 } = options
  const server = await listen(options.port ?? 0)
  const pushes = createPushes()
  const traffic = createTraffic(refusalAnswer)
  const clients = createClients(CLIENT)
  const grants = createGrants({
    now,
    accessTokenSeconds,
    rotation: options.strictRotation === true ? 'strict' : 'lenient',
    prefixes: { access: 'EwB', refresh: '1.AX' },
  })
  const accounts = new Map<string, SimulatedAccount>()
  const world: World = {
    url: server.url,
    now,
    accounts,
    findAccount: (address) => findAccount(accounts, address),
    tenants: new Map(),
    findTenant: (name) => world.tenants.values().find(({ id, domain }) => [id, domain].includes(name.toLowerCase())),
    key: await sharedSigningKey(),
    push: pushes.send,
    tell: () => {},
    tokens: createStateTokens(now),
  }
  const stop = new AbortController()
  const api: Api = {
    routes: routeTable(
      parts.flatMap(({ routes }) => routes),
      { foldsCase: true },
    ),
    world,
    throttle: createThrottle(now, options.limits),
    pause: async () => {
      if (latencyMs > 0) await pause(latencyMs, stop.signal)
    },
    findCaller: (token) => callerOf(world, grants.findAccess(token)),
  }
  const renames = new Map<SimulatedAccount, RenamableAccount['rename']>()

  function existing(email: string): SimulatedAccount {
    const account = findAccount(accounts, email)
    if (account === undefined) throw new Error(`There is no account ${email}`)
    return account
  }

  async function answer(request: RawRequest): Promise<RawAnswer> {
    if (isBatch(request)) return answerBatch(api, request, traffic.passBatched)
    if (isGraph(request.url)) return answerApi(api, request)
    return textAnswer(404, '<!DOCTYPE html><title>404 - File or directory not found.</title>')
  }

  server.answerWith((request) => traffic.pass(request, answer))

  return {
    url: server.url,
    client: CLIENT,
    addClient: clients.add,
    addAccount(seed) {
      if (world.findAccount(seed.email) !== undefined) throw new Error(`There is an account ${seed.email} already`)
      const created = createAccount(seed, world, (oid) => ({
        revokeConsent: (clientId) => grants.endConsents(oid, clientId),
      }))
      accounts.set(seed.email.toLowerCase(), created.account)
      renames.set(created.account, created.rename)
      return created.account
    },
    account: existing,
    accounts: () => [...accounts.values()],
    renameAccount(email, newEmail) {
      const account = existing(email)
      if (world.findAccount(newEmail) !== undefined) throw new Error(`There is an account ${newEmail} already`)
      accounts.delete(account.email.toLowerCase())
      renames.get(account)?.(newEmail)
      accounts.set(newEmail.toLowerCase(), account)
    },
    grantToken(email, scopes, { clientId = CLIENT.id, refreshToken: given } = {}) {
      const short = parseScopes(scopes.join(' '))
      const consent = grants.allow(existing(email).oid, clientId, short)
      const refreshToken = grants.issueRefresh(consent, short, given)
      return { refreshToken, accessToken: grants.issueAccess(consent, short, refreshToken).accessToken }
    },
    expireAccessTokens: grants.expireAccessTokens,
    expirePages: world.tokens.expire,
    calls: traffic.calls,
    clearCalls: () => traffic.calls.splice(0),
    fail: traffic.fail,
    observe: traffic.observe,
    settled: pushes.settled,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await pushes.close()
      await server.close()
    },
  }
}

function findAccount(accounts: ReadonlyMap<string, SimulatedAccount>, address: string): SimulatedAccount | undefined {
  const wanted = address.toLowerCase()
  const isWanted = ({ id, oid, aliases }: SimulatedAccount) =>
    [id, oid, ...aliases].some((name) => name.toLowerCase() === wanted)
  return accounts.get(wanted) ?? accounts.values().find(isWanted)
}

type FoundAccess = ReturnType<ReturnType<typeof createGrants>['findAccess']>

function callerOf(world: World, found: FoundAccess): Caller | undefined {
  const account = found && world.findAccount(found.consent.sub)
  if (found === undefined || account === undefined) return undefined
  return { clientId: found.consent.clientId, tenant: account.tenant, account, scopes: found.scopes }
}
