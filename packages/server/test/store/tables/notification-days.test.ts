/**
 * Notifications by day: where rows are stored, and how old ones are deleted in small steps or by
 * partition.
 */
import { mkdtempDisposable, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database, Value } from '@waypost/store/engine/database'
import { migrate } from '@waypost/store/migrations/migrate'
import { listAttempts } from '@waypost/store/tables/notifications/attempt-log'
import {
  dayMs,
  dayOfPosition,
  firstPositionOf,
  makePartitions,
  partitionedDays,
  positionsPerDay,
} from '@waypost/store/tables/notifications/day-partitions'
import { dueDeliveries, notificationsAt } from '@waypost/store/tables/notifications/deliveries'
import { piece } from '@waypost/store/tables/notifications/notification-purge'
import { getNotification, readStream } from '@waypost/store/tables/notifications/notification-stream'
import { notificationAdder } from '@waypost/store/tables/notifications/notifications'
import { requeueNotifications } from '@waypost/store/tables/notifications/replays'
import { engines } from '@waypost/testing/engines'
import { emptyPostgres } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPostgresql } from '../../../../store/src/engine/postgresql.ts'
import { openSqlite } from '../../../../store/src/engine/sqlite.ts'
import { purgeRetained } from '../../../src/webhooks/retention.ts'

const today = 20_000
const noon = today * dayMs + dayMs / 2
const destination = { applicationId: 'app', webhookId: 'hook' }

const webhook = sql(
  'test.webhook',
  `insert into webhooks (id, application_id, webhook_url, status, triggers, sealed_secret, revision, status_updated_at,
   created_at, updated_at, document) values ('hook', 'app', 'https://a.test', 'active', ' event.created ', '', 1, 0, 0, 0, '')`,
)

const application = sql(
  '',
  `insert into applications (id, environment, default_workspace_id, blocked, branding, hosted_authentication, idp_settings,
   additional_settings, notification_stream_until, notification_days, created_at, updated_at)
   values ($1, 'sandbox', 'w', 0, '{}', '{}', '{}', '{}', $2, $3, 1, 1)`,
)
const addApplication = (database: Database, id: string, days: number | null = null): Promise<number> =>
  database.run(application, [id, Number.MAX_SAFE_INTEGER, days])

describe.each(engines)('on %s', (engine) => {
  let stack: AsyncDisposableStack
  let database: Database
  let file: string
  beforeEach(async () => {
    stack = new AsyncDisposableStack()
    if (engine === 'sqlite') {
      const folder = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-days-')))
      file = path.join(folder.path, 'waypost.db')
    }
    database = stack.use(
      engine === 'sqlite' ? openSqlite(file) : openPostgresql(await emptyPostgres(), () => undefined),
    )
  })
  afterEach(() => stack.disposeAsync())

  const tell = (id: string, createdAt: number, { app = 'app', sealedPayload = 'x' } = {}): Promise<void> =>
    database.transaction((tx) =>
      notificationAdder(engine)(
        tx,
        { id, applicationId: app, grantId: 'grant', trigger: 'event.created', source: '/x', createdAt },
        { content: () => ({ type: 'event.created', bytes: 1, sealedPayload }), onQueued: () => undefined },
      ),
    )
  const count = async (table: string, where = '1 = 1'): Promise<number> =>
    (await database.get(sql<{ n: number }>('', `select count(*) as n from ${table} where ${where}`)))?.n ?? 0
  // From the newest on: reading forward ends before the oldest open transaction on the server.
  const streamed = async (app = 'app') =>
    (
      await readStream(database, engine, { applicationId: app, order: 'desc', from: undefined, limit: 1_000 })
    ).toReversed()
  const withGrant = async (): Promise<void> => {
    // Sequence numbers are counted for a grant of the application.
    await database.run(
      sql(
        '',
        `insert into grants (id, application_id, connector_id, provider, email_key, status, blocked, workspace_id, created_at,
         updated_at, document)
         values ('grant', 'app', '', 'virtual-calendar', 'a@b.test', 'valid', 0, '', 1, 1, '{}')`,
      ),
    )
  }

  test('waiting and failed deliveries and their attempts are found by application and destination', async () => {
    await migrate(database, noon)
    await makePartitions(database, today, 1)
    await addApplication(database, 'app')
    await database.run(webhook)
    await withGrant()
    for (const id of ['one', 'two', 'three']) await tell(id, noon)
    const positionOf = (id: string) => `(select position from notifications where id = '${id}')`
    await database.execute(`
      update deliveries set attempts = 2, tries = 1, due_at = 5;
      update deliveries set state = 'failed' where notification = ${positionOf('two')};
      delete from deliveries where notification = ${positionOf('three')};
      insert into delivery_attempts (webhook_id, notification, attempt, application_id, at, latency_ms, status)
        select 'hook', position, 1, 'app', 7, 1, case when id = 'three' then 200 else 500 end from notifications;`)
    expect((await streamed()).map(({ id }) => id)).toEqual(['one', 'two', 'three'])
    const due = await dueDeliveries(database, destination, { now: 10, limit: 10 })
    expect(due).toEqual([{ id: due[0]?.id, due_at: 5, attempts: 2, tries: 1, bytes: due[0]?.bytes }])
    expect((await notificationsAt(database, database.engine, 'app', [due[0]?.id ?? 0])).map(({ id }) => id)).toEqual([
      'one',
    ])
    expect(await notificationsAt(database, database.engine, 'other', [due[0]?.id ?? 0])).toEqual([])
    expect(await count('deliveries', `state = 'failed'`)).toBe(1)
    const attempts = await listAttempts(database, destination, { filter: {}, limit: 10 })
    expect(attempts.map(({ notification_id, status }) => [notification_id, status])).toEqual([
      ['three', 200],
      ['two', 500],
      ['one', 500],
    ])
    await tell('four', noon)
    expect((await streamed()).map(({ id }) => id)).toEqual(['one', 'two', 'three', 'four'])
    expect(await dueDeliveries(database, destination, { now: noon, limit: 10 })).toHaveLength(2)
    await expect(tell('four', noon)).rejects.toThrow(/unique/i)
    const positions = [(await getNotification(database, 'app', 'four'))?.position ?? 0]
    expect(await requeueNotifications(database, destination, { positions, now: 1 })).toBe(1)
    expect(await dueDeliveries(database, destination, { now: noon, limit: 10 })).toHaveLength(2)
  })

  test('expired rows are deleted in limited steps, with their deliveries, and later days stay', async () => {
    await migrate(database, noon)
    await addApplication(database, 'app')
    await database.run(webhook)
    await withGrant()
    for (let n = 0; n < 3; n++) await tell(`old-${n}`, noon - 9 * dayMs)
    const copies = 2 * piece
    await database.execute(`
      insert into notifications (id, application_id, grant_id, sequence, type, source, bytes, created_at, sealed_payload)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${copies})
        select 'copy-' || n, 'app', 'grant', n, 'event.created', '', 1, ${noon - 8 * dayMs}, '' from numbers;`)
    await tell('at its end', noon - 7 * dayMs)
    await database.execute(`
      insert into delivery_attempts (webhook_id, notification, attempt, application_id, at, latency_ms, status)
        select 'hook', position, 1, 'app', 7, 1, 500 from notifications`)
    const steps: number[] = []
    const counting = {
      ...database,
      transaction: <T>(work: (tx: typeof database) => Promise<T>) =>
        database.transaction((tx) =>
          work({
            ...database,
            ...tx,
            async run(statement, values?: readonly Value[]) {
              steps.push(await tx.run(statement, values))
              return steps.at(-1) ?? 0
            },
          }),
        ),
    } as Database
    await purgeRetained(counting, { days: 7, now: noon, stopping: new AbortController().signal })
    expect((await streamed()).map(({ id }) => id)).toEqual(['at its end'])
    expect(await count('deliveries')).toBe(1)
    expect(await count('delivery_attempts')).toBe(1)
    expect(Math.max(...steps)).toBe(piece)
    expect(steps.length).toBeGreaterThanOrEqual(9)
  })

  if (engine === 'sqlite') {
    test('a new file shrinks after rows were deleted, in steps of some pages', async () => {
      await migrate(database, noon)
      await addApplication(database, 'app')
      await withGrant()
      const sealedPayload = 'x'.repeat(20_000)
      for (let n = 0; n < 400; n++) await tell(`old-${n}`, noon - 9 * dayMs, { sealedPayload })
      await database.rewrite()
      const { size } = await stat(file)
      let steps = 0
      const counting = {
        ...database,
        async reclaim() {
          steps++
          return database.reclaim()
        },
      }
      await purgeRetained(counting, { days: 7, now: noon, stopping: new AbortController().signal })
      expect(steps).toBeGreaterThan(3)
      await database.rewrite()
      expect(await count('notifications')).toBe(0)
      expect((await stat(file)).size).toBeLessThan(size / 2)
    })
    return
  }

  test('each day has a partition, and rows of a day without one are in the default partition', async () => {
    await migrate(database, noon)
    await addApplication(database, 'app')
    await withGrant()
    await makePartitions(database, today, 2)
    await makePartitions(database, today, 2)
    expect(await partitionedDays(database)).toEqual([today, today + 1, today + 2])
    await tell('today', noon)
    await tell('tomorrow', noon + dayMs)
    await tell('some day', noon + 9 * dayMs)
    const where = sql<{ id: string; name: string }>(
      '',
      'select id, cast(cast(tableoid as regclass) as text) as name from notifications order by position',
    )
    expect(await database.all(where)).toEqual([
      { id: 'today', name: 'notifications_20241004' },
      { id: 'tomorrow', name: 'notifications_20241005' },
      { id: 'some day', name: 'notifications_default' },
    ])
    const rows = await streamed()
    expect(rows.map(({ position }) => dayOfPosition(position))).toEqual([today, today + 1, today + 9])
    // Days that already have rows in the default partition stay there, and so do later rows.
    await makePartitions(database, today + 8, 1)
    expect(await partitionedDays(database)).toEqual([today, today + 1, today + 2, today + 8, today + 9])
    await tell('the same day', noon + 9 * dayMs)
    expect((await database.all(where)).at(-1)?.name).toBe('notifications_default')
    await expect(tell('today', noon)).rejects.toThrow(/unique/i)
  })

  test('a day that no application retains is dropped with its failures; otherwise only expired rows are deleted', async () => {
    await migrate(database, noon)
    await addApplication(database, 'app')
    await database.run(webhook)
    await withGrant()
    await makePartitions(database, today - 10, 10)
    for (const day of [10, 9, 8, 7, 1]) await tell(`${day} days ago`, noon - day * dayMs)
    const deleted: string[] = []
    const counting = {
      ...database,
      transaction: <T>(work: (tx: typeof database) => Promise<T>) =>
        database.transaction((tx) =>
          work({
            ...database,
            ...tx,
            run(statement, values?: readonly Value[]) {
              deleted.push(statement.name)
              return tx.run(statement, values)
            },
          }),
        ),
    } as Database
    const stopping = new AbortController().signal
    await purgeRetained(counting, { days: 7, now: noon, stopping })
    expect((await streamed()).map(({ id }) => id)).toEqual(['7 days ago', '1 days ago'])
    expect(await count('deliveries')).toBe(2)
    expect((await partitionedDays(database))[0]).toBe(today - 7)
    expect(deleted).toEqual([])
    await addApplication(database, 'other', 30)
    await tell('of another', noon - 7 * dayMs, { app: 'other' }).catch(() => undefined)
    await purgeRetained(counting, { days: 7, now: noon + dayMs, stopping })
    expect((await streamed()).map(({ id }) => id)).toEqual(['1 days ago'])
    expect((await partitionedDays(database))[0]).toBe(today - 7)
    expect(deleted).toContain('notifications.purge')
    expect(firstPositionOf(today)).toBeLessThan(Number.MAX_SAFE_INTEGER / 2)
  })

  test('the partition of rows from before notifications had days is dropped once it is empty', async () => {
    await migrate(database, noon)
    await addApplication(database, 'app')
    await database.execute(`
      create table notifications_undated partition of notifications for values from (minvalue) to (${positionsPerDay});
      create table delivery_attempts_undated partition of delivery_attempts for values from (minvalue) to (${positionsPerDay});
      insert into notifications (id, application_id, grant_id, sequence, type, source, bytes, created_at, sealed_payload)
        values ('one', 'app', 'grant', 1, 'event.created', '', 1, ${noon - 6 * dayMs}, 'x')`)
    const former = () => count('pg_class', `relname = 'notifications_undated'`)
    const stopping = new AbortController().signal
    await purgeRetained(database, { days: 7, now: noon, stopping })
    expect(await former()).toBe(1)
    await purgeRetained(database, { days: 7, now: noon + 3 * dayMs, stopping })
    expect(await former()).toBe(0)
    expect(await count('notifications')).toBe(0)
  })
})
