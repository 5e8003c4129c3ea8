/** Pending work is found however much other data there is: the work is counted, not timed. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database, Queries, Statement } from '@waypost/store/engine/database'
import { migrate } from '@waypost/store/migrations/migrate'
import { addCount, addUpCounts, readAllCounts } from '@waypost/store/tables/applications/application-counts'
import {
  type ApplicationRow,
  insertApplication,
  searchApplications,
  updateApplication,
} from '@waypost/store/tables/applications/applications'
import { oldestDelivery } from '@waypost/store/tables/figures/installation-figures'
import { dayMs } from '@waypost/store/tables/notifications/day-partitions'
import {
  dueDestinations,
  leaseDestination,
  noteRetryNow,
  releaseLeases,
  settleRetries,
} from '@waypost/store/tables/notifications/delivery-leases'
import { noteRetriesAt } from '@waypost/store/tables/notifications/delivery-results'
import { nextDelivery } from '@waypost/store/tables/notifications/next-work'
import { notificationAdder } from '@waypost/store/tables/notifications/notifications'
import { engines } from '@waypost/testing/engines'
import { emptyPostgres } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPostgresql } from '../../../../store/src/engine/postgresql.ts'
import { openSqlite } from '../../../../store/src/engine/sqlite.ts'
import { purgeRetained } from '../../../src/webhooks/retention.ts'

const noon = 20_000 * dayMs + dayMs / 2
const numbers = (count: number): string =>
  `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`

/** Records the names of executed statements, including those of transactions. */
function counting(database: Database): { database: Database; requested: string[] } {
  const requested: string[] = []
  const noted = <T>({ name }: Statement<unknown>, answer: T): T => {
    requested.push(name)
    return answer
  }
  const counted = (target: Queries): Queries => ({
    get: (statement, values) => noted(statement, target.get(statement, values)),
    all: (statement, values) => noted(statement, target.all(statement, values)),
    run: (statement, values) => noted(statement, target.run(statement, values)),
    post: (statement, values, rows) => noted(statement, target.post(statement, values, rows)),
  })
  return {
    requested,
    database: {
      ...database,
      ...counted(database),
      transaction: (work, sharing) => database.transaction((tx) => work(counted(tx)), sharing),
    },
  }
}

describe.each(engines)('on %s', (engine) => {
  let database: Database
  let stack: AsyncDisposableStack
  beforeEach(async () => {
    stack = new AsyncDisposableStack()
    const folder = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-found-')))
    database = stack.use(
      engine === 'sqlite'
        ? openSqlite(path.join(folder.path, 'waypost.db'))
        : openPostgresql(await emptyPostgres(), () => undefined),
    )
    await migrate(database, noon)
    await addApplications(['app'])
  })
  afterEach(() => stack.disposeAsync())

  const addApplications = (ids: readonly string[]): Promise<void> =>
    database.execute(`insert into applications (id, environment, default_workspace_id, blocked, branding,
      hosted_authentication, idp_settings, additional_settings, notification_stream_until, created_at, updated_at)
      values ${ids.map((id) => `('${id}', 'sandbox', 'w', 0, '{}', '{}', '{}', '{}', 1${'0'.repeat(15)}, 1, 1)`).join(', ')}`)
  const addGrant = (id: string, app: string): Promise<void> =>
    database.execute(`insert into grants (id, application_id, connector_id, provider, email_key, status, blocked,
      workspace_id, created_at, updated_at, document)
      values ('${id}', '${app}', '', 'imap', '${id}', 'valid', 0, '', 1, 1, '{}')`)
  const addDestinations = (count: number): Promise<void> =>
    database.execute(`insert into webhooks (id, application_id, webhook_url, status, triggers, sealed_secret, revision,
        status_updated_at, created_at, updated_at, document)
        ${numbers(count)} select 'hook-' || n, 'app', 'https://a.test/' || n, 'active', '', '', 1, 0, 0, 0, '' from numbers;
      insert into delivery_leases (webhook_id, application_id, owner, epoch, lease_until)
        ${numbers(count)} select 'hook-' || n, 'app', null, 1, 0 from numbers`)
  const tell = (id: string, app: string, createdAt: number): Promise<void> =>
    database.transaction((tx) =>
      notificationAdder(engine)(
        tx,
        { id, applicationId: app, grantId: `grant-${app}`, trigger: 'event.created', source: '', createdAt },
        { content: () => ({ type: 'event.created', sealedPayload: 'x', bytes: 1 }), onQueued: () => undefined },
      ),
    )

  test('pruning makes as many queries for many applications as for few', async () => {
    const stopping = new AbortController().signal
    const pruned = async (now: number): Promise<string[]> => {
      const counted = counting(database)
      await purgeRetained(counted.database, { days: 7, now, stopping })
      return counted.requested.filter((name) => !name.startsWith('partitions.'))
    }
    await addGrant('grant-app', 'app')
    await pruned(noon)
    await tell('one', 'app', noon)
    const few = await pruned(noon + 8 * dayMs)
    expect((await database.get(sql<{ n: number }>('', 'select count(*) as n from notifications')))?.n).toBe(0)
    await addApplications(Array.from({ length: 450 }, (_, n) => `other-${n}`))
    // Each is checked once, when it is new.
    await pruned(noon + 8 * dayMs)
    await tell('two', 'app', noon + 8 * dayMs)
    const many = await pruned(noon + 16 * dayMs)
    expect(many).toEqual(few)
    expect((await database.get(sql<{ n: number }>('', 'select count(*) as n from notifications')))?.n).toBe(0)
  })

  test('an application is found by a part of its name or id without reading the others', async () => {
    const row = (id: string, name: string): ApplicationRow => ({
      ...{ id, environment: 'sandbox', default_workspace_id: 'w', grant_limit: null, blocked: 0, domain: null },
      ...{ branding: JSON.stringify({ name }), hosted_authentication: '{}', idp_settings: '{}' },
      ...{ additional_settings: '{}', notification_stream_until: 0, notification_days: null, mcp_enabled: 0 },
      ...{ created_at: Number(id.slice(3)), updated_at: 1 },
    })
    await database.transaction(async (tx) => {
      for (let n = 0; n < 1_100; n++) await insertApplication(tx, row(`id-${n}`, `Tenant ${n} ÄRZTE`))
    })
    const found = async (text: string): Promise<string[]> => {
      const counted = counting(database)
      const requested = { search: { text }, sort: 'created_at', order: 'asc' } as const
      const { rows } = await searchApplications(counted.database, engine, requested, { limit: 3 })
      expect(counted.requested.length).toBeLessThanOrEqual(3)
      return rows.map(({ id }) => id)
    }
    expect(await found('nant 107')).toEqual(['id-107', 'id-1070', 'id-1071'])
    expect(await found('7 ärz')).toEqual(['id-7', 'id-17', 'id-27'])
    expect(await found('D-1099')).toEqual(['id-1099'])
    expect(await found('ärzte')).toEqual(['id-0', 'id-1', 'id-2'])
    expect(await found('nobody')).toEqual([])
    const long = 'x'.repeat(70)
    await database.transaction((tx) => updateApplication(tx, row('id-5', `Renamed ${long}y`)))
    expect(await found('tenant 5 ')).toEqual([])
    expect(await found('renamed')).toEqual(['id-5'])
    expect(await found(`${long}y`)).toEqual(['id-5'])
    expect(await found(`${long}z`)).toEqual([])
    expect(await found('id-5')).toEqual(['id-5', 'id-50', 'id-51'])
  })

  const queue = (webhook: string, { notification = 1, tries = 0, dueAt = noon } = {}): Promise<number> =>
    database.run(
      sql(
        '',
        `insert into deliveries (webhook_id, application_id, notification, state, attempts, tries, due_at, bytes)
         values ($1, 'app', $2, 'waiting', $3, $3, $4, 1)`,
      ),
      [webhook, notification, tries, dueAt],
    )
  const due = async (now: number): Promise<string[]> =>
    (await dueDestinations(database, now)).map(({ webhook_id }) => webhook_id).sort()
  const at = (webhookId: string) => ({ applicationId: 'app', webhookId })
  const hook1Of = (owner: string) => ({ applicationId: 'app', owner, webhookIds: ['hook-1'] })

  test('destinations are due for new notifications, and for retries at their time', async () => {
    await addDestinations(4)
    expect(await due(noon)).toEqual([])
    expect(await oldestDelivery(database, noon)).toBeUndefined()
    await queue('hook-1')
    await queue('hook-2', { tries: 1, dueAt: noon + 5000 })
    await database.transaction((tx) => noteRetriesAt(tx, engine, 'app', new Map([['hook-2', noon + 5000]])))
    expect(await due(noon)).toEqual(['hook-1'])
    expect(await nextDelivery(database, noon)).toBe(noon + 5000)
    expect(await oldestDelivery(database, noon + 1)).toBe(noon)
    expect(await due(noon + 5000)).toEqual(['hook-1', 'hook-2'])
    // A later retry does not change the time of the first.
    await database.transaction((tx) => noteRetriesAt(tx, engine, 'app', new Map([['hook-2', noon + 9000]])))
    expect(await nextDelivery(database, noon)).toBe(noon + 5000)
  })

  test('a released destination keeps the time of its retry, unless it is requested meanwhile', async () => {
    await addDestinations(2)
    await queue('hook-1', { tries: 1, dueAt: noon + 60_000 })
    // As a dead node leaves it: nothing is due yet, and it is still found, once.
    await database.transaction((tx) => noteRetriesAt(tx, engine, 'app', new Map([['hook-1', noon - 1]])))
    expect(await due(noon)).toEqual(['hook-1'])
    await leaseDestination(database, at('hook-1'), { owner: 'node', until: noon + 15_000, now: noon })
    expect(await due(noon)).toEqual([])
    await settleRetries(database, hook1Of('another node'))
    expect(await nextDelivery(database, noon)).toBeUndefined()
    await settleRetries(database, hook1Of('node'))
    expect(await nextDelivery(database, noon)).toBe(noon + 60_000)
    await releaseLeases(database, hook1Of('node'))
    expect(await due(noon)).toEqual([])
    // It becomes due while its node reads its retry time.
    await leaseDestination(database, at('hook-1'), { owner: 'node', until: noon + 15_000, now: noon })
    const between: Database = {
      ...database,
      async all(statement, values) {
        const rows = await database.all(statement, values)
        await database.transaction((tx) => noteRetryNow(tx, at('hook-1'), noon + 1))
        return rows
      },
    }
    await settleRetries(between, hook1Of('node'))
    expect(await nextDelivery(database, noon)).toBe(noon + 1)
    // Nothing is left to retry.
    await database.execute('delete from deliveries')
    await settleRetries(database, hook1Of('node'))
    expect(await nextDelivery(database, noon)).toBeUndefined()
    expect(await due(noon + 90_000)).toEqual([])
  })

  test.runIf(engine === 'postgresql')('a destination that waits for a later attempt is not read', async () => {
    await addDestinations(400)
    await database.execute(`
      insert into deliveries (webhook_id, application_id, notification, state, attempts, tries, due_at, bytes)
        ${numbers(400)} select 'hook-' || n, 'app', n, 'waiting', 1, 1, ${noon + dayMs}, 1 from numbers;
      update delivery_leases set retry_at = ${noon + dayMs}; analyze`)
    await queue('hook-7', { notification: 500 })
    let requested = ''
    const all: Queries['all'] = (statement) => {
      requested = statement.text
      return Promise.resolve([])
    }
    await dueDestinations({ ...database, all }, noon)
    const text = `explain (analyze, format json) ${requested.replaceAll('$1', String(noon))}`
    const [plan] = await database.all(sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>('', text))
    expect(rowsOf('deliveries', plan?.['QUERY PLAN'][0].Plan)).toBeLessThan(10)
  })

  test('counts over all applications are stored: housekeeping leaves one row of each name', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `other-${n}`)
    await addApplications(ids)
    await database.transaction(async (tx) => {
      for (const id of ids) await addCount(tx, id, 'grants/imap/valid/0', 2)
    })
    const all = [{ by: ['imap', 'valid', '0'], amount: 60 }]
    expect(await readAllCounts(database, 'grants')).toEqual(all)
    await addUpCounts(database, new AbortController().signal)
    expect(await readAllCounts(database, 'grants')).toEqual(all)
    await addUpCounts(database, new AbortController().signal)
    await database.transaction((tx) => addCount(tx, 'app', 'grants/imap/valid/0', -1))
    expect(await readAllCounts(database, 'grants')).toEqual([{ by: ['imap', 'valid', '0'], amount: 59 }])
    const retained = sql<{ name: string; amount: number }>('', 'select name, amount from installation_counts')
    expect(await database.all(retained)).toEqual([{ name: 'grants/imap/valid/0', amount: 60 }])
  })
})

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: PlanNode[]
}
/** The total number of rows of a table that the steps of a plan read. */
function rowsOf(table: string, node: PlanNode | undefined): number {
  if (node === undefined) return 0
  const own = node['Relation Name'] === table ? node['Actual Rows'] * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(table, each), own)
}
