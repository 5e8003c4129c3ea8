/** The schema of the store: created once, completely or not at all, and never by an older version than wrote it. */
import { execFile } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { engines } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { emptyPostgres } from '@waypost/testing/peers/test-stores'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import { sql } from '@waypost/testing/statement'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'
import { openSqlite } from '../../src/engine/sqlite.ts'
import { baselineName, baselineNumbers } from '../../src/migrations/baseline.ts'
import { changes } from '../../src/migrations/changes.ts'
import { migrate } from '../../src/migrations/migrate.ts'
import { expand } from '../../src/migrations/schema-change.ts'
import { withChange } from './changing-schema.ts'

const now = 1_760_000_000_000

const applied = sql<{ number: number; name: string; applied_at: number }>(
  'test.applied',
  'select number, name, applied_at from migrations order by number',
)
const future = sql('test.future', "insert into migrations (number, name, applied_at) values (999, 'telepathy', 0)")
const tableNames = {
  sqlite: sql<{ name: string }>('test.tables', "select name from sqlite_master where type = 'table' order by name"),
  postgresql: sql<{ name: string }>(
    'test.tables',
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  ),
}
const tablesOf = async (database: Database): Promise<string[]> =>
  (await database.all(tableNames[database.engine])).map((row) => row.name)

/** The names that a new store gets. */
const allNames = [baselineName, ...changes.map(({ name }) => name)]
const ours = baselineNumbers.map((number) => ({ number, name: baselineName, applied_at: now }))

describe.each(engines)('migrations on %s', (engine) => {
  let stack: AsyncDisposableStack
  let open: () => Database
  let database: Database
  beforeEach(async () => {
    stack = new AsyncDisposableStack()
    if (engine === 'sqlite') {
      const folder = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-migrations-')))
      open = () => stack.use(openSqlite(path.join(folder.path, 'waypost.db')))
    } else {
      const url = await emptyPostgres()
      open = () => stack.use(openPostgresql(url, () => undefined))
    }
    database = open()
  })
  afterEach(() => stack.disposeAsync())

  test('an empty store gets every table, in order of their numbers', async () => {
    const numbers = [...baselineNumbers, ...changes.map(({ number }) => number)]
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    expect(await migrate(database, now)).toEqual(allNames)
    expect(await database.all(applied)).toEqual(ours)
    const tables = ['api_keys', 'applications', 'connectors', 'credentials', 'grants', 'installation', 'migrations']
    expect(await tablesOf(database)).toEqual(expect.arrayContaining(tables))
  })

  test('an up-to-date store is not changed', async () => {
    await migrate(database, now)
    const tables = await tablesOf(database)
    expect(await migrate(database, now + 1)).toEqual([])
    expect(await migrate(open(), now + 2)).toEqual([])
    expect(await database.all(applied)).toEqual(ours)
    expect(await tablesOf(database)).toEqual(tables)
  })

  test('a store of a newer version is refused with what to do, and not changed', async () => {
    await migrate(database, now)
    await database.run(future)
    const before = await database.all(applied)
    const refusal = migrate(database, now + 1)
    await expect(refusal).rejects.toThrow(/written by a newer version of Waypost \(migration 999/)
    await expect(refusal).rejects.toThrow(/Run that version, or restore a backup/)
    expect(await database.all(applied)).toEqual(before)
  })

  test('a store from before 0.1.0 is refused with the version that upgrades it, and not changed', async () => {
    await migrate(database, now)
    await database.execute('delete from migrations where number > 36')
    const before = await database.all(applied)
    const refusal = migrate(database, now + 1)
    await expect(refusal).rejects.toThrow(
      'written by a version of Waypost before 0.1.0: start version 1.3.1 on it once, and then this version.',
    )
    expect(await database.all(applied)).toEqual(before)
  })

  test('a migration that fails in the middle leaves nothing, and the next attempt succeeds', async () => {
    const half = expand('half', 'create table first_half (id text primary key); insert into nowhere (id) values (1)')
    await expect(migrate(database, now, { changes: withChange([half]) })).rejects.toThrow(/nowhere/)
    expect(await tablesOf(database)).toEqual([])
    expect(await migrate(database, now)).toEqual(allNames)
    expect(await database.all(applied)).toEqual(ours)
  })

  test('a half-migrated store is never visible', async () => {
    const before = await tablesOf(database)
    const seen = new Set<number>()
    let over = false
    const polling = (async () => {
      while (!over) {
        seen.add((await tablesOf(database)).length)
        // Disk writes run outside the event loop, which needs turns for that.
        await turn()
      }
    })()
    await migrate(open(), now)
    over = true
    await polling
    const after = await tablesOf(database)
    expect([...seen].filter((number) => number !== before.length && number !== after.length)).toEqual([])
  })
})

test.runIf(isCheck)('four nodes that migrate one PostgreSQL concurrently apply each migration once', async () => {
  await using stack = new AsyncDisposableStack()
  const url = await emptyPostgres()
  const nodes = Array.from({ length: 4 }, () => stack.use(openPostgresql(url, () => undefined)))
  const done = await Promise.all(nodes.map((node, index) => migrate(node, now + index)))
  expect(done.flat()).toEqual(allNames)
  for (const node of nodes) {
    const rows = await node.all(applied)
    expect(rows.map(({ number }) => number)).toEqual(baselineNumbers)
  }
})

test.runIf(isCheck)('four concurrent commands on an empty PostgreSQL database apply each migration once', async () => {
  const env = { ...processEnvironment, DATABASE_URL: await emptyPostgres() }
  const file = await programFile('waypost')
  const run = () => promisify(execFile)(process.execPath, [file, 'db', 'migrate', '--json'], { env })
  const answers = (await Promise.all(Array.from({ length: 4 }, run))).map(({ stdout }) => JSON.parse(stdout))
  const names = allNames.join(', ')
  expect(answers.map((answer) => answer.applied).sort()).toEqual([names, ...Array(3).fill('nothing to do')].sort())
})
