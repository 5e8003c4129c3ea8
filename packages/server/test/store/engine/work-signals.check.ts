/** Writes on one node are signaled to the others through PostgreSQL, and an idle node makes few queries. */

import { sleep } from '@waypost/platform/clock'
import { type Database, sql as declare, type Topic } from '@waypost/store/engine/database'
import { withWorkSignals } from '@waypost/store/engine/work-signals'
import {
  freshDatabaseUrl,
  migratedDatabase,
  sharedPostgresUrl,
  type TestDatabase,
} from '@waypost/testing/peers/database-url'
import { startPgBouncer } from '@waypost/testing/peers/pgbouncer'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresql } from '../../../../store/src/engine/postgresql.ts'
import { until } from '../../changes/watching.ts'
import { openService } from '../../harness.ts'
import { expectFewQueries } from './idle-node.ts'

const topics: readonly Topic[] = ['deliveries', 'sends', 'jobs', 'watches']
const put = declare('test.put', { raises: ['jobs'] })`insert into outbox (id) values ($1)`
const putNone = declare('test.putNone', { raises: ['jobs'] })`insert into outbox (id) select $1 where 1 = 0`
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
    const reported = Promise.withResolvers<void>()
    const deaf = open('deaf', { onDeaf: reported.resolve }, pooled)
    deaf.signals.listen()
    await reported.promise
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

  test('queries PostgreSQL less than three times a second', async () => {
    await using service = await openService({ databaseUrl: store.url })
    await service.listen()
    const { database, signals } = service.services.storage
    await until(() => expect(signals.maxRest()).toBeGreaterThan(0))
    await expectFewQueries(database, (milliseconds) => sleep(milliseconds))
  })
})
