/** Nodes whose store is behind a real PgBouncer in transaction mode. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { providers } from '@waypost/providers/registry'
import { connectionProblem } from '@waypost/store/engine/connection-problem'
import type { Pooling } from '@waypost/store/engine/postgresql-session'
import { openListener } from '@waypost/testing/listener'
import { freshDatabaseUrl, sharedPostgresUrl } from '@waypost/testing/peers/database-url'
import { type PgBouncerPeer, startPgBouncer } from '@waypost/testing/peers/pgbouncer'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresql } from '../../../../store/src/engine/postgresql.ts'
import { arrival, openMailboxes, readReported, until } from '../../changes/watching.ts'
import { runHere } from '../../command-line.ts'
import { openService, type TestService } from '../../harness.ts'

/** Fewer than the connections of one node. */
const poolSize = 4

let pgbouncer: PgBouncerPeer
beforeAll(async () => {
  pgbouncer = await startPgBouncer(await sharedPostgresUrl(), { poolSize })
})
afterAll(() => pgbouncer?.[Symbol.asyncDispose]())

const open = (url: string, pooling: Pooling = 'auto') => openPostgresql(url, () => undefined, { pooling })
const timeout = sql<{ now: string }>('test.timeout', "select current_setting('statement_timeout') as now")
const server = sql<{ pid: number }>('test.server', 'select pg_backend_pid() as pid')
const sequence = sql<{ n: number }>('test.sequence', 'select 1 as n')

describe('two nodes through PgBouncer in transaction mode', () => {
  let url: string
  let direct: string
  let nodes: TestService[]
  const stack = new AsyncDisposableStack()
  const { provider, mailboxOf } = openMailboxes()

  beforeAll(async () => {
    direct = await freshDatabaseUrl()
    url = pgbouncer.through(direct)
    const dataDir = stack.use(await mkdtempDisposable(`${tmpdir()}/waypost-pgbouncer-`)).path
    const start = () =>
      openService({ databaseUrl: url, dataDir, overrides: { providers: { ...providers, imap: provider } } }).then(
        (node) => stack.use(node),
      )
    // On an empty database: one of them migrates, and the other waits for it.
    nodes = await Promise.all([start(), start()])
    for (const node of nodes) await node.listen()
  })
  afterAll(() => stack.disposeAsync())
  const node = (index: number): TestService => {
    const found = nodes[index]
    if (!found) throw new Error(`no node ${index}`)
    return found
  }

  test('detect it, and set for their role what cannot be set on a connection', async () => {
    for (const { services } of nodes) expect(services.storage.database.isPooled()).toBe(true)
    await using own = open(direct)
    const role = sql<{ setting: string }>(
      'test.role',
      `select unnest(setconfig) as setting from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
       where datname = current_database()`,
    )
    expect((await own.all(role)).map(({ setting }) => setting).toSorted()).toEqual([
      'idle_in_transaction_session_timeout=10s',
      'plan_cache_mode=force_generic_plan',
      'statement_timeout=1min',
    ])
    expect(own.isPooled()).toBe(false)
  })

  test('answer requests, deliver each notification once, and notify changes of a watched account', async () => {
    await using listener = await openListener()
    const [one, other] = [node(0), node(1)]
    const webhook = await one.call('POST', '/v3/webhooks', {
      body: {
        ...{ webhook_url: listener.url, description: 'counts', notification_email_addresses: [] },
        trigger_types: ['event.created', 'event.updated', 'message.created'],
      },
    })
    expect(webhook.status, JSON.stringify(webhook.body)).toBe(200)
    const { id } = await one.createGrant('calendar@example.com')
    const added = await other.call('POST', `/v3/grants/${id}/calendars`, { body: { name: 'shared' } })
    const calendar: string = added.body.data.id
    const tomorrow = Math.floor(Date.now() / 1000) + 86_400
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        node(index % 2).call('POST', `/v3/grants/${id}/events?calendar_id=${calendar}`, {
          body: { title: `event ${index}`, when: { start_time: tomorrow, end_time: tomorrow + 3600 } },
        }),
      ),
    )
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 200))
    const listed = await other.call('GET', `/v3/grants/${id}/events?calendar_id=${calendar}&limit=50`)
    expect(listed.body.data).toHaveLength(20)

    await one.call('POST', '/v3/connectors', { body: { provider: 'imap' } })
    const settings = { imap_username: 'mira@example.com', imap_password: 'right', imap_host: 'mail.example.com' }
    const account = await other.call('POST', '/v3/connect/custom', { body: { provider: 'imap', settings } })
    const grantId: string = account.body.data.id
    await until(() => expect(mailboxOf(grantId).isWaitedFor).toBe(true))
    mailboxOf(grantId).happen(arrival('m1', Date.now()))
    const { database, payloads } = one.services.storage
    await until(async () =>
      expect((await readReported(database, grantId, payloads.seals)).map(({ type }) => type)).toContain(
        'message.created',
      ),
    )

    const heard = () => listener.heard.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
    await until(() => expect(heard().length).toBeGreaterThanOrEqual(21))
    await until(async () => expect((await one.call('GET', '/metrics')).body).toMatch(/^waypost_deliveries_waiting 0$/m))
    expect(new Set(heard().map((each) => each.id)).size).toBe(21)
    expect(heard()).toHaveLength(21)
    const pools = await pgbouncer.console('SHOW POOLS')
    const pool = pools.find((each) => each.database === new URL(direct).pathname.slice(1))
    expect(Number(pool?.sv_active) + Number(pool?.sv_idle) + Number(pool?.sv_used)).toBeLessThanOrEqual(poolSize)
    expect(Number(pool?.cl_active) + Number(pool?.cl_waiting)).toBeGreaterThan(poolSize)
  })

  test('learn from the doctor whether the role has its settings, once the pooler has reconnected', async () => {
    await pgbouncer.console('RECONNECT')
    const { stdout } = await runHere(['doctor', '--json'], { DATABASE_URL: url })
    expect(stdout).toContain('a pooler assigns connections per transaction')
  })
})

test('a node opens at most its configured connections, however many requests run', async () => {
  const direct = await freshDatabaseUrl()
  await using watcher = open(direct)
  await using database = openPostgresql(direct, () => undefined, { connections: 5 })
  const busy = sql<{ n: number }>('test.busy', 'select 1 as n from pg_sleep(0.02)')
  const counted = sql<{ n: number }>(
    'test.connections',
    'select count(*) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const work = Array.from({ length: 40 }, () => [
    database.get(busy),
    database.transaction(async (tx) => (await tx.get(busy))?.n),
  ]).flat()
  const all = Promise.all(work)
  const seen: number[] = []
  let isOver = false
  void all.finally(() => {
    isOver = true
  })
  while (!isOver) seen.push((await watcher.get(counted))?.n ?? 0)
  expect(await all).toHaveLength(80)
  // One of `watcher` itself, in addition to the querying one.
  expect(Math.max(...seen)).toBeGreaterThanOrEqual(5)
  expect(Math.max(...seen)).toBeLessThanOrEqual(6)
})

test('a statement that another connection has prepared, or has not, is repeated without a name', async () => {
  const url = pgbouncer.through(await freshDatabaseUrl())
  // The setting is wrong: the pooler is detected by errors with statement names.
  await using one = open(url, 'session')
  await using other = open(url, 'session')
  for (let round = 0; !(one.isPooled() || other.isPooled()); round++) {
    expect(round).toBeLessThan(50)
    const requested = [one, other].flatMap((database) => [database.get(sequence), database.get(server)])
    expect(await Promise.all(requested)).toHaveLength(4)
  }
})

test('a configured pooler in session mode is used like PostgreSQL itself', async () => {
  await using session = await startPgBouncer(await sharedPostgresUrl(), { pooling: 'session', poolSize: 12 })
  await using database = open(session.through(await freshDatabaseUrl()), 'session')
  const pids = new Set<number>()
  for (let round = 0; round < 8; round++) pids.add((await database.get(server))?.pid ?? 0)
  expect(pids.size).toBeLessThanOrEqual(2)
  expect(await database.get(timeout)).toEqual({ now: '1min' })
  expect(database.isPooled()).toBe(false)
})

test('a refusal of the pooler is reported with what to do', async () => {
  const place = new URL(pgbouncer.through(await freshDatabaseUrl()))
  const wordsOf = async (url: string): Promise<unknown> => {
    await using database = open(url)
    return connectionProblem(await database.get(sequence).catch((error: unknown) => error), url)
  }
  const refused = `${place.href}?options=-c%20jit%3Doff`
  expect(await wordsOf(refused)).toMatchObject({
    message: `the pooler at ${place.host} refuses the parameter options`,
    remedy: expect.stringContaining('remove it from DATABASE_URL'),
  })
  place.password = 'wrong'
  expect(await wordsOf(place.href)).toMatchObject({ message: expect.stringContaining('does not take the password') })
})
