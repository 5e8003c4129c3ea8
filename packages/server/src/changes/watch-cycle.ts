/**
 * What a watch goes through:
 *
 *   starting ──a place is free──▶ syncing ──all is fetched──▶ waiting at the provider
 *                                   ▲  │                            │
 *                                   │  └──failure──▶ resting ◀──────┤ the connection is lost
 *                                   └───────────── woken ◀──────────┘ something may have changed
 *
 * Only so many sync at a time; those that were woken go before those that start or try again. A watch that waits costs a
 * promise at its provider and no timer.
 */
import type { ActivityBook } from '../grants/activity.ts'
import type { Sessions } from '../grants/sessions.ts'
import { type Clock, sleep } from '../lib/clock.ts'
import { newFraction } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Tracer } from '../lib/span.ts'
import type { ChangeSource } from '../providers/provider.ts'
import { StoreUnavailable } from '../store/engine/database.ts'
import type { Nudge } from '../store/tables/grants/nudges.ts'
import { outcomeOf } from '../telemetry/outcomes.ts'
import { askedFor, backoffAfter } from './backoff.ts'
import { type ChangeReader, Outdated, unlessAborted, type Watch } from './change-reader.ts'

export interface WatchCycleOptions {
  clock: Clock
  log: Log
  sessions: Pick<Sessions, 'judge'>
  reader: ChangeReader
  activity: Pick<ActivityBook, 'failed' | 'resting' | 'watching'> | undefined
  /** Hears how every look for changes ended, and how long it took. */
  looked?(provider: string, error: unknown, milliseconds: number): void
  /** Begins spans, where traces are on. */
  tracer?: Tracer | undefined
  /** How many grants may connect and fetch at the same time. */
  maxSyncs: number
  isCurrent(watch: Watch): boolean
  /** A grant or a shard is not what its watch took it for. */
  outdated(): void
}

/** What the watches do that are not waiting for a change. */
export interface WatchFigures {
  /** Due for a look that has not begun. */
  due: number
  looking: number
  /** After a failure. */
  resting: number
  /** For how long the look that is due for longest has been due. */
  oldestDueMs: number
}

/** A connection that held for this long was a good one, whatever ended it. */
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

  /** Lines a watch up; it begins with the next `pump`. */
  start(watch: Watch): void {
    this.#starting.add(watch)
  }

  stop(watch: Watch): void {
    this.#resting.delete(watch)
    close(watch)
  }

  /** Lets those whose turn it is sync, as long as there are places. */
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

  /** Those that have rested try again. Answers how long the others still rest, but not more than `longest`. */
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
      looking: this.#syncing.size,
      resting: this.#resting.size,
      oldestDueMs: Math.max(0, ...queues.map((queue) => queue.oldestMs((watch) => this.#options.isCurrent(watch)))),
    }
  }

  /** Resolves when what was stopped keeps nothing more; not later than it may take. */
  async ended(milliseconds: number): Promise<void> {
    const limit = new AbortController()
    const last = [...this.#syncing].flatMap(([watch, turn]) => (this.#options.isCurrent(watch) ? [] : [turn]))
    await Promise.race([Promise.allSettled(last), sleep(milliseconds, limit.signal)])
    limit.abort()
  }

  async #sync(watch: Watch): Promise<void> {
    const { reader, isCurrent, activity, looked } = this.#options
    const begins = watch.opened === undefined
    const began = performance.now()
    watch.span = this.#options.tracer?.begin('look for changes', 'internal')
    try {
      watch.opened ??= await reader.open(watch)
      // It may have ended while the grant was read.
      if (!isCurrent(watch)) return close(watch)
      const { provider } = watch.opened.record.grant
      watch.provider = provider
      await reader.sync(watch, watch.opened)
      looked?.(provider, undefined, performance.now() - began)
      watch.span?.set({ 'waypost.provider': provider })
      watch.span?.end()
    } catch (error) {
      looked?.(watch.provider ?? 'unknown', error, performance.now() - began)
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
        // No connection lasts for ever: what counts is whether the next one can be made.
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
    // The look will see what has changed, and end the watch.
    if (error instanceof Outdated) outdated()
    else if (++watch.failures === 1) {
      const facts = { grant_id: watch.grantId, application_id: watch.applicationId }
      log.warn({ error, ...facts }, 'changes of a grant cannot be fetched for now')
      const { applicationId, provider } = watch
      const of = provider === undefined ? {} : { of: { applicationId, provider } }
      activity?.failed(watch.grantId, { operation: 'changes', error, ...of })
    }
    await this.#rest(watch, error)
  }

  async #rest(watch: Watch, error: unknown): Promise<void> {
    const { clock, log, reader, sessions, activity, isCurrent } = this.#options
    const record = watch.opened?.record
    watch.retryAt = clock.now() + Math.max(backoffAfter(watch.failures, newFraction()), askedFor(error))
    if (watch.failures > 0) {
      const { grantId, failures, retryAt: nextTryAt } = watch
      activity?.resting({ grantId, failures, nextTryAt })
    }
    // When it is the store that failed, the connection to the provider is as good as before.
    if (!(error instanceof StoreUnavailable)) close(watch)
    try {
      await reader.touch(watch)
      // Where the provider refused the credentials, the grant is invalid after this, and a look ends the watch.
      if (record) await sessions.judge(record, error)
    } catch (unkept) {
      log.warn(
        { error: unkept, grant_id: watch.grantId },
        'that changes of a grant cannot be fetched could not be kept',
      )
    }
    if (isCurrent(watch)) this.#resting.add(watch)
  }
}

function close(watch: Watch): void {
  watch.opened?.controller.abort()
  watch.opened = undefined
  // What is found when it is opened again, nobody told of.
  watch.sync = 'incremental'
}

/** Ends the wait of a watch, or the next one where it is not waiting: the provider told of changes. */
export function wakeWatch(watch: Watch, { renewPush }: Pick<Nudge, 'renewPush'>): void {
  watch.isWoken = true
  if (renewPush) watch.renewPush = true
  watch.wakeWatch?.()
}

/** `time` where nobody told of anything. */
type Woken = Awaited<ReturnType<ChangeSource<unknown>['wait']>>

/** Waits at the provider until something may have changed. */
const untilChanged = (
  watch: Watch,
  { source, session, controller, isTold }: NonNullable<Watch['opened']>,
): Promise<Woken> =>
  isTold
    ? nudgedWait(watch, (signal) => source.wait(session, signal), controller.signal)
    : unlessAborted(() => source.wait(session, controller.signal), controller.signal)

/** Waits for the provider, or until somebody says that it told of changes. */
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
  /** For how long the first that still counts has waited; 0 where none does. */
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
