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
import { BatchLoader } from './batch-loader.ts'
import { type Database, isRead, type Statement, sql, type Value } from './database.ts'
import { openChannel, telling } from './postgresql-channel.ts'
import { limitLocks, maintain } from './postgresql-maintenance.ts'
import { lending, openPool } from './postgresql-pool.ts'
import type { Result } from './postgresql-question.ts'
import { Retired, ServerConnection, Servers } from './postgresql-servers.ts'
import {
  leastConnections,
  listeners,
  maxReaders,
  openSession,
  type Pooling,
  type PostgresqlOptions,
  usualConnections,
} from './postgresql-session.ts'
import { type Ask, askAgain, askCounting, askPlain, isLost, type Lent, queriesOf } from './postgresql-statements.ts'
import { inTransaction } from './postgresql-transaction.ts'
import { shareTransactions } from './shared-transactions.ts'
import { watchSilence } from './silence-watch.ts'
import { StoreFigures } from './statement-figures.ts'

/** Reads per connection and turn; more are spread over the connections, because each connection answers in order. */
const readsTogether = 16

interface Readers extends AsyncDisposable {
  query(statement: Statement<unknown>, parameters: readonly Value[]): Promise<Result>
}

interface ReaderOptions {
  ask: Ask
  opened(client: ServerConnection): Promise<void>
  onLost(error: Error): void
}

/** The connections for reads. The next read replaces one that broke. */
function openReaders(servers: Servers, { ask, opened, onLost }: ReaderOptions): Readers {
  const clients: (Promise<ServerConnection> | undefined)[] = Array.from({ length: maxReaders }, () => undefined)
  let turn = 0
  let requested = 0
  /** Reads of one event-loop turn go to one connection, up to `readsTogether`. */
  const indexOfTurn = (): number => {
    if (requested === 0) {
      setImmediate(() => {
        requested = 0
      })
    }
    if (requested++ % readsTogether === 0) turn = (turn + 1) % maxReaders
    return turn
  }
  const open = async (drop: () => void): Promise<ServerConnection> => {
    const client = new ServerConnection(await servers.find())
    client.on('error', (error) => {
      onLost(error)
      drop()
      void client.close()
    })
    client.on('end', drop)
    try {
      await client.connect()
      await opened(client)
    } catch (error) {
      void client.close()
      if (isLost(error)) servers.lost(client.server)
      throw error
    }
    return client
  }
  const connect = (index: number): Promise<ServerConnection> => {
    // The `end` event of a client may arrive after its replacement was opened.
    const drop = (): void => {
      if (clients[index] === connected) clients[index] = undefined
    }
    const connected: Promise<ServerConnection> = open(drop)
    connected.catch(drop)
    return connected
  }
  return {
    async query(statement, parameters) {
      const index = indexOfTurn()
      clients[index] ??= connect(index)
      const client = await clients[index]
      return ask(client, statement, parameters)
    },
    async [Symbol.asyncDispose]() {
      const open = clients.splice(0)
      await Promise.allSettled(open.map(async (client) => (await client)?.close()))
    },
  }
}

/** How long connections may take to close. */
const closeMs = 2_000
/** The interval of a statement on the listening connection, if it goes to another address than the others. */
const listenCheckMs = 15_000

const askScript = async (client: ServerConnection, script: string): Promise<void> => {
  await askPlain(client, script)
}

/** Any number that no other software on the database is likely to lock. */
const migrationLock = 7_294_153

/** Checks and prepares each new connection. */
const opening =
  (servers: Servers, lent: Lent, pooling: Pooling) =>
  async (client: ServerConnection): Promise<void> => {
    const { isOwn, isDistributed, isStandby, isReadOnly } = await openSession(client, pooling)
    if (!isOwn) lent.isPooled = true
    lent.isDistributed = isDistributed
    client.isOwn = isOwn
    if (isStandby && servers.attributes !== 'any') throw servers.refusal(client.server)
    if (isReadOnly && servers.all.length > 1) void servers.check(client.server, 'read-only')
    servers.track(client)
  }

/** Connects to PostgreSQL. `onLost` is called for idle connections that broke. */
export function openPostgresql(
  url: string,
  onLost: (error: Error) => void,
  {
    pooling = 'auto',
    connections = usualConnections,
    directUrl,
    onDeaf = () => undefined,
    onNews,
  }: PostgresqlOptions = {},
): Database {
  const servers = new Servers(url, onNews)
  const lent: Lent = { isPooled: pooling === 'transaction', isDistributed: false }
  const opened = opening(servers, lent, pooling)
  const max = Math.max(connections, leastConnections) - maxReaders - listeners
  const pool = openPool(servers, max, opened)
  const figures = new StoreFigures()
  const requesting = askCounting(figures, lent)
  const { ask } = requesting
  const onBroken = (error: Error): void => {
    if (!(error instanceof Retired)) onLost(error)
  }
  const readers = openReaders(servers, { ask, opened, onLost: onBroken })
  figures.connections = () => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  })
  pool.on('error', onBroken)
  // A server that shuts down can close a connection while it opens, before a caller handles errors. The next query
  // reports it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const withClient = lending(pool, servers)
  const directServers = directUrl === undefined ? undefined : new Servers(directUrl)
  const silences = [servers, ...(directServers ? [directServers] : [])].map((each) => watchSilence(each, onNews))

  const exclusively: Database['exclusively'] = (work, limits) =>
    withClient((client) =>
      inTransaction(client, requesting, async (tx) => {
        if (limits) limits.began?.(await limitLocks(tx, limits))
        await tx.get(sql('')`select pg_advisory_xact_lock(${migrationLock})`)
        return work(tx, (script) => askScript(client, script))
      }),
    )

  let unanswered = 0
  const counted = async <T>(requested: Promise<T>): Promise<T> => {
    unanswered++
    try {
      return await requested
    } finally {
      unanswered--
    }
  }
  const transaction = shareTransactions(
    (work) => withClient((client) => inTransaction(client, requesting, work)),
    figures,
    () => lent.isDistributed,
  )

  const queries = queriesOf({
    query: (statement, parameters) =>
      askAgain(() =>
        isRead(statement)
          ? readers.query(statement, parameters)
          : withClient((client) => ask(client, statement, parameters)),
      ),
  })
  const loader = new BatchLoader(queries)

  return {
    engine: 'postgresql',
    get: (statement, parameters) =>
      statement.batch ? loader.get(statement, parameters) : counted(queries.get(statement, parameters)),
    all: (statement, parameters) => counted(queries.all(statement, parameters)),
    run: (statement, parameters) => counted(queries.run(statement, parameters)),
    post: (statement, parameters, reported) => counted(queries.post(statement, parameters, reported)),
    transaction: (work, sharing) => counted(transaction(work, sharing)),
    unanswered: () => unanswered + loader.pending,
    isPooled: () => lent.isPooled,
    isDistributed: () => lent.isDistributed,
    trouble: () => silences[0]?.trouble(),
    channel: openChannel({
      ...(directServers ? { servers: directServers, checkEveryMs: listenCheckMs } : { servers }),
      pooling: directUrl === undefined ? pooling : 'auto',
      tell: (text) => withClient((client) => askScript(client, telling(text))),
      onRefused: onDeaf,
    }),
    figures,
    execute: (script) => withClient((client) => askScript(client, script)),
    maintain: async (statement) => maintain((await (directServers ?? servers).find()).settings, statement),
    exclusively,
    // The server reclaims space by itself.
    rewrite: async () => {},
    reclaim: async () => false,
    now: async () => {
      const [row] = await withClient((client) =>
        askPlain<{ now: string }>(client, 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now'),
      )
      return Number(row?.now)
    },
    async [Symbol.asyncDispose]() {
      for (const silence of silences) silence[Symbol.dispose]()
      // A server that does not answer must not delay the end.
      const timer = setTimeout(() => servers.cutAll('the store is closed'), closeMs)
      await readers[Symbol.asyncDispose]()
      await pool.end()
      clearTimeout(timer)
    },
  }
}
