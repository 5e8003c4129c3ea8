/** The stream of an application's notifications, for applications that poll rather than receive deliveries. */
import { sleep } from '../lib/clock.ts'
import type { Database } from '../store/engine/database.ts'
import {
  newestOfStream,
  type StreamedRow,
  type StreamPosition,
} from '../store/tables/notifications/notification-stream.ts'
import { isBefore, readFiltered, type StreamFilter } from './stream-reading.ts'

export interface StreamQuestion {
  applicationId: string
  after: StreamPosition
  filter: StreamFilter
  limit: number
  waitMs: number
  signal: AbortSignal
}

export interface StreamPart {
  rows: readonly StreamedRow[]
  /** Where to continue: everything before it was checked. */
  next: StreamPosition
}

interface Watched {
  waiting: number
  askedAt: number
  newest: Promise<StreamPosition>
}

const lookMs = 250

/**
 * Returns the next notifications. If there are none, waits for some until the time is over. All waiting readers of an
 * application share one query for new notifications.
 */
export function createStream(database: Database): (question: StreamQuestion) => Promise<StreamPart> {
  const watched = new Map<string, Watched>()
  const askNewest = (applicationId: string): Promise<StreamPosition> =>
    newestOfStream(database, database.engine, applicationId)

  function newest(applicationId: string, of: Watched): Promise<StreamPosition> {
    const now = performance.now()
    if (now - of.askedAt >= lookMs / 2) Object.assign(of, { askedAt: now, newest: askNewest(applicationId) })
    return of.newest
  }

  /** The notifications after `after`, at least up to `newest`, which was read before: later ones are newer. */
  async function read(question: StreamQuestion, after: StreamPosition, newest: StreamPosition): Promise<StreamPart> {
    const { applicationId, filter, limit } = question
    const read = { applicationId, filter, limit, order: 'asc', from: after } as const
    const { rows, seen, ended } = await readFiltered(database, read)
    if (!ended || rows.length > 0) return { rows, next: seen ?? after }
    const last = seen ?? after
    return { rows, next: isBefore(last, newest) ? newest : last }
  }

  async function wait(question: StreamQuestion, from: StreamPosition, at: Watched): Promise<StreamPart> {
    const until = performance.now() + question.waitMs
    let part: StreamPart = { rows: [], next: from }
    for (;;) {
      const left = until - performance.now()
      if (part.rows.length > 0 || left <= 0) return part
      await sleep(Math.min(lookMs, left), question.signal)
      // A stopping node does not query again.
      if (question.signal.aborted) return part
      const now = await newest(question.applicationId, at)
      if (isBefore(part.next, now)) part = await read(question, part.next, now)
    }
  }

  return async (question) => {
    const { applicationId, after, filter, waitMs } = question
    // Without a filter, nothing is skipped.
    const isFiltered = Object.values(filter).some((each) => each !== undefined)
    const part = await read(question, after, isFiltered ? await askNewest(applicationId) : after)
    if (part.rows.length > 0 || waitMs <= 0) return part
    const at = watched.get(applicationId) ?? {
      waiting: 0,
      askedAt: Number.NEGATIVE_INFINITY,
      newest: Promise.resolve(after),
    }
    at.waiting++
    watched.set(applicationId, at)
    try {
      return await wait(question, part.next, at)
    } finally {
      if (--at.waiting === 0) watched.delete(applicationId)
    }
  }
}
