/** The stream of an application's notifications, for those who rather ask than listen. */
import { sleep } from '../lib/clock.ts'
import type { Database } from '../store/database.ts'
import { readStream, type StreamedRow, type StreamFilter, type StreamPosition } from '../store/notification-stream.ts'

export interface StreamQuestion {
  applicationId: string
  after: StreamPosition
  filter: StreamFilter
  limit: number
  waitMs: number
  signal: AbortSignal
}

const lookMs = 250

/** The next notifications; where there are none, waits for some until the time is over. */
export async function nextOfStream(database: Database, question: StreamQuestion): Promise<StreamedRow[]> {
  const until = performance.now() + question.waitMs
  for (;;) {
    const rows = await readStream(database, database.engine, question)
    const left = until - performance.now()
    if (rows.length > 0 || left <= 0 || question.signal.aborted) return rows
    await sleep(Math.min(lookMs, left), question.signal)
  }
}
