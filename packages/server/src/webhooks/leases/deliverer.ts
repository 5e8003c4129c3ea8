/**
 * Finds destinations with waiting deliveries, leases them (`leased-destinations.ts`), and runs a worker for each. The
 * nodes on one store share the destinations. Those of a node that died become free when its lease ends.
 */
import { type Clock, sleep } from '@waypost/platform/clock'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Egress } from '@waypost/platform/egress/egress'
import type { Log } from '@waypost/platform/log'
import { RepeatedFailure } from '@waypost/platform/repeated-failure'
import type { Tracer } from '@waypost/platform/span'
import { Wakeup } from '@waypost/platform/wakeup'
import type { Database } from '@waypost/store/engine/database'
import {
  type DueDestination,
  destinationsToJudge,
  dueDestinations,
} from '@waypost/store/tables/notifications/delivery-leases'
import { nextDelivery } from '@waypost/store/tables/notifications/next-work'
import { createNotificationCache } from '../delivery/body.ts'
import type { Outcome } from '../delivery/destination-worker.ts'
import { createResults, type Results } from '../delivery/results.ts'
import { createSharedMemory } from '../delivery/shared-memory.ts'
import { createTargets } from '../delivery/targets.ts'
import type { PayloadOpener } from '../sealed-payloads.ts'
import type { ChannelOptions } from '../transports/channel-settings.ts'
import {
  betweenPolls,
  chooseLeases,
  chooseSpare,
  type DeliveringNode,
  idleMs,
  isEnding,
  renewMs,
} from './lease-choice.ts'
import { LeasedDestinations } from './leased-destinations.ts'

/** How long a failing store is left alone. */
const storeRests = { first: 100, max: 5000 }

export interface DelivererOptions {
  database: Database
  clock: Clock
  log: Log
  egress: Egress
  secrets: Secrets
  payloads: PayloadOpener
  nodeId: string
  signatureHeader: string
  /** What the operator set for channels. */
  channels?: ChannelOptions
  /** Whether email can be sent. */
  hasMail: boolean
  /** Maximum pause between polls if the node is notified of writes. 0 without notifications: then it polls often. */
  maxRest?(): number
  /** Called for every attempt, for metrics. */
  attempted?(outcome: Outcome): void
  /** Whether the node stops soon. Otherwise it hands over its work to another process. */
  isHurried?(): boolean
  /** Starts spans if tracing is on. */
  tracer?: Tracer | undefined
}

export interface Deliverer {
  /** Number of destinations that this node leases. */
  readonly leases: number
  /** The delivering nodes, as last seen. They share the destinations. */
  setNodes(nodes: readonly DeliveringNode[]): void
  /** There may be work. */
  wake(): void
  /** Delivers until the signal aborts. Then gives running attempts a moment to end, and releases the destinations. */
  run(signal: AbortSignal): Promise<void>
}

const pollMs = 500
/** A destination that no other node took stays for this long, because a node that just died is still counted. */
const unwantedMs = 10_000
/**
 * When a node stops: time limits for running attempts, then for storing their results, then for releasing the leases.
 * All are measured from the signal.
 */
const stopping = { attemptsMs: 700, resultsMs: 900, leasesMs: 1_000 }
/** When it hands over to another process, nothing presses but its leases: they end ten seconds later at the earliest. */
const handingOver: typeof stopping = { attemptsMs: 7_000, resultsMs: 8_000, leasesMs: 9_000 }

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { database, clock, log, nodeId, hasMail, payloads, attempted, tracer } = options
  const wakeup = new Wakeup(options.maxRest)
  let nodes: readonly DeliveringNode[] = []
  const results = createResults({ database, clock, log, nodeId, hasMail, seals: payloads.seals })
  const targetOf = createTargets({
    ...options,
    endpoints: options.channels?.endpoints ?? {},
    defaults: options.channels?.credentials,
  })
  const leases = new LeasedDestinations({
    database,
    clock,
    log,
    nodeId,
    tracer,
    targetOf,
    memory: createSharedMemory(),
    notifications: createNotificationCache(database, payloads),
    canKeep: results.hasRoom,
    judged: results.judged,
    settled(outcome) {
      attempted?.(outcome)
      results.add(outcome)
    },
    gone: results.drop,
  })
  const { poll, next } = createPoll({ database, clock, nodeId, leases, results, nodes: () => nodes })

  async function polling(signal: AbortSignal): Promise<void> {
    const failure = new RepeatedFailure(storeRests)
    while (!signal.aborted) {
      wakeup.reset()
      const began = performance.now()
      await failure.attempt(poll, (error) =>
        log.warn({ error }, 'the queue of deliveries could not be read; it will be retried'),
      )
      if (failure.rest > 0) await sleep(failure.rest, signal)
      if (!wakeup.isWoken) await wakeup.rest(pollMs, signal, wakeup.isCalm ? await next() : undefined)
      const between = betweenPolls({ held: leases.workers.length, nodes: nodes.length })
      await sleep(Math.max(0, began + between - performance.now()), signal)
    }
  }

  async function renewing(signal: AbortSignal): Promise<void> {
    const failure = new RepeatedFailure(storeRests)
    while (!signal.aborted) {
      await sleep(renewMs, signal)
      if (signal.aborted) return
      await failure.attempt(
        () => leases.renewInUse(),
        (error) => log.warn({ error }, 'leases could not be renewed; it will be retried'),
      )
    }
  }

  return {
    wake: wakeup.wake,
    get leases() {
      return leases.workers.length
    },
    setNodes(seen) {
      nodes = seen
    },
    async run(signal) {
      leases.start()
      const loops = Promise.all([polling(signal), renewing(signal)])
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true })
        if (signal.aborted) resolve()
      })
      await stop(leases, results, (options.isHurried?.() ?? true) ? stopping : handingOver)
      await Promise.race([loops, sleep(50)])
    },
  }
}

/**
 * Ends within the limits, whatever is due, running or hanging, and whether or not the store responds.
 */
async function stop(leases: LeasedDestinations, results: Results, limits: typeof stopping): Promise<void> {
  const timers = [
    setTimeout(() => leases.breakOff(), limits.attemptsMs),
    setTimeout(() => {
      leases.abandon()
      results.abandon()
    }, limits.resultsMs),
  ]
  const late = new AbortController()
  const deadline = sleep(limits.leasesMs, late.signal)
  await Promise.race([leases.stop(), deadline])
  for (const timer of timers) clearTimeout(timer)
  late.abort()
  results.abandon()
}

interface PollTools {
  database: Database
  clock: Clock
  nodeId: string
  leases: LeasedDestinations
  results: Results
  /** The nodes that share the destinations. */
  nodes(): readonly DeliveringNode[]
}

interface DeliveryPoll {
  /** One poll: leases what is due and free, and releases what is idle or beyond this node's share. */
  poll(): Promise<void>
  /** Milliseconds until the next poll if nothing new is queued. Undefined if nothing is planned. */
  next(): Promise<number | undefined>
}

function createPoll({ database, clock, nodeId, leases, results, nodes }: PollTools): DeliveryPoll {
  /** When a destination of another node becomes free unless that node renews its lease. */
  let leaseEnds: number | undefined
  /**
   * Releases destinations that have been idle for a while, and those beyond this node's share if there are other
   * nodes.
   */
  let judgedAt = Number.NEGATIVE_INFINITY
  /** Those that were free at the last look, and for how many: another node may want them first, but not for long. */
  let freeFor: ReadonlyMap<string, number> = new Map()

  /** Those that have been idle for a while, and those beyond this node's share while there are others. */
  function giveBackSpare(due: ReadonlyMap<string, unknown>, share: number, now: number): void {
    const idle = leases.workers.filter((worker) => worker.isIdle && !due.has(worker.at.webhookId))
    const stale = idle.filter((worker) => now - worker.busyAt > idleMs && !worker.step)
    for (const worker of stale) leases.giveBack(worker)
    if (nodes().length < 2) return
    const spare = chooseSpare(leases.workers, { share, now, isBusy: (worker) => due.has(worker.at.webhookId) })
    for (const worker of spare) leases.giveBack(worker)
  }

  /** What wakes a look is something to deliver: the time alone is asked as often as it looks by itself. */
  async function toJudge(now: number): Promise<DueDestination[]> {
    if (Math.abs(now - judgedAt) < pollMs) return []
    judgedAt = now
    return destinationsToJudge(database, now)
  }

  async function poll(): Promise<void> {
    const now = clock.now()
    const waiting = await dueDestinations(database, now)
    const isDue = new Map(waiting.map(({ webhook_id, revision }) => [webhook_id, revision]))
    if (leases.workers.some(({ at, leaseUntil }) => isEnding(leaseUntil, { isDue: isDue.has(at.webhookId), now })))
      await leases.renew()
    const due = [...waiting, ...(await toJudge(now)).filter(({ webhook_id }) => !isDue.has(webhook_id))]
    for (const worker of leases.workers) {
      // One with work in hand whose destination is due no more: it was paused or removed.
      const revision = isDue.get(worker.at.webhookId)
      if (revision !== undefined || !worker.isIdle) worker.polled(revision !== undefined, revision)
      if (worker.judge(now)) results.judged(worker)
    }
    const { share, taken, free } = chooseLeases(due, {
      nodeId,
      held: leases.workers.length,
      nodes: nodes(),
      freeFor,
      isFree: (each) => leases.isFree(each, now),
    })
    const unwanted = freeFor
    freeFor = free
    await Promise.all(taken.map((each) => leases.take(each, unwanted.has(each.webhook_id) ? now + unwantedMs : now)))
    giveBackSpare(isDue, share, now)
    const others = due.flatMap(({ webhook_id, lease_until }) => (leases.has(webhook_id) ? [] : [lease_until ?? now]))
    leaseEnds = others.length === 0 ? undefined : Math.min(...others)
  }

  async function next(): Promise<number | undefined> {
    const now = clock.now()
    // What is being delivered is looked at often; what is idle, when it is given back or the time changes its state.
    let first = leaseEnds ?? Number.POSITIVE_INFINITY
    for (const { isIdle, step, busyAt, judgeAt = first } of leases.workers) {
      if (!isIdle || step) return 0
      first = Math.min(first, busyAt + idleMs + 1, judgeAt)
    }
    const due = await nextDelivery(database, now).catch(() => now)
    first = Math.min(first, due ?? first)
    return first === Number.POSITIVE_INFINITY ? undefined : first - now
  }

  return { poll, next }
}
