/**
 * Delivers: finds destinations that have something waiting, leases them, and has a worker serve each. Nodes on one store
 * share the destinations; those of a node that died are free when its lease ends.
 */
import { type Clock, sleep } from '../lib/clock.ts'
import type { Egress } from '../lib/egress.ts'
import type { Log } from '../lib/log.ts'
import { RepeatedFailure } from '../lib/repeated-failure.ts'
import type { Secrets } from '../lib/secrets.ts'
import type { Database } from '../store/database.ts'
import { dueDeliveries } from '../store/deliveries.ts'
import {
  type DestinationAddress,
  type DueDestination,
  destinationsToJudge,
  dueDestinations,
  keepDestinationHealth,
  type LeasedDestination,
  leaseDestination,
  leasedDestination,
  releaseLease,
  renewLeases,
} from '../store/delivery-leases.ts'
import { createBodyWriter } from './body.ts'
import { DestinationWorker, type Outcome, type WorkerTools } from './destination-worker.ts'
import { parseHealth, serializeHealth } from './health.ts'
import { createNotificationCache } from './notification-cache.ts'
import { createResults } from './results.ts'
import type { PayloadOpener } from './sealed-payloads.ts'
import { createSharedMemory } from './shared-memory.ts'
import { createTargets } from './targets.ts'

/** How long nothing is asked of a store that fails. */
const storeRests = { first: 100, most: 5000 }

export interface DelivererOptions {
  database: Database
  clock: Clock
  log: Log
  egress: Egress
  secrets: Secrets
  payloads: PayloadOpener
  nodeId: string
  signatureHeader: string
  /** Whether mails can be sent. */
  hasMail: boolean
  /** Hears of every attempt: for the figures. */
  attempted?(outcome: Outcome): void
}

export interface Deliverer {
  /** How many nodes are alive, this one included: they share the destinations. */
  setNodes(count: number): void
  /** Something may be waiting. */
  wake(): void
  /** Delivers until the signal aborts; then lets what is under way end, for a moment, and gives the destinations back. */
  run(signal: AbortSignal): Promise<void>
}

const leaseMs = 15_000
const renewMs = 5_000
const lookMs = 500
/** A destination without work is given back after this long. */
const idleMs = 10_000
/** What nobody else wanted stays for so long: a node that has just died is still counted. */
const unwantedMs = 10_000
/** What attempts under way are given when a destination is given back: they end by their own deadline. */
const handOverMs = 12_000
/** And when the node stops; then what their results are given, and the leases. All of it together, from the signal on. */
const stopping = { attemptsMs: 700, resultsMs: 900, leasesMs: 1_000 }

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { database, clock, log, nodeId } = options
  const workers = new Map<string, DestinationWorker>()
  /** Destinations that this node is about to give back. */
  const leaving = new Map<string, Promise<void>>()
  /** Aborts when what is under way must end, because the node does; and when nothing is waited for any more. */
  let cut = new AbortController()
  let over = new AbortController()
  /** Those that were free at the last look: another node may want them first, but not for long. */
  let freeBefore = new Set<string>()
  let awake: (() => void) | undefined
  let woken = false
  let isStopping = false
  let nodes = 1

  const results = createResults({
    ...{ database, clock, log, nodeId, hasMail: options.hasMail, seals: options.payloads.seals },
  })
  const targetOf = createTargets(options)
  const notifications = createNotificationCache(database, options.payloads)

  const workerTools: WorkerTools = {
    clock,
    log,
    write: createBodyWriter(),
    memory: createSharedMemory(),
    canKeep: results.hasRoom,
    settled(outcome) {
      options.attempted?.(outcome)
      results.add(outcome)
    },
    gone: results.drop,
    destination: served,
    target: targetOf,
    queue: (at, read) => dueDeliveries(database, at, { now: clock.now(), ...read }),
    async withNotifications(rows) {
      const stored = await notifications.read(rows.map((each) => each.notification))
      const items = rows.flatMap((each) => {
        const found = stored.get(each.notification)
        return found ? [{ ...each, stored: found }] : []
      })
      return { items, gone: rows.flatMap(({ id, notification }) => (stored.has(notification) ? [] : [id])) }
    },
    unserved: giveBack,
  }

  function wake(): void {
    woken = true
    awake?.()
  }

  async function served(at: DestinationAddress): Promise<LeasedDestination | undefined> {
    const row = await leasedDestination(database, at)
    return row?.status === 'active' || row?.status === 'failing' ? row : undefined
  }

  async function look(): Promise<void> {
    const now = clock.now()
    if (workers.values().some((worker) => worker.leaseUntil <= now)) await renew()
    const waiting = await dueDestinations(database, now)
    const isDue = new Set(waiting.map(({ webhook_id }) => webhook_id))
    const toJudge = (await destinationsToJudge(database, now)).filter(({ webhook_id }) => !isDue.has(webhook_id))
    const due = [...waiting, ...toJudge]
    for (const worker of workers.values()) {
      // One with work in hand whose destination is due no more: it was paused or removed.
      if (isDue.has(worker.at.webhookId) || !worker.isIdle) worker.looked(isDue.has(worker.at.webhookId))
      if (worker.judge(now)) results.judged(worker)
    }
    const free = due.filter((each) => isFree(each, now))
    // Every node takes its share at once, and what nobody took by the next look.
    const share = Math.ceil(due.length / nodes)
    const mine = due.filter(({ webhook_id }) => workers.has(webhook_id)).length
    const wanted = free.filter(({ webhook_id }, index) => index < share - mine || freeBefore.has(webhook_id))
    const unwanted = freeBefore
    freeBefore = new Set(free.map(({ webhook_id }) => webhook_id))
    await Promise.all(wanted.map((each) => take(each, unwanted.has(each.webhook_id) ? now + unwantedMs : now)))
    giveBackSpare(isDue, share, now)
  }

  /** Nobody has it. One in our name that we know nothing of was taken or given back while the store failed. */
  const isFree = ({ webhook_id: id, owner, lease_until: until }: DueDestination, now: number): boolean =>
    !leaving.has(id) && (owner === null || (until ?? 0) < now || (owner === nodeId && !workers.has(id)))

  async function take({ webhook_id, application_id }: DueDestination, keepUntil: number): Promise<void> {
    if (workers.has(webhook_id) || isStopping) return
    const at: DestinationAddress = { applicationId: application_id, webhookId: webhook_id }
    const now = clock.now()
    const leaseUntil = now + leaseMs
    const taken = await leaseDestination(database, at, { owner: nodeId, until: leaseUntil, now })
    if (!taken) return
    const row = await served(at)
    if (!row || isStopping) return void (await releaseLease(database, at, nodeId))
    const health = parseHealth(taken.health)
    const lease = { leaseUntil, keepUntil, judgeAt: taken.judge_at }
    const worker = new DestinationWorker({ at, target: targetOf(row), health }, lease, workerTools)
    workers.set(webhook_id, worker)
    worker.looked(true)
    if (worker.judge(now)) results.judged(worker)
  }

  function giveBack(worker: DestinationWorker): void {
    const { webhookId } = worker.at
    if (workers.get(webhookId) !== worker) return
    workers.delete(webhookId)
    const left = close(worker)
      .then(() => release(worker))
      .catch((error) => log.warn({ error, webhook_id: webhookId }, 'a destination could not be given back'))
      .then(() => void leaving.delete(webhookId))
    leaving.set(webhookId, left)
  }

  /** Gives up the lease; how the destination fares is kept, unless a change of its state was not: then it is judged again. */
  async function release(worker: DestinationWorker): Promise<void> {
    const { at, health, judgeAt } = worker
    if (worker.healthChanged && !worker.step) {
      await keepDestinationHealth(database, at, { owner: nodeId, health: serializeHealth(health), judgeAt })
    }
    await releaseLease(database, at, nodeId)
  }

  /** Lets what is under way end, and be kept, within its time. */
  async function close(worker: DestinationWorker): Promise<void> {
    const closed = worker.close()
    const done = new AbortController()
    void closed.then(() => done.abort())
    await sleep(handOverMs, AbortSignal.any([done.signal, cut.signal]))
    worker.breakOff()
    await sleep(handOverMs, AbortSignal.any([done.signal, over.signal]))
    worker.abandon()
    await closed
  }

  /** Those that have been idle for a while, and those beyond this node's share while there are others. */
  function giveBackSpare(due: ReadonlySet<string>, share: number, now: number): void {
    const idle = [...workers.values()].filter((worker) => worker.isIdle && !due.has(worker.at.webhookId))
    const stale = idle.filter((worker) => now - worker.busyAt > idleMs && !worker.step)
    const busy = [...workers.values()].filter((worker) => due.has(worker.at.webhookId))
    const spare = nodes > 1 ? busy.slice(share + 1).filter((worker) => worker.keepUntil <= now) : []
    for (const worker of [...stale, ...spare]) giveBack(worker)
  }

  async function renew(): Promise<void> {
    if (workers.size + leaving.size === 0) return
    // Not those that are taken while the store is asked.
    const mine = [...workers.values()]
    const until = clock.now() + leaseMs
    const held = await renewLeases(database, nodeId, until)
    for (const worker of mine) {
      if (held.has(worker.at.webhookId)) worker.renewed(until)
      else lose(worker)
    }
  }

  /** Another node has it, or the destination is gone: nothing more is sent, and what is under way counts no more. */
  function lose(worker: DestinationWorker): void {
    if (workers.get(worker.at.webhookId) !== worker) return
    log.warn({ webhook_id: worker.at.webhookId }, 'a destination was lost to another node')
    workers.delete(worker.at.webhookId)
    void close(worker)
  }

  async function looking(signal: AbortSignal): Promise<void> {
    const failure = new RepeatedFailure(storeRests)
    while (!signal.aborted) {
      woken = false
      await look().then(
        () => failure.succeeded(),
        (error) => {
          if (failure.failed()) log.warn({ error }, 'the queue of deliveries could not be read; it is tried again')
        },
      )
      if (failure.rest > 0) await sleep(failure.rest, signal)
      const pause = new AbortController()
      awake = () => pause.abort()
      // A turn of the event loop at least: the store may have answered within this one.
      await sleep(woken ? 0 : lookMs, AbortSignal.any([signal, pause.signal]))
      awake = undefined
    }
  }

  async function renewing(signal: AbortSignal): Promise<void> {
    const failure = new RepeatedFailure(storeRests)
    while (!signal.aborted) {
      await sleep(renewMs, signal)
      if (signal.aborted) return
      await renew().then(
        () => failure.succeeded(),
        (error) => {
          if (failure.failed()) log.warn({ error }, 'leases could not be renewed; it is tried again')
        },
      )
    }
  }

  /** Within the times of `stopping`, whatever is due, under way or hanging, and whether the store answers or not. */
  async function stop(): Promise<void> {
    isStopping = true
    const timers = [
      setTimeout(() => cut.abort(), stopping.attemptsMs),
      setTimeout(() => {
        over.abort()
        results.abandon()
      }, stopping.resultsMs),
    ]
    const late = new AbortController()
    const deadline = sleep(stopping.leasesMs, late.signal)
    for (const worker of [...workers.values()]) giveBack(worker)
    await Promise.race([Promise.all(leaving.values()), deadline])
    for (const timer of timers) clearTimeout(timer)
    late.abort()
    results.abandon()
  }

  return {
    wake,
    setNodes: (count) => {
      nodes = Math.max(count, 1)
    },
    async run(signal) {
      cut = new AbortController()
      over = new AbortController()
      isStopping = false
      const loops = Promise.all([looking(signal), renewing(signal)])
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true })
        if (signal.aborted) resolve()
      })
      await stop()
      await Promise.race([loops, sleep(50)])
    },
  }
}
