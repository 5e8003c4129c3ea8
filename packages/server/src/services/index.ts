/** The record of collaborators, and the one function that builds it. */

import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ProviderKind } from '@waypost/contract'
import { type AdminAuthentication, createAdminAuthentication } from '../applications/admin-authentication.ts'
import { type Administrator, createAdministrator, type PasswordCost } from '../applications/administrator.ts'
import type { Place } from '../applications/applications.ts'
import { sealClearValues } from '../applications/clear-values.ts'
import { openDataKeys } from '../applications/data-keys.ts'
import { createDeviceCookies } from '../applications/device-cookies.ts'
import { type Exposure, openExposure } from '../applications/exposure.ts'
import { ensureInstallation, type Installation } from '../applications/first-start.ts'
import { checkKey, openKeyRing } from '../applications/opening.ts'
import { kindOf } from '../changes/backfill.ts'
import { backfillTracking } from '../changes/tracking-backfill.ts'
import { createWatcher, type Watcher } from '../changes/watcher.ts'
import { type Config, ConfigError, type ConfigSecrets } from '../config.ts'
import { type ActivityBook, createActivityBook } from '../grants/activity.ts'
import { createIdTokens, type IdTokens } from '../grants/id-tokens.ts'
import { isReauthentication, type Notify } from '../grants/notify.ts'
import { createPushTokens, type PushTokens } from '../grants/push-tokens.ts'
import { createSessions, type Sessions } from '../grants/sessions.ts'
import type { AddressMode } from '../lib/addresses.ts'
import type { Clock } from '../lib/clock.ts'
import { type Cursors, createCursors } from '../lib/cursor.ts'
import { createDataSeals, type DataKeys, type DataSeals } from '../lib/data-seals.ts'
import { createEgress, type Egress } from '../lib/egress.ts'
import { newId } from '../lib/ids.ts'
import type { KeyRing } from '../lib/key-ring.ts'
import { createLog, type Log } from '../lib/log.ts'
import { findExchanges, findService } from '../lib/name-service.ts'
import { createParsePool, type ParsePool } from '../lib/parse-pool.ts'
import { createSecrets, type Secrets } from '../lib/secrets.ts'
import { machineTime, ServiceClock, type TimeSources } from '../lib/service-clock.ts'
import { type Io, ioFor } from '../providers/provider.ts'
import { type Providers, providers } from '../providers/registry.ts'
import { sandboxScopes } from '../providers/sandbox.ts'
import { createComposer } from '../sending/composer.ts'
import { createSending } from '../sending/create-sending.ts'
import { createLedger } from '../sending/ledger.ts'
import { createSender, type Sender, type SenderOptions } from '../sending/sender.ts'
import type { Sending } from '../sending/sending.ts'
import { keepSentMetadata } from '../sending/sent-metadata.ts'
import { createSystemMail, type SystemMail } from '../sending/system-mail.ts'
import { withoutPixel } from '../sending/tracking.ts'
import { createTrackingPages, type TrackingPages } from '../sending/tracking-pages.ts'
import { createTrackingTokens } from '../sending/tracking-tokens.ts'
import { createVisitCounter } from '../sending/visit-counter.ts'
import { withAfterCommit } from '../store/after-commit.ts'
import type { Database } from '../store/database.ts'
import { countWaiting } from '../store/deliveries.ts'
import { checkDurability } from '../store/durability.ts'
import { migrate } from '../store/migrate.ts'
import type { Node } from '../store/nodes.ts'
import { openDatabase } from '../store/open.ts'
import { outboxDepth } from '../store/outbox.ts'
import { type StoreHealth, watchHealth } from '../store/store-health.ts'
import { createHealthCounters, type HealthCounters } from '../telemetry/health-counters.ts'
import { createKeyUse, type KeyUseBook } from '../telemetry/key-use.ts'
import { createLoad, type Load } from '../telemetry/load.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { createPasswordGuessing } from '../telemetry/password-guessing.ts'
import { createRateLimiter, type RateLimiter } from '../telemetry/rate-limit.ts'
import { createUnderWay, type UnderWay } from '../telemetry/under-way.ts'
import { isDelivered } from '../webhooks/attempt.ts'
import { createDeliverer, type Deliverer } from '../webhooks/deliverer.ts'
import { createNotify } from '../webhooks/notify.ts'
import type { PayloadOpener } from '../webhooks/sealed-payloads.ts'

export interface Services {
  config: Config
  clock: Clock
  log: Log
  database: Database
  /** Whether the store can be written. */
  storeHealth: StoreHealth
  keyRing: KeyRing
  secrets: Secrets
  dataKeys: DataKeys
  /** Seals what is kept of mail, events and contacts. */
  seals: DataSeals
  /** Opens what notifications hold. */
  payloads: PayloadOpener
  cursors: Cursors
  egress: Egress
  /** Whether others than the people on this machine reach the service. */
  exposure: Exposure
  /** Where connections may go now. */
  addressMode(): AddressMode
  /** Opens `/metrics`, where the settings have it. */
  metricsToken: string | undefined
  providers: Providers
  /** What an adapter is given for work that no session is open for. */
  ioFor(kind: string, signal: AbortSignal): Io
  sessions: Sessions
  /** What providers send back with what they tell of a grant. */
  pushTokens: PushTokens
  /** Tells applications who signed in. */
  idTokens: IdTokens
  /** Tells applications of changes, in the transaction of each. */
  notify: Notify
  /** Delivers notifications to their destinations. */
  deliverer: Deliverer
  /** Looks for changes at providers that tell of them. */
  watcher: Watcher
  /** Answers who opens a tracked message or follows a link of one. */
  tracking: TrackingPages
  /** Sends messages, now or at their time. */
  sending: Sending
  /** Threads for what clients bring that is large. */
  composing: ParsePool
  /** Works on what is to be sent, whoever asked for it. */
  sender: Sender
  /** Compares the clock with the store's anew. */
  followClock(): Promise<void>
  /** The service's own mail identity, where the settings name one. */
  mail: SystemMail | undefined
  metrics: Metrics
  limiter: RateLimiter
  administrator: Administrator
  /** How the administrator comes in. */
  adminAuthentication: AdminAuthentication
  /** Notes the use of grants, and what goes wrong with them. */
  activity: ActivityBook
  /** Counts for the charts of the dashboard. */
  figures: HealthCounters
  /** Where the dashboard was built. */
  dashboardDir: string
  keyUse: KeyUseBook
  installation: Installation
  place: Place
  node: Node
  /** Aborts when the node is asked to stop. */
  stopping: AbortSignal
  /** Aborts a moment later: what is under way ends now. */
  ending: AbortSignal
  /** Who is served when more is asked than the node holds. */
  load: Load
  /** The requests that the node is at work on. */
  underWay: UnderWay
  /** The hosts that take a domain's mail, the best first; none when it cannot be known. */
  findExchanges(domain: string, signal: AbortSignal): Promise<string[]>
  /** Where a domain says that a service is, such as `_imaps._tcp.example.org`; undefined when it says nothing. */
  findService(name: string, signal: AbortSignal): Promise<{ host: string; port: number } | undefined>
}

export interface BuiltServices extends Services, AsyncDisposable {
  /** Names of the migrations that this start applied. */
  migrated: readonly string[]
  stop(): void
}

/** What jobs under way are given when the node is asked to stop. */
const endingMs = 800

/** For one message; a request has more. */
const composingMs = 20_000

/** Answers that do not say how fast the service is: some wait for something to tell, and some are of no route. */
const telling: ReadonlySet<string> = new Set(['notifications.list', 'none'])

const builtDashboard = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url))

/** How long the machine's clock must stand as it was set before an installation on SQLite follows it. */
const settingHeldMs = 600_000
const clockRemarks = {
  corrected: 'the clock of the service was off and follows the clock of the store',
  held: 'the clock of the machine was set; the service goes on with its own, and follows in ten minutes if it stays so',
  slept: 'the machine slept; the clock of the service counts that',
} as const

export interface BuildOptions extends Partial<Services> {
  /** What the clock of the service counts with. */
  timeSources?: TimeSources
  /** Take the lock of a server: one server per SQLite file. Commands work beside a running server and do not. */
  serving?: boolean
  /** For tests, of which each start hashes a password. */
  passwordCost?: PasswordCost
  /** For tests that let processes end while they send, and do not wait as long as the world does. */
  senderOptions?: Pick<SenderOptions, 'quarantineMs' | 'onUnknown' | 'failpoint'>
}

/** Builds everything in order; `overrides` are for tests. */
export async function createServices(
  config: Config,
  configSecrets: ConfigSecrets,
  overrides: BuildOptions = {},
): Promise<BuiltServices> {
  await using stack = new AsyncDisposableStack()
  const log = overrides.log ?? createLog(config.logLevel)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const store = stack.use(
    overrides.database ??
      openDatabase(config.dataDir, configSecrets.databaseUrl, { log, lock: overrides.serving === true }),
  )
  const { database: watched, health } = watchHealth(store)
  const { database, afterwards } = withAfterCommit(watched)
  // Nodes on one PostgreSQL go by its clock: leases and due times mean the same to all of them.
  const serviceClock = new ServiceClock({
    sources: overrides.timeSources ?? machineTime,
    reference: () => store.now(),
    patienceMs: database.engine === 'postgresql' ? 0 : settingHeldMs,
    onCorrection: (correction) => log.warn(correction, clockRemarks[correction.what]),
  })
  await serviceClock.begin()
  const clock = overrides.clock ?? serviceClock
  const unsafe = await checkDurability(database)
  if (unsafe) {
    throw new ConfigError([`${unsafe}: what was acknowledged could be lost; turn it on in postgresql.conf and reload`])
  }
  const migrated = await migrate(database, clock.now())
  const keyRing = await openKeyRing(config, configSecrets, database)
  const secrets = createSecrets(keyRing)
  await checkKey(database, secrets)
  const dataKeys = await openDataKeys(database, secrets, clock.now())
  const seals = createDataSeals(dataKeys, { clock, log })
  await sealClearValues(database, seals, log)
  const payloads: PayloadOpener = { seals, log }
  const administrator = createAdministrator(database, overrides.passwordCost)
  const installation = await ensureInstallation(database, {
    secrets,
    administrator,
    now: clock.now(),
    apiKey: configSecrets.apiKey,
    adminPassword: configSecrets.adminPassword,
    connectors: Object.entries(sandboxScopes).map(([provider, scope]) => {
      const client = configSecrets.sandboxClients[provider]
      const secret = client?.clientSecret ? { client_secret: client.clientSecret } : {}
      return { provider: provider as ProviderKind, settings: { ...client?.settings, ...secret }, scope: [...scope] }
    }),
  })
  const exposure = await openExposure({ queries: database, log, loopbackOnly: config.loopbackOnly })
  const addressMode = (): AddressMode => config.egress ?? (exposure.isExposed ? 'public' : 'private')
  const egress = stack.use(overrides.egress ?? createEgress({ mode: addressMode, trustLoopback: true }))
  const identity = configSecrets.mail
  const mail = overrides.mail ?? (identity ? stack.use(createSystemMail(identity)) : undefined)
  const registry = overrides.providers ?? providers
  const tell = createNotify({
    clock,
    engine: database.engine,
    seals,
    checks: config.checkAnswers,
    onQueued: (tx) => afterwards(tx, wakeDeliverer),
  })
  const notify: Notify =
    overrides.notify ??
    (async (tx, told) => {
      await tell(tx, told)
      if (kindOf(told.trigger) === 'grant') afterwards(tx, wakeWatcher)
      if (isReauthentication(told)) await backfillTracking(tx, told, { notify, seals })
    })
  const parse = stack.use(createParsePool({ module: new URL('../formats/parse-worker.ts', import.meta.url) }))
  // Of our own clients' mail: what strangers wrote does not hold it up, and it may take longer.
  const composing = stack.use(
    createParsePool({
      module: new URL('../sending/compose-worker.ts', import.meta.url),
      threads: 2,
      deadlineMs: composingMs,
      memoryMb: 512,
    }),
  )
  const pushTokens = createPushTokens(keyRing)
  const sessions = stack.use(
    createSessions({
      database,
      providers: registry,
      egress,
      clock,
      log,
      secrets,
      seals,
      parse,
      notify,
      baseUrl: config.baseUrl,
      providerUrls: config.providerUrls,
      push: isReachable(config.baseUrl, addressMode())
        ? { address: (kind) => `${config.baseUrl}/v3/push/${kind}`, tokens: pushTokens }
        : undefined,
      pollSeconds: config.pollSeconds,
      shown: (html) => withoutPixel(html, config.baseUrl),
      mailAddress: mail?.address,
      mailPerDay: config.mailPerDay,
    }),
  )
  const counters = createMetrics()
  const metrics: Metrics = {
    ...counters,
    answered(routeId, status, milliseconds) {
      counters.answered(routeId, status, milliseconds)
      figures.answered(status, telling.has(routeId) ? undefined : milliseconds)
    },
  }
  // A store that does not answer must not take the other figures with it.
  metrics.gauge('waypost_outbox_jobs', 'Jobs that wait or are under way', () =>
    outboxDepth(database).catch(() => Number.NaN),
  )
  metrics.gauge('waypost_deliveries_waiting', 'Notifications that wait for delivery, each counted by destination', () =>
    countWaiting(database).catch(() => Number.NaN),
  )
  metrics.gauge(
    'waypost_clock_difference_seconds',
    'How far the clock of the machine is ahead of the one the service goes by',
    async () => serviceClock.machineAhead / 1000,
  )
  const node = {
    id: newId(),
    startedAt: clock.now(),
    delivers: config.roles.includes('worker'),
    roles: config.roles,
  }
  const figures: HealthCounters = stack.use(
    createHealthCounters(database, { clock, nodeId: node.id, watchedGrants: () => watcher.size }),
  )
  const activity = stack.use(
    createActivityBook({ queries: database, seals, clock, log, providerFailed: figures.providerFailed }),
  )
  const deliverer = createDeliverer({
    database,
    clock,
    log,
    egress,
    secrets,
    payloads,
    nodeId: node.id,
    signatureHeader: config.signatureHeader,
    hasMail: mail !== undefined,
    attempted: (outcome) => {
      const answered = outcome.status === null ? 'unanswered' : 'refused'
      metrics.attempted(isDelivered(outcome) ? 'delivered' : answered)
      figures.attempted(isDelivered(outcome), outcome.latencyMs)
    },
  })
  const watcher: Watcher = createWatcher({
    database,
    clock,
    log,
    sessions,
    providers: registry,
    notify,
    seals,
    nodeId: node.id,
    activity,
  })
  metrics.gauge('waypost_watched_grants', 'Grants whose changes this node looks for', async () => watcher.size)
  const visits = stack.use(createVisitCounter({ database, log, notify, seals }))
  const tracking = createTrackingPages({
    queries: database,
    seals,
    clock,
    tokens: createTrackingTokens(keyRing),
    book: visits,
  })
  const ledger = createLedger({ database, clock, secrets, seals, notify, nodeId: node.id, onSent: keepSentMetadata })
  const sender = stack.use(
    createSender({
      ...{ database, clock, log, sessions, ledger, seals, nodeId: node.id, onUnknown: config.onUnknown },
      ...overrides.senderOptions,
    }),
  )
  const sending =
    overrides.sending ??
    createSending({
      ...{ database, clock, log, sessions, parse, keyRing, ledger, sender, seals },
      composer: createComposer(composing),
      baseUrl: config.baseUrl,
    })
  const wakeDeliverer = deliverer.wake
  const wakeWatcher = watcher.wake
  const load = createLoad({ unanswered: () => database.unanswered() })
  metrics.gauge(
    'waypost_requests_under_way',
    'Requests that this node is at work on',
    async () => load.figures().underWay,
  )
  metrics.gauge('waypost_requests_waiting', 'Requests that wait for their turn', async () => load.figures().waiting)
  const stopper = new AbortController()
  const ender = new AbortController()
  const keyUse = stack.use(createKeyUse(database))
  const limiter = createRateLimiter()
  const adminAuthentication = createAdminAuthentication({
    database,
    administrator,
    clock,
    baseUrl: config.baseUrl,
    guessing: createPasswordGuessing({ limiter, now: () => clock.now() }),
    devices: createDeviceCookies(keyRing),
  })
  const kept = stack.move()
  return {
    config,
    clock,
    log,
    database,
    storeHealth: health,
    keyRing,
    secrets,
    dataKeys,
    seals,
    payloads,
    cursors: createCursors(keyRing),
    egress,
    exposure,
    addressMode,
    metricsToken: configSecrets.metricsToken,
    providers: registry,
    ioFor: (kind, signal) => ioFor({ egress, clock, log, providerUrls: config.providerUrls }, kind, signal),
    sessions,
    pushTokens,
    idTokens: createIdTokens(keyRing, { issuer: config.baseUrl, clock }),
    notify,
    deliverer,
    watcher,
    tracking,
    sending,
    composing,
    sender,
    followClock: () => serviceClock.follow(),
    mail,
    metrics,
    limiter,
    administrator,
    adminAuthentication,
    activity,
    figures,
    dashboardDir: overrides.dashboardDir ?? builtDashboard,
    keyUse,
    installation,
    place: {
      organizationId: installation.organizationId,
      region: config.region,
      notificationDays: config.notificationDays,
    },
    node,
    stopping: stopper.signal,
    ending: ender.signal,
    load,
    underWay: createUnderWay(),
    findExchanges: overrides.findExchanges ?? findExchanges,
    findService: overrides.findService ?? findService,
    migrated,
    stop() {
      stopper.abort()
      setTimeout(() => ender.abort(), endingMs).unref()
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Whether providers can post to us: the real ones by TLS alone, a simulator on this machine as it likes. */
const isReachable = (baseUrl: string, mode: AddressMode): boolean =>
  baseUrl.startsWith('https://') || mode === 'private'
