/**
 * Work that is recorded before it is carried out, so that any process can finish it: approved actions, changes of
 * bookings, seats at group events, and requests with an idempotency key.
 *
 *   recorded, with its job ──carried out at once──▶ settled, without its job
 *              │                                        ▲
 *              └─ the process died, or the outcome is open ─┴─ the job takes the work over and tries again
 *
 * Requests that need the outcome poll it. The tables of each kind decide in one statement who may settle the work.
 */
import { limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { type Clock, sleep } from '@waypost/platform/clock'
import { newFraction } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { liveNodes } from '@waypost/store/tables/applications/nodes'
import { addToOutbox } from '@waypost/store/tables/notifications/outbox'
import { JobDeferred, type JobHandler } from './runner.ts'

/** Most work is settled by then, and its job is gone. */
export const firstAttemptMs = 5_000
/** Must fit into the lease of a job. */
const attemptMs = 45_000
/** Time between looks at work that another process may be doing, and the shortest pause between attempts. */
const againMs = 1_000
/** Time between reads of an outcome. A random part keeps requests apart that wait for the same one. */
const pollMs = 50
/** A process that works for longer than this has failed: requests end before. */
export const maxWorkMs = limits.deadlineMs + 30_000

interface WorkJob {
  id: string
  applicationId: string
  grantId: string
  kind: string
  payload: object
}

/** Queues the job that finishes the work, in the transaction that records it. */
export const queueWork = (tx: Queries, { payload, ...job }: WorkJob, now: number): Promise<number> =>
  addToOutbox(tx, { ...job, payload: JSON.stringify(payload), dueAt: now + firstAttemptMs, now })

/**
 * Whether an error means that nothing was changed. Provider failures and lost connections leave that open: somebody
 * has to look.
 */
export const isDefinite = (error: unknown): boolean => error instanceof ApiError && error.status < 500

/** The process that has the work. */
export interface WorkOwner {
  /** As in `nodes`; null if it gave up without knowing the outcome. */
  node: string | null
  /** When it began, in milliseconds. */
  since: number
}

/** Whether another process may take the work over. */
export const isAbandoned = async (queries: Queries, { node, since }: WorkOwner, now: number): Promise<boolean> =>
  node === null || now - since > maxWorkMs || !(await liveNodes(queries, now)).includes(node)

/** Reads work until it is settled, the wait is over or the request ends. Returns what it has read last. */
export async function pollWork<T>(
  read: () => Promise<T>,
  isOpen: (work: T) => boolean,
  { waitMs = Number.POSITIVE_INFINITY, signal }: { waitMs?: number; signal: AbortSignal },
): Promise<T> {
  for (const end = performance.now() + waitMs; ; ) {
    const work = await read()
    if (!isOpen(work) || performance.now() > end || signal.aborted) return work
    await sleep(pollMs * (1 + newFraction()), signal)
  }
}

/** How the job of one kind of work finishes it. */
export interface WorkKind<Payload, Work> {
  /** The work that the job names; undefined if it is settled. */
  find(payload: Payload): Promise<Work | undefined>
  /** Makes this process the owner. Undefined if the owner is alive, or another process was faster. */
  takeOver(work: Work): Promise<Work | undefined>
  /** `later`: the outcome is still open. */
  attempt(work: Work, signal: AbortSignal): Promise<'settled' | 'later'>
  /** When the work was recorded, in milliseconds. The older it is, the longer the next attempt waits. */
  begunAt(work: Work): number
  maxPauseMs: number
}

export const finishWork =
  <Payload, Work>({ clock }: { clock: Pick<Clock, 'now'> }, kind: WorkKind<Payload, Work>): JobHandler =>
  async (payload, signal) => {
    const found = await kind.find(JSON.parse(payload))
    if (found === undefined) return
    const work = await kind.takeOver(found)
    if (work === undefined) throw new JobDeferred(againMs)
    const progress = await kind.attempt(work, AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]))
    const age = clock.now() - kind.begunAt(work)
    if (progress === 'later') throw new JobDeferred(Math.min(Math.max(age / 4, againMs), kind.maxPauseMs))
  }
