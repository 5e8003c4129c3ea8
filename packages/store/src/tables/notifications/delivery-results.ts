/**
 * Writes the results of attempts for many destinations together: the log, the queue, retries, and the health of
 * destinations. On PostgreSQL each statement is expensive on both sides, so there is one of each kind per
 * application, with arrays as parameters. SQLite has no arrays, and JSON takes nearly twice as long as values, so it
 * runs one statement per destination.
 */
import { dynamic, type Engine, type Queries, sql, type Value } from '../../engine/database.ts'
import { arrayText, forRows, parameters, pieces } from '../../engine/row-lists.ts'

export interface AttemptRow {
  webhookId: string
  notification: number
  attempt: number
  at: number
  latencyMs: number
  status: number | null
  error: string | null
  sealedAnswer: string | null
}

/** A delivery in the queue of a destination. */
export interface QueuedDelivery {
  webhookId: string
  id: number
}

/** The new state of a delivery that did not succeed. */
export interface Postponed extends QueuedDelivery {
  attempts: number
  tries: number
  dueAt: number
  state: 'waiting' | 'failed'
}

/** The application and the node id. Rows are written only for leases that this node still owns. */
export interface ResultsOwner {
  applicationId: string
  owner: string
}

/** One array per column. */
const columnsOf = <T>(rows: readonly T[], columns: readonly ((row: T) => Value)[]): string[] =>
  columns.map((column) => arrayText(rows.map(column)))
/** A table of arrays, which are the parameters from `from` on. */
const unnested = (from: number, columns: Record<string, string>): string => {
  const arrays = Object.values(columns).map((type, index) => `cast($${from + index} as ${type}[])`)
  return `unnest(${arrays.join(', ')}) as v (${Object.keys(columns).join(', ')})`
}

const attemptColumns = {
  webhook_id: 'text',
  notification: 'bigint',
  attempt: 'integer',
  at: 'bigint',
  latency_ms: 'integer',
  status: 'integer',
  error: 'text',
  sealed_answer: 'text',
}
const logged = `insert into delivery_attempts (application_id, ${Object.keys(attemptColumns).join(', ')})`
const attemptValues: ((row: AttemptRow) => Value)[] = [
  (row) => row.webhookId,
  (row) => row.notification,
  (row) => row.attempt,
  (row) => row.at,
  (row) => row.latencyMs,
  (row) => row.status,
  (row) => row.error,
  (row) => row.sealedAnswer,
]
const log = sql('delivery_attempts.log')`${logged} select $1, v.* from ${unnested(2, attemptColumns)}
   on conflict do nothing`
const logLists = forRows((rows) => {
  const lists = Array.from({ length: rows }, (_, index) => `($1, ${parameters(8, 8 * index + 2)})`)
  return dynamic({ name: 'delivery_attempts.add', text: `${logged} values ${lists.join(', ')} on conflict do nothing` })
})

/** Logs the attempts of an application. */
export async function logAttempts(
  tx: Queries,
  engine: Engine,
  applicationId: string,
  rows: readonly AttemptRow[],
): Promise<void> {
  if (rows.length === 0) return
  if (engine === 'postgresql') return tx.post(log, [applicationId, ...columnsOf(rows, attemptValues)])
  for (const piece of pieces(rows)) {
    const values: Value[] = [applicationId]
    for (const row of piece) for (const value of attemptValues) values.push(value(row))
    await tx.post(logLists(piece.length), values)
  }
}

/**
 * The rows of destinations that the node owns. `offset 0` makes PostgreSQL compute them first: it knows neither their
 * number nor the length of the queue, and would otherwise search the queue of each destination.
 */
const owned = (columns: Record<string, string>): string =>
  `(select v.* from ${unnested(3, columns)} where v.webhook_id in (
     select webhook_id from delivery_leases where application_id = $1 and owner = $2) offset 0) as v
   where deliveries.application_id = $1 and deliveries.notification = v.notification and deliveries.webhook_id = v.webhook_id`

const complete = sql('deliveries.completeAll')`
   delete from deliveries using ${owned({ webhook_id: 'text', notification: 'bigint' })}`
const ofOwner = `deliveries.application_id = $1 and deliveries.webhook_id = $3 and exists (
   select 1 from delivery_leases where delivery_leases.application_id = $1 and delivery_leases.webhook_id = $3 and delivery_leases.owner = $2)`
const completeList = forRows((count) =>
  dynamic({
    name: 'deliveries.complete',
    text: `delete from deliveries where ${ofOwner} and notification in (${parameters(count, 4)})`,
  }),
)

/** Deletes delivered rows from the queues. */
export async function completeDeliveries(
  tx: Queries,
  engine: Engine,
  { applicationId, owner }: ResultsOwner,
  rows: readonly QueuedDelivery[],
): Promise<void> {
  if (rows.length === 0) return
  if (engine === 'postgresql') {
    const values = columnsOf(rows, [(row) => row.webhookId, (row) => row.id])
    return tx.post(complete, [applicationId, owner, ...values])
  }
  for (const [webhookId, ofOne] of Map.groupBy(rows, (row) => row.webhookId)) {
    for (const piece of pieces(ofOne)) {
      await tx.post(completeList(piece.length), [applicationId, owner, webhookId, ...piece.map(({ id }) => id)])
    }
  }
}

// A delivery that was given up in the meantime stays failed.
const stateAfter = (state: string): string =>
  `case when deliveries.state = 'failed' then deliveries.state else ${state} end`
const postponedColumns = {
  webhook_id: 'text',
  notification: 'bigint',
  attempts: 'integer',
  tries: 'integer',
  due_at: 'bigint',
  state: 'text',
}
const postpone = sql('deliveries.postponeAll')`update deliveries
   set attempts = v.attempts, tries = v.tries, due_at = v.due_at, state = ${stateAfter('v.state')}
   from ${owned(postponedColumns)}`
const postponeList = forRows((rows) => {
  const lists = Array.from({ length: rows }, (_, index) => `(${parameters(5, 5 * index + 4)})`)
  return dynamic({
    name: 'deliveries.postpone',
    text: `update deliveries set attempts = v.column2, tries = v.column3, due_at = v.column4, state = ${stateAfter('v.column5')}
   from (values ${lists.join(', ')}) as v where deliveries.notification = v.column1 and ${ofOwner}`,
  })
})

/** Records the next attempt of failed deliveries, or that they are given up. */
export async function postponeDeliveries(
  tx: Queries,
  engine: Engine,
  { applicationId, owner }: ResultsOwner,
  rows: readonly Postponed[],
): Promise<void> {
  if (rows.length === 0) return
  const later: ((row: Postponed) => Value)[] = [
    (row) => row.id,
    (row) => row.attempts,
    (row) => row.tries,
    (row) => row.dueAt,
    (row) => row.state,
  ]
  if (engine === 'postgresql') {
    return tx.post(postpone, [applicationId, owner, ...columnsOf(rows, [(row) => row.webhookId, ...later])])
  }
  for (const [webhookId, ofOne] of Map.groupBy(rows, (row) => row.webhookId)) {
    for (const piece of pieces(ofOne)) {
      const values = piece.flatMap((row) => later.map((value) => value(row)))
      await tx.post(postponeList(piece.length), [applicationId, owner, webhookId, ...values])
    }
  }
}

/** The health of a destination as text, and the time at which its state changes without further attempts. */
export interface StoredHealth {
  webhookId: string
  health: string
  judgeAt: number | undefined
}

const keepHealth = sql('delivery_leases.health')`update delivery_leases set health = $4, judge_at = $5
   where application_id = $1 and owner = $2 and webhook_id = $3`
const keepHealths = sql('delivery_leases.healths')`update delivery_leases set health = v.health, judge_at = v.judge_at
   from ${unnested(3, { webhook_id: 'text', health: 'text', judge_at: 'bigint' })}
   where delivery_leases.application_id = $1 and delivery_leases.owner = $2 and delivery_leases.webhook_id = v.webhook_id`

/** Stores the health of a destination. False if the node no longer owns its lease. */
export const keepDestinationHealth = async (
  queries: Queries,
  { applicationId, owner }: ResultsOwner,
  { webhookId, health, judgeAt }: StoredHealth,
): Promise<boolean> => (await queries.run(keepHealth, [applicationId, owner, webhookId, health, judgeAt ?? null])) > 0

/** Stores the health of many destinations, without a result. */
export async function keepHealthOfAll(
  tx: Queries,
  engine: Engine,
  { applicationId, owner }: ResultsOwner,
  rows: readonly StoredHealth[],
): Promise<void> {
  if (rows.length === 0) return
  if (engine === 'postgresql') {
    const values = columnsOf(rows, [(row) => row.webhookId, (row) => row.health, (row) => row.judgeAt ?? null])
    return tx.post(keepHealths, [applicationId, owner, ...values])
  }
  for (const { webhookId, health, judgeAt } of rows) {
    await tx.post(keepHealth, [applicationId, owner, webhookId, health, judgeAt ?? null])
  }
}

const noteRetry = sql('delivery_leases.noteRetry')`update delivery_leases set retry_at = $3
   where application_id = $1 and webhook_id = $2 and (retry_at is null or retry_at > $3)`
const noteRetries = sql('delivery_leases.noteRetries')`update delivery_leases set retry_at = v.retry_at
   from ${unnested(2, { webhook_id: 'text', retry_at: 'bigint' })}
   where delivery_leases.application_id = $1 and delivery_leases.webhook_id = v.webhook_id
   and (delivery_leases.retry_at is null or delivery_leases.retry_at > v.retry_at)`

/** Records the next retry of destinations, unless an earlier one is recorded. */
export async function noteRetriesAt(
  tx: Queries,
  engine: Engine,
  applicationId: string,
  times: ReadonlyMap<string, number>,
): Promise<void> {
  if (times.size === 0) return
  if (engine === 'postgresql') {
    const values = columnsOf([...times], [([webhookId]) => webhookId, ([, dueAt]) => dueAt])
    return tx.post(noteRetries, [applicationId, ...values])
  }
  for (const [webhookId, dueAt] of times) await tx.post(noteRetry, [applicationId, webhookId, dueAt])
}
