/**
 * The destinations that this node leases, each with its worker: leased, renewed, released, and lost to other nodes.
 */
import { sleep } from '@waypost/platform/clock'
import type { Database, Queries } from '@waypost/store/engine/database'
import {
  type DestinationAddress,
  type DueDestination,
  leaseDestination,
  releaseLeases,
  renewLeases,
  settleRetries,
} from '@waypost/store/tables/notifications/delivery-leases'
import { keepHealthOfAll } from '@waypost/store/tables/notifications/delivery-results'
import { DestinationWorker, type WorkerTools } from '../delivery/destination-worker.ts'
import { parseHealth } from '../delivery/health.ts'
import { servedDestination } from '../delivery/targets.ts'
import { isFreeLease, isToBeRenewed } from './lease-choice.ts'

interface LeaseTools extends Omit<WorkerTools, 'unserved'> {
  nodeId: string
  /** The state of a destination changed by time alone. */
  judged(worker: DestinationWorker): void
}

export const leaseMs = 15_000
/** Time limit for running attempts when a destination is released. They end by their own deadline. */
const handOverMs = 12_000

export class LeasedDestinations {
  readonly #tools: LeaseTools
  readonly #release: Release
  readonly #workers = new Map<string, DestinationWorker>()
  /** Destinations that are being released. */
  readonly #leaving = new Map<string, Promise<void>>()
  /** Aborts when running attempts must end because the node stops. */
  #cut = new AbortController()
  /** Aborts when nothing is waited for anymore. */
  #over = new AbortController()
  #isStopping = false

  constructor(tools: LeaseTools) {
    this.#tools = tools
    this.#release = createReleases(tools.database, tools.nodeId)
  }

  /** A copy, because the set changes while callers iterate. */
  get workers(): DestinationWorker[] {
    return [...this.#workers.values()]
  }

  has(webhookId: string): boolean {
    return this.#workers.has(webhookId)
  }

  isFree(due: DueDestination, now: number): boolean {
    const { nodeId } = this.#tools
    const holding = { nodeId, has: (id: string) => this.has(id), isLeaving: (id: string) => this.#leaving.has(id) }
    return isFreeLease(due, holding, now)
  }

  async take({ webhook_id, application_id }: DueDestination, keepUntil: number): Promise<void> {
    if (this.#workers.has(webhook_id) || this.#isStopping) return
    const { database, clock, nodeId, targetOf, judged } = this.#tools
    const at: DestinationAddress = { applicationId: application_id, webhookId: webhook_id }
    const now = clock.now()
    const leaseUntil = now + leaseMs
    const taken = await leaseDestination(database, at, { owner: nodeId, until: leaseUntil, now })
    if (!taken) return
    const row = await servedDestination(database, at)
    if (!row || this.#isStopping) {
      const webhookIds = [webhook_id]
      return releaseLeases(database, { applicationId: application_id, owner: nodeId, webhookIds })
    }
    const health = parseHealth(taken.health)
    const lease = { leaseUntil, keepUntil, judgeAt: taken.judge_at }
    const tools = { ...this.#tools, unserved: (unwanted: DestinationWorker) => this.giveBack(unwanted) }
    const worker = new DestinationWorker({ at, target: targetOf(row), health }, lease, tools)
    this.#workers.set(webhook_id, worker)
    worker.polled(true)
    if (worker.judge(now)) judged(worker)
  }

  /**
   * Renews all leases if one needs it: running attempts at destinations that are being released may outlast their
   * leases.
   */
  async renewInUse(): Promise<void> {
    const now = this.#tools.clock.now()
    const isInUse = this.#workers.values().some((worker) => {
      const isIdle = worker.isIdle && !worker.step
      return isToBeRenewed({ until: worker.leaseUntil, idleSince: isIdle ? worker.busyAt : undefined }, now)
    })
    if (isInUse || this.#leaving.size > 0) await this.renew()
  }

  /** Renews all leases. */
  async renew(): Promise<void> {
    // Not those that are leased while the statement runs.
    const mine = this.workers
    const { database, clock, nodeId } = this.#tools
    const until = clock.now() + leaseMs
    const held = await renewLeases(database, nodeId, until)
    for (const worker of mine) {
      if (held.has(worker.at.webhookId)) worker.renewed(until)
      else this.#lose(worker)
    }
  }

  giveBack(worker: DestinationWorker): void {
    const { webhookId } = worker.at
    if (this.#workers.get(webhookId) !== worker) return
    this.#workers.delete(webhookId)
    const left = this.#close(worker)
      .then(() => this.#release(worker))
      .catch((error) => this.#tools.log.warn({ error, webhook_id: webhookId }, 'a destination could not be released'))
      .then(() => void this.#leaving.delete(webhookId))
    this.#leaving.set(webhookId, left)
  }

  /** The node starts to deliver, possibly again. */
  start(): void {
    this.#cut = new AbortController()
    this.#over = new AbortController()
    this.#isStopping = false
  }

  /** Leases no more and releases everything. Resolves when that is done. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const worker of this.workers) this.giveBack(worker)
    await Promise.all(this.#leaving.values())
  }

  /** Aborts the attempts of destinations that are being released. */
  breakOff(): void {
    this.#cut.abort()
  }

  /** Stops waiting for their results too. */
  abandon(): void {
    this.#over.abort()
  }

  /**
   * Another node has it, or the destination was deleted: nothing more is sent, and running attempts no longer count.
   */
  #lose(worker: DestinationWorker): void {
    const { webhookId } = worker.at
    if (this.#workers.get(webhookId) !== worker) return
    this.#tools.log.warn({ webhook_id: webhookId }, 'a destination was lost to another node')
    this.#workers.delete(webhookId)
    void this.#close(worker)
  }

  /** Gives running attempts time to end and to be stored. */
  async #close(worker: DestinationWorker): Promise<void> {
    const closed = worker.close()
    // It ends within this iteration of the event loop.
    if (worker.isIdle) return closed
    const done = new AbortController()
    void closed.then(() => done.abort())
    await sleep(handOverMs, AbortSignal.any([done.signal, this.#cut.signal]))
    worker.breakOff()
    await sleep(handOverMs, AbortSignal.any([done.signal, this.#over.signal]))
    worker.abandon()
    await closed
  }
}

/** Releases leases in groups, such as all that became idle at the same time. Resolves when that of an ended worker is. */
type Release = (worker: DestinationWorker) => Promise<void>

function createReleases(database: Database, owner: string): Release {
  const waiting = new Map<string, { workers: DestinationWorker[]; released: Promise<void> }>()
  const releaseAll = async (applicationId: string): Promise<void> => {
    await new Promise(setImmediate)
    const { workers = [] } = waiting.get(applicationId) ?? {}
    waiting.delete(applicationId)
    const release = (): Promise<void> =>
      database.transaction((tx) => releaseOf(tx, database, { applicationId, owner }, workers))
    // Retried once: a concurrent renewal of the same leases can deadlock with it.
    await release().catch(release)
  }
  return (worker) => {
    const { applicationId } = worker.at
    const batch = waiting.getOrInsertComputed(applicationId, () => ({
      workers: [],
      released: releaseAll(applicationId),
    }))
    batch.workers.push(worker)
    return batch.released
  }
}

/** The destination's health is stored, unless a change of its state was not: then it is evaluated again. */
async function releaseOf(
  tx: Queries,
  { engine }: Pick<Database, 'engine'>,
  of: { applicationId: string; owner: string },
  workers: readonly DestinationWorker[],
): Promise<void> {
  const changed = workers.filter(({ healthChanged, step }) => healthChanged && !step)
  await keepHealthOfAll(
    tx,
    engine,
    of,
    changed.map(({ stored }) => stored),
  )
  const webhookIds = workers.map(({ at }) => at.webhookId)
  await settleRetries(tx, { ...of, webhookIds })
  await releaseLeases(tx, { ...of, webhookIds })
}
