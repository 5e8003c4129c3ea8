/**
 * PostgreSQL through `pg`, with named statements: the server parses and plans each text once per connection. Behind a
 * pooler that assigns connections per transaction, statements have no names, because the next one may reach another
 * server process.
 *
 * A transaction, or a single write, holds a connection of the pool until it ends. Reads outside a transaction share a
 * few connections and are pipelined: each is sent without waiting for earlier results. They take no locks, so none
 * delays the others for long. Statements within a transaction that do not depend on each other are also sent
 * together; `begin` goes with the first.
 */
import pg from 'pg'
import { BatchLoader } from './batch-loader.ts'
import { type Database, isRead, type Statement, StoreUnavailable, sql, type Value } from './database.ts'
import {
  type Ask,
  askAgain,
  askCounting,
  gather,
  type Lent,
  queriesOf,
  translate,
  type Until,
} from './postgresql-asking.ts'
import { openChannel, telling } from './postgresql-channel.ts'
import { limitLocks, maintain } from './postgresql-maintenance.ts'
import type { Result } from './postgresql-question.ts'
import {
  leastConnections,
  listeners,
  maxReaders,
  openSession,
  type PostgresqlOptions,
  usualConnections,
} from './postgresql-session.ts'
import { inTransaction, plain } from './postgresql-transaction.ts'
import { shareTransactions } from './shared-transactions.ts'
import { StoreFigures } from './statement-figures.ts'

/** Reads per connection and turn; more are spread over the connections, because each connection answers in order. */
const readsTogether = 16

interface Readers extends AsyncDisposable {
  /** Sends the read together with all others that start before `until` fires. */
  query(statement: Statement<unknown>, parameters: readonly Value[], until: Until): Promise<Result>
}

/** The connections for reads. The next read replaces one that broke. */
function openReaders(
  settings: pg.ClientConfig,
  { ask, opened, onLost }: { ask: Ask; opened(client: pg.ClientBase): Promise<void>; onLost(error: Error): void },
): Readers {
  const clients: (Promise<pg.Client> | undefined)[] = Array.from({ length: maxReaders }, () => undefined)
  let turn = 0
  let asked = 0
  /** Reads of one event-loop turn go to one connection, so that they are sent together. */
  const indexOfTurn = (): number => {
    if (asked === 0) {
      setImmediate(() => {
        asked = 0
      })
    }
    if (asked++ % readsTogether === 0) turn = (turn + 1) % maxReaders
    return turn
  }
  const connect = (index: number): Promise<pg.Client> => {
    const client = new pg.Client(settings)
    const connected = client.connect().then(async () => {
      await opened(client).catch((error) => {
        void client.end()
        throw error
      })
      return client
    })
    // The `end` event of a client may arrive after its replacement was opened.
    const drop = (): void => {
      if (clients[index] === connected) clients[index] = undefined
    }
    client.on('error', (error) => {
      onLost(error)
      drop()
      void client.end()
    })
    client.on('end', drop)
    connected.catch(drop)
    return connected
  }
  return {
    async query(statement, parameters, until) {
      const index = indexOfTurn()
      clients[index] ??= connect(index)
      const client = await clients[index]
      gather(client, until)
      return ask(client, statement, parameters)
    },
    async [Symbol.asyncDispose]() {
      const open = clients.splice(0)
      await Promise.allSettled(open.map(async (client) => (await client)?.end()))
    },
  }
}

/** Any number that no other software on the database is likely to lock. */
const migrationLock = 7_294_153

const settingsOf = (url: string): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: 5_000,
  application_name: 'waypost',
  pipeline: true,
})

type WithClient = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>

/** Lends connections of the pool. A connection that broke in the meantime is not returned to it. */
const lending =
  (pool: pg.Pool): WithClient =>
  async (work) => {
    const client = await pool.connect().catch((error) => {
      throw translate(error)
    })
    let broken: Error | undefined
    const onError = (error: Error): void => {
      broken = error
    }
    client.on('error', onError)
    try {
      return await work(client)
    } catch (error) {
      if (error instanceof StoreUnavailable) broken = error
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

/** Connects to PostgreSQL. `onLost` is called for idle connections that broke. */
export function openPostgresql(
  url: string,
  onLost: (error: Error) => void,
  { pooling = 'auto', connections = usualConnections, directUrl, onDeaf = () => undefined }: PostgresqlOptions = {},
): Database {
  const settings = settingsOf(url)
  const lent: Lent = { isPooled: pooling === 'transaction', isDistributed: false }
  const opened = async (client: pg.ClientBase): Promise<void> => {
    const { isOwn, isDistributed } = await openSession(client, pooling)
    if (!isOwn) lent.isPooled = true
    lent.isDistributed = isDistributed
  }
  const max = Math.max(connections, leastConnections) - maxReaders - listeners
  const pool = new pg.Pool({ ...settings, max, idleTimeoutMillis: 30_000, onConnect: opened })
  const figures = new StoreFigures()
  const asking = askCounting(figures, lent)
  const { ask } = asking
  const readers = openReaders(settings, { ask, opened, onLost })
  figures.connections = () => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  })
  pool.on('error', onLost)
  // A server that shuts down can close a connection while it opens, before a caller handles errors. The next query
  // reports it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const withClient = lending(pool)

  const exclusively: Database['exclusively'] = (work, limits) =>
    withClient((client) =>
      inTransaction(client, asking, async (tx) => {
        if (limits) limits.began?.(await limitLocks(tx, limits))
        await tx.get(sql({ name: '', text: `select pg_advisory_xact_lock(${migrationLock})` }))
        return work(tx, (script) => plain(client, script))
      }),
    )

  let unanswered = 0
  const counted = async <T>(asked: Promise<T>): Promise<T> => {
    unanswered++
    try {
      return await asked
    } finally {
      unanswered--
    }
  }
  const transaction = shareTransactions(
    (work) => withClient((client) => inTransaction(client, asking, work)),
    figures,
    () => lent.isDistributed,
  )

  const queries = queriesOf({
    query: (statement, parameters) =>
      askAgain(() =>
        isRead(statement)
          ? readers.query(statement, parameters, setImmediate)
          : withClient((client) => ask(client, statement, parameters)),
      ),
  })
  // For batches, which start when an event-loop turn is over: they need not wait for the end of another.
  const atOnce = queriesOf({
    query: (statement, parameters) => askAgain(() => readers.query(statement, parameters, process.nextTick)),
  })
  const loader = new BatchLoader(atOnce)

  return {
    engine: 'postgresql',
    get: (statement, parameters) =>
      statement.batch ? loader.get(statement, parameters) : counted(queries.get(statement, parameters)),
    all: (statement, parameters) => counted(queries.all(statement, parameters)),
    run: (statement, parameters) => counted(queries.run(statement, parameters)),
    post: (statement, parameters, told) => counted(queries.post(statement, parameters, told)),
    transaction: (work, sharing) => counted(transaction(work, sharing)),
    unanswered: () => unanswered + loader.pending,
    isPooled: () => lent.isPooled,
    isDistributed: () => lent.isDistributed,
    channel: openChannel({
      settings: settingsOf(directUrl ?? url),
      pooling: directUrl === undefined ? pooling : 'auto',
      tell: (text) => withClient((client) => plain(client, telling(text))),
      onRefused: onDeaf,
    }),
    figures,
    execute: (script) => withClient((client) => plain(client, script)),
    maintain: (statement) => maintain(settingsOf(directUrl ?? url), statement),
    exclusively,
    rewrite: (columns) =>
      exclusively(async (_tx, execute) => {
        await execute('set local statement_timeout = 0')
        for (const { table, column } of columns) {
          // PostgreSQL rewrites the whole table for this, into new files.
          await execute(`alter table ${table} alter column ${column} type text using ${column} || ''`)
        }
      }),
    // The server reclaims space by itself.
    reclaim: async () => false,
    now: async () => {
      const result = await withClient((client) =>
        client.query('select (extract(epoch from clock_timestamp()) * 1000)::bigint as now').catch((error) => {
          throw translate(error)
        }),
      )
      return Number(result.rows[0]?.now)
    },
    async [Symbol.asyncDispose]() {
      await readers[Symbol.asyncDispose]()
      await pool.end()
    },
  }
}
