/**
 * The servers of a PostgreSQL address, and the one that is used at present. With several hosts, all are asked at the same
 * time, so a dead host costs little. With one host nothing is asked: a connection simply opens.
 *
 *      known ── a connection broke, or cannot open ──▶ unknown ── search ──▶ known
 *        │                                                          └─ none fits: 503, and the next request searches again
 *        ├── every ten seconds: was another host promoted?
 *        └── a write was refused as read-only, or silence ──▶ check beside the work; if another server fits better, or this
 *            one is gone, all connections to it are closed
 *
 * **Private parts of pg 8.23.1.** `cut` uses `client.connection.stream`, the socket of a `pg.Client`.
 */
import pg from 'pg'
import { StoreUnavailable } from './database.ts'
import { type Host, readHosts, type SessionAttributes } from './postgresql-hosts.ts'
import {
  chooseServer,
  type Examined,
  isCertain,
  type ServerRequirements,
  type ServerState,
  whyNot,
} from './server-choice.ts'

/** How long a connection may take to open. */
const usualConnectMs = 5_000
/** How long the search for a server waits for those that do not answer. */
const searchMs = 3_000
/** How long it waits for a better server after it has found one. */
const graceMs = 1_000
/** The interval at which the other hosts are asked whether one of them was promoted. */
const pollEveryMs = 10_000
/** A search that found nothing is not repeated within this time. */
const failedMs = 250
/** The interval between checks of a server that refuses writes. */
const checkEveryMs = 1_000
/** How long a server may take to answer a check before it counts as gone. */
const checkMs = 5_000
const keepAliveMs = 30_000
/** How long a connection may take to close. */
const closeMs = 1_000

export interface Server extends Host {
  readonly settings: pg.ClientConfig
}

/** A connection to one of the servers, and the progress of its statements. */
export class ServerConnection extends pg.Client {
  readonly server: Server
  /** Statements that were sent and not answered. */
  waiting = 0
  answered = 0
  /** Whether the server process belongs to this connection, and no pooler is between. */
  isOwn = false
  /** A commit was reported before the synchronous standby had it. */
  isUnconfirmed = false

  constructor(server: Server) {
    super(server.settings)
    this.server = server
    this.on('notice', ({ routine }) => {
      // The text of this warning depends on the language of the server. PostgreSQL has committed, and says so next,
      // although the standby may not have the commit.
      if (routine === 'SyncRepWaitForLSN') this.isUnconfirmed = true
    })
  }

  /** Closes it. A server that does not answer is not waited for. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.cut(new Retired('the connection is closed')), closeMs)
    await this.end().catch(() => undefined)
    clearTimeout(timer)
  }

  /** Closes it without waiting for the server. Statements without an answer fail. */
  cut(reason: Error): void {
    this.connection.stream.destroy(reason)
  }
}

/** A connection was closed because its server is no longer used. */
export class Retired extends Error {
  readonly code = 'ECONNABORTED'
}

/** No server of the address can be used. */
export class NoPrimary extends Error {
  constructor(examined: readonly Examined<Host>[], wanted: ServerRequirements) {
    const codes = examined.map(({ error }) => (error instanceof Error && 'code' in error ? error.code : undefined))
    const isSame = codes.every((code) => code !== undefined && code === codes[0])
    super(
      examined.map((each) => `${each.server.name}: ${whyNot(each, wanted)}`).join('; '),
      isSame ? { cause: examined[0]?.error } : {},
    )
    this.name = 'NoPrimary'
  }
}

const stateText = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only`
const timelineText = `${stateText}, case when pg_is_in_recovery() then null
  else pg_walfile_name(pg_current_wal_lsn()) end as wal`

interface StateRow {
  standby: boolean
  read_only: boolean
  wal?: string | null
}

/** Runs `work` on a connection of its own, which is closed after `limitMs` at the latest. */
export async function askServer<T>(
  server: Server,
  limitMs: number,
  work: (client: ServerConnection) => Promise<T>,
): Promise<T> {
  const client = new ServerConnection({
    ...server,
    settings: { ...server.settings, connectionTimeoutMillis: limitMs },
  })
  client.on('error', () => undefined)
  const timer = setTimeout(() => client.cut(new Error('timeout')), limitMs)
  try {
    await client.connect()
    const result = await work(client)
    await client.close()
    return result
  } catch (error) {
    client.cut(new Error('timeout'))
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Asks a server what it is. */
export const examineServer = (server: Server, limitMs: number): Promise<ServerState> =>
  askServer(server, limitMs, async (client) => {
    const ask = async (text: string): Promise<StateRow | undefined> => (await client.query<StateRow>(text)).rows[0]
    // Some services that speak PostgreSQL's protocol do not tell the timeline.
    const row = await ask(timelineText).catch((error: unknown) => {
      const isRefused = error instanceof pg.DatabaseError && !/^(08|53|57)/.test(error.code ?? '')
      if (!isRefused) throw error
      return ask(stateText)
    })
    // The name of a log file begins with its timeline, in eight hexadecimal digits.
    const timeline = row?.wal ? Number.parseInt(row.wal.slice(0, 8), 16) : undefined
    return { isStandby: row?.standby === true, isReadOnly: row?.read_only === true, timeline }
  })

/** Examines all servers at once. Ends when all have answered, or a moment after `isEnough`. */
export async function examineServers(
  servers: readonly Server[],
  limitMs: number,
  isEnough: (examined: readonly Examined<Server>[]) => boolean = () => false,
): Promise<Examined<Server>[]> {
  const found = new Map<Server, Examined<Server>>()
  // In the order of the address.
  const examined = (): Examined<Server>[] =>
    servers.map((server) => found.get(server) ?? { server, error: new Error('timeout') })
  const enough = Promise.withResolvers<void>()
  let grace: NodeJS.Timeout | undefined
  const all = servers.map(async (server) => {
    try {
      found.set(server, { server, state: await examineServer(server, limitMs) })
    } catch (error) {
      found.set(server, { server, error })
    }
    if (isEnough(examined())) grace ??= setTimeout(enough.resolve, graceMs)
  })
  await Promise.race([Promise.all(all), enough.promise])
  clearTimeout(grace)
  return examined()
}

/** What happened to the servers, for the log. */
export type ServerNews = (news: { server: string; before?: string | undefined; reason?: string }, text: string) => void

export class Servers {
  readonly all: readonly Server[]
  readonly attributes: SessionAttributes
  readonly connectMs: number
  readonly #news: ServerNews
  readonly #open = new Set<ServerConnection>()
  #current: Server | undefined
  #last: Server | undefined
  #newest = 0
  #searching: Promise<Server> | undefined
  #failed: { at: number; error: unknown } | undefined
  #checking: Promise<void> | undefined
  #checkedAt = Number.NEGATIVE_INFINITY
  #polledAt = 0

  constructor(url: string, news: ServerNews = () => undefined) {
    const { hosts, attributes, connectMs = usualConnectMs } = readHosts(url)
    this.attributes = attributes
    this.connectMs = connectMs
    this.#news = news
    this.all = hosts.map((host) => ({
      ...host,
      settings: {
        connectionString: host.url,
        connectionTimeoutMillis: connectMs,
        application_name: 'waypost',
        pipeline: true,
        keepAlive: true,
        keepAliveInitialDelayMillis: keepAliveMs,
      },
    }))
    // A single server needs no search.
    if (this.all.length === 1) this.#current = this.all[0]
  }

  get #wanted(): ServerRequirements {
    return { attributes: this.attributes, newest: this.#newest }
  }

  /** The open connections. */
  connections(): readonly ServerConnection[] {
    return [...this.#open]
  }

  /** The server for new connections; undefined if a search is necessary. */
  current(): Server | undefined {
    return this.#current
  }

  /** The current server, or the last one while it is unknown. A connection to it fails, and nothing is sent. */
  nearest(): Server {
    const server = this.#current ?? this.#last ?? this.all[0]
    if (!server) throw new Error('the address has no host')
    return server
  }

  /** Registers a connection until it ends. */
  track(client: ServerConnection): void {
    this.#open.add(client)
    client.once('end', () => this.#open.delete(client))
  }

  /** The server for new connections. Rejects with `StoreUnavailable` if there is none. */
  find(): Promise<Server> {
    if (this.#current) return Promise.resolve(this.#current)
    if (this.#failed && performance.now() - this.#failed.at < failedMs) return Promise.reject(this.#failed.error)
    this.#searching ??= this.#search().finally(() => {
      this.#searching = undefined
    })
    return this.#searching
  }

  /** A connection to the server broke or could not be opened. Returns whether there are other servers to try. */
  lost(server: Server): boolean {
    if (this.all.length === 1) return false
    if (server === this.#current) this.#current = undefined
    return true
  }

  /**
   * Checks a server beside the work that continues: it refused a write as read-only, or it is silent. Resolves when the
   * check is done. There is at most one check per `checkEveryMs`.
   */
  check(server: Server, doubt: 'read-only' | 'silent'): Promise<void> {
    if (server !== this.#last && this.all.length > 1) return Promise.resolve()
    if (this.#checking) return this.#checking
    if (performance.now() - this.#checkedAt < checkEveryMs) return Promise.resolve()
    this.#checking = this.#check(server, doubt).finally(() => {
      this.#checkedAt = performance.now()
      this.#checking = undefined
    })
    return this.#checking
  }

  /** The error for a connection that leads to a standby. */
  refusal(server: Server): NoPrimary {
    const state = { isStandby: true, isReadOnly: true, timeline: undefined }
    return new NoPrimary([{ server, state }], this.#wanted)
  }

  cutAll(reason: string): void {
    for (const server of this.all) this.retire(server, reason)
  }

  /**
   * Asks all hosts now and then whether one of them was promoted. A server that was replaced may not know it, and its
   * reads are old.
   */
  async poll(): Promise<void> {
    if (this.all.length === 1 || !this.#current || performance.now() - this.#polledAt < pollEveryMs) return
    this.#polledAt = performance.now()
    const before = this.#current
    const examined = await examineServers(this.all, searchMs)
    const { timeline = 0 } = examined.find(({ server }) => server === before)?.state ?? {}
    this.#newest = Math.max(this.#newest, timeline)
    if (this.#current === before && isCertain(examined, this.#wanted)) {
      const found = chooseServer(examined, this.#wanted)
      if (found) this.#settle(found, examined)
    }
  }

  /** Closes all connections to a server. The next statements open new ones. */
  retire(server: Server, reason: string): void {
    for (const client of this.#open) {
      if (client.server === server) client.cut(new Retired(`PostgreSQL at ${server.name} is no longer used: ${reason}`))
    }
  }

  async #search(): Promise<Server> {
    // The last server comes first among equal ones.
    const order = this.all.toSorted((a, b) => Number(b === this.#last) - Number(a === this.#last))
    const fits = (examined: readonly Examined<Server>[]): boolean => chooseServer(examined, this.#wanted) !== undefined
    const examined = await examineServers(order, searchMs, fits)
    const found = chooseServer(examined, this.#wanted)
    if (!found) {
      const why = new NoPrimary(examined, this.#wanted)
      const error = new StoreUnavailable('no PostgreSQL server of DATABASE_URL accepts changes', why)
      if (!this.#failed) this.#news({ server: 'none', reason: why.message }, 'no PostgreSQL server accepts changes')
      this.#failed = { at: performance.now(), error }
      throw error
    }
    this.#settle(found, examined)
    return found
  }

  #settle(found: Server, examined: readonly Examined<Server>[]): void {
    const { state } = examined.find(({ server }) => server === found) ?? {}
    this.#newest = Math.max(this.#newest, state?.timeline ?? 0)
    const before = this.#last
    const isBack = this.#failed !== undefined
    this.#current = found
    this.#last = found
    this.#polledAt = performance.now()
    this.#failed = undefined
    if (before !== found) {
      for (const other of this.all) if (other !== found) this.retire(other, `${found.name} is the primary`)
      this.#news({ server: found.name, before: before?.name }, 'PostgreSQL is used at this host')
    } else if (isBack) this.#news({ server: found.name }, 'PostgreSQL is used at the same host again')
  }

  async #check(server: Server, doubt: 'read-only' | 'silent'): Promise<void> {
    const isBetter = (examined: readonly Examined<Server>[]): boolean => isCertain(examined, this.#wanted)
    const examined = await examineServers(this.all, checkMs, isBetter)
    const found = chooseServer(examined, this.#wanted)
    const own = examined.find((each) => each.server === server)
    if (found !== undefined && found !== server) {
      this.#settle(found, examined)
      this.retire(server, `${found.name} is the primary`)
      return
    }
    if (found === server) {
      // Its connections refuse what the server accepts: they lead to another server, as with a proxy that has moved.
      if (doubt === 'read-only' && own?.state?.isReadOnly === false) this.retire(server, 'it accepts changes again')
      return
    }
    // It answers, if only with an error such as "too many connections": its connections may still work.
    const isAlive = own?.error instanceof pg.DatabaseError && !/^(08|57)/.test(own.error.code ?? '')
    if (isAlive) return
    const reason = own ? whyNot(own, this.#wanted) : 'it cannot be used'
    this.#news({ server: server.name, reason }, 'all connections to this PostgreSQL server are closed')
    this.lost(server)
    this.retire(server, reason)
  }
}
