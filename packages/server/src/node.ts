/** The running node: HTTP, heartbeat, jobs, and a bounded stop. */
import { sleep } from '@waypost/platform/clock'
import { RepeatedFailure } from '@waypost/platform/repeated-failure'
import { Wakeup } from '@waypost/platform/wakeup'
import { StoreUnavailable } from '@waypost/store/engine/database'
import { abandonIdempotencyKeys } from '@waypost/store/tables/applications/idempotency-keys'
import { removeFact } from '@waypost/store/tables/applications/installation'
import {
  abandonNodes,
  beatNode,
  isDeliverer,
  isWatcher,
  leaveNode,
  liveRoles,
  retireNode,
} from '@waypost/store/tables/applications/nodes'
import { abandonShards, releaseShards } from '@waypost/store/tables/grants/watch-shards'
import { abandonReplyMailboxes } from '@waypost/store/tables/mail/reply-mailboxes'
import { abandonLeases, releaseLeasesOf } from '@waypost/store/tables/notifications/delivery-leases'
import { leftoversJob } from '@waypost/store/tables/notifications/leftovers'
import { nextJob } from '@waypost/store/tables/notifications/next-work'
import type { JobKind } from '@waypost/store/tables/notifications/outbox'
import { calendarRemovalHandlers } from './changes/calendar-removal.ts'
import { itipHandlers } from './changes/itip-mails.ts'
import { groupSome } from './grants/auto-grouping.ts'
import { mailIdOf, openQueuedMail, queueNextMail } from './grants/queued-mail.ts'
import { revokeAtProvider } from './grants/revocation.ts'
import { failDeadPuts, housekeepingMs, runHousekeeping } from './housekeeping.ts'
import { type HttpServer, listen } from './http-server.ts'
import { removeAllLeftovers } from './outbox/leftovers.ts'
import { type JobHandlers, runDueJobs } from './outbox/runner.ts'
import type { SystemMessage } from './sending/system-mail.ts'
import type { BuiltServices } from './services/services.ts'
import type { GivenConnections } from './supervisor/given-connections.ts'
import { prepareDays } from './webhooks/retention.ts'

const beatMs = 5_000
const outboxMs = 500
/** Time for running requests after the port is closed. */
const requestsMs = 900
/** Time for all other running work when the node stops. Other nodes or the next start do the rest. */
const workMs = 1_100
/** The same when it hands over to another process. Its leases last ten seconds at least. */
const handOverMs = 9_500
/** The node exits this long after its announcement, whatever it waits for. */
export const endMs = 1_400

/** How long a replaced process answers open connections. A request takes 90 s at most, an idle connection ends after 65. */
const drainMs = 100_000

export interface RunningNode extends AsyncDisposable {
  port: number
  /**
   * Another process of the machine has taken its place: other nodes get the background work at once, and this one
   * answers its open connections until they end, or until the signal aborts.
   */
  handOver(signal: AbortSignal): Promise<void>
  /** Stops the node. It announces this for so long, instead of as long as the settings say. */
  end(announceMs: number): Promise<void>
}

/** Starts the node; the services are disposed with it. */
export async function startNode(services: BuiltServices, given?: GivenConnections): Promise<RunningNode> {
  const { config } = services
  const { database, clock, log } = services.storage
  // No other process works on this file: work that a dead process left in flight is over.
  if (database.engine === 'sqlite') {
    const all: readonly (() => Promise<unknown>)[] = [
      () => abandonIdempotencyKeys(database),
      () => abandonLeases(database),
      () => abandonShards(database),
      () => abandonReplyMailboxes(database),
      () => abandonNodes(database),
      () => removeFact(database, 'housekeeping_until'),
      () => services.mail.accountMails.abandon(),
      () => services.scheduling.abandon(),
      () => services.agents.approvals.abandon(),
    ]
    for (const abandon of all) await unlessFull(services, abandon)
  }
  await unlessFull(services, () => beat(services))
  // Again, now that others see this node: a step that older versions cannot live with may have begun meanwhile.
  await services.storage.checkSchema()
  // Housekeeping creates the following partitions. If it fails here, today's rows go into the default partition.
  await prepareDays(database, clock.now(), 1).catch((error) => log.warn({ error }, 'partitions could not be made'))
  if (isDeliverer(config.roles) || isWatcher(config.roles)) services.storage.signals.listen()
  // The other nodes share their work with this one.
  services.storage.signals.raise('deliveries', 'watches')
  const server = await listen(services, given)
  const { stopping } = services.runtime
  const work: Record<string, Promise<void>> = {
    ...(isDeliverer(config.roles)
      ? {
          housekeeping: every(services, housekeepingMs, () => runHousekeeping(services)),
          outbox: runJobs(services),
          schema: services.storage.schemaWork.run(stopping, (error) =>
            log.error({ error }, 'a schema change in the background failed; it is tried again'),
          ),
          deliveries: services.notifications.deliverer.run(stopping),
          sending: services.mail.sender.run(stopping),
          // What a process left that was killed. Nobody has to wait for it.
          uploads: failDeadPuts(services).catch((error) =>
            log.warn({ error }, 'what interrupted uploads left could not be deleted; housekeeping does it'),
          ),
          replies: every(services, config.pollSeconds * 1000, async () => services.mail.replies?.follow(stopping)),
        }
      : {}),
    ...(isWatcher(config.roles) ? { watches: services.accounts.watcher.run(stopping) } : {}),
  }
  // Until the very end: other nodes take over the work of a node without a heartbeat.
  const alive = new AbortController()
  const beating = every(services, beatMs, () => beat(services), alive.signal)
  const end = async (announceMs: number): Promise<void> => {
    services.runtime.stop()
    await Promise.all([endServer(server, announceMs), endWork(services, work, workMs)])
    alive.abort()
    await beating
    await leaveNode(database, services.runtime.node.id).catch((error) => log.warn({ error }, 'could not sign off'))
    await services[Symbol.asyncDispose]()
    log.info({ at: clock.now() }, 'stopped')
    log.flush()
  }
  return {
    port: server.port,
    async handOver(signal) {
      services.runtime.handOver()
      server.announceEnd()
      await endWork(services, work, handOverMs)
      // Requests may still send messages, which belong to this node as long as its heartbeat continues.
      await retireNode(database, services.runtime.node.id).catch((error) => log.warn({ error }, 'could not hand over'))
      await given?.drained(AbortSignal.any([signal, AbortSignal.timeout(drainMs)]))
    },
    end,
    // Without the role api no load balancer needs the announcement.
    [Symbol.asyncDispose]: () => end(config.roles.includes('api') ? config.announceMs : 0),
  }
}

/** On a full disk a node starts without this, so that clients can read. What was in flight is over when its leases end. */
async function unlessFull({ storage: { log } }: BuiltServices, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StoreUnavailable && error.isFull)) throw error
    log.error({ error }, 'the disk is full: the node starts all the same, to read and to delete')
  }
}

/** Lets others take the work of nodes whose processes are dead for certain, without waiting for their leases. */
export async function releaseNodes(
  { storage: { database, log } }: BuiltServices,
  nodes: readonly string[],
): Promise<void> {
  for (const id of nodes) {
    try {
      await retireNode(database, id)
      await releaseLeasesOf(database, id)
      await releaseShards(database, id, 0)
    } catch (error) {
      log.warn({ error, node: id }, 'the work of a dead process could not be released; its leases expire by themselves')
    }
  }
}

async function endServer(server: HttpServer, announceMs: number): Promise<void> {
  server.announceEnd()
  await sleep(announceMs)
  await server.close(requestsMs)
}

/** Waits for the node's own work, at most this long. */
async function endWork(
  { storage: { log } }: BuiltServices,
  work: Record<string, Promise<void>>,
  milliseconds: number,
): Promise<void> {
  const left = new Set(Object.keys(work))
  const limit = new AbortController()
  const all = Object.entries(work).map(([name, loop]) => loop.finally(() => left.delete(name)))
  await Promise.race([Promise.all(all), sleep(milliseconds, limit.signal)])
  limit.abort()
  if (left.size > 0)
    log.warn({ left: [...left] }, 'work under way was cut; it is taken up by others, or at the next start')
}

/** Writes the heartbeat, and all records in memory since the last one. */
export async function beat(services: BuiltServices): Promise<void> {
  const { database, clock, dataKeys } = services.storage
  const { node } = services.runtime
  const { limiter, keyUse } = services.telemetry
  const { deliverer } = services.notifications
  const { activity, watcher } = services.accounts
  const { traffic, figures } = services.telemetry
  const { signals } = services.storage
  await services.storage.followClock()
  services.storage.room.measure()
  // If no other process has written, there is nothing to read from the store, and no other node.
  const othersWrote = signals.follow()
  await services.network.exposure.follow(othersWrote)
  if (othersWrote) await dataKeys.refresh()
  const now = clock.now()
  await beatNode(database, node, now, { watchedGrants: watcher.size, leases: deliverer.leases })
  if (othersWrote) {
    const nodes = await liveRoles(database, now)
    limiter.setNodes(nodes.filter(({ roles }) => roles.includes('api')).length)
    deliverer.setNodes(nodes.filter(({ roles }) => isDeliverer(roles)))
    signals.setNodes(nodes.map(({ id }) => id))
  }
  await keyUse.flush()
  await activity.flush()
  await traffic.flush()
  await figures.flush()
}

/** Runs the due jobs of the outbox, batch by batch. */
export async function doJobs(services: BuiltServices): Promise<void> {
  const { config } = services
  const { database, clock, log, secrets, payloads } = services.storage
  const { node, stopping } = services.runtime
  const { identity: mail } = services.mail
  const { metrics } = services.telemetry
  const { providers, sessions } = services.accounts
  const { seals } = payloads
  const handlers: JobHandlers<JobKind> = {
    'mail.send': async (payload, signal, job) => {
      if (!mail) throw new Error('the service has no mail identity: set WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM')
      const queued = openQueuedMail<SystemMessage & { next?: object }>(seals, payload)
      await mail.send(queued, signal, mailIdOf(seals, job))
      await queueNextMail(database, seals, { job, payload, next: queued.next, now: clock.now() })
    },
    ...services.mail.accountMails.handlers,
    ...services.scheduling.mails.handlers,
    ...services.scheduling.handlers,
    ...services.agents.approvals.handlers,
    ...services.agents.ownerMails.handlers,
    ...itipHandlers({ database, sessions, log, seals }),
    ...calendarRemovalHandlers({ database, sessions, log }),
    [leftoversJob]: (payload, signal) => removeAllLeftovers(database, payload, { now: clock.now(), signal }),
    'workspaces.group': (payload) => groupSome(database, payload, { log, now: clock.now() }),
    'provider.revoke': (payload, signal) =>
      revokeAtProvider(payload, {
        queries: database,
        providers,
        secrets,
        ioFor: (kind) => services.accounts.ioFor(kind, signal),
      }),
  }
  const runner = {
    database,
    clock,
    log,
    nodeId: node.id,
    handlers,
    signal: services.runtime.ending,
    seals,
    failures: metrics.counts('waypost_jobs_failed_total'),
    operatorMail: mail && { to: config.operatorEmails, dashboardUrl: `${config.baseUrl}/dashboard` },
  }
  while ((await runDueJobs(runner)) > 0) if (stopping.aborted) return
}

/** Runs the due jobs of the outbox, whenever one is added or falls due. */
async function runJobs(services: BuiltServices): Promise<void> {
  const { database, clock, log, signals } = services.storage
  const { stopping } = services.runtime
  const wakeup = new Wakeup(signals.maxRest)
  signals.on({ jobs: wakeup.wake })
  const failure = new RepeatedFailure({ first: outboxMs, max: outboxMs })
  // A job that falls due while the others run must not wait for the end of a long rest.
  const next = async (checkedAt: number): Promise<number | undefined> => {
    const at = await nextJob(database, checkedAt).catch(() => checkedAt)
    return at === undefined ? undefined : at - clock.now()
  }
  while (!stopping.aborted) {
    wakeup.reset()
    const checkedAt = clock.now()
    await failure.attempt(
      () => doJobs(services),
      (error) => log.error({ error, failures: failure.count }, 'a repeated task failed; it is tried again'),
    )
    if (failure.rest > 0) await sleep(failure.rest, stopping)
    await wakeup.rest(outboxMs, stopping, wakeup.isCalm ? await next(checkedAt) : undefined)
  }
}

/** Repeats `work` until the node stops; a failure is logged, and the work is tried again next time. */
async function every(
  { runtime: { stopping }, storage: { log } }: BuiltServices,
  milliseconds: number,
  work: () => Promise<void>,
  signal = stopping,
): Promise<void> {
  const failure = new RepeatedFailure({ first: milliseconds, max: milliseconds })
  for (;;) {
    await sleep(milliseconds, signal)
    if (signal.aborted) return
    await work().then(
      () => failure.succeeded(),
      (error) => {
        const facts = { error, failures: failure.count + 1 }
        if (failure.failed()) log.error(facts, 'a repeated task failed; it is tried again')
      },
    )
  }
}
