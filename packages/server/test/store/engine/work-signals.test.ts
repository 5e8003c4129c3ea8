/** Writes on one node are signaled to the others, and an idle node makes few queries. */
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renewDataKey } from '../../../src/applications/data-keys.ts'
import { sleep } from '../../../src/lib/clock.ts'
import { beat } from '../../../src/node.ts'
import { type Database, sql as declare, type Topic } from '../../../src/store/engine/database.ts'
import { openPostgresql } from '../../../src/store/engine/postgresql.ts'
import { openSqlite } from '../../../src/store/engine/sqlite.ts'
import { withWorkSignals } from '../../../src/store/engine/work-signals.ts'
import { writeFact } from '../../../src/store/tables/applications/installation.ts'
import { until } from '../../changes/watching.ts'
import { openService } from '../../harness.ts'
import { freshDatabaseUrl, migratedDatabase, sharedPostgresUrl, type TestDatabase } from '../../peers/database-url.ts'
import { startPgBouncer } from '../../peers/pgbouncer.ts'
import { sql } from '../../statement.ts'

const topics: readonly Topic[] = ['deliveries', 'sends', 'jobs', 'watches']
const outbox = { writes: ['outbox'], raises: ['jobs'] } as const
const put = declare({ name: 'test.put', text: 'insert into outbox (id) values ($1)', ...outbox })
const putNone = declare({ name: 'test.putNone', text: 'insert into outbox (id) select $1 where 1 = 0', ...outbox })
const connections = sql<{ pid: number }>(
  'test.listening',
  "select pid from pg_stat_activity where datname = current_database() and query like 'listen%'",
)
const end = sql('test.end', 'select pg_terminate_backend($1)')

describe('two processes on one PostgreSQL', () => {
  const stack = new AsyncDisposableStack()
  let url: string
  const open = (name: string, options: Parameters<typeof openPostgresql>[2] = {}, at = url) => {
    const store = stack.use(openPostgresql(at, () => undefined, options))
    const { database, signals } = withWorkSignals(store, name)
    stack.use(signals)
    const heard: Topic[] = []
    for (const topic of topics) signals.on({ [topic]: () => void heard.push(topic) })
    return { database, signals, heard }
  }
  let plain: Database
  beforeAll(async () => {
    url = await freshDatabaseUrl()
    plain = stack.use(openPostgresql(url, () => undefined))
    await plain.execute('create table outbox (id text primary key)')
  })
  afterAll(() => stack.disposeAsync())

  test("receive the other's commits, once for many of them, and nothing that was rolled back", async () => {
    const [writer, hearer] = [open('writer'), open('hearer')]
    hearer.signals.listen()
    await until(() => expect(hearer.signals.maxRest()).toBe(15_000))
    // Signals from before it listened are lost: it checks everything once.
    expect(hearer.heard.splice(0)).toEqual(['deliveries', 'sends', 'jobs', 'watches'])
    expect(await writer.database.run(putNone, ['none'])).toBe(0)
    await writer.database
      .transaction((tx) => tx.run(put, ['lost']).then(() => Promise.reject(new Error('undone'))))
      .catch(() => undefined)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        writer.database.transaction((tx) => tx.post(put, [`kept-${index}`]), {
          key: String(index),
          applicationId: 'x',
        }),
      ),
    )
    await until(() => expect(hearer.heard.length).toBeGreaterThan(0))
    expect(new Set(hearer.heard)).toEqual(new Set(['jobs']))
    expect(hearer.heard.length).toBeLessThan(25)
    expect(writer.heard.length).toBe(50)
  })

  test('listen again after the connection was lost, and check what they may have missed', async () => {
    const [writer, hearer] = [open('writer'), open('hearer')]
    hearer.signals.listen()
    await until(() => expect(hearer.signals.maxRest()).toBe(15_000))
    const lost = (await plain.all(connections)).map(({ pid }) => pid)
    expect(lost.length).toBeGreaterThan(0)
    hearer.heard.splice(0)
    for (const pid of lost) await plain.get(end, [pid])
    await until(() => expect(hearer.heard).toContain('watches'))
    await until(() => expect(hearer.signals.maxRest()).toBe(15_000))
    hearer.heard.splice(0)
    await writer.database.run(put, ['after'])
    await until(() => expect(hearer.heard).toEqual(['jobs']))
  })

  test('send no signals if they are alone, except for their last writes before they end', async () => {
    const hearer = open('hearer')
    hearer.signals.listen()
    await until(() => expect(hearer.signals.maxRest()).toBe(15_000))
    hearer.heard.splice(0)
    {
      await using alone = openPostgresql(url, () => undefined)
      const { database, signals } = withWorkSignals(alone, 'alone')
      signals.setNodes(['alone'])
      await database.run(put, ['unheard'])
      signals.setNodes(['alone', 'hearer'])
      await database.run(put, ['heard'])
      await signals[Symbol.asyncDispose]()
    }
    await until(() => expect(hearer.heard).toEqual(['jobs']))
  })

  test('behind a pooler cannot listen, except at the address of PostgreSQL itself', async () => {
    await using pgbouncer = await startPgBouncer(await sharedPostgresUrl())
    const pooled = pgbouncer.through(url)
    const told = Promise.withResolvers<void>()
    const deaf = open('deaf', { onDeaf: told.resolve }, pooled)
    deaf.signals.listen()
    await told.promise
    expect(deaf.signals.maxRest()).toBe(0)
    const hearer = open('hearer', { directUrl: url }, pooled)
    hearer.signals.listen()
    await until(() => expect(hearer.signals.maxRest()).toBe(15_000))
    hearer.heard.splice(0)
    await deaf.database.run(put, ['through the pooler'])
    await until(() => expect(hearer.heard).toEqual(['jobs']))
  })
})

describe('an idle node', () => {
  let store: TestDatabase
  beforeAll(async () => {
    store = await migratedDatabase()
  })
  afterAll(() => store?.[Symbol.asyncDispose]())

  test('queries its store less than three times a second, on PostgreSQL and SQLite', () =>
    Promise.all([asksLittle({ databaseUrl: store.url }), asksLittle({})]))

  test('on SQLite makes no queries for its heartbeat until a command has written to the store', async () => {
    await using service = await openService()
    const { services } = service
    await beat(services)
    let looks = 0
    services.signals.on({ deliveries: () => looks++, watches: () => looks++ })
    const asked = (): string[] =>
      ['data_keys.list', 'installation.read', 'nodes.live'].filter((name) => {
        const count = services.database.figures.statements().get(name)?.count ?? 0
        const isAsked = count > (before.get(name) ?? 0)
        before.set(name, count)
        return isAsked
      })
    const before = new Map<string, number>()
    asked()
    await writeFact(services.database, 'last_backup_at', '1')
    await beat(services)
    expect([asked(), looks]).toEqual([[], 0])
    {
      await using beside = openSqlite(path.join(services.config.dataDir, 'waypost.db'))
      await renewDataKey(beside, services.secrets, services.clock.now() + 1)
    }
    const former = services.dataKeys.newest().id
    await beat(services)
    expect([asked(), looks]).toEqual([['data_keys.list', 'installation.read', 'nodes.live'], 2])
    expect(services.dataKeys.newest().id).not.toBe(former)
    await beat(services)
    expect([asked(), looks]).toEqual([[], 2])
  })

  async function asksLittle(of: { databaseUrl?: string }): Promise<void> {
    await using service = await openService(of)
    await service.listen()
    const { database, signals } = service.services
    await until(() => expect(signals.maxRest()).toBeGreaterThan(0))
    const asked = (): Map<string, number> =>
      new Map([...database.figures.statements()].map(([name, { count }]) => [name, count]))
    const loops = ['delivery_leases.due', 'sends.due', 'outbox.claim', 'watch_shards.tally']
    // Writes at the start keep it polling for a while, less and less often.
    await until(async () => {
      const before = asked()
      await sleep(2_000)
      for (const name of loops) expect(asked().get(name), name).toBe(before.get(name))
    })
    const before = asked()
    // As long as the interval of the polls that remain, so that exactly one round of them is counted.
    const seconds = 15
    await sleep(seconds * 1_000)
    const more = [...asked()].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
    const sum = more.reduce((all, [, count]) => all + count, 0)
    expect(sum, JSON.stringify(more.filter(([, count]) => count > 0))).toBeLessThan(seconds * 3)
  }
})
