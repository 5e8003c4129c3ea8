/** Figures of each application by provider, for its overview: counted in memory, written every few seconds. */
import type { Clock } from '@waypost/platform/clock'
import type { Log } from '@waypost/platform/log'
import type { Queries } from '@waypost/store/engine/database'
import { type ApplicationFiguresRow, saveApplicationFigures } from '@waypost/store/tables/figures/installation-figures'
import { emptyHistogram, type Histogram, observe } from './latency-histogram.ts'

export const figureStepMs = 300_000
/**
 * Pairs of application and provider that are counted in one step. Calls beyond that appear only in the figures of the
 * node.
 */
const maxPairs = 5_000

/** The key of a figure: an application, and the kind of account; empty if the request concerned no account. */
export interface CountedOf {
  applicationId: string
  provider: string
}

export interface ApplicationCounters extends AsyncDisposable {
  /** Counts an answer. Without a time, the answer does not count towards latency. */
  answered(of: CountedOf, status: number, milliseconds: number | undefined): void
  providerFailed(of: CountedOf): void
  /** Writes the changes since the last call. */
  flush(): Promise<void>
}

interface ApplicationCount {
  at: number
  requests: number
  refused: number
  errors: number
  providerErrors: number
  latencies: Histogram
  isWritten: boolean
}

export function createApplicationCounters(
  queries: Queries,
  { clock, log, nodeId }: { clock: Clock; log: Log; nodeId: string },
): ApplicationCounters {
  /** By application, then by provider. */
  let current = new Map<string, Map<string, ApplicationCount>>()
  let pairs = 0
  let step = stepOf(clock.now())
  /** Rows of finished steps that are not written yet. */
  let over: ApplicationFiguresRow[] = []

  const turn = (): void => {
    const now = stepOf(clock.now())
    if (now === step) return
    over = [...over, ...changed()].slice(-maxPairs)
    current = new Map()
    pairs = 0
    step = now
  }
  const countedOf = ({ applicationId, provider }: CountedOf): ApplicationCount | undefined => {
    turn()
    let ofApplication = current.get(applicationId)
    const known = ofApplication?.get(provider)
    if (known) return known
    if (pairs >= maxPairs) return undefined
    ofApplication ??= new Map()
    current.set(applicationId, ofApplication)
    const fresh: ApplicationCount = {
      at: step,
      requests: 0,
      refused: 0,
      errors: 0,
      providerErrors: 0,
      latencies: emptyHistogram(),
      isWritten: true,
    }
    ofApplication.set(provider, fresh)
    pairs++
    return fresh
  }
  function changed(written: ApplicationCount[] = []): ApplicationFiguresRow[] {
    const rows: ApplicationFiguresRow[] = []
    for (const [applicationId, byProvider] of current) {
      for (const [provider, counted] of byProvider) {
        if (counted.isWritten) continue
        counted.isWritten = true
        written.push(counted)
        rows.push(rowOf({ applicationId, provider }, nodeId, counted))
      }
    }
    return rows
  }
  const flush = async (): Promise<void> => {
    turn()
    const ended = over
    const written: ApplicationCount[] = []
    const running = changed(written)
    over = []
    try {
      await saveApplicationFigures(queries, [...ended, ...running])
    } catch (error) {
      // On failure the running step is written again with later counts. A step that ended meanwhile already has a
      // newer row.
      for (const counted of written) counted.isWritten = false
      over = [...ended, ...over].slice(-maxPairs)
      log.warn({ error }, 'figures of applications could not be written; it is tried again')
    }
  }

  return {
    answered(of, status, milliseconds) {
      const counted = countedOf(of)
      if (!counted) return
      counted.requests++
      if (status >= 500) counted.errors++
      else if (status >= 400) counted.refused++
      if (milliseconds !== undefined) observe(counted.latencies, milliseconds)
      counted.isWritten = false
    },
    providerFailed(of) {
      const counted = countedOf(of)
      if (!counted) return
      counted.providerErrors++
      counted.isWritten = false
    },
    flush,
    [Symbol.asyncDispose]: flush,
  }
}

const stepOf = (now: number): number => Math.floor(now / figureStepMs) * figureStepMs

const rowOf = (of: CountedOf, nodeId: string, counted: ApplicationCount): ApplicationFiguresRow => ({
  application_id: of.applicationId,
  at: counted.at,
  provider: of.provider,
  node_id: nodeId,
  requests: counted.requests,
  refused: counted.refused,
  errors: counted.errors,
  provider_errors: counted.providerErrors,
  latencies: JSON.stringify(counted.latencies),
})
