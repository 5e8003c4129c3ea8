/** The stream of an application's notifications, for applications that poll rather than receive deliveries. */
import type { Database } from '@waypost/store/engine/database'
import type { WorkSignals } from '@waypost/store/engine/work-signals'
import {
  newestOfStream,
  type StreamedRow,
  type StreamPosition,
} from '@waypost/store/tables/notifications/notification-stream'
import { isBefore, readFiltered, type StreamFilter } from './stream-reading.ts'

export interface StreamQuestion {
  applicationId: string
  after: StreamPosition
  filter: StreamFilter
  limit: number
  /** About how many bytes of payloads are read at once; at least one notification. */
  maxBytes?: number | undefined
  waitMs: number
  signal: AbortSignal
}

export interface StreamPart {
  rows: readonly StreamedRow[]
  /** Where to continue: everything before it was checked. */
  next: StreamPosition
}

/** `more`: a search stopped early, and goes on from `next`. */
type StreamResult = StreamPart & { more: boolean }

interface WatchedStream {
  waiting: number
  requestedAt: number
  newest: Promise<StreamPosition>
}

/** Reads the stream of an application. */
export type NextOfStream = (question: StreamQuestion) => Promise<StreamPart>

/**
 * Returns the next notifications. If there are none, waits for some until the time is over. All waiting readers of an
 * application share one query for new notifications, and look as soon as `signals` tell of one.
 */
export function createStream(
  database: Database,
  signals?: Pick<WorkSignals, 'on' | 'listen' | 'maxRest'>,
): NextOfStream {
  const wakes = new StreamWakes(signals)
  const watched = new Map<string, WatchedStream>()
  const askNewest = (applicationId: string): Promise<StreamPosition> =>
    newestOfStream(database, database.engine, applicationId)

  function newest(applicationId: string, of: WatchedStream): Promise<StreamPosition> {
    if (wakes.isOld(of.requestedAt))
      Object.assign(of, { requestedAt: performance.now(), newest: askNewest(applicationId) })
    return of.newest
  }

  /** The notifications after `after`, at least up to `newest`, which was read before: later ones are newer. */
  async function read(question: StreamQuestion, after: StreamPosition, newest: StreamPosition): Promise<StreamResult> {
    const { applicationId, filter, limit, maxBytes } = question
    const read = { applicationId, filter, limit, maxBytes, order: 'asc', from: after } as const
    const { rows, seen, ended } = await readFiltered(database, read)
    if (!ended || rows.length > 0) return { rows, next: seen ?? after, more: !ended }
    const last = seen ?? after
    return { rows, next: isBefore(last, newest) ? newest : last, more: false }
  }

  async function wait(
    question: StreamQuestion,
    first: StreamResult,
    at: { watched: WatchedStream; since: number },
  ): Promise<StreamPart> {
    let polled = at.since
    const until = performance.now() + question.waitMs
    let part = first
    for (;;) {
      const left = until - performance.now()
      if (part.rows.length > 0 || left <= 0) return part
      if (!part.more) await wakes.rest(polled, left, question.signal)
      // A stopping node does not query again.
      if (question.signal.aborted) return part
      const requested = newest(question.applicationId, at.watched)
      polled = at.watched.requestedAt
      const now = await requested
      if (part.more || isBefore(part.next, now)) part = await read(question, part.next, now)
    }
  }

  return async (question) => {
    const { applicationId, after, filter, waitMs } = question
    const since = performance.now()
    // Without a filter, nothing is skipped.
    const isFiltered = Object.values(filter).some((each) => each !== undefined)
    const part = await read(question, after, isFiltered ? await askNewest(applicationId) : after)
    if (part.rows.length > 0 || waitMs <= 0) return part
    const at = watched.get(applicationId) ?? {
      waiting: 0,
      requestedAt: Number.NEGATIVE_INFINITY,
      newest: Promise.resolve(after),
    }
    at.waiting++
    watched.set(applicationId, at)
    try {
      return await wait(question, part, { watched: at, since })
    } finally {
      if (--at.waiting === 0) watched.delete(applicationId)
    }
  }
}

const oftenMs = 250
/** After a signal, until `settlingMs` have passed. */
const settlingPollMs = 150
const settlingMs = 2_000
/** For signals that were lost, and for nodes of a version that sends none. */
const rarelyMs = 2_000
/** The shortest time between two looks, however many signals arrive. */
const leastMs = 20

class StreamWakes {
  readonly #signals: Pick<WorkSignals, 'on' | 'listen' | 'maxRest'> | undefined
  readonly #waiting = new Set<() => void>()
  #wokenAt = Number.NEGATIVE_INFINITY
  #isListening = false

  constructor(signals?: Pick<WorkSignals, 'on' | 'listen' | 'maxRest'>) {
    this.#signals = signals
    signals?.on({ stream: () => this.#wake() })
  }

  /** Whether an answer of the store from this time may miss what was signalled since, or is too old. */
  isOld(requestedAt: number): boolean {
    const age = performance.now() - requestedAt
    return age >= oftenMs / 2 || (requestedAt <= this.#wokenAt && age >= leastMs)
  }

  /** Resolves when it is time to look, at the latest after `maxMs`. `since` is when the caller looked before. */
  async rest(since: number, maxMs: number, signal: AbortSignal): Promise<void> {
    // A node that only answers requests hears of other nodes from the first reader on.
    if (!this.#isListening) {
      this.#isListening = true
      this.#signals?.listen()
    }
    const isMissed = this.#wokenAt >= since
    const restMs = isMissed ? leastMs : this.#restMs()
    await new Promise<void>((resolve) => {
      const go = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', go)
        this.#waiting.delete(go)
        resolve()
      }
      const timer = setTimeout(go, Math.min(restMs, maxMs))
      if (!isMissed) this.#waiting.add(go)
      signal.addEventListener('abort', go, { once: true })
      if (signal.aborted) go()
    })
  }

  #restMs(): number {
    if (!this.#signals || this.#signals.maxRest() === 0) return oftenMs
    return performance.now() - this.#wokenAt < settlingMs ? settlingPollMs : rarelyMs
  }

  #wake(): void {
    this.#wokenAt = performance.now()
    for (const go of [...this.#waiting]) go()
  }
}
