/** `waypost db compact` releases the space of deleted rows, and changes nothing else. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lockForServing } from '@waypost/store/engine/server-lock'
import type { Engine } from '@waypost/testing/engines'
import { needsProgram } from '@waypost/testing/peers/needs'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { expect, test } from 'vitest'
import { runHere } from '../command-line.ts'
import { openService } from '../harness.ts'

/** A store with an installation that no server uses. */
async function installedStore(engine: Engine): Promise<Awaited<ReturnType<typeof migratedStore>>> {
  const store = await migratedStore(engine)
  const { dataDir, databaseUrl } = store
  await (await openService({ engine, dataDir, databaseUrl }))[Symbol.asyncDispose]()
  return store
}

/** A file of an earlier version, which keeps the pages of deleted rows. */
function fillAndEmpty(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = delete; pragma auto_vacuum = none; vacuum;
    create table filling (text text);
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2000)
      insert into filling select printf('%.1000c', 'x') from numbers;
    drop table filling`)
  expect(database.prepare('pragma auto_vacuum').get()).toEqual({ auto_vacuum: 0 })
  database.close()
}

test('on SQLite the file shrinks, and releases space by itself from then on', async () => {
  await using store = await installedStore('sqlite')
  const file = path.join(store.dataDir, 'waypost.db')
  const env = { WAYPOST_DATA_DIR: store.dataDir }
  const apps = (await runHere(['apps', 'list', '--json'], env)).stdout
  fillAndEmpty(file)
  const { size } = await stat(file)
  const { code, stdout, stderr } = await runHere(['db', 'compact', '--json'], env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const after = (await stat(file)).size
  expect(JSON.parse(stdout)).toEqual({ store: 'sqlite', bytes_before: size, bytes_after: after })
  expect(size - after).toBeGreaterThan(1_900_000)
  using database = new DatabaseSync(file)
  expect(database.prepare('pragma auto_vacuum').get()).toEqual({ auto_vacuum: 2 })
  expect((await runHere(['apps', 'list', '--json'], env)).stdout).toBe(apps)
  // A second run has nothing to release, and its output is for people.
  const again = await runHere(['db', 'compact'], env)
  expect(again).toMatchObject({ code: 0, stderr: '' })
  expect(again.stdout).toMatch(/bytes_before\s+\d+\n.*bytes_after\s+\d+/s)
})

test('on SQLite it is refused while a server uses the file, which stays unchanged', async () => {
  await using store = await installedStore('sqlite')
  // The lock of a running server.
  using _serving = lockForServing(path.join(store.dataDir, 'waypost.db'))
  const refused = await runHere(['db', 'compact'], { WAYPOST_DATA_DIR: store.dataDir })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/another Waypost server is using .*waypost\.db\. Stop it first/)
})

test('on PostgreSQL it does nothing and explains why', async (context) => {
  needsProgram(context, 'PostgreSQL 15 or newer')
  await using store = await installedStore('postgresql')
  const env = { WAYPOST_DATA_DIR: store.dataDir, DATABASE_URL: store.databaseUrl ?? '' }
  const { code, stdout } = await runHere(['db', 'compact', '--json'], env)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ store: 'postgresql', bytes_before: null, bytes_after: null })
  expect((await runHere(['db', 'compact'], env)).stderr).toMatch(/^PostgreSQL frees space itself/)
})
