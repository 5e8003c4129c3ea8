/**
 * Short waits for locks, many times. A statement that waits for a strong lock makes all later statements on the table
 * wait behind it, so it gives up soon and lets them pass. Deadlocks are handled in the same way.
 */
import { sleep } from '@waypost/platform/clock'
import { newFraction } from '@waypost/platform/ids'
import { type Database, type Queries, sql } from '../../engine/database.ts'
import { UnusableStore } from '../../engine/sqlite-file.ts'
import type { Blocker } from './progress.ts'

export interface LockWaits {
  /** The longest wait for one lock. */
  lockWaitMs: number
  /** The longest time of all attempts. */
  totalMs: number
  /** The pause after the first attempt, which doubles up to `maxPauseMs`. */
  firstPauseMs: number
  maxPauseMs: number
}

export const usualLockWaits: LockWaits = { lockWaitMs: 2_000, totalMs: 600_000, firstPauseMs: 200, maxPauseMs: 5_000 }

/** Lock timeout and deadlock. */
const waitCodes = new Set(['55P03', '40P01'])

/** Whether PostgreSQL ended the transaction because others held what it needed. */
export function isLockWait(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && waitCodes.has(String(each.code))) return true
  }
  return false
}

const blockers = sql<{ pid: number; application: string; state: string; open_ms: number }>('pg_stat_activity.blockers')`
   select pid, application_name as application, coalesce(state, 'hidden') as state,
   cast(coalesce(extract(epoch from clock_timestamp() - xact_start), 0) * 1000 as bigint) as open_ms
   from pg_stat_activity where pid = any (pg_blocking_pids(cast($1 as integer))) order by xact_start`

/** The sessions for which a server process waits. */
export const blockersOf = async (queries: Queries, process: number): Promise<Blocker[]> =>
  (await queries.all(blockers, [process])).map(({ open_ms, ...blocker }) => ({ ...blocker, openMs: open_ms }))

type Work<T> = (tx: Queries, execute: (script: string) => Promise<void>) => Promise<T>

export interface Waiting {
  /** The step, for errors. */
  what: string
  waits: LockWaits
  /** Called for each attempt that had to wait, with the sessions that it waited for. */
  waited(blockedBy: readonly Blocker[], attempt: number): void
}

/** Runs `work` in an exclusive transaction, again and again until it gets all locks. */
export async function withShortLocks<T>(database: Database, work: Work<T>, waiting: Waiting): Promise<T> {
  const { what, waits, waited } = waiting
  const deadline = performance.now() + waits.totalMs
  for (let attempt = 1; ; attempt++) {
    const poll = watchBlockers(database, waits.lockWaitMs)
    try {
      return await database.exclusively(work, { lockWaitMs: waits.lockWaitMs, began: poll.began })
    } catch (error) {
      if (!isLockWait(error)) throw error
      const found = await poll.found()
      waited(found, attempt)
      if (performance.now() > deadline) throw gaveUp(what, waits, found, error)
    } finally {
      poll.end()
    }
    const pause = Math.min(waits.firstPauseMs * 2 ** (attempt - 1), waits.maxPauseMs)
    // Nodes that started together must not meet again at every attempt.
    await sleep(pause * (0.5 + newFraction()))
  }
}

const gaveUp = (what: string, { totalMs }: LockWaits, found: readonly Blocker[], cause: unknown): UnusableStore => {
  const holders = found.map(({ pid, application }) => `${pid} (${application || 'no name'})`).join(', ')
  return new UnusableStore(
    `${what} did not get its locks within ${Math.round(totalMs / 1000)} s${holders ? `: sessions ${holders} hold them` : ''}`,
    'end long transactions on the database (select pg_terminate_backend(PID)), and start again',
    cause,
  )
}

/** Looks for the blocking sessions shortly before the wait ends, because they cannot be found afterwards. */
function watchBlockers(database: Database, lockWaitMs: number) {
  let timer: NodeJS.Timeout | undefined
  let found: Promise<Blocker[]> = Promise.resolve([])
  const poll = (process: number): void => {
    found = blockersOf(database, process).catch(() => [])
    // Each statement may wait once, so the look is repeated.
    void found.then((sessions) => {
      if (sessions.length === 0 && timer) timer = setTimeout(poll, lockWaitMs / 4, process)
    })
  }
  return {
    began(process: number): void {
      timer = setTimeout(poll, lockWaitMs / 4, process)
    },
    found: () => found,
    end(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
