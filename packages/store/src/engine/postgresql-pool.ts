/** The pool of connections for transactions and single writes. */
import pg from 'pg'
import { StoreUnavailable } from './database.ts'
import { NoPrimary, ServerConnection, type Servers } from './postgresql-servers.ts'
import { isLost, isReadOnlyRefusal, translate } from './postgresql-statements.ts'

export type WithClient = <T>(work: (client: ServerConnection) => Promise<T>) => Promise<T>

/** Takes a connection from the pool. Nothing was sent yet, so another server is tried if this one is gone. */
async function takeClient(pool: pg.Pool, servers: Servers): Promise<pg.PoolClient> {
  for (let attempt = 1; ; attempt++) {
    const server = servers.current() ?? (await servers.find())
    try {
      return await pool.connect()
    } catch (error) {
      const isElsewhere = (isLost(error) || error instanceof NoPrimary) && servers.lost(server)
      if (!isElsewhere || attempt === 2) throw error
    }
  }
}

/** Lends connections of the pool. A connection that broke in the meantime is not returned to it. */
export const lending =
  (pool: pg.Pool, servers: Servers): WithClient =>
  async (work) => {
    const client = await takeClient(pool, servers).catch((error) => {
      throw translate(error)
    })
    if (!(client instanceof ServerConnection)) throw new Error('the pool made a connection of another kind')
    let broken: Error | undefined
    const onError = (error: Error): void => {
      broken = error
    }
    client.on('error', onError)
    try {
      return await work(client)
    } catch (error) {
      const cause = error instanceof StoreUnavailable ? error.cause : error
      // The server answers, and its connections still serve reads.
      if (isReadOnlyRefusal(cause)) void servers.check(client.server, 'read-only')
      else if (error instanceof StoreUnavailable && !error.isPart) broken = error
      if (isLost(cause)) servers.lost(client.server)
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

/** The pool. Its connections go to the server that is current when they open. */
export function openPool(servers: Servers, max: number, opened: (client: ServerConnection) => Promise<void>): pg.Pool {
  class PooledConnection extends ServerConnection {
    constructor() {
      super(servers.nearest())
    }
  }
  return new pg.Pool({
    max,
    Client: PooledConnection,
    connectionTimeoutMillis: servers.connectMs,
    idleTimeoutMillis: 30_000,
    onConnect: (client) => (client instanceof ServerConnection ? opened(client) : undefined),
  })
}
