/** A store with data is distributed without loss. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@waypost/store/engine/database'
import { migrate } from '@waypost/store/migrations/migrate'
import { currentPlacement, distribute, missingSteps } from '@waypost/store/sharding/distribute'
import { placeNewTables } from '@waypost/store/sharding/new-tables'
import { beatNode, leaveNode } from '@waypost/store/tables/applications/nodes'
import { type CitusPeer, citusMissing, startCitus } from '@waypost/testing/peers/citus'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresql } from '../../../../store/src/engine/postgresql.ts'
import { tablePlacement } from '../../../../store/src/sharding/table-placement.ts'
import { runHere } from '../../command-line.ts'
import { openService } from '../../harness.ts'

const dataDirs = new AsyncDisposableStack()
afterAll(() => dataDirs.disposeAsync())
const newFolder = async (): Promise<string> =>
  dataDirs.use(await mkdtempDisposable(join(tmpdir(), 'waypost-distribute-'))).path

describe('waypost db distribute refuses', () => {
  test('a store on SQLite', async () => {
    await using store = await migratedStore('sqlite')
    const refused = await runHere(['db', 'distribute'], { WAYPOST_DATA_DIR: store.dataDir })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('only a store on PostgreSQL can be distributed')
  })

  test('a PostgreSQL without Citus, also as a plan', async () => {
    await using store = await migratedStore('postgresql')
    const env = { WAYPOST_DATA_DIR: store.dataDir, DATABASE_URL: store.databaseUrl ?? '' }
    const refused = await runHere(['db', 'distribute'], env)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('the database has no Citus')
    const plan = await runHere(['db', 'distribute', '--plan', '--json'], env)
    expect(plan.code).toBe(1)
    expect(JSON.parse(plan.stdout)).toMatchObject({ problems: [expect.stringContaining('create extension citus')] })
  })
})

/** The rows of every table, as sorted text. */
async function contents(database: Database): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const table of Object.keys(tablePlacement)) {
    const rows = await database.all(sql<{ row: string }>('', `select cast(t as text) as row from ${table} t`))
    found.set(table, rows.map(({ row }) => row).toSorted())
  }
  return found
}

const references = sql<{ name: string }>(
  '',
  `select conname as name from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
   and not conname like '%\\_1_____' order by conname`,
)

describe.skipIf(citusMissing)(`waypost db distribute${citusMissing ? ` (${citusMissing})` : ''}`, () => {
  let cluster: CitusPeer
  beforeAll(async () => {
    cluster = await startCitus()
  })
  afterAll(() => cluster?.[Symbol.asyncDispose]())

  /** A store of the coordinator with applications and their data, not distributed yet. */
  async function filledStore(): Promise<{ url: string; dataDir: string }> {
    const [url, dataDir] = [await cluster.createDatabase(), await newFolder()]
    await using service = await openService({ engine: 'postgresql', databaseUrl: url, dataDir })
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await service.createApplication(name)
    return { url, dataDir }
  }

  test('moves every row of every table to its place, and the service works afterwards', async () => {
    const { url, dataDir } = await filledStore()
    const env = { WAYPOST_DATA_DIR: dataDir, DATABASE_URL: url }
    await using database = openPostgresql(url, () => undefined)
    const now = await database.now()
    await beatNode(database, { id: 'running', startedAt: now }, now)
    const busy = await runHere(['db', 'distribute'], env)
    expect(busy).toMatchObject({ code: 1, stdout: '' })
    expect(busy.stderr).toContain('nodes are running (running): stop them')
    await leaveNode(database, 'running')

    const before = await contents(database)
    const retained = (await database.all(references)).map(({ name }) => name)
    const plan = await runHere(['db', 'distribute', '--plan', '--json'], env)
    expect(plan).toMatchObject({ code: 0, stderr: '' })
    const { steps, cluster: found } = JSON.parse(plan.stdout)
    expect(found.workers).toHaveLength(2)
    expect(steps[0]).toMatchObject({ table: 'applications', placement: 'reference' })
    const done = await runHere(['db', 'distribute', '--shards', '4', '--json'], env)
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(done.stdout)).toMatchObject({ distributed: true, tables: steps.length })

    await using after = openPostgresql(url, () => undefined)
    expect(await contents(after)).toEqual(before)
    expect(after.isDistributed()).toBe(true)
    const placed = Object.entries(tablePlacement).map(([name, { placement }]) => [name, placement])
    const now2 = await currentPlacement(after)
    now2.delete('distribution')
    expect([...now2].toSorted()).toEqual(placed.toSorted())
    const left = (await after.all(references)).map(({ name }) => name)
    expect(retained.filter((name) => !left.includes(name))).toEqual([expect.stringContaining('access_tokens')])
    const doctor = JSON.parse((await runHere(['doctor', '--json'], env)).stdout)
    expect(JSON.stringify(doctor)).toMatch(/Citus [\d.-]+ distributes the store over 127\.0\.0\.1:\d+ \(\d+ shards\)/)
    // A second run has nothing to do.
    expect(JSON.parse((await runHere(['db', 'distribute', '--json'], env)).stdout)).toMatchObject({
      tables: 0,
      rows: 0,
    })
  })

  test('goes on where an interrupted run ended, and no node starts in between', async () => {
    const { url, dataDir } = await filledStore()
    await using database = openPostgresql(url, () => undefined)
    const before = await contents(database)
    for (const stop of ['calendars', 'notifications', 'audit']) {
      const onStep = ({ table }: { table: string }): void => {
        if (table === stop) throw new Error('interrupted')
      }
      await expect(distribute(database, { shards: 2, onStep })).rejects.toThrow('interrupted')
    }
    const starting = openService({ engine: 'postgresql', databaseUrl: url, dataDir })
    await expect(starting).rejects.toThrow('only partly distributed')
    await distribute(database, { shards: 2 })
    expect(await contents(database)).toEqual(before)
    expect(await missingSteps(database)).toEqual([])
  })

  test('changes of the schema apply to a distributed store, and their tables are placed', async () => {
    const url = await cluster.createDatabase()
    {
      await using database = openPostgresql(url, () => undefined)
      await migrate(database, 1, { changes: [] })
      await distribute(database, { shards: 2 })
    }
    await using database = openPostgresql(url, () => undefined)
    await migrate(database, 2)
    await placeNewTables(database)
    expect(await missingSteps(database)).toEqual([])
    expect([...(await currentPlacement(database)).keys()]).toEqual(expect.arrayContaining(Object.keys(tablePlacement)))
  })
})
