/**
 * Stores the outcomes of attempts of all destinations, many in one transaction, so that a slow disk costs little.
 * Until its result is stored, a delivery stays in the queue, so a crash repeats it and never loses it.
 */
import { type Clock, sleep } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { newFraction } from '@waypost/platform/ids'
import type { Log } from '@waypost/platform/log'
import { RepeatedFailure } from '@waypost/platform/repeated-failure'
import type { Database, Queries } from '@waypost/store/engine/database'
import { stepDestination } from '@waypost/store/tables/notifications/delivery-leases'
import {
  type AttemptRow,
  completeDeliveries,
  keepDestinationHealth,
  keepHealthOfAll,
  logAttempts,
  noteRetriesAt,
  type Postponed,
  postponeDeliveries,
  type QueuedDelivery,
} from '@waypost/store/tables/notifications/delivery-results'
import { leaveBehind } from '@waypost/store/tables/notifications/leftovers'
import { announceStep } from '../announce.ts'
import { answerContext } from '../sealed-payloads.ts'
import { isDelivered } from './attempt.ts'
import { isTried } from './channel-outcome.ts'
import type { DestinationWorker, Outcome } from './destination-worker.ts'
import { nextTry } from './retry.ts'

export interface ResultsTools {
  database: Database
  clock: Clock
  log: Log
  nodeId: string
  /** Responses may repeat notification data, so they are sealed. */
  seals: DataSeals
  /** Whether email can be sent about a destination's change of state. */
  hasMail: boolean
}

export interface Results {
  hasRoom(): boolean
  add(outcome: Outcome): void
  /** A delivery whose notification was deleted. */
  drop(worker: DestinationWorker, id: number): void
  /** The state of a destination changed without an attempt. */
  judged(worker: DestinationWorker): void
  /** Stops trying to store pending results. */
  abandon(): void
}

/** Results stored at once. Never more than twice as many. */
const maxBatch = 512
/** How long a result waits for others to share a commit. Longer under load, when commits cost most. */
const waitMs = { few: 20, many: 80 }
/** From this many results per commit on, load counts as high. */
const manyAtLeast = 8
const maxHeld = 4096
const healthMs = 1000

interface Batch {
  outcomes: readonly Outcome[]
  gone: readonly RemovedRow[]
  judged: readonly DestinationWorker[]
}
interface RemovedRow {
  worker: DestinationWorker
  id: number
}

export function createResults(tools: ResultsTools): Results {
  const { database, log } = tools
  let outcomes: Outcome[] = []
  let gone: RemovedRow[] = []
  let judged: DestinationWorker[] = []
  let lastCount = 0
  let timer: NodeJS.Timeout | undefined
  let isFlushing = false
  let abandoned = new AbortController()

  const schedule = (): void => {
    if (isFlushing || outcomes.length + gone.length + judged.length === 0) return
    if (outcomes.length >= maxBatch) start()
    else timer ??= setTimeout(start, lastCount < manyAtLeast ? waitMs.few : waitMs.many)
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    isFlushing = true
    void flushAll().finally(() => {
      isFlushing = false
      schedule()
    })
  }

  async function flushAll(): Promise<void> {
    const { signal } = abandoned
    const failure = new RepeatedFailure({ first: 200, max: 5000 })
    do {
      const batch: Batch = { outcomes: outcomes.slice(0, maxBatch * 2), gone, judged }
      try {
        const after = await database.transaction((tx) => keep(tools, tx, batch))
        if (signal.aborted) return
        outcomes = outcomes.slice(batch.outcomes.length)
        gone = gone.slice(batch.gone.length)
        judged = judged.slice(batch.judged.length)
        lastCount = batch.outcomes.length
        failure.succeeded()
        for (const done of after) done()
        for (const [worker, ids] of idsOf(batch)) worker.retained(ids)
      } catch (error) {
        if (failure.failed()) {
          log.warn({ error, held: outcomes.length }, 'results of deliveries could not be stored; they will be retried')
        }
        await sleep(failure.rest, signal)
      }
    } while (!signal.aborted && (failure.count > 0 || outcomes.length >= maxBatch))
  }

  return {
    hasRoom: () => outcomes.length < maxHeld,
    add(outcome) {
      outcomes.push(outcome)
      schedule()
    },
    drop(worker, id) {
      gone = [...gone, { worker, id }]
      schedule()
    },
    judged(worker) {
      judged = [...judged, worker]
      schedule()
    },
    abandon() {
      abandoned.abort()
      abandoned = new AbortController()
      clearTimeout(timer)
      timer = undefined
      outcomes = []
      gone = []
      judged = []
    },
  }
}

/** Stores the outcomes of attempts. Returns what to do once the transaction is committed. */
async function keep(tools: ResultsTools, tx: Queries, batch: Batch): Promise<(() => void)[]> {
  const { engine } = tools.database
  const now = tools.clock.now()
  const after: (() => void)[] = []
  for (const [applicationId, { attempts, done, later, workers }] of byApplication(batch, tools.seals, now)) {
    const of = { applicationId, owner: tools.nodeId }
    await logAttempts(tx, engine, applicationId, attempts)
    await completeDeliveries(tx, engine, of, done)
    await postponeDeliveries(tx, engine, of, later)
    await noteRetriesAt(tx, engine, applicationId, firstRetries(later))
    const [moving, staying] = partition([...workers], ({ step }) => step !== undefined)
    const changed = staying.filter((worker) => worker.healthChanged && now - worker.healthRetainedAt >= healthMs)
    await keepHealthOfAll(
      tx,
      engine,
      of,
      changed.map(({ stored }) => stored),
    )
    for (const worker of changed) after.push(() => healthRetained(worker, now))
    for (const worker of moving) after.push(...(await keepStep(tools, tx, worker, now)))
  }
  return after
}

const partition = <T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
]

interface ApplicationResults {
  attempts: AttemptRow[]
  /** Deliveries that leave the queue. */
  done: QueuedDelivery[]
  /** Deliveries that are retried later or given up. */
  later: Postponed[]
  /** Workers whose health or state may have changed. */
  workers: Set<DestinationWorker>
}

function byApplication({ gone, outcomes, judged }: Batch, seals: DataSeals, now: number) {
  const found = new Map<string, ApplicationResults>()
  const of = ({ at }: DestinationWorker): ApplicationResults =>
    found.getOrInsertComputed(at.applicationId, () => ({ attempts: [], done: [], later: [], workers: new Set() }))
  for (const { worker, id } of gone) of(worker).done.push({ webhookId: worker.at.webhookId, id })
  for (const worker of judged) of(worker).workers.add(worker)
  for (const outcome of outcomes) {
    const { worker, delivery } = outcome
    const { attempts, done, later, workers } = of(worker)
    attempts.push(attemptOf(outcome, seals))
    workers.add(worker)
    if (isDelivered(outcome)) done.push({ webhookId: worker.at.webhookId, id: delivery.id })
    else later.push(postponed(outcome, now))
  }
  return found
}

/** The time of the next retry at each destination. */
function firstRetries(later: readonly Postponed[]): Map<string, number> {
  const first = new Map<string, number>()
  for (const { webhookId, dueAt, state } of later) {
    if (state === 'waiting') first.set(webhookId, Math.min(dueAt, first.get(webhookId) ?? dueAt))
  }
  return first
}

function healthRetained(worker: DestinationWorker, now: number): void {
  worker.healthChanged = false
  worker.healthRetainedAt = now
}

/** Stores a destination's health and change of state. */
async function keepStep(
  { nodeId, hasMail, log }: ResultsTools,
  tx: Queries,
  worker: DestinationWorker,
  now: number,
): Promise<(() => void)[]> {
  const { at, step, target } = worker
  const { applicationId, webhookId: id } = at
  const isHeld = await keepDestinationHealth(tx, { applicationId, owner: nodeId }, worker.stored)
  const retained = (): void => healthRetained(worker, now)
  // A node that lost the lease must not change the state either.
  if (!step || !isHeld) return [retained]
  const { row } = target
  const moved = await stepDestination(tx, at, { status: step, revision: row.revision, now })
  if (moved) {
    if (hasMail) await announceStep(tx, row, { step, emails: target.emails, now })
    // Waiting deliveries are given up. They can be replayed.
    if (step === 'failed') await leaveBehind(tx, { of: 'failed destination', applicationId, id }, now)
    log.warn(
      { application_id: row.application_id, webhook_id: row.id, status: step },
      'a destination changed its state',
    )
  }
  // Whether it changed or the step came too late: the row is different now, so read it again.
  return [retained, () => worker.polled(false)]
}

function idsOf(batch: Batch): Map<DestinationWorker, number[]> {
  const all = [...batch.gone, ...batch.outcomes.map(({ worker, delivery }) => ({ worker, id: delivery.id }))]
  return new Map(
    Map.groupBy(all, ({ worker }) => worker)
      .entries()
      .map(([worker, list]) => [worker, list.map(({ id }) => id)]),
  )
}

function attemptOf(outcome: Outcome, seals: DataSeals): AttemptRow {
  const { worker, delivery, at, latencyMs, status, error, answer } = outcome
  const { webhookId, applicationId } = worker.at
  const key = { webhookId, notification: delivery.id, attempt: delivery.attempts + 1 }
  const sealedAnswer = answer === null ? null : seals.seal(answer, answerContext(applicationId, key))
  return { ...key, at, latencyMs: Math.round(latencyMs), status, error, sealedAnswer }
}

/** A delivery that stopped its channel keeps its place in the queue. One that the broker refuses is given up. */
function postponedAtChannel({ worker, delivery, channel, status }: Outcome): Postponed {
  const { id, attempts, tries, due_at: dueAt } = delivery
  const counted = { webhookId: worker.at.webhookId, id, attempts: attempts + 1 }
  const isOver = channel === 'refused'
  const tried = tries + (isOver || isTried({ status }) ? 1 : 0)
  return { ...counted, tries: tried, dueAt, state: isOver ? 'failed' : 'waiting' }
}

function postponed(outcome: Outcome, now: number): Postponed {
  const { id, attempts, tries } = outcome.delivery
  if (outcome.channel) return postponedAtChannel(outcome)
  const counted = { webhookId: outcome.worker.at.webhookId, id, attempts: attempts + 1, tries: tries + 1 }
  const answered = { status: outcome.status ?? undefined, retryAfter: outcome.retryAfter ?? undefined }
  const next = nextTry({ ...counted, ...answered, now, random: newFraction() })
  return 'over' in next ? { ...counted, dueAt: now, state: 'failed' } : { ...counted, ...next, state: 'waiting' }
}
