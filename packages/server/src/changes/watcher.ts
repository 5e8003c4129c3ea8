/**
 * Watches: finds the grants of this node's shards that are to be watched, and keeps a watch for each.
 *
 *   starting ──a place is free──▶ syncing ──all is fetched──▶ waiting at the provider
 *                                   ▲  │                            │
 *                                   │  └──failure──▶ resting ◀──────┤ the connection is lost
 *                                   └───────────── woken ◀──────────┘ something may have changed
 *
 * Only so many sync at a time; those that were woken go before those that start or try again. A watch that waits costs a
 * promise at its provider and no timer. Which grants there are is compared with the store every two seconds by a few
 * sums; a grant is read only where these differ.
 */
import type { ActivityBook } from '../grants/activity.ts'
import type { Sessions } from '../grants/sessions.ts'
import { sleep } from '../lib/clock.ts'
import { newFraction } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { RepeatedFailure } from '../lib/repeated-failure.ts'
import type { Providers } from '../providers/registry.ts'
import { type Queries, StoreUnavailable } from '../store/database.ts'
import { getGrant, lockGrant } from '../store/grants.ts'
import { addNudge, takeNudges } from '../store/nudges.ts'
import { forgetWatch, listWatched, partCount, partOf, tallyWatched } from '../store/watches.ts'
import { askedFor, backoffAfter } from './backoff.ts'
import { type ChangeReaderOptions, createChangeReader, Outdated, untilAborted, type Watch } from './change-reader.ts'
import { createShards } from './shards.ts'

export interface WatcherOptions extends ChangeReaderOptions {
  log: Log
  sessions: Pick<Sessions, 'open' | 'providerOf' | 'judge'>
  providers: Providers
  /** Notes which grants cannot be watched for now, and why. */
  activity?: Pick<ActivityBook, 'failed' | 'resting' | 'watching'>
  /** How many grants may connect and fetch at the same time. */
  maxSyncs?: number
}

export interface Watcher {
  /** How many grants this node watches. */
  readonly size: number
  /** A grant may have changed. */
  wake(): void
  /** The provider says that there are changes of a grant: whichever node watches it looks at once, or within two seconds. */
  wakeWatch(grantId: string): Promise<void>
  /** Watches until the signal aborts, then ends every watch and gives the shards back. */
  run(signal: AbortSignal): Promise<void>
}

const lookMs = 2_000
/** Between two looks, however often it is woken. */
const pauseMs = 50
/** How long to rest when the store does not answer. */
const storeRests = { first: 250, most: 5_000 }
/** A connection that held for this long was a good one, whatever ended it. */
const steadyMs = 60_000
/** What a save that is under way is given when a watch must end; and when the node does. */
const patienceMs = 5_000
const lastPatienceMs = 700

export function createWatcher(options: WatcherOptions): Watcher {
  const { database, clock, log, sessions, nodeId, maxSyncs = 20 } = options
  const kinds = Object.values(options.providers).flatMap(({ kind, changes }) => (changes ? [kind] : []))
  const mayBeTold = Object.values(options.providers).some(({ receive }) => receive !== undefined)
  const shards = createShards({ database, clock, nodeId })
  const reader = createChangeReader(options)
  const watches = new Map<string, Watch>()
  /** What the store must count for each part, if every grant that is to be watched is. */
  const tallies = Array.from({ length: partCount }, () => ({ grants: 0, marks: 0 }))
  const woken = createQueue()
  const starting = createQueue()
  const resting = new Set<Watch>()
  const syncing = new Map<Watch, Promise<void>>()
  let awake: (() => void) | undefined
  let isWoken = false

  function wake(): void {
    isWoken = true
    awake?.()
  }

  const isCurrent = (watch: Watch): boolean => watches.get(watch.grantId) === watch

  function start(watch: Watch): void {
    watches.set(watch.grantId, watch)
    tally(watch, 1)
    starting.add(watch)
  }

  function close(watch: Watch): void {
    watch.opened?.controller.abort()
    watch.opened = undefined
  }

  function stop(watch: Watch): void {
    watches.delete(watch.grantId)
    tally(watch, -1)
    resting.delete(watch)
    close(watch)
  }

  function tally({ shard, mark }: Watch, sign: 1 | -1): void {
    const counted = tallies[partOf(shard)]
    if (!counted) return
    counted.grants += sign
    counted.marks += sign * mark
  }

  /** Lets those whose turn it is sync, as long as there are places. */
  function pump(): void {
    while (syncing.size < maxSyncs) {
      const watch = woken.take() ?? starting.take()
      if (!watch) return
      if (!isCurrent(watch)) continue
      const turn = sync(watch).finally(() => {
        syncing.delete(watch)
        pump()
      })
      syncing.set(watch, turn)
    }
  }

  async function sync(watch: Watch): Promise<void> {
    const begins = watch.opened === undefined
    try {
      watch.opened ??= await reader.open(watch)
      // It may have ended while the grant was read.
      if (!isCurrent(watch)) return close(watch)
      await reader.sync(watch, watch.opened)
    } catch (error) {
      return fail(watch, error)
    }
    if (begins || watch.failures > 0) options.activity?.watching(watch.grantId)
    waitFor(watch)
  }

  function waitFor(watch: Watch): void {
    const { opened } = watch
    if (!opened || !isCurrent(watch)) return
    const { source, session, controller, isTold } = opened
    const from = clock.now()
    const wait = isTold
      ? nudgedWait(watch, (signal) => source.wait(session, signal), controller.signal)
      : untilAborted(() => source.wait(session, controller.signal), controller.signal)
    wait.then(
      () => {
        recovered(watch)
        woken.add(watch)
        pump()
      },
      (error) => {
        if (!isCurrent(watch)) return
        if (clock.now() - from < steadyMs) return void fail(watch, error)
        // No connection lasts for ever: what counts is whether the next one can be made.
        recovered(watch)
        void rest(watch, error)
      },
    )
  }

  function recovered(watch: Watch): void {
    if (watch.failures > 0) log.info({ grant_id: watch.grantId }, 'changes of a grant are fetched again')
    watch.failures = 0
  }

  async function fail(watch: Watch, error: unknown): Promise<void> {
    if (!isCurrent(watch)) return
    // The look will see what has changed, and end the watch.
    if (error instanceof Outdated) wake()
    else if (++watch.failures === 1) {
      const facts = { grant_id: watch.grantId, application_id: watch.applicationId }
      log.warn({ error, ...facts }, 'changes of a grant cannot be fetched for now')
      options.activity?.failed(watch.grantId, { operation: 'changes', error })
    }
    await rest(watch, error)
  }

  async function rest(watch: Watch, error: unknown): Promise<void> {
    const record = watch.opened?.record
    watch.retryAt = clock.now() + Math.max(backoffAfter(watch.failures, newFraction()), askedFor(error))
    if (watch.failures > 0) {
      const { grantId, failures, retryAt: nextTryAt } = watch
      options.activity?.resting({ grantId, failures, nextTryAt })
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
    if (isCurrent(watch)) resting.add(watch)
  }

  function nudgeHere(watch: Watch): void {
    watch.isNudged = true
    watch.wakeWatch?.()
  }

  /** One comparison with the store: shards, then grants, then those that have rested. */
  async function look(): Promise<void> {
    const spare = await shards.look()
    const foreign = watches.values().filter((watch) => shards.epochOf(watch.shard) !== watch.epoch)
    for (const watch of [...foreign]) stop(watch)
    if (spare !== undefined) {
      await ended()
      await shards.release(spare)
    }
    const counts = new Map((await tallyWatched(database, nodeId, kinds)).map((each) => [each.part, each]))
    for (const [part, mine] of tallies.entries()) {
      const { grants, marks } = counts.get(part) ?? { grants: 0, marks: 0 }
      if (grants !== mine.grants || marks !== mine.marks) await compare(part)
    }
    if (mayBeTold) {
      for (const grantId of await takeNudges(database, nodeId)) {
        const watch = watches.get(grantId)
        if (watch) nudgeHere(watch)
      }
    }
    pump()
  }

  async function compare(part: number): Promise<void> {
    const found = await listWatched(database, nodeId, { kinds, part })
    const marks = new Map(found.map(({ id, watch_mark }) => [id, watch_mark]))
    const over = watches.values().filter((each) => partOf(each.shard) === part && marks.get(each.grantId) !== each.mark)
    for (const watch of [...over]) {
      stop(watch)
      if (!marks.has(watch.grantId)) await forgetUnwanted(watch)
    }
    for (const { id, application_id, shard, watch_mark } of found) {
      const epoch = shards.epochOf(shard)
      if (epoch === undefined || watches.has(id)) continue
      start({
        applicationId: application_id,
        grantId: id,
        shard,
        epoch,
        mark: watch_mark,
        failures: 0,
        retryAt: 0,
        syncedAt: 0,
        storedAt: 0,
        opened: undefined,
      })
    }
  }

  /** A grant whose client does not want it watched begins anew if it ever is again: nobody waits for what was in between. */
  async function forgetUnwanted({ applicationId, grantId }: Watch): Promise<void> {
    const isUnwanted = async (queries: Queries): Promise<boolean> =>
      (await getGrant(queries, applicationId, grantId))?.grant.settings.watch === false
    if (!(await isUnwanted(database))) return
    await database.transaction(async (tx) => {
      await lockGrant(tx, applicationId, grantId)
      if (await isUnwanted(tx)) await forgetWatch(tx, { applicationId, grantId })
    })
  }

  /** Those that have rested try again. Answers how long the others still rest at least. */
  function tryAgain(): number {
    let shortest = lookMs
    const now = clock.now()
    for (const watch of resting) {
      if (watch.retryAt > now) shortest = Math.min(shortest, watch.retryAt - now)
      else {
        resting.delete(watch)
        starting.add(watch)
      }
    }
    pump()
    return shortest
  }

  /** Resolves when what was stopped keeps nothing more; not later than it may take. */
  async function ended(milliseconds = patienceMs): Promise<void> {
    const patience = new AbortController()
    const last = [...syncing].flatMap(([watch, turn]) => (isCurrent(watch) ? [] : [turn]))
    await Promise.race([Promise.allSettled(last), sleep(milliseconds, patience.signal)])
    patience.abort()
  }

  async function looking(signal: AbortSignal): Promise<void> {
    const failure = new RepeatedFailure(storeRests)
    while (!signal.aborted) {
      isWoken = false
      await look().then(
        () => failure.succeeded(),
        (error) => {
          if (failure.failed()) log.warn({ error }, 'watched grants could not be read; it is tried again')
        },
      )
      if (failure.rest > 0) await sleep(failure.rest, signal)
      const rest = tryAgain()
      await sleep(pauseMs, signal)
      if (isWoken || signal.aborted) continue
      const pause = new AbortController()
      awake = () => pause.abort()
      await sleep(rest, AbortSignal.any([signal, pause.signal]))
      awake = undefined
    }
  }

  return {
    get size() {
      return watches.size
    },
    wake,
    async wakeWatch(grantId) {
      const watch = watches.get(grantId)
      if (watch) nudgeHere(watch)
      else await addNudge(database, grantId)
    },
    async run(signal) {
      // Without a provider that tells of changes there is nothing to share.
      if (kinds.length === 0) return
      await looking(signal)
      for (const watch of [...watches.values()]) stop(watch)
      await ended(lastPatienceMs)
      await shards.release(0).catch((error) => log.warn({ error }, 'shards could not be given back'))
    },
  }
}

/** Waits for the provider, or until somebody says that it told of changes. */
async function nudgedWait(
  watch: Watch,
  wait: (signal: AbortSignal) => Promise<void>,
  ending: AbortSignal,
): Promise<void> {
  const nudged = new AbortController()
  watch.wakeWatch = () => nudged.abort()
  if (watch.isNudged) nudged.abort()
  try {
    await untilAborted(() => wait(nudged.signal), AbortSignal.any([ending, nudged.signal]))
  } catch (error) {
    if (ending.aborted || !nudged.signal.aborted) throw error
  } finally {
    watch.wakeWatch = undefined
    watch.isNudged = false
    nudged.abort()
  }
}

/** First in, first out. */
function createQueue(): { add(watch: Watch): void; take(): Watch | undefined } {
  let queued: Watch[] = []
  let first = 0
  return {
    add: (watch) => void queued.push(watch),
    take() {
      const watch = queued[first++]
      if (first >= queued.length) {
        queued = []
        first = 0
      }
      return watch
    },
  }
}
