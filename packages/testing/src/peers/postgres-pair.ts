/**
 * A primary and a synchronous standby that change roles, as tools such as Patroni do. While the primary has no standby,
 * commits do not wait for one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresPeer, startPostgres, startStandby } from './postgres.ts'

export interface PostgresPair extends AsyncDisposable {
  primary(): PostgresPeer
  standby(): PostgresPeer
  /** The address of a database with both hosts, in the same order each time. */
  url(database: string): string
  /** Creates a database on the primary and returns its address with both hosts. */
  createDatabase(): Promise<string>
  /** Promotes the standby, whatever happened to the other server. */
  promote(): Promise<void>
  /** Makes the former primary the standby of the new one, with a fresh copy of its data. */
  rejoin(): Promise<void>
  /** Waits until every commit of the primary waits for the standby. */
  untilSynchronous(): Promise<void>
}

const settings = { wal_keep_size: '256MB', wal_receiver_timeout: '5s', wal_sender_timeout: '5s' }
const deadlineMs = 120_000

/** Runs an ALTER SYSTEM and waits until the server uses the value. */
async function setSystem(server: PostgresPeer, name: string, value: string): Promise<void> {
  await server.query(`ALTER SYSTEM SET ${name} = '${value}'`)
  await server.query('SELECT pg_reload_conf()')
  for (const until = performance.now() + deadlineMs; performance.now() < until; await sleep(10)) {
    if ((await server.query(`SHOW ${name}`))[0]?.[name] === value) return
  }
  throw new Error(`PostgreSQL does not use ${name} = '${value}'`)
}

export async function startPostgresPair(): Promise<PostgresPair> {
  await using stack = new AsyncDisposableStack()
  let primary = stack.use(await startPostgres({ settings }))
  let standby = stack.use(await startStandby(primary, { settings }))
  const hosts = [primary, standby].map((server) => new URL(server.url()).host).join(',')

  async function untilSynchronous(): Promise<void> {
    const state = 'SELECT sync_state FROM pg_stat_replication WHERE state = $$streaming$$'
    await setSystem(primary, 'synchronous_standby_names', '*')
    for (const until = performance.now() + deadlineMs; performance.now() < until; await sleep(20)) {
      if ((await primary.query(state))[0]?.sync_state === 'sync') return
    }
    throw new Error('the standby does not become synchronous')
  }

  await untilSynchronous()
  const retained = stack.move()
  const url = (database: string): string => `postgres://waypost@${hosts}/${database}`
  return {
    primary: () => primary,
    standby: () => standby,
    url,
    createDatabase: async () => url(new URL(await primary.createDatabase()).pathname.slice(1)),
    async promote() {
      await standby.query('SELECT pg_promote(wait => true, wait_seconds => 60)')
      ;[primary, standby] = [standby, primary]
      await setSystem(primary, 'synchronous_standby_names', '')
    },
    async rejoin() {
      standby.signalAll('SIGCONT')
      await standby.stop('immediate')
      await standby.follow(primary)
      await standby.start()
      await untilSynchronous()
    },
    untilSynchronous,
    [Symbol.asyncDispose]: () => retained.disposeAsync(),
  }
}
