/** Every read of SQLite sees all commits before it, also those of another process. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database } from '@waypost/store/engine/database'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openSqlite } from '../../../../store/src/engine/sqlite.ts'
import { openOther } from '../../../../store/test/engine/other-process.ts'
import { openService } from '../../harness.ts'

const put = sql('test.put', 'insert into notes (id, text) values ($1, $2)')
const change = sql('test.change', 'update notes set text = $2 where id = $1')
const read = sql<{ text: string }>('test.read', 'select text from notes where id = $1')

const held = new AsyncDisposableStack()
afterAll(() => held.disposeAsync())
let file: string
let database: Database
beforeEach(async () => {
  file = path.join(held.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-seen-'))).path, 'waypost.db')
  database = held.use(openSqlite(file))
  await database.execute('create table notes (id text primary key not null, text text)')
  await database.run(put, ['one', 'first'])
})

test('a read sees a commit of this process as soon as it is acknowledged, and nothing of an open transaction', async () => {
  await database.run(change, ['one', 'second'])
  expect(await database.get(read, ['one'])).toEqual({ text: 'second' })
  await database.transaction(async (tx) => {
    await tx.run(change, ['one', 'third'])
    expect(await tx.get(read, ['one'])).toEqual({ text: 'third' })
    expect(await database.get(read, ['one'])).toEqual({ text: 'second' })
  })
  expect(await database.get(read, ['one'])).toEqual({ text: 'third' })
})

test('a read sees a commit of another connection within the same turn of the event loop', async () => {
  using other = new (await import('node:sqlite')).DatabaseSync(file)
  const seen: unknown[] = []
  // No await of the event loop here: only microtasks run in between.
  for (const text of ['a', 'b', 'c']) {
    other.exec(`update notes set text = '${text}'`)
    seen.push((await database.get(read, ['one']))?.text)
  }
  expect(seen).toEqual(['a', 'b', 'c'])
})

test('each request sees what another process has committed before it', async () => {
  await using service = await openService()
  const { id } = await service.createGrant('Room A')
  await using other = await openOther(path.join(service.services.config.dataDir, 'waypost.db'))
  for (let round = 0; round < 20; round++) {
    const name = `Room ${round}`
    // Requests are always in progress, as on a busy server.
    const busy = Array.from({ length: 8 }, () => service.call('GET', `/v3/grants/${id}`))
    await other.commit(`update grants set document = json_set(document, '$.name', '${name}') where id = '${id}'`)
    expect((await service.call('GET', `/v3/grants/${id}`)).body.data.name).toBe(name)
    expect((await service.call('GET', '/v3/grants?limit=50')).body.data[0].name).toBe(name)
    await Promise.all(busy)
  }
})

test('commits of another process are noticed once', async () => {
  expect([database.othersWrote?.(), database.othersWrote?.()]).toEqual([true, false])
  await database.run(change, ['one', 'its own'])
  expect(database.othersWrote?.()).toBe(false)
  await using other = await openOther(file)
  await other.commit("update notes set text = 'second'")
  await other.commit("update notes set text = 'third'")
  expect(await database.get(read, ['one'])).toEqual({ text: 'third' })
  expect([database.othersWrote?.(), database.othersWrote?.()]).toEqual([true, false])
})
