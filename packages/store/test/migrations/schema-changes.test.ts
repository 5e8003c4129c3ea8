/** Schema changes run in steps next to nodes that keep working: short locks, indexes, backfills, removal at the end. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { engines } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { emptyPostgres } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'
import { openSqlite } from '../../src/engine/sqlite.ts'
import { changes } from '../../src/migrations/changes.ts'
import { checkSchema, laterSteps, type MigrateOptions, migrate } from '../../src/migrations/migrate.ts'
import { recordedSteps } from '../../src/migrations/recorded-steps.ts'
import { expand, index, type Step, uniqueIndex } from '../../src/migrations/schema-change.ts'
import { describeProgress, type StepProgress } from '../../src/migrations/steps/progress.ts'
import { beatNode } from '../../src/tables/applications/nodes.ts'
import {
  batchRows,
  createReadings,
  dropLegacy,
  fastPace,
  fillDoubled,
  indexDoubled,
  insertReadings,
  nextVersion,
  widen,
  withChange,
} from './changing-schema.ts'

const now = 1_760_000_000_000
const waitMs = { timeout: 60_000 }
const never = new AbortController().signal

const unfilled = sql<{ rows: number }>(
  'test.unfilled',
  'select count(*) as rows from readings where doubled is null or doubled <> amount * 2',
)
const validity = sql<{ name: string; valid: number }>(
  'test.validity',
  `select c.relname as name, cast(indisvalid as integer) as valid from pg_index join pg_class c on c.oid = indexrelid
   where c.relname like $1 order by c.relname`,
)
const markers = sql<{ number: number }>('test.markers', 'select number from migrations where number > 47')

const nextOptions = (steps: readonly Step[], more: MigrateOptions = {}): MigrateOptions => ({
  ...{ changes: withChange(steps), version: nextVersion, pace: fastPace },
  ...more,
})

const statesOf = async (database: Database): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await recordedSteps(database))
      .filter(({ number }) => number === 900)
      .map(({ kind, step, state }) => [`${kind} ${step}`, state]),
  )

let stack: AsyncDisposableStack
let open: () => Database
let url: string | undefined
let database: Database
beforeEach(() => {
  stack = new AsyncDisposableStack()
})
afterEach(() => stack.disposeAsync())

async function openStore(engine: 'sqlite' | 'postgresql'): Promise<void> {
  if (engine === 'sqlite') {
    const folder = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-changes-')))
    open = () => stack.use(openSqlite(path.join(folder.path, 'waypost.db')))
  } else {
    const address = await emptyPostgres()
    url = address
    open = () => stack.use(openPostgresql(address, () => undefined))
  }
  database = open()
  await migrate(database, now)
  await createReadings(database)
}

describe.each(engines)('schema changes on %s', (engine) => {
  beforeEach(() => openStore(engine))

  test('run their steps in order, once, and record each of them', async () => {
    await insertReadings(database, 3 * batchRows - 1)
    const steps = [widen, indexDoubled, fillDoubled(), dropLegacy('0.1.0')]
    expect(await migrate(database, now, nextOptions(steps))).toEqual(['doubled-readings'])
    await laterSteps(database, nextOptions(steps)).finish(never)
    expect(await database.get(unfilled)).toEqual({ rows: 0 })
    const recorded = (await recordedSteps(database)).filter(({ number }) => number === 900)
    expect(recorded.every(({ state, version }) => state === 'done' && version === nextVersion)).toBe(true)
    expect(recorded.map(({ kind }) => kind).toSorted()).toEqual(['backfill', 'contract', 'expand', 'index'])
    expect(recorded.find(({ kind }) => kind === 'backfill')).toMatchObject({ done_rows: 299, total_rows: 299 })
    expect(await migrate(database, now, nextOptions(steps))).toEqual([])
    expect(await laterSteps(database, nextOptions(steps)).finish(never)).toEqual({ done: [], waiting: [] })
  })

  test('of an unknown version are fine if they are compatible with this one', async () => {
    await migrate(database, now, nextOptions([widen]))
    expect(await migrate(database, now)).toEqual([])
    await expect(checkSchema(database)).resolves.toBeUndefined()
  })

  test('of an unknown version that need a newer one are refused, with that version', async () => {
    const options = {
      changes: withChange([widen], { compatibleFrom: nextVersion }),
      version: nextVersion,
      pace: fastPace,
    }
    await migrate(database, now, options)
    const own = { version: '1.0.0' }
    const refusal = `changed by version ${nextVersion} of Waypost (change 900, doubled-readings) and needs version ${nextVersion} or newer; this is 1.0.0`
    await expect(migrate(database, now, own)).rejects.toThrow(refusal)
    await expect(checkSchema(database, own)).rejects.toThrow(refusal)
  })

  test('go on with a backfill where an interrupted process has stopped', async () => {
    await insertReadings(database, 5 * batchRows)
    let batches = 0
    const dying = fillDoubled(() => {
      if (++batches === 3) throw new Error('the process was killed')
    })
    const first = nextOptions([widen, dying])
    const interrupted =
      engine === 'sqlite'
        ? migrate(database, now, first)
        : migrate(database, now, first).then(() => laterSteps(database, first).finish(never))
    await expect(interrupted).rejects.toThrow('the process was killed')
    const starts: (string | undefined)[] = []
    const second = nextOptions([widen, fillDoubled((after) => starts.push(after))])
    await migrate(open(), now, second)
    await laterSteps(database, second).finish(never)
    expect(starts).toHaveLength(4)
    expect(starts[0]).toBe('r0000199')
    expect(await database.get(unfilled)).toEqual({ rows: 0 })
  })

  test('remove what older versions use only when no older node is alive, which the report names', async () => {
    const steps = [widen, dropLegacy(nextVersion)]
    const reports: StepProgress[] = []
    const options = nextOptions(steps, { report: (progress) => reports.push(progress) })
    await migrate(database, now, options)
    const time = await database.now()
    await beatNode(database, { id: 'old', startedAt: time, version: '1.0.0', host: 'web-1' }, time)
    await beatNode(database, { id: 'new', startedAt: time, version: nextVersion, host: 'web-2' }, time)
    const work = laterSteps(database, options)
    expect((await work.finish(never)).waiting.map(({ step }) => step.name)).toEqual(['legacy'])
    expect(reports.map(describeProgress).at(-1)).toContain('waits for older nodes to end: web-1 (1.0.0)')
    expect(await statesOf(database)).toEqual({ 'expand column': 'done' })
    expect(await migrate(database, now, { version: '1.0.0' })).toEqual([])

    await database.execute("delete from nodes where id = 'old'")
    expect((await work.finish(never)).waiting).toEqual([])
    expect(await statesOf(database)).toEqual({ 'expand column': 'done', 'contract legacy': 'done' })
    expect(await database.all(markers)).toEqual([{ number: 900 }])
    await expect(migrate(database, now, { version: '1.0.0' })).rejects.toThrow(`needs version ${nextVersion} or newer`)
    expect(await migrate(database, now, options)).toEqual([])
  })

  test('take back the announcement of a removal if an older node starts meanwhile', async () => {
    const options = nextOptions([widen, dropLegacy(nextVersion)], { pace: { ...fastPace, announceMs: 1_500 } })
    await migrate(database, now, options)
    const finished = laterSteps(database, options).finish(never)
    await vi.waitFor(async () => expect(await database.all(markers)).toEqual([{ number: 900 }]), waitMs)
    await expect(checkSchema(database, { version: '1.0.0' })).rejects.toThrow(`needs version ${nextVersion}`)
    const time = await database.now()
    await beatNode(database, { id: 'old', startedAt: time, version: '0.1.0', host: 'web-1' }, time)
    expect((await finished).waiting).toHaveLength(1)
    expect(await database.all(markers)).toEqual([])
    expect(await statesOf(database)).toMatchObject({ 'contract legacy': 'waiting' })
    await expect(checkSchema(database, { version: '1.0.0' })).resolves.toBeUndefined()
  })
})

describe.runIf(isCheck)('next to other sessions on PostgreSQL', () => {
  beforeEach(() => openStore('postgresql'))

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url, application_name: 'nightly report' })
    await client.connect()
    stack.defer(() => client.end())
    return client
  }

  test('a step that waits for a lock gives up soon, names who holds it, and tries again', async () => {
    const reader = await connect()
    await reader.query('begin; select * from readings')
    const reports: StepProgress[] = []
    const migrating = migrate(database, now, nextOptions([widen], { report: (progress) => reports.push(progress) }))
    const named = (): string[] => reports.map(describeProgress).filter((text) => text.includes('nightly report'))
    await vi.waitFor(() => expect(named().length).toBeGreaterThan(1), waitMs)
    expect(named()[0]).toMatch(
      /^change 900 \(doubled-readings\), expand column: waits for locks of process \d+ \(nightly report, idle in transaction/,
    )
    // Between two attempts, others use the table.
    await insertReadings(database, 1)
    await reader.query('commit')
    expect(await migrating).toEqual(['doubled-readings'])
  })

  test('a step that never gets its locks fails with the sessions that hold them', async () => {
    const reader = await connect()
    await reader.query('begin; select * from readings')
    const waits = { lockWaitMs: 200, totalMs: 300, firstPauseMs: 20, maxPauseMs: 100 }
    const migrating = migrate(database, now, nextOptions([widen], { pace: { ...fastPace, waits } }))
    await expect(migrating).rejects.toThrow(
      /change 900 .* did not get its locks within 0 s: sessions \d+ \(nightly report\)/,
    )
  })

  test('a deadlock with the writes of another node is tried again', async () => {
    await database.execute('create table other_readings (id text primary key)')
    const both = expand(
      'both',
      'alter table readings add column doubled bigint; alter table other_readings add column doubled bigint',
      { readings: 'access exclusive', other_readings: 'access exclusive' },
    )
    const writer = await connect()
    await writer.query("begin; insert into other_readings values ('one')")
    const migrating = migrate(
      database,
      now,
      nextOptions([both], {
        pace: { ...fastPace, waits: { lockWaitMs: 20_000, totalMs: 60_000, firstPauseMs: 20, maxPauseMs: 100 } },
      }),
    )
    const locked = sql<{ n: number }>(
      '',
      "select count(*) as n from pg_locks where mode = 'AccessExclusiveLock' and not granted",
    )
    await vi.waitFor(async () => expect(await database.get(locked)).toEqual({ n: 1 }), waitMs)
    // Either transaction may be the victim.
    await writer.query("insert into readings values ('one', 1)").catch(() => undefined)
    await writer.query('rollback')
    expect(await migrating).toEqual(['doubled-readings'])
  })

  test('an index is built while another transaction has written to the table, and an invalid one again', async () => {
    await insertReadings(database, 200)
    await database.execute("insert into readings (id, amount) values ('twice', 1)")
    const steps = [widen, uniqueIndex('readings_amount', 'readings', '(amount)')]
    await expect(migrate(database, now, nextOptions(steps))).rejects.toThrow(/readings_amount/)
    expect(await database.all(validity, ['readings_%'])).toEqual([
      { name: 'readings_amount', valid: 0 },
      { name: 'readings_pkey', valid: 1 },
    ])
    await database.execute("delete from readings where id = 'twice'")
    expect(await migrate(database, now, nextOptions(steps))).toEqual(['doubled-readings'])
    expect(await database.all(validity, ['readings_%'])).toEqual([
      { name: 'readings_amount', valid: 1 },
      { name: 'readings_pkey', valid: 1 },
    ])
  })

  test('an index of a partitioned table is built on each partition and on later ones', async () => {
    await database.execute('create table notifications_d1 partition of notifications for values from (1) to (1000)')
    const byType = index('notifications_by_type', 'notifications', '(type, position)')
    await migrate(database, now, nextOptions([byType]))
    await database.execute('create table notifications_d2 partition of notifications for values from (1000) to (2000)')
    const rows = await database.all(validity, ['notifications_%type%'])
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.every(({ valid }) => valid === 1)).toBe(true)
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['notifications_by_type', 'notifications_by_type_d1']),
    )
  })

  test('a second node waits for the step of the first, and says whose it is and how far', async () => {
    const reader = await connect()
    await reader.query('begin; select * from readings')
    const first = migrate(database, now, nextOptions([widen], { runner: 'web-1/17/abc' }))
    const reports: StepProgress[] = []
    await vi.waitFor(async () => expect(await statesOf(database)).toEqual({ 'expand column': 'running' }), waitMs)
    const second = migrate(open(), now, nextOptions([widen], { report: (progress) => reports.push(progress) }))
    await vi.waitFor(
      () =>
        expect(reports.map(describeProgress)).toContain(
          'change 900 (doubled-readings), expand column: under way by web-1/17/abc',
        ),
      waitMs,
    )
    await reader.query('commit')
    expect(await first).toEqual(['doubled-readings'])
    expect(await second).toEqual([])
  })

  test('the step of a node that died is taken over when its lease has ended', async () => {
    await database.execute(`insert into schema_changes (number, step, kind, name, version, compatible_from, state, runner,
      leased_until, started_at) values (900, 'column', 'expand', 'doubled-readings', '${nextVersion}', '0.1.0', 'running', 'dead',
      ${(await database.now()) + 1_000}, ${await database.now()})`)
    expect(await migrate(database, now, nextOptions([widen]))).toEqual(['doubled-readings'])
  })

  test('old nodes see all changes of this version as unknown to them, and start anyway', async () => {
    expect((await database.all(markers)).map(({ number }) => number)).toEqual([])
    expect(changes.every(({ compatibleFrom }) => ['0.1.0', '1.0.0'].includes(compatibleFrom))).toBe(true)
  })
})
