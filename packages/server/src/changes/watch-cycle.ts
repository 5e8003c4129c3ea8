/**
 * The states of a watch:
 *
 *   starting ──a place is free──▶ syncing ──all is fetched──▶ waiting at the provider
 *                                   ▲  │                            │
 *                                   │  └──failure──▶ resting ◀──────┤ the connection is lost
 *                                   └───────────── woken ◀──────────┘ something may have changed
 *
 * The number of concurrent syncs is limited. Woken watches go before those that start or retry. A waiting watch costs a
 * promise at its provider and no timer.
 */

import { ApiError } from '@waypost/platform/api-error'
import { type Clock, sleep } from '@waypost/platform/clock'
import { newFraction } from '@waypost/platform/ids'
import type { Log } from '@waypost/platform/log'
import type { Tracer } from '@waypost/platform/span'
import type { ChangeSource } from '@waypost/providers/provider'
import { StoreUnavailable } from '@waypost/store/engine/database'
import type { Nudge } from '@waypost/store/tables/grants/nudges'
import type { ActivityBook } from '../grants/activity.ts'
import type { Sessions } from '../grants/sessions.ts'
import { outcomeOf } from '../telemetry/provider-calls.ts'
import { type ChangeReader, Outdated, unlessAborted, type Watch } from './change-reader.ts'

interface WatchCycleOptions {
  clock: Clock
  log: Log
  sessions: Pick<Sessions, 'judge'>
  reader: ChangeReader
  activity: Pick<ActivityBook, 'failed' | 'resting' | 'watching'> | undefined
  /** Called after every sync with its result and duration. */
  polled?(provider: string, error: unknown, milliseconds: number): void
  /** Starts trace spans, if tracing is on. */
  tracer?: Tracer | undefined
  /** Grants that may connect and fetch concurrently. */
  maxSyncs: number
  isCurrent(watch: Watch): boolean
  /** A grant or shard differs from what its watch expects. */
  outdated(): void
}

/** Numbers of watches that are not waiting for a change. */
export interface WatchFigures {
  /** Due for a sync that has not begun. */
  due: number
  polling: number
  /** Resting after a failure. */
  resting: number
  /** How long the longest-waiting sync has been due. */
  oldestDueMs: number
}

/** A connection that lasted this long counts as successful, regardless of why it ended. */
const steadyMs = 60_000

export class WatchCycle {
  readonly #options: WatchCycleOptions
  readonly #woken = createQueue()
  readonly #starting = createQueue()
  readonly #resting = new Set<Watch>()
  readonly #syncing = new Map<Watch, Promise<void>>()

  constructor(options: WatchCycleOptions) {
    this.#options = options
  }

  /** Queues a watch; it starts with the next `pump`. */
  start(watch: Watch): void {
    this.#starting.add(watch)
  }

  stop(watch: Watch): void {
    this.#resting.delete(watch)
    close(watch)
  }

  /** Starts queued syncs while there are free places. */
  pump(): void {
    while (this.#syncing.size < this.#options.maxSyncs) {
      const watch = this.#woken.take() ?? this.#starting.take()
      if (!watch) return
      if (!this.#options.isCurrent(watch)) continue
      const turn = this.#sync(watch).finally(() => {
        this.#syncing.delete(watch)
        this.pump()
      })
      this.#syncing.set(watch, turn)
    }
  }

  /** Queues watches whose delay is over. Returns the time until the next one, at most `longest`. */
  tryAgain(longest: number): number {
    let shortest = longest
    const now = this.#options.clock.now()
    for (const watch of this.#resting) {
      if (watch.retryAt > now) shortest = Math.min(shortest, watch.retryAt - now)
      else {
        this.#resting.delete(watch)
        this.#starting.add(watch)
      }
    }
    this.pump()
    return shortest
  }

  figures(): WatchFigures {
    const queues = [this.#woken, this.#starting]
    return {
      due: queues.reduce((count, queue) => count + queue.size, 0),
      polling: this.#syncing.size,
      resting: this.#resting.size,
      oldestDueMs: Math.max(0, ...queues.map((queue) => queue.oldestMs((watch) => this.#options.isCurrent(watch)))),
    }
  }

  /** Resolves when stopped watches write nothing more, or after the deadline. */
  async ended(milliseconds: number): Promise<void> {
    const limit = new AbortController()
    const last = [...this.#syncing].flatMap(([watch, turn]) => (this.#options.isCurrent(watch) ? [] : [turn]))
    await Promise.race([Promise.allSettled(last), sleep(milliseconds, limit.signal)])
    limit.abort()
  }

  async #sync(watch: Watch): Promise<void> {
    const { reader, isCurrent, activity, polled } = this.#options
    const begins = watch.opened === undefined
    const began = performance.now()
    watch.span = this.#options.tracer?.begin('look for changes', 'internal')
    try {
      watch.opened ??= await reader.open(watch)
      // The watch may have ended while the grant was read.
      if (!isCurrent(watch)) return close(watch)
      const { provider } = watch.opened.record.grant
      watch.provider = provider
      await reader.sync(watch, watch.opened)
      polled?.(provider, undefined, performance.now() - began)
      watch.span?.set({ 'waypost.provider': provider })
      watch.span?.end()
    } catch (error) {
      polled?.(watch.provider ?? 'unknown', error, performance.now() - began)
      watch.span?.set({ 'waypost.provider': watch.provider })
      watch.span?.end(outcomeOf(error))
      return this.#fail(watch, error)
    }
    if (begins || watch.failures > 0) activity?.watching(watch.grantId)
    this.#wait(watch)
  }

  #wait(watch: Watch): void {
    const { clock, isCurrent } = this.#options
    if (!watch.opened || !isCurrent(watch)) return
    const from = clock.now()
    untilChanged(watch, watch.opened).then(
      (woken) => {
        watch.sync = woken === 'time' ? 'incremental' : 'realtime'
        this.#recovered(watch)
        this.#woken.add(watch)
        this.pump()
      },
      (error) => {
        if (!isCurrent(watch)) return
        if (clock.now() - from < steadyMs) return void this.#fail(watch, error)
        // Connections end from time to time; only a failure of the next one counts.
        this.#recovered(watch)
        void this.#rest(watch, error)
      },
    )
  }

  #recovered(watch: Watch): void {
    if (watch.failures > 0) this.#options.log.info({ grant_id: watch.grantId }, 'changes of a grant are fetched again')
    watch.failures = 0
  }

  async #fail(watch: Watch, error: unknown): Promise<void> {
    const { log, activity, isCurrent, outdated } = this.#options
    if (!isCurrent(watch)) return
    // The next comparison with the store sees the change and ends the watch.
    if (error instanceof Outdated) outdated()
    else if (++watch.failures === 1) {
      const facts = { grant_id: watch.grantId, application_id: watch.applicationId }
      log.warn({ error, ...facts }, 'changes of a grant cannot be fetched at the moment')
      const { applicationId, provider } = watch
      const of = provider === undefined ? {} : { of: { applicationId, provider } }
      activity?.failed(watch.grantId, { operation: 'changes', error, ...of })
    }
    await this.#rest(watch, error)
  }

  async #rest(watch: Watch, error: unknown): Promise<void> {
    const { clock, log, reader, sessions, activity, isCurrent } = this.#options
    const record = watch.opened?.record
    watch.retryAt = clock.now() + Math.max(backoffAfter(watch.failures, newFraction()), requestedFor(error))
    if (watch.failures > 0) {
      const { grantId, failures, retryAt: nextTryAt } = watch
      activity?.resting({ grantId, failures, nextTryAt })
    }
    // If the store failed, the connection to the provider is still good.
    if (!(error instanceof StoreUnavailable)) close(watch)
    try {
      await reader.touch(watch)
      // If the provider refused the credentials, the grant becomes invalid and the next comparison ends the watch.
      if (record) await sessions.judge(record, error)
    } catch (dropped) {
      log.warn(
        { error: dropped, grant_id: watch.grantId },
        'the failure to fetch changes of a grant could not be recorded',
      )
    }
    if (isCurrent(watch)) this.#resting.add(watch)
  }
}

function close(watch: Watch): void {
  watch.opened?.controller.abort()
  watch.opened = undefined
  // Changes found after reopening were not reported by the provider.
  watch.sync = 'incremental'
}

/** Ends the wait of a watch, or its next wait: the provider reported changes. */
export function wakeWatch(watch: Watch, { renewPush }: Pick<Nudge, 'renewPush'>): void {
  watch.isWoken = true
  if (renewPush) watch.renewPush = true
  watch.wakeWatch?.()
}

/** `time` if nothing was reported. */
type Woken = Awaited<ReturnType<ChangeSource<unknown>['wait']>>

/** Waits at the provider until something may have changed. */
const untilChanged = (
  watch: Watch,
  { source, session, controller, isReported }: NonNullable<Watch['opened']>,
): Promise<Woken> =>
  isReported
    ? nudgedWait(watch, (signal) => source.wait(session, signal), controller.signal)
    : unlessAborted(() => source.wait(session, controller.signal), controller.signal)

/** Waits for the provider, or until a push reports changes. */
async function nudgedWait(
  watch: Watch,
  wait: (signal: AbortSignal) => Promise<Woken>,
  ending: AbortSignal,
): Promise<Woken> {
  const woken = new AbortController()
  watch.wakeWatch = () => woken.abort()
  if (watch.isWoken) woken.abort()
  try {
    return await unlessAborted(() => wait(woken.signal), AbortSignal.any([ending, woken.signal]))
  } catch (error) {
    if (ending.aborted || !woken.signal.aborted) throw error
    return undefined
  } finally {
    watch.wakeWatch = undefined
    watch.isWoken = false
    woken.abort()
  }
}

interface Queue {
  add(watch: Watch): void
  take(): Watch | undefined
  readonly size: number
  /** How long the first valid entry has waited; 0 if there is none. */
  oldestMs(counts: (watch: Watch) => boolean): number
}

/** First in, first out. */
function createQueue(): Queue {
  let queued: { watch: Watch; since: number }[] = []
  let first = 0
  return {
    add: (watch) => void queued.push({ watch, since: performance.now() }),
    take() {
      const taken = queued[first++]
      if (first >= queued.length) {
        queued = []
        first = 0
      }
      return taken?.watch
    },
    get size() {
      return queued.length - first
    },
    oldestMs(counts) {
      for (let place = first; place < queued.length; place++) {
        const entry = queued[place]
        if (entry && counts(entry.watch)) return performance.now() - entry.since
      }
      return 0
    },
  }
}

/** The delay after a failure: 1 s, doubled with each consecutive one up to 5 min, plus or minus up to a fifth. */
export const backoffAfter = (failures: number, fraction: number): number =>
  Math.round(Math.min(1_000 * 2 ** Math.max(failures - 1, 0), 300_000) * (0.8 + 0.4 * fraction))

/** The delay that the provider requested, in milliseconds. */
const requestedFor = (error: unknown): number =>
  error instanceof ApiError ? (error.details.retryAfter ?? 0) * 1000 : 0
