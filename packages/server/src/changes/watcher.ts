/**
 * Watches grants: finds those of this node's shards (`watched-grants.ts`) and runs a watch for each
 * (`watch-cycle.ts`). The set of grants is compared with the store after a write, or every two seconds without
 * notifications of writes.
 */

import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import type { Log } from '@waypost/platform/log'
import { RepeatedFailure } from '@waypost/platform/repeated-failure'
import type { Tracer } from '@waypost/platform/span'
import { Wakeup } from '@waypost/platform/wakeup'
import type { RefusedPart } from '@waypost/providers/provider'
import { namedAdapters, type Providers } from '@waypost/providers/registry'
import { addNudge, type Nudge, takeNudges } from '@waypost/store/tables/grants/nudges'
import type { ActivityBook } from '../grants/activity.ts'
import type { Sessions } from '../grants/sessions.ts'
import { type ChangeReaderOptions, createChangeReader, type Watch } from './change-reader.ts'
import { createShards } from './shards.ts'
import { WatchCycle, type WatchFigures, wakeWatch } from './watch-cycle.ts'
import { WatchedGrants } from './watched-grants.ts'

export interface WatcherOptions extends ChangeReaderOptions {
  log: Log
  sessions: Pick<Sessions, 'open' | 'providerOf' | 'judge'>
  providers: Providers
  /** Records which grants cannot be watched at the moment, and why. */
  activity?: Pick<ActivityBook, 'failed' | 'resting' | 'watching'>
  /** Called after every sync with its result and duration. */
  polled?(provider: string, error: unknown, milliseconds: number): void
  /** Starts trace spans, if tracing is on. */
  tracer?: Tracer | undefined
  /** How long the loop may sleep because it is notified of writes; 0 makes it poll often. */
  maxRest?(): number
  /** Grants that may connect and fetch concurrently. */
  maxSyncs?: number
}

export interface Watcher {
  /** Number of grants that this node watches. */
  readonly size: number
  /** The states of its watches. */
  figures(): WatchFigures
  /** A grant may have changed. */
  wake(): void
  /** The provider reports changes of a grant: the node that watches it polls at once, or within two seconds. */
  wakeWatch(nudge: Nudge): Promise<void>
  /** Watches until the signal aborts, then ends all watches and releases the shards. */
  run(signal: AbortSignal): Promise<void>
}

const pollMs = 2_000
/** Minimum time between two comparisons, however often it is woken. */
const pauseMs = 50
/** Delays while the store is down. */
const storeBackoff = { first: 250, max: 5_000 }
/** Time for a running save when a watch ends, and when the node stops. */
const saveGraceMs = 5_000
const shutdownGraceMs = 700

export function createWatcher(options: WatcherOptions): Watcher {
  const { database, clock, log, sessions, nodeId, activity, polled, maxSyncs = 20 } = options
  const adapters = namedAdapters(options.providers).map(([, adapter]) => adapter)
  const kinds = [...new Set(adapters.flatMap(({ kind, changes }) => (changes ? [kind] : [])))]
  const mayBeReported = adapters.some(({ receive }) => receive !== undefined)
  const shards = createShards({ database, clock, nodeId })
  const wakeup = new Wakeup(options.maxRest)
  const cycle: WatchCycle = new WatchCycle({
    clock,
    log,
    sessions,
    activity,
    maxSyncs,
    tracer: options.tracer,
    ...(polled ? { polled } : {}),
    reader: createChangeReader({ ...options, refused: (watch, part) => notePart(activity, watch, part) }),
    isCurrent: (watch) => grants.isCurrent(watch),
    outdated: wakeup.wake,
  })
  const grants = new WatchedGrants({
    database,
    nodeId,
    kinds,
    shards,
    started: (watch) => cycle.start(watch),
    stopped: (watch) => cycle.stop(watch),
  })

  /** Compares with the store: shards, then grants, then pushes received by other nodes. */
  async function poll(): Promise<void> {
    const spare = await shards.poll()
    grants.stopForeign()
    if (spare !== undefined) {
      await cycle.ended(saveGraceMs)
      await shards.release(spare)
    }
    await grants.compare()
    if (mayBeReported) {
      for (const nudge of await takeNudges(database, nodeId)) {
        const watch = grants.get(nudge.grantId)
        if (watch) wakeWatch(watch, nudge)
      }
    }
    cycle.pump()
  }

  async function polling(signal: AbortSignal): Promise<void> {
    const failure = new RepeatedFailure(storeBackoff)
    while (!signal.aborted) {
      wakeup.reset()
      await failure.attempt(poll, (error) => log.warn({ error }, 'watched grants could not be read; retrying'))
      if (failure.rest > 0) await sleep(failure.rest, signal)
      const rest = cycle.tryAgain(wakeup.isCalm ? Number.MAX_SAFE_INTEGER : pollMs)
      await sleep(pauseMs, signal)
      await wakeup.rest(Math.min(rest, pollMs), signal, rest)
    }
  }

  return {
    get size() {
      return grants.size
    },
    figures: () => cycle.figures(),
    wake: wakeup.wake,
    async wakeWatch(nudge) {
      const watch = grants.get(nudge.grantId)
      if (watch) wakeWatch(watch, nudge)
      else await addNudge(database, nudge)
    },
    async run(signal) {
      // Without a provider that reports changes there is nothing to share.
      if (kinds.length === 0) return
      await polling(signal)
      grants.stopAll()
      await cycle.ended(shutdownGraceMs)
      await shards.release(0).catch((error) => log.warn({ error }, 'shards could not be released'))
    },
  }
}

const namesOfParts: Readonly<Record<string, string>> = { mail: 'mail', calendar: 'calendars', contacts: 'contacts' }

/**
 * Records on the timeline of a grant that the provider refuses to report changes of a part: only the first of
 * consecutive refusals.
 */
export function notePart(
  activity: Pick<ActivityBook, 'failed'> | undefined,
  { grantId, applicationId, provider }: Pick<Watch, 'grantId' | 'applicationId' | 'provider'>,
  { part, error, failures }: RefusedPart,
): void {
  if (failures > 1) return
  const message = `changes of ${namesOfParts[part] ?? part} cannot be read; retrying: ${error.message}`
  // No client requested an object by id, so `not_found` is a refusal of the provider here.
  const code = error.code === 'insufficient_scopes' ? error.code : 'provider_refused'
  const noted = new ApiError(code, message, { ...error.details, cause: error })
  const of = provider === undefined ? {} : { of: { applicationId, provider } }
  activity?.failed(grantId, { operation: 'changes', error: noted, ...of })
}
