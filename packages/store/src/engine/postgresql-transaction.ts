/**
 * A transaction on a connection to PostgreSQL. Posted statements wait until a result is needed or the transaction
 * ends. If no result was needed, all of them are sent as one batch, without `begin` and `commit`.
 */
import { checkValues, type Queries, sql } from './database.ts'
import type { ServerConnection } from './postgresql-servers.ts'
import { askPlain, isAborted, type Posted, queriesOf, type StatementSender } from './postgresql-statements.ts'

// Without a name: a statement without parameters takes one message each way and needs no plan.
const begin = sql('')`begin`
const commit = sql('')`commit`

export async function inTransaction<T>(
  client: ServerConnection,
  requesting: StatementSender,
  work: (tx: Queries) => Promise<T>,
): Promise<T> {
  const queries = queriesOf({
    query: (statement, parameters) => requesting.ask(client, statement, parameters),
  })
  const sent: Promise<void>[] = []
  const send = (posted: Posted): void => {
    const one = queries.post(...posted)
    one.catch(() => undefined)
    sent.push(one)
  }
  /** Statements posted before the first one that needs a result; undefined afterwards. */
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
    if (waiting && requesting.canKeep(client, waiting)) await requesting.keep(client, waiting)
    // If a statement failed, PostgreSQL treats the commit as a rollback.
    else await Promise.all([begun().post(commit), ...sent])
    return result
  } catch (error) {
    if (waiting) throw error
    // The pool drops a connection that cannot roll back.
    await askPlain(client, 'rollback').catch(() => undefined)
    // Report the first error: after a posted statement failed, the later ones fail only because of it.
    if (isAborted(error)) await Promise.all(sent)
    throw error
  }
}
