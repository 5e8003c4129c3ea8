// One simulated Exchange server: EWS on one port, under its usual path. State is in memory.
import { randomUUID } from 'node:crypto'
import { type AccountControls, type Accounts, createAccounts } from '../shared/accounts.ts'
import { createDelayed, type Delayed } from '../shared/delayed.ts'
import { pause } from '../shared/pushes.ts'
import { openSimulator, type Simulator, type SimulatorOptions } from '../shared/simulator.ts'
import { type AccountSeed, createAccount, type SimulatedAccount } from './account.ts'
import type { NtlmOptions } from './auth/ntlm.ts'
import { createSignIn, type Scheme } from './auth/sign-in.ts'
import { type AutodiscoverOptions, createPlaces, type Places, type Redirect } from './autodiscover/places.ts'
import { isRoom, placesOf, type RoomListSeed, type RoomSeed } from './calendar/places.ts'
import type { DirectoryEntry } from './directory/entries.ts'
import { answerRequest, type Entry } from './entry.ts'
import { type ExchangeFailure, refusalAnswer } from './faults.ts'
import type { World } from './model.ts'
import type { Oddities } from './oddities.ts'
import { parts } from './parts.ts'
import { createRegistry } from './registry.ts'
import { operationOf } from './soap/dispatch.ts'
import { type ServerName, servers } from './soap/versions.ts'
import type { StoredSubscription as SimulatedSubscription } from './subscriptions/stored.ts'
import type { StreamOptions } from './subscriptions/streaming.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions/subscriptions.ts'
import { createThrottle, type ThrottleLimits } from './throttle.ts'

export interface ExchangeOptions extends SimulatorOptions {
  /** Milliseconds added to every response of EWS. */
  readonly latencyMs?: number
  /** The simulated Exchange version; default `2016`. */
  readonly serverVersion?: ServerName
  /** The allowed authentication schemes; default NTLM and Basic. */
  readonly auth?: readonly Scheme[]
  readonly ntlm?: NtlmOptions
  /** An account is locked after this many consecutive wrong passwords; default 0, never. */
  readonly lockAfter?: number
  readonly autodiscover?: AutodiscoverOptions
  readonly limits?: ThrottleLimits
  /** Delay from acceptance of a message to its delivery and its copy in Sent Items; default 0. */
  readonly sendDelayMs?: number
  /** The maximum size of a request; default 35,000,000 before Exchange 2013, 67,108,864 since. */
  readonly maxRequestBytes?: number
  /** Behavior that only some servers show; default: none. */
  readonly oddities?: Oddities
  /** Streaming notifications; `holds` delays all output until the end, as some proxies do. */
  readonly streaming?: StreamOptions & { readonly holds?: boolean }
}

export interface ExchangeSimulator extends Simulator<ExchangeFailure>, AccountControls<AccountSeed, SimulatedAccount> {
  /** The EWS URL: `…/EWS/Exchange.asmx`. */
  readonly ewsUrl: string
  /** Adds a directory entry without a mailbox here. */
  addDirectoryEntry(entry: DirectoryEntry): void
  /** Adds a room, which responds to invitations automatically. It is an account without sign-in. */
  addRoom(seed: RoomSeed): SimulatedAccount
  addRoomList(seed: RoomListSeed): void
  /** The existing subscriptions. */
  subscriptions(): SimulatedSubscription[]
  /** Ends all subscriptions, as a server restart does. */
  endSubscriptions(): void
  /** Closes the streaming connections without a message. */
  dropStreams(): void
  /** The number of streaming connections. */
  streamCount(): number
  /** While true, events are dropped and not reported later. */
  muteNotifications(isMuted: boolean): void
  /** Autodiscover redirects an address; undefined ends the redirect. */
  redirect(email: string, to: Redirect | undefined): void
  /** Invalidates all sync states issued so far. */
  expireSyncStates(): void
  /** Resolves when all delayed work is done. */
  settled(): Promise<void>
}

interface Parts {
  readonly options: ExchangeOptions
  readonly accounts: Accounts<SimulatedAccount>
  readonly subscriptions: Subscriptions
  readonly delayed: Delayed
  readonly directory: DirectoryEntry[]
}

/** Starts a simulated Exchange. */
export async function startExchange(options: ExchangeOptions = {}): Promise<ExchangeSimulator> {
  const { now = Date.now } = options
  const server = servers[options.serverVersion ?? '2016']
  const { simulator, answerWith } = await openSimulator(options, refusalAnswer(server), operationOf)
  const { url } = simulator
  const delayed = createDelayed(options.sendDelayMs ?? 0)
  const subscriptions = createSubscriptions({ now, server, ...options.streaming })
  const accounts = createAccounts<SimulatedAccount>(({ aliases }) => aliases)
  const directory: DirectoryEntry[] = []
  const stop = new AbortController()
  let syncEpoch = 1
  const world = createWorld(url, { options, accounts, subscriptions, delayed, directory }, () => syncEpoch)
  const places = createPlaces(world, options.autodiscover ?? {})
  const entry = createEntry(world, options, places, stop.signal)
  answerWith((request) => answerRequest(entry, request))

  const addAccount = (seed: AccountSeed): SimulatedAccount => accounts.add(seed.email, () => createAccount(seed, world))

  return {
    ...simulator,
    ewsUrl: `${url}/EWS/Exchange.asmx`,
    addAccount,
    addRoom(seed) {
      placesOf(world).rooms.push(seed)
      return addAccount({ email: seed.email, name: seed.name, password: randomUUID() })
    },
    addRoomList: (seed) => void placesOf(world).lists.push(seed),
    account: accounts.need,
    accounts: () => accounts.list().filter((account) => !isRoom(world, account)),
    addDirectoryEntry: (entry) => void directory.push(entry),
    subscriptions: subscriptions.list,
    endSubscriptions: () => subscriptions.end(),
    dropStreams: subscriptions.dropStreams,
    streamCount: subscriptions.streamCount,
    muteNotifications: subscriptions.mute,
    redirect: places.redirect,
    expireSyncStates() {
      syncEpoch++
    },
    settled: delayed.settled,
    async [Symbol.asyncDispose]() {
      stop.abort()
      delayed.close()
      await simulator[Symbol.asyncDispose]()
    },
  }
}

function createWorld(url: string, had: Parts, syncEpoch: () => number): World {
  const { options, accounts, subscriptions, delayed, directory } = had
  return {
    url,
    server: servers[options.serverVersion ?? '2016'],
    now: options.now ?? Date.now,
    accounts: accounts.list,
    directory: () => [...accounts.list(), ...directory],
    findAccount: accounts.find,
    findAccountById: (id) => accounts.list().find((account) => account.id === id),
    registry: createRegistry([...parts, subscriptions.part]),
    oddities: options.oddities ?? {},
    holdsStreams: options.streaming?.holds === true,
    syncEpoch,
    tell: subscriptions.tell,
    endSubscriptions: subscriptions.end,
    later: delayed.run,
  }
}

function createEntry(world: World, options: ExchangeOptions, places: Places, stop: AbortSignal): Entry {
  const { auth: schemes = ['NTLM', 'Basic'], ntlm = {}, lockAfter = 0, latencyMs = 0, autodiscover = {} } = options
  return {
    world,
    places,
    autodiscover,
    maxRequestBytes: options.maxRequestBytes ?? maxBytes(world),
    signIn: createSignIn(world, { schemes, ntlm, lockAfter }),
    throttle: createThrottle(world.now, world.server, options.limits),
    async pause() {
      if (latencyMs > 0) await pause(latencyMs, stop)
    },
  }
}

const maxBytes = ({ server }: World): number => (server.major < 15 ? 35_000_000 : 67_108_864)
