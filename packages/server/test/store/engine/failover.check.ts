/** A store on a primary and its standby: what happens to statements while the two change places. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, StoreUnavailable } from '@waypost/store/engine/database'
import { migrate } from '@waypost/store/migrations/migrate'
import { watchHealth } from '@waypost/store/store-health'
import { type PostgresPair, startPostgresPair } from '@waypost/testing/peers/postgres-pair'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openPostgresql } from '../../../../store/src/engine/postgresql.ts'
import { serverFindings } from '../../../src/cli/doctor/servers.ts'

const put = sql('test.put', 'insert into things (id) values ($1)')
const count = sql<{ n: number }>('test.count', 'select count(*) as n from things')
const patient = { timeout: 60_000, interval: 50 }

describe('a store with two hosts', { timeout: 300_000 }, () => {
  let pair: PostgresPair
  let url: string
  let news: { server: string; text: string }[]
  let database: Database
  let stored = 0

  beforeAll(async () => {
    pair = await startPostgresPair()
    url = await pair.createDatabase()
    news = []
    database = openPostgresql(url, () => undefined, { onNews: ({ server }, text) => news.push({ server, text }) })
    await migrate(database, Date.now())
    await database.execute('create table things (id text primary key)')
  })
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]()
    await pair?.[Symbol.asyncDispose]()
  })

  const write = async (): Promise<void> => {
    await database.run(put, [`thing ${stored}`])
    stored++
  }
  const hostOf = (server: { url(): string }): string => new URL(server.url()).host

  /** Writes until a write succeeds. Every failure until then must be one that a client may retry. */
  const untilWritten = (): Promise<void> =>
    vi.waitFor(async () => {
      const failure = await write().catch((error: unknown) => error)
      if (failure !== undefined && !(failure instanceof StoreUnavailable)) throw failure
      expect(failure).toBeUndefined()
    }, patient)

  test('uses the primary, also if the standby is the first host', async () => {
    const [first, second] =
      new URL(pair.primary().url()).host === hostsOf(url)[0] ? hostsOf(url) : hostsOf(url).reverse()
    await using reversed = openPostgresql(url.replace(/@[^/]*/, `@${second},${first}`), () => undefined)
    await write()
    expect(await reversed.get(count)).toEqual({ n: stored })
    await expect(reversed.run(put, ['thing 0'])).rejects.toMatchObject({ code: '23505' })
  })

  test('finds the promoted standby after a crash of the primary, with every acknowledged write', async () => {
    await write()
    await pair.primary().stop('immediate')
    await expect(write()).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(database.get(count)).rejects.toBeInstanceOf(StoreUnavailable)
    await pair.promote()
    await untilWritten()
    expect(await database.get(count)).toEqual({ n: stored })
    expect(news.at(-1)).toEqual({ server: hostOf(pair.primary()), text: 'PostgreSQL is used at this host' })
    await pair.rejoin()
  })

  test('leaves a frozen primary without waiting for TCP, and does not return to it', async () => {
    await write()
    const frozen = pair.primary()
    frozen.signalAll('SIGSTOP')
    const reading = database.get(count).catch((error: unknown) => error)
    await pair.promote()
    await untilWritten()
    expect(await reading).toBeInstanceOf(StoreUnavailable)
    // It resumes, and assumes that it is still the primary.
    frozen.signalAll('SIGCONT')
    await using fresh = openPostgresql(url, () => undefined)
    await write()
    await vi.waitFor(async () => expect(await fresh.get(count)).toEqual({ n: stored }), patient)
    await pair.rejoin()
  })

  test('reports a primary that was set read-only, serves reads meanwhile, and accepts writes when it is over', async () => {
    await write()
    const { health } = watchHealth(database)
    await pair.primary().query('ALTER SYSTEM SET default_transaction_read_only = on')
    await pair.primary().query('SELECT pg_reload_conf()')
    const refused = await vi.waitFor(async () => {
      const failure = await write().catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(StoreUnavailable)
      return failure
    }, patient)
    expect(refused).toMatchObject({ isReadOnly: true, message: 'PostgreSQL is read-only and accepts no changes' })
    expect(await health.problem()).toBe('PostgreSQL is read-only and accepts no changes')
    expect(await database.get(count)).toEqual({ n: stored })
    await pair.primary().query('ALTER SYSTEM RESET default_transaction_read_only')
    await pair.primary().query('SELECT pg_reload_conf()')
    await untilWritten()
  })

  test('says that commits wait for the standby, and reports a canceled wait as a failure', async () => {
    await pair.standby().stop('immediate')
    const { health } = watchHealth(database)
    const waiting = database.run(put, ['waits']).catch((error: unknown) => error)
    await vi.waitFor(
      async () => expect(await health.problem()).toBe('PostgreSQL waits for its synchronous standby'),
      patient,
    )
    const canceled = 'SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = $$SyncRep$$'
    await vi.waitFor(async () => {
      await pair.primary().query(canceled)
      expect(await Promise.race([waiting, sleep(100, 'waits')])).not.toBe('waits')
    }, patient)
    expect(await waiting).toMatchObject({
      name: 'StoreUnavailable',
      message: 'PostgreSQL has not confirmed that its standby has the change',
    })
    await pair.rejoin()
    stored++
    await untilWritten()
    expect(await database.get(count)).toEqual({ n: stored })
  })

  test('is described by waypost doctor: the primary, the standby, and whether commits wait for it', async () => {
    const reported = async (): Promise<string[]> =>
      (await serverFindings(url)).map(({ check, state, message }) => `${state} ${check}: ${message}`)
    const [primary, standby] = [pair.primary(), pair.standby()].map(hostOf)
    await vi.waitFor(
      async () =>
        expect(await reported()).toEqual(
          expect.arrayContaining([
            expect.stringMatching(`ok servers: ${primary} is the primary, on timeline \\d`),
            `ok servers: ${standby} is a standby`,
            'ok standbys: the standby walreceiver at 127.0.0.1 streams, sync',
            'ok standbys: commits wait for the standby (synchronous_commit=on)',
          ]),
        ),
      patient,
    )
    await pair.standby().stop('immediate')
    await vi.waitFor(
      async () =>
        expect(await reported()).toEqual(
          expect.arrayContaining([
            `warning servers: ${standby}: nothing listens there`,
            "problem standbys: commits wait for a standby that is not there: synchronous_standby_names is '*'",
          ]),
        ),
      patient,
    )
    await pair.rejoin()
  })

  test('refuses a standby alone, and says so', async () => {
    await using lonely = openPostgresql(
      pair
        .standby()
        .url()
        .replace(/\/postgres$/, new URL(`postgres://x/${url.split('/').at(-1)}`).pathname),
      () => undefined,
    )
    for (const attempt of [() => lonely.get(count), () => lonely.run(put, ['x'])]) {
      await expect(attempt()).rejects.toMatchObject({
        name: 'StoreUnavailable',
        isReadOnly: true,
        message: 'PostgreSQL is a standby and accepts no changes',
      })
    }
  })
})

const hostsOf = (url: string): string[] => (/@([^/]*)/.exec(url)?.[1] ?? '').split(',')
