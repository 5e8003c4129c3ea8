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
import {
  checkValues,
  type Database,
  type Queries,
  type Statement,
  StoreUnavailable,
  sql,
  type Value,
} from './database.ts'
import { openChannel, telling } from './postgresql-channel.ts'
import { type Prepared, Question, type Result } from './postgresql-question.ts'
import {
  leastConnections,
  listeners,
  maxReaders,
  openSession,
  type PostgresqlOptions,
  usualConnections,
} from './postgresql-session.ts'
import { SharedReads } from './shared-reads.ts'
import { shareTransactions } from './shared-transactions.ts'
import { StoreFigures } from './statement-figures.ts'
import { TaggedReads } from './tagged-reads.ts'

/** SQLSTATE classes that are not the statement's fault: connection, resources, shutdown, read-only, out of space, deadlock. */
const passing = /^(08|53|57|58|25006|40P01)/

/** Data or indexes that do not read as they were written. */
const damaged = /^XX00[12]$/

/** A statement that was prepared is not there, or one of its name is: the connection is another than the last time. */
const isSwapped = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '42P05')

function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const lost = /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)/.test(code)
  const dropped = code === '' && /terminated|timeout|Connection ended|not queryable/i.test(error.message)
  if (damaged.test(code)) return new StoreUnavailable('the database is damaged', error, { isDamage: true })
  return lost || dropped || passing.test(code) || isSwapped(error)
    ? new StoreUnavailable('PostgreSQL cannot be reached or cannot take the request', error)
    : error
}

/** A statement of a transaction that an earlier one has brought to its end. */
const isAborted = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '25P02'

type Until = (leave: () => void) => void

/** What is asked at one moment leaves in one system call, which costs more than all else that a statement costs us. */
function gather(client: pg.ClientBase, until: Until): void {
  if (!(client instanceof pg.Client)) return
  const { stream } = client.connection
  stream.cork()
  until(() => stream.uncork())
}

/** Asks on a connection, and counts what was asked. */
type Ask = (client: pg.ClientBase, statement: Statement<unknown>, parameters: readonly Value[]) => Promise<Result>

/** Whether connections are lent by a pooler, as far as is known. */
interface Lent {
  isPooled: boolean
}

function askCounting(figures: StoreFigures, lent: Lent): Ask {
  const prepared = new WeakMap<pg.ClientBase, Prepared>()
  const preparedOn = (client: pg.ClientBase): Prepared => {
    const known = prepared.get(client) ?? new Map()
    prepared.set(client, known)
    return known
  }
  return (client, { name, text }, parameters) =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      const answered = (error: unknown, result: Result | undefined): void => {
        figures.ran({ name }, performance.now() - began)
        if (result) resolve(result)
        else {
          // Nobody said so when it was opened.
          if (isSwapped(error)) lent.isPooled = true
          reject(error)
        }
      }
      const asked = { name: lent.isPooled ? '' : name, text }
      client.query(new Question(asked, parameters, preparedOn(client), answered))
    })
}

/** Asks once more where a pooler was found by the first answer: outside a transaction nothing was done. */
async function askAgain<T>(asked: () => Promise<T>): Promise<T> {
  try {
    return await asked()
  } catch (error) {
    if (!isSwapped(error)) throw error
    return asked()
  }
}

interface Runner {
  query(statement: Statement<unknown>, parameters: readonly Value[]): Promise<Result>
}

function queriesOf(runner: Runner): Queries {
  const query = async (statement: Statement<unknown>, parameters: readonly Value[] = []): Promise<Result> => {
    checkValues(parameters)
    try {
      return await runner.query(statement, parameters)
    } catch (error) {
      throw translate(error)
    }
  }
  return {
    get: async <T>(statement: Statement<T>, parameters?: readonly Value[]) =>
      (await query(statement, parameters)).rows[0] as T | undefined,
    all: async <T>(statement: Statement<T>, parameters?: readonly Value[]) =>
      (await query(statement, parameters)).rows as T[],
    run: async (statement, parameters) => (await query(statement, parameters)).rowCount,
    post: async (statement, parameters, counted) => {
      const { rowCount } = await query(statement, parameters)
      counted?.(rowCount)
    },
  }
}

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

// Without a name: words without values are one message each way, and nothing to plan.
const begin = sql('', 'begin')
const commit = sql('', 'commit')

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

async function plain(client: pg.PoolClient, text: string): Promise<void> {
  try {
    await client.query(text)
  } catch (error) {
    throw translate(error)
  }
}

async function inTransaction<T>(client: pg.PoolClient, ask: Ask, work: (tx: Queries) => Promise<T>): Promise<T> {
  const queries = queriesOf({
    query(statement, parameters) {
      gather(client, process.nextTick)
      return ask(client, statement, parameters)
    },
  })
  const posted: Promise<void>[] = []
  const post: Queries['post'] = async (...statement) => {
    const sent = queries.post(...statement)
    sent.catch(() => undefined)
    posted.push(sent)
  }
  void post(begin)
  try {
    const result = await work({ ...queries, post })
    // After a statement that failed, a commit is a rollback.
    await Promise.all([...posted, queries.post(commit)])
    return result
  } catch (error) {
    // A connection that cannot roll back is dropped by the pool.
    await plain(client, 'rollback').catch(() => undefined)
    // The first error is the one to tell: after a posted statement failed, all others fail for that alone.
    if (isAborted(error)) await Promise.all(posted)
    throw error
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
  const ask = askCounting(figures, lent)
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
      inTransaction(client, ask, async (tx) => {
        await plain(client, `select pg_advisory_xact_lock(${migrationLock})`)
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
  const transaction = shareTransactions((work) => withClient((client) => inTransaction(client, ask, work)), figures)

  const queries = queriesOf({
    query: (statement, parameters) =>
      askAgain(() =>
        statement.text.startsWith('select')
          ? readers.query(statement, parameters, setImmediate)
          : withClient((client) => ask(client, statement, parameters)),
      ),
  })
  // They come when a turn of the event loop is over, and wait for no other end.
  const atOnce = queriesOf({
    query: (statement, parameters) => askAgain(() => readers.query(statement, parameters, process.nextTick)),
  })
  const taggedReads = new TaggedReads(atOnce)
  const sharedReads = new SharedReads({
    get: (statement, parameters) => taggedReads.get(statement, parameters),
    all: atOnce.all,
  })

  return {
    engine: 'postgresql',
    get: (statement, parameters) =>
      statement.isKept ? sharedReads.get(statement, parameters) : counted(queries.get(statement, parameters)),
    all: (statement, parameters) => counted(queries.all(statement, parameters)),
    run: (statement, parameters) => counted(queries.run(statement, parameters)),
    post: (statement, parameters, told) => counted(queries.post(statement, parameters, told)),
    transaction: (work, sharing) => counted(transaction(work, sharing)),
    unanswered: () => unanswered + sharedReads.unanswered,
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
