/**
 * A transaction on a connection to PostgreSQL. What is posted waits until something is asked, or until the end: where nothing
 * was asked, all of it leaves as one, which needs no words for its beginning and its end.
 */
import type pg from 'pg'
import { checkValues, type Queries, sql } from './database.ts'
import { type Asking, gather, isAborted, type Posted, queriesOf, translate } from './postgresql-asking.ts'

// Without a name: words without values are one message each way, and nothing to plan.
const begin = sql({ name: '', text: 'begin' })
const commit = sql({ name: '', text: 'commit' })

/** Runs a text without values. */
export async function plain(client: pg.PoolClient, text: string): Promise<void> {
  try {
    await client.query(text)
  } catch (error) {
    throw translate(error)
  }
}

export async function inTransaction<T>(
  client: pg.PoolClient,
  asking: Asking,
  work: (tx: Queries) => Promise<T>,
): Promise<T> {
  const queries = queriesOf({
    query(statement, parameters) {
      gather(client, process.nextTick)
      return asking.ask(client, statement, parameters)
    },
  })
  const sent: Promise<void>[] = []
  const send = (posted: Posted): void => {
    const one = queries.post(...posted)
    one.catch(() => undefined)
    sent.push(one)
  }
  /** What was posted before anything was asked. */
  let waiting: Posted[] | undefined = []
  const begun = (): Queries => {
    const before = waiting
    waiting = undefined
    if (before) for (const posted of [[begin] satisfies Posted, ...before]) send(posted)
    return queries
  }
  const tx: Queries = {
    get: (statement, parameters) => begun().get(statement, parameters),
    all: (statement, parameters) => begun().all(statement, parameters),
    run: (statement, parameters) => begun().run(statement, parameters),
    async post(...posted) {
      checkValues(posted[1] ?? [])
      if (waiting) waiting.push(posted)
      else send(posted)
    },
  }
  try {
    const result = await work(tx)
    if (waiting?.length === 0) return result
    if (waiting && asking.canKeep(client, waiting)) await asking.keep(client, waiting)
    // After a statement that failed, a commit is a rollback.
    else await Promise.all([begun().post(commit), ...sent])
    return result
  } catch (error) {
    if (waiting) throw error
    // A connection that cannot roll back is dropped by the pool.
    await plain(client, 'rollback').catch(() => undefined)
    // The first error is the one to tell: after a posted statement failed, all others fail for that alone.
    if (isAborted(error)) await Promise.all(sent)
    throw error
  }
}
