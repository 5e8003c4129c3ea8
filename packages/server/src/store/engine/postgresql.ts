/**
 * PostgreSQL through `pg`, with named statements: the server parses and plans each text once per connection. Behind a pooler
 * that lends connections by the transaction they have no names, because the next one goes to another server process.
 *
 * A transaction holds a connection of the pool for its length, and so does a single statement that writes. Reads outside a
 * transaction share a few connections on which they are sent without waiting for the answers before them: they take no
 * locks, so none holds up the others for long. Inside a transaction, too, statements that do not wait for each other are
 * sent together: the beginning goes with the first.
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

/** More than this are shared out: each connection answers one after the other. */
const readsTogether = 16

interface Readers extends AsyncDisposable {
  /** Asks together with all that is asked before the moment that `until` waits for. */
  query(statement: Statement<unknown>, parameters: readonly Value[], until: Until): Promise<Result>
}

/** The connections for reads; one that breaks is made anew by the next read. */
function openReaders(
  settings: pg.ClientConfig,
  { ask, opened, onLost }: { ask: Ask; opened(client: pg.ClientBase): Promise<void>; onLost(error: Error): void },
): Readers {
  const clients: (Promise<pg.Client> | undefined)[] = Array.from({ length: maxReaders }, () => undefined)
  let turn = 0
  let asked = 0
  /** What is asked in one turn of the event loop, by whichever request, goes to one connection: it leaves together. */
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
    // What a client tells of its end may come late, when another stands in its place already.
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

/** Lends connections of the pool; one that broke meanwhile is not given back to it. */
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

/** Connects to PostgreSQL; `onLost` hears of idle connections that broke. */
export function openPostgresql(
  url: string,
  onLost: (error: Error) => void,
  { pooling = 'auto', connections = usualConnections, directUrl, onDeaf = () => undefined }: PostgresqlOptions = {},
): Database {
  const settings = settingsOf(url)
  const lent: Lent = { isPooled: pooling === 'transaction' }
  const opened = async (client: pg.ClientBase): Promise<void> => {
    if (!(await openSession(client, pooling))) lent.isPooled = true
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
  // A server that shuts down can end a connection in the moment it opens, before anybody holds it: the next query says so.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const withClient = lending(pool)

  const exclusively: Database['exclusively'] = (work) =>
    withClient((client) =>
      inTransaction(client, asking, async (tx) => {
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
  const transaction = shareTransactions((work) => withClient((client) => inTransaction(client, asking, work)), figures)

  const queries = queriesOf({
    query: (statement, parameters) =>
      askAgain(() =>
        isRead(statement)
          ? readers.query(statement, parameters, setImmediate)
          : withClient((client) => ask(client, statement, parameters)),
      ),
  })
  // They come when a turn of the event loop is over, and wait for no other end.
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
    channel: openChannel({
      settings: settingsOf(directUrl ?? url),
      pooling: directUrl === undefined ? pooling : 'auto',
      tell: (text) => withClient((client) => plain(client, telling(text))),
      onRefused: onDeaf,
    }),
    figures,
    execute: (script) => withClient((client) => plain(client, script)),
    exclusively,
    rewrite: (columns) =>
      exclusively(async (_tx, execute) => {
        await execute('set local statement_timeout = 0')
        for (const { table, column } of columns) {
          // PostgreSQL writes a whole table anew for this, into new files.
          await execute(`alter table ${table} alter column ${column} type text using ${column} || ''`)
        }
      }),
    // The server does so by itself.
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
