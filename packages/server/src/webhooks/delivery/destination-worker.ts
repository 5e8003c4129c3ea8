/**
 * Serves one destination while this node leases it: does what the backlog says and reports the outcomes. Workers
 * share only the store and the memory budget, so a destination that hangs delays no other.
 *
 * Every event only schedules a step, and at most one step runs per iteration of the event loop. So requests and
 * timers run in between, however fast the store responds.
 */
import type { Clock } from '@waypost/platform/clock'
import { newFraction } from '@waypost/platform/ids'
import type { Log } from '@waypost/platform/log'
import type { Tracer } from '@waypost/platform/span'
import type { Database } from '@waypost/store/engine/database'
import { type DueDelivery, dueDeliveries, overtakenDeliveries } from '@waypost/store/tables/notifications/deliveries'
import type { DestinationAddress, LeasedDestination } from '@waypost/store/tables/notifications/delivery-leases'
import type { StoredHealth } from '@waypost/store/tables/notifications/delivery-results'
import { attempt, type Ended, type Item, isDelivered, itemsOf, type Target } from './attempt.ts'
import { Backlog, type BacklogPage } from './backlog.ts'
import type { NotificationCache } from './body.ts'
import { type ChannelOutcome, channelOutcome, isTried, missingAfter, stopMs } from './channel-outcome.ts'
import {
  fresh,
  type Health,
  judgeByTime,
  judgedAt,
  recordAttempt,
  type Status,
  type Step,
  serializeHealth,
} from './health.ts'
import type { SharedMemory } from './shared-memory.ts'
import { servedDestination, type Targets } from './targets.ts'

/** The outcome of one attempt, without its request: outcomes may wait for long while the store is unavailable. */
export interface Outcome extends Ended {
  /** What the attempt means at a channel. Undefined for webhooks. */
  channel?: ChannelOutcome | undefined
  worker: DestinationWorker
  delivery: DueDelivery
}

export interface WorkerTools {
  database: Database
  clock: Clock
  log: Log
  tracer?: Tracer | undefined
  memory: SharedMemory
  notifications: NotificationCache
  targetOf: Targets
  /** Whether results can be stored. False while the store is unavailable. */
  canKeep(): boolean
  settled(outcome: Outcome): void
  /** A delivery whose notification was deleted. */
  gone(worker: DestinationWorker, id: number): void
  /** The destination must not be served anymore. */
  unserved(worker: DestinationWorker): void
}

const restMs = 50

export class DestinationWorker {
  readonly at: DestinationAddress
  readonly #tools: WorkerTools
  readonly #backlog: Backlog<Item>
  #target: Target
  #health: Health
  #status: Status
  #step: Step | undefined
  #seenRevision: number | undefined
  #requested = false
  #resting: NodeJS.Timeout | undefined
  /** When the broker of a stopped channel wants to be asked again. */
  #retryAfter: string | null = null
  /** Lanes that wait because the broker takes nothing of a type. */
  readonly #held = new Map<string, NodeJS.Timeout>()
  /** Since when the broker has taken nothing of a type. */
  readonly #missing = new Map<string, number>()
  #disposed = false
  readonly #closed = Promise.withResolvers<void>()
  /** End of the lease. A node that was suspended beyond it sends nothing before the lease is renewed. */
  #leaseUntil: number
  /** Until when it stays, even if other nodes have less to do, because none of them took it. */
  readonly keepUntil: number
  /** When there was last something to do. */
  busyAt: number
  /** When its health was last stored, and whether it changed since. */
  healthRetainedAt = 0
  healthChanged = false

  constructor(
    { at, target, health }: { at: DestinationAddress; target: Target; health: Health },
    lease: { leaseUntil: number; keepUntil: number; judgeAt: number | null },
    tools: WorkerTools,
  ) {
    this.at = at
    this.#target = target
    this.#backlog = new Backlog({ ordered: target.row.transport !== 'webhook' })
    this.#health = health
    this.#status = target.row.status as Status
    this.#tools = tools
    this.#leaseUntil = lease.leaseUntil
    this.keepUntil = lease.keepUntil
    // The stored health says when it is evaluated next.
    this.healthChanged = (lease.judgeAt ?? undefined) !== this.judgeAt
    this.busyAt = tools.clock.now()
  }

  get target(): Target {
    return this.#target
  }
  /** Its health as it is stored. */
  get stored(): StoredHealth {
    return { webhookId: this.at.webhookId, judgeAt: this.judgeAt, health: serializeHealth(this.#health) }
  }
  get isIdle(): boolean {
    return this.#backlog.isIdle
  }
  get leaseUntil(): number {
    return this.#leaseUntil
  }
  /** A change of state that is not stored yet. */
  get step(): Step | undefined {
    return this.#step
  }

  /**
   * The queues were polled. `due` says whether deliveries wait for this destination. As long as `revision` matches,
   * the destination itself need not be read again.
   */
  polled(due: boolean, revision?: number): void {
    this.#seenRevision = revision
    this.#backlog.polled(due)
    this.#ask()
  }

  /** When time alone changes the state of the destination. */
  get judgeAt(): number | undefined {
    return judgedAt(this.#status, this.#health)
  }

  /** Evaluates the state by time, if due. Returns whether there is something to store. */
  judge(now: number): boolean {
    const { judgeAt } = this
    // A pending change of state is stored first.
    if (judgeAt !== undefined && judgeAt <= now && !this.#step) {
      this.#changes(judgeByTime(this.#status, this.#health, now))
      this.healthChanged = true
    }
    return this.healthChanged
  }

  renewed(until: number): void {
    this.#leaseUntil = until
    // Ready deliveries wait for it if the lease had ended.
    if (!this.isIdle) this.#ask()
  }

  retained(ids: Iterable<number>): void {
    this.#backlog.retained(ids)
    this.#ask()
  }

  /** Starts nothing more. Resolves when nothing is running and every result is stored, or after `abandon`. */
  close(): Promise<void> {
    this.#backlog.close()
    this.#ask()
    return this.#closed.promise
  }

  /** Aborts running attempts. The next owner of the lease repeats them. */
  breakOff(): void {
    if (this.#disposed) return
    this.#disposed = true
    this.#target.transport[Symbol.dispose]()
  }

  /** Waits for nothing anymore. */
  abandon(): void {
    this.#backlog.abandon()
    this.#ask()
  }

  #ask(): void {
    if (this.#requested) return
    this.#requested = true
    setImmediate(() => {
      this.#requested = false
      this.#take()
    })
  }

  #take(): void {
    const { clock, memory, canKeep } = this.#tools
    const steps = this.#backlog.next({
      now: performance.now(),
      mayBegin: clock.now() < this.#leaseUntil && canKeep(),
      maxBytes: memory.shareOf(this),
    })
    if (steps.over) {
      this.#end()
      return
    }
    for (const item of steps.send) void this.#attempt(item)
    if (steps.read) void this.#supply(steps.read)
    if (steps.rest) this.#resting = setTimeout(() => this.#rested(), restMs)
    if (steps.stop !== undefined) {
      const rest = stopMs(steps.stop, { retryAfter: this.#retryAfter, now: clock.now(), random: newFraction() })
      this.#resting = setTimeout(() => this.#rested(), rest)
    }
    memory.holds(this, this.#backlog.bytes)
  }

  #end(): void {
    clearTimeout(this.#resting)
    for (const timer of this.#held.values()) clearTimeout(timer)
    this.breakOff()
    this.#tools.memory.holds(this, 0)
    this.#closed.resolve()
  }

  #rested(): void {
    this.#backlog.rested()
    this.#ask()
  }

  async #attempt(item: Item): Promise<void> {
    const span = this.#tools.tracer?.begin('deliver', 'client', {
      attributes: {
        'waypost.trigger': item.reported.type,
        'waypost.attempt': item.delivery.attempts + 1,
        ...hostOf(this.#target),
      },
    })
    const ended = await attempt(item, this.#target, this.#tools)
    span?.set({ 'http.response.status_code': ended?.status ?? undefined })
    span?.end(failureOf(ended))
    if (!ended) this.#backlog.putBack(item.id)
    else this.#settle(item, ended)
    this.#ask()
  }

  #settle(item: Item, ended: Ended): void {
    const isChannel = this.#target.row.transport !== 'webhook'
    const channel = isChannel ? this.#outcomeAtChannel(item, ended) : undefined
    if (!this.#left(item, ended, channel)) return
    if (channel === 'stopped') this.#retryAfter = ended.retryAfter
    if (channel === 'held') this.#hold(item.lane, item.delivery.tries)
    this.#count(ended)
    this.#tools.settled({ worker: this, delivery: item.delivery, channel, ...ended })
  }

  /** Takes a delivery out of the attempts under way. Returns whether its outcome counts. */
  #left(item: Item, ended: Ended, channel: ChannelOutcome | undefined): boolean {
    if (channel === 'stopped') return this.#backlog.stopped(item.id, attempted(item, ended))
    if (channel === 'held') return this.#backlog.held(item.id, attempted(item, ended))
    return this.#backlog.ended(item.id, { ok: isDelivered(ended), latencyMs: ended.latencyMs })
  }

  #outcomeAtChannel({ reported: { type }, delivery: { tries } }: Item, ended: Ended): ChannelOutcome {
    const missingSince = missingAfter(this.#missing.get(type), ended)
    if (missingSince === undefined) this.#missing.delete(type)
    else this.#missing.set(type, missingSince)
    return channelOutcome(ended, { tries, missingSince })
  }

  #hold(lane: string, tries: number): void {
    const rest = stopMs(tries + 1, { retryAfter: null, now: 0, random: newFraction() })
    const release = (): void => {
      this.#held.delete(lane)
      this.#backlog.released(lane)
      this.#ask()
    }
    this.#held.set(lane, setTimeout(release, rest))
  }

  #count(ended: Ended): void {
    this.busyAt = ended.at
    this.healthChanged = true
    this.#changes(recordAttempt(this.#status, this.#health, { at: ended.at, ok: isDelivered(ended) }))
  }

  #changes(step: Step | undefined): void {
    if (!step) return
    this.#step = step
    this.#status = step
  }

  async #supply(read: BacklogPage): Promise<void> {
    try {
      const isServed = this.#isAsSeen() || (await this.#follow())
      this.#seenRevision = undefined
      if (!isServed) {
        this.#backlog.readFailed()
        return this.#tools.unserved(this)
      }
      const { database, clock, notifications } = this.#tools
      const rows = read.limit > 0 ? await dueDeliveries(database, this.at, { now: clock.now(), ...read }) : []
      const { chosen, next } = this.#backlog.choose(rows)
      if (this.#target.row.transport !== 'webhook') chosen.push(...(await this.#overtaken(chosen)))
      const { items, gone } = await itemsOf(notifications, this.at.applicationId, chosen)
      this.#backlog.supplied(items, { next, gone })
      for (const id of gone) this.#tools.gone(this, id)
    } catch (error) {
      this.#backlog.readFailed()
      this.#tools.log.warn(
        { error, webhook_id: this.at.webhookId },
        'the deliveries waiting for a destination could not be read',
      )
    }
    this.#ask()
  }

  /**
   * Deliveries that were not read, although their notifications are earlier than the chosen ones: they were written at
   * nearly the same time, and the queue is in the order of times. They join the chosen ones, because the order of a grant
   * is that of its notifications.
   */
  async #overtaken(chosen: readonly DueDelivery[]): Promise<DueDelivery[]> {
    const [first, last] = [chosen[0], chosen.at(-1)]
    if (!first || !last) return []
    const below = Math.max(...chosen.map(({ id }) => id))
    const taken = new Set(chosen.map(({ id }) => id))
    const max = taken.size + this.#backlog.knownCount
    const around = { from: first.due_at, to: last.due_at, below, max }
    const rows = await overtakenDeliveries(this.#tools.database, this.at, around)
    return this.#backlog.unread(rows).filter(({ id }) => !taken.has(id))
  }

  /** Whether the last poll found the destination unchanged. */
  #isAsSeen(): boolean {
    const { row, signsTwiceUntil } = this.#target
    return this.#seenRevision === row.revision && signsTwiceUntil > this.#tools.clock.now()
  }

  /** Reads the destination. Returns whether it is to be served. */
  async #follow(): Promise<boolean> {
    const row = await servedDestination(this.#tools.database, this.at)
    if (row) this.#compare(row)
    return row !== undefined
  }

  /** Applies changes to the destination, by the client or by a stored change of state. */
  #compare(row: LeasedDestination): void {
    const former = this.#target
    const isOutdated = former.row.revision !== row.revision || former.signsTwiceUntil <= this.#tools.clock.now()
    if (!isOutdated || this.#disposed) return
    this.#target = this.#tools.targetOf(row, former)
    this.#status = row.status as Status
    this.#step = undefined
    // A destination that was set active again starts with a clean record.
    if (row.status === 'active' && row.status !== former.row.status) this.#health = fresh()
    // Other credentials or another broker are tried at once.
    if (this.#target.transport !== former.transport) {
      clearTimeout(this.#resting)
      this.#missing.clear()
      this.#rested()
    }
  }
}

/** The delivery after an attempt that stopped the channel. */
const attempted = (item: Item, ended: Ended): Item => {
  const { attempts, tries } = item.delivery
  return { ...item, delivery: { ...item.delivery, attempts: attempts + 1, tries: tries + (isTried(ended) ? 1 : 0) } }
}

/** Only the host: the path of a destination may be secret. */
const hostOf = ({ row }: Target): { 'server.address': string | undefined } => ({
  'server.address': URL.parse(row.webhook_url)?.hostname,
})

/** A short name for the failure of an attempt. */
function failureOf(ended: Ended | undefined): string | undefined {
  if (!ended) return 'broken_off'
  if (isDelivered(ended)) return undefined
  return ended.status === null ? 'unanswered' : String(ended.status)
}
