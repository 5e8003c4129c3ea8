/**
 * Keeps what came of attempts: of all lanes together, many in one transaction, so that a slow disk costs little. Until a
 * result is kept its delivery stays in the queue, so a crash repeats it; it never loses it.
 */
import { type Clock, sleep } from '../lib/clock.ts'
import { newFraction } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Database, Queries } from '../store/database.ts'
import {
  type AttemptRow,
  completeDeliveries,
  giveUpDeliveries,
  logAttempts,
  type Postponed,
  postponeDeliveries,
} from '../store/deliveries.ts'
import { keepLaneHealth, stepDestination } from '../store/lanes.ts'
import { announceStep } from './announce.ts'
import { serializeHealth } from './health.ts'
import { isDelivered, type Lane, type Outcome } from './lane.ts'
import { nextTry } from './retry.ts'

export interface ResultsTools {
  database: Database
  clock: Clock
  log: Log
  nodeId: string
  /** Whether mails can be sent: then people are told of a destination's change of state. */
  hasMail: boolean
  /** A lane's destination was stepped, or its step came too late: read it again. */
  stepped(lane: Lane): void
}

export interface Results {
  hasRoom(): boolean
  add(outcome: Outcome): void
  /** A delivery whose notification is gone. */
  drop(lane: Lane, id: number): void
  /** Resolves when everything added so far is kept. */
  flushed(signal: AbortSignal): Promise<void>
}

/** So many results are kept at once, and never more than twice as many. */
const batchAtMost = 512
/** How long a result waits for others: one commit for many. Longer while many come, because then commits cost most. */
const waitMs = { few: 20, many: 80 }
/** From so many in one commit on there are many. */
const manyAtLeast = 32
const heldAtMost = 4096
const healthMs = 1000

interface Batch {
  outcomes: readonly Outcome[]
  gone: readonly { lane: Lane; id: number }[]
}

export function createResults(tools: ResultsTools): Results {
  const { database, clock, log, nodeId } = tools
  let outcomes: Outcome[] = []
  let gone: { lane: Lane; id: number }[] = []
  /** How many were ever kept. */
  let keptCount = 0
  let lastCount = 0
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined

  const schedule = (): void => {
    if (flushing) return
    if (outcomes.length >= batchAtMost) start()
    else timer ??= setTimeout(start, lastCount < manyAtLeast ? waitMs.few : waitMs.many)
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    flushing ??= flushAll().finally(() => {
      flushing = undefined
      if (outcomes.length + gone.length > 0) schedule()
    })
  }

  async function flushAll(): Promise<void> {
    let failures = 0
    do {
      const batch: Batch = { outcomes: outcomes.slice(0, batchAtMost * 2), gone: gone.slice() }
      try {
        const after = await database.transaction((tx) => keep(tx, batch))
        outcomes = outcomes.slice(batch.outcomes.length)
        gone = gone.slice(batch.gone.length)
        keptCount += batch.outcomes.length + batch.gone.length
        lastCount = batch.outcomes.length
        failures = 0
        for (const { lane, item } of batch.outcomes) lane.known.delete(item.id)
        for (const { lane, id } of batch.gone) lane.known.delete(id)
        for (const done of after) done()
        for (const lane of lanesOf(batch)) lane.pump()
      } catch (error) {
        failures++
        log.warn({ error, held: outcomes.length }, 'results of deliveries could not be kept; they are tried again')
        await sleep(Math.min(100 * 2 ** failures, 5000))
      }
    } while (failures > 0 || outcomes.length >= batchAtMost)
  }

  /** Answers what is to be done once the transaction is through. */
  async function keep(tx: Queries, batch: Batch): Promise<(() => void)[]> {
    const now = clock.now()
    const attempts: AttemptRow[] = []
    const done: number[] = batch.gone.map(({ id }) => id)
    const later: Postponed[] = []
    for (const outcome of batch.outcomes) {
      attempts.push(attemptOf(outcome))
      if (isDelivered(outcome)) done.push(outcome.item.id)
      else later.push(postponed(outcome, now))
    }
    await logAttempts(tx, attempts)
    await completeDeliveries(tx, nodeId, done)
    await postponeDeliveries(tx, nodeId, later)
    const after: (() => void)[] = []
    for (const lane of lanesOf(batch)) after.push(...(await keepState(tx, lane, now)))
    return after
  }

  async function keepState(tx: Queries, lane: Lane, now: number): Promise<(() => void)[]> {
    const { step } = lane
    if (!step && (!lane.healthChanged || now - lane.healthKeptAt < healthMs)) return []
    const held = await keepLaneHealth(tx, lane.at, nodeId, serializeHealth(lane.health))
    const kept = (): void => {
      lane.healthChanged = false
      lane.healthKeptAt = now
    }
    // Who lost the lane has no say in the state either.
    if (!step || held === 0) return [kept]
    const { row } = lane.target
    const moved = await stepDestination(tx, lane.at, { status: step, revision: row.revision, now })
    if (moved) {
      if (tools.hasMail) await announceStep(tx, row, { step, emails: lane.target.emails, now })
      if (step === 'failed') await giveUpDeliveries(tx, lane.at)
      log.warn(
        { application_id: row.application_id, webhook_id: row.id, status: step },
        'a destination changed its state',
      )
    }
    return [kept, () => tools.stepped(lane)]
  }

  return {
    hasRoom: () => outcomes.length < heldAtMost,
    add(outcome) {
      outcomes.push(outcome)
      schedule()
    },
    drop(lane, id) {
      gone.push({ lane, id })
      schedule()
    },
    async flushed(signal) {
      // Others go on adding meanwhile.
      const wanted = keptCount + outcomes.length + gone.length
      while (keptCount < wanted && !signal.aborted) {
        start()
        await Promise.race([flushing, sleep(200, signal)])
      }
    },
  }
}

const lanesOf = (batch: Batch): Set<Lane> => new Set(batch.outcomes.map(({ lane }) => lane))

const attemptOf = ({ lane, item, at, latencyMs, status, error, answer }: Outcome): AttemptRow => ({
  webhookId: lane.at.webhookId,
  applicationId: lane.at.applicationId,
  notification: item.notification,
  attempt: item.attempts + 1,
  at,
  latencyMs: Math.round(latencyMs),
  status,
  error,
  answer,
})

function postponed(outcome: Outcome, now: number): Postponed {
  const { item } = outcome
  const counted = { id: item.id, attempts: item.attempts + 1, tries: item.tries + 1 }
  const answered = { status: outcome.status ?? undefined, retryAfter: outcome.retryAfter ?? undefined }
  const next = nextTry({ ...counted, ...answered, now, random: newFraction() })
  return 'over' in next ? { ...counted, dueAt: now, state: 'failed' } : { ...counted, ...next, state: 'waiting' }
}
