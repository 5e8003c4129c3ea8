/** Builds the services of a node, in order. */
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createCursors } from '@waypost/platform/cursor'
import type { AddressMode } from '@waypost/platform/egress/addresses'
import { readAllowList } from '@waypost/platform/egress/allow'
import { findMailExchangers, findService } from '@waypost/platform/egress/dns'
import { createEgress, type Egress } from '@waypost/platform/egress/egress'
import { newId } from '@waypost/platform/ids'
import { version } from '@waypost/platform/version'
import { ioFor, type SharedValues } from '@waypost/providers/io'
import { providers } from '@waypost/providers/registry'
import type { Node } from '@waypost/store/tables/applications/nodes'
import { createCustomerData } from '../applications/customer-data.ts'
import { openExposure } from '../applications/exposure.ts'
import { openOidcSignIn } from '../applications/oidc-sign-in.ts'
import { createVisitorLimits } from '../booking/visitor-limits.ts'
import { createWatcher, type Watcher } from '../changes/watcher.ts'
import { createConferences } from '../conferences/conferences.ts'
import type { Config, ConfigSecrets } from '../config.ts'
import { createActivityBook } from '../grants/activity.ts'
import { createIdTokens } from '../grants/id-tokens.ts'
import { createPushTokens } from '../grants/push-tokens.ts'
import { createSystemMail } from '../sending/system-mail.ts'
import type { Supervision } from '../supervisor/supervision.ts'
import { createKeyUse } from '../telemetry/key-use.ts'
import { createProviderCalls } from '../telemetry/provider-calls.ts'
import { createRateLimiter } from '../telemetry/rate-limit.ts'
import { createRefusalLog } from '../telemetry/refusal-log.ts'
import { createUnderWay } from '../telemetry/under-way.ts'
import type { Deliverer } from '../webhooks/leases/deliverer.ts'
import { createStream } from '../webhooks/stream.ts'
import { openAdminAuthentication } from './administrators.ts'
import { openApprovals } from './approvals.ts'
import { openBookings } from './bookings.ts'
import { channelOptionsOf, openDeliverer } from './delivering.ts'
import { openNotify } from './notifying.ts'
import { openPasswords } from './passwords.ts'
import { openReplies, openSending } from './sending.ts'
import type { BuildOptions, BuiltServices } from './services.ts'
import { openSessions } from './sessions.ts'
import { openStorage } from './storage.ts'
import { openLoad, openTelemetry, openTracing } from './telemetry.ts'
import { openThreads } from './threads.ts'

/** Time for running jobs when the node stops, and when it hands over to another process. */
const endingMs = 800
const handOverMs = 7_000

const builtDashboard = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url))
const builtDocs = fileURLToPath(new URL('../../../docs/dist', import.meta.url))
const builtBookingPage = fileURLToPath(new URL('../../../booking-page/dist', import.meta.url))

const nodeOf = ({ roles }: Config, at: Pick<Node, 'id' | 'startedAt' | 'host'>, own = version): Node => ({
  ...{ ...at, roles, version: own },
})

/** Several processes of a machine are distinguished by their numbers. */
const hostOf = ({ number }: Pick<Supervision, 'number'>): string => `${hostname()}#${number}`

/** Outgoing connections, to the hosts that the operator allows. */
const openEgress = ({ egressAllow }: Config, mode: () => AddressMode): Egress =>
  createEgress({ mode, allow: egressAllow && readAllowList(egressAllow), trustLoopback: true })

/** How the node stops, or hands over to another process. */
function openLeaving(): Pick<BuiltServices, 'stop' | 'handOver' | 'isLeaving' | 'stopping' | 'ending'> {
  const stopper = new AbortController()
  const ender = new AbortController()
  let isLeaving = false
  const leaveWithin = (milliseconds: number): void => {
    stopper.abort()
    setTimeout(() => ender.abort(), milliseconds).unref()
  }
  return {
    stopping: stopper.signal,
    ending: ender.signal,
    isLeaving: () => isLeaving,
    handOver: () => leaveWithin(handOverMs),
    stop() {
      isLeaving = true
      leaveWithin(endingMs)
    },
  }
}

/** Builds everything in order; `overrides` are for tests. */
export async function createServices(
  config: Config,
  configSecrets: ConfigSecrets,
  overrides: BuildOptions = {},
): Promise<BuiltServices> {
  await using stack = new AsyncDisposableStack()
  const nodeId = newId()
  const storage = await openStorage(stack, config, configSecrets, { ...overrides, nodeId })
  const { log, database, signals, clock, keyRing, secrets, seals, payloads, hashing, administrator, installation } =
    storage
  const exposure = await openExposure({ queries: database, log, loopbackOnly: config.loopbackOnly })
  const addressMode = (): AddressMode => config.egress ?? (exposure.isExposed ? 'public' : 'private')
  const egress = stack.use(overrides.egress ?? openEgress(config, addressMode))
  const identity = configSecrets.mail
  const mail = overrides.mail ?? (identity ? stack.use(createSystemMail(identity)) : undefined)
  const registry = overrides.providers ?? providers
  const notify =
    overrides.notify ??
    openNotify(storage, config, {
      ...{ wakeDeliverer: () => deliverer.wake(), wakeWatcher: () => watcher.wake() },
      wakeReaders: () => signals.raise('stream'),
    })
  const threads = overrides.threads ?? stack.use(openThreads())
  const pushTokens = createPushTokens(keyRing)
  const shared: SharedValues = new Map()
  const calls = createProviderCalls(storage.metrics)
  const sessions = openSessions(stack, storage, config, {
    ...{ providers: registry, egress, shared, addressMode, notify, pushTokens, ...calls },
    ...{ parse: threads.parse, answers: threads.answers },
    ...{ mailAddress: mail?.address, readsReplies: identity?.inbox !== undefined },
    accountMail: (record, signal) => accountMails.of(record, signal),
  })
  const host = overrides.supervision ? hostOf(overrides.supervision) : hostname()
  const node = nodeOf(config, { id: nodeId, startedAt: clock.now(), host }, overrides.schema?.version)
  const telemetry = openTelemetry(stack, storage, { nodeId: node.id, watcher: () => watcher, threads })
  const { metrics, figures, traffic, credentialLog } = telemetry
  const headers = configSecrets.otlpHeaders
  const tracer = openTracing(stack, storage, { config, headers, nodeId: node.id })
  const customerData = createCustomerData({ isShown: config.customerData })
  const { providerFailed } = telemetry
  const activity = stack.use(createActivityBook({ queries: database, seals, clock, log, providerFailed }))
  const leaving = openLeaving()
  const channelOptions = channelOptionsOf(config, configSecrets)
  const deliverer: Deliverer = openDeliverer(storage, config, {
    ...{ egress, nodeId, channels: channelOptions, hasMail: mail !== undefined },
    ...{ attempted: telemetry.attempted, isHurried: leaving.isLeaving, tracer },
  })
  const watcher: Watcher = createWatcher({
    ...{ database, clock, log, sessions, providers: registry, notify, seals, nodeId, activity },
    ...{ polled: telemetry.polled, maxRest: signals.maxRest, parse: threads.parse },
    tracer,
  })
  const { tracking, sender, sending, uploads, accountMails, bookingMails } = openSending(stack, storage, {
    ...{ config, overrides, sessions, threads, notify, nodeId: node.id, settled: telemetry.settled },
    mailAddress: mail?.address,
  })
  const conferences = createConferences({ database, sessions, providers: registry, log })
  const bookings = openBookings({
    ...{ database, sessions, conferences, clock, log, seals, notify, nodeId: node.id },
    ...{ baseUrl: config.baseUrl, mails: bookingMails, ...overrides.bookingOptions },
  })
  const approving = openApprovals(storage, { config, overrides, notify, providers: registry, mail })
  signals.on({ deliveries: deliverer.wake, watches: watcher.wake, sends: sender.stir })
  const replies = openReplies(stack, identity?.inbox, {
    ...{ database, sessions, clock, log, nodeId: node.id, pollSeconds: config.pollSeconds },
  })
  const load = overrides.load ?? openLoad(database, metrics)
  const suppressed = metrics.counts('waypost_log_suppressed_total').of()
  const refusals = stack.use(createRefusalLog({ log, suppressed }))
  const keyUse = stack.use(createKeyUse(database))
  const limiter = createRateLimiter()
  const adminAuthentication = openAdminAuthentication(storage, config, limiter)
  const passwords = await openPasswords(config, configSecrets, overrides.serving === true ? log : undefined)
  const opening = { database, clock, egress, secrets, log, adminAuthentication, clientSecret: configSecrets.oidcSecret }
  const oidc = openOidcSignIn(config, opening)
  const retained = stack.move()
  return {
    ...{ config, clock, log, database, signals, channelOptions, nextOfStream: createStream(database, signals) },
    ...{ storeHealth: storage.storeHealth, room: storage.room },
    keyRing,
    secrets,
    dataKeys: storage.dataKeys,
    seals,
    payloads,
    cursors: createCursors(keyRing),
    ...{ egress, openPublicEgress: overrides.openPublicEgress ?? (() => openEgress(config, () => 'public')) },
    ...{ exposure, addressMode },
    metricsToken: configSecrets.metricsToken,
    sandboxClients: configSecrets.sandboxClients,
    providers: registry,
    ioFor: (kind, signal) => ioFor({ ...config, egress, clock, log, shared, ...threads, ...calls }, kind, signal),
    ...{ sessions, conferences, pushTokens },
    idTokens: createIdTokens(keyRing, { issuer: config.baseUrl, clock }),
    ...{ notify, deliverer, watcher },
    ...{ tracking, sending, uploads, threads, sender, accountMails, bookingMails, bookings, ...approving },
    followClock: () => storage.serviceClock.follow(),
    ...{ mail, replies },
    metrics,
    supervision: overrides.supervision,
    tracer,
    refusals,
    limiter,
    visitorLimits: createVisitorLimits({ limiter, clock, isLimited: config.rateLimits }),
    hashing,
    passwords,
    administrator,
    adminAuthentication,
    oidc,
    activity,
    customerData,
    ...{ traffic, figures, credentialLog },
    dashboardDir: overrides.dashboardDir ?? builtDashboard,
    docsDir: overrides.docsDir ?? builtDocs,
    bookingPageDir: overrides.bookingPageDir ?? builtBookingPage,
    keyUse,
    installation,
    place: {
      organizationId: installation.organizationId,
      region: config.region,
      notificationDays: config.notificationDays,
    },
    node,
    load,
    underWay: createUnderWay(),
    findMailExchangers: overrides.findMailExchangers ?? findMailExchangers,
    findService: overrides.findService ?? findService,
    ...{ migrated: storage.migrated, schemaWork: storage.schemaWork, checkSchema: storage.checkSchema },
    ...leaving,
    [Symbol.asyncDispose]: () => retained.disposeAsync(),
  }
}
