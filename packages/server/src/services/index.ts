/** Builds the collaborators of a node, in order. */
import { fileURLToPath } from 'node:url'
import { createAdminAuthentication } from '../applications/admin-authentication.ts'
import { createDeviceCookies } from '../applications/device-cookies.ts'
import { openExposure } from '../applications/exposure.ts'
import { kindOf } from '../changes/backfill.ts'
import { backfillTracking } from '../changes/tracking-backfill.ts'
import { createWatcher, type Watcher } from '../changes/watcher.ts'
import type { Config, ConfigSecrets } from '../config.ts'
import { createActivityBook } from '../grants/activity.ts'
import { createIdTokens } from '../grants/id-tokens.ts'
import { isReauthentication, type Notify } from '../grants/notify.ts'
import { createPushTokens } from '../grants/push-tokens.ts'
import { createSessions } from '../grants/sessions.ts'
import type { AddressMode } from '../lib/addresses.ts'
import { createCursors } from '../lib/cursor.ts'
import { createEgress } from '../lib/egress.ts'
import { newId } from '../lib/ids.ts'
import { findExchanges, findService } from '../lib/name-service.ts'
import { ioFor } from '../providers/provider.ts'
import { providers } from '../providers/registry.ts'
import { createSystemMail } from '../sending/system-mail.ts'
import { withoutPixel } from '../sending/tracking.ts'
import { createKeyUse } from '../telemetry/key-use.ts'
import { createLoad } from '../telemetry/load.ts'
import { createPasswordGuessing } from '../telemetry/password-guessing.ts'
import { createRateLimiter } from '../telemetry/rate-limit.ts'
import { createUnderWay } from '../telemetry/under-way.ts'
import { isDelivered } from '../webhooks/attempt.ts'
import { createDeliverer } from '../webhooks/deliverer.ts'
import { createNotify } from '../webhooks/notify.ts'
import { openSending } from './sending.ts'
import type { BuildOptions, BuiltServices } from './services.ts'
import { openStorage } from './storage.ts'
import { openTelemetry } from './telemetry.ts'
import { openThreads } from './threads.ts'

/** What jobs under way are given when the node is asked to stop. */
const endingMs = 800

const builtDashboard = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url))

/** Builds everything in order; `overrides` are for tests. */
export async function createServices(
  config: Config,
  configSecrets: ConfigSecrets,
  overrides: BuildOptions = {},
): Promise<BuiltServices> {
  await using stack = new AsyncDisposableStack()
  const storage = await openStorage(stack, config, configSecrets, overrides)
  const { log, database, clock, keyRing, secrets, seals, payloads, administrator, installation } = storage
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
    onQueued: (tx) => storage.afterwards(tx, wakeDeliverer),
  })
  const notify: Notify =
    overrides.notify ??
    (async (tx, told) => {
      await tell(tx, told)
      if (kindOf(told.trigger) === 'grant') storage.afterwards(tx, wakeWatcher)
      if (isReauthentication(told)) await backfillTracking(tx, told, { notify, seals })
    })
  const threads = overrides.threads ?? stack.use(openThreads())
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
      parse: threads.parse,
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
  const node = {
    id: newId(),
    startedAt: clock.now(),
    delivers: config.roles.includes('worker'),
    roles: config.roles,
  }
  const { metrics, figures } = openTelemetry(stack, storage, { nodeId: node.id, watchedGrants: () => watcher.size })
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
  const { tracking, sender, sending } = openSending(stack, storage, {
    ...{ config, overrides, sessions, threads, notify, nodeId: node.id },
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
    storeHealth: storage.storeHealth,
    keyRing,
    secrets,
    dataKeys: storage.dataKeys,
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
    threads,
    sender,
    followClock: () => storage.serviceClock.follow(),
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
    migrated: storage.migrated,
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
