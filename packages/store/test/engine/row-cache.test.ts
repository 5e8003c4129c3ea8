/** Lists on SQLite use cached rows, and never one that is not current. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Database, type RowList, sql } from '../../src/engine/database.ts'
import { RowCache } from '../../src/engine/row-cache.ts'
import { openSqlite } from '../../src/engine/sqlite.ts'
import { openOther } from './other-process.ts'

const change = sql({
  name: 'notes.change',
  text: 'update notes set text = $2 where id = $1',
  rowKeyAt: 1,
})
const changeAll = sql({ name: 'notes.changeAll', text: 'update notes set text = $1' })
const remove = sql({ name: 'notes.remove', text: 'delete from notes where id = $1', rowKeyAt: 1 })
const insert = sql({ name: 'notes.insert', text: 'insert into notes values ($1, $2)', rowKeyAt: 1 })
const notes: RowList<{ id: string }> = {
  table: 'notes',
  keys: sql({ name: 'notes.keys', text: 'select id from notes order by id limit $1' }),
  rows: sql({ name: 'notes.rows', text: 'select id, text from notes order by id limit $1' }),
}

const held = new AsyncDisposableStack()
afterAll(() => held.disposeAsync())
let file: string
let database: Database
beforeEach(async () => {
  file = path.join(held.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-rows-'))).path, 'waypost.db')
  database = held.use(openSqlite(file))
  await database.execute('create table notes (id text primary key not null, text text not null)')
  for (const id of ['a', 'b', 'c']) await database.run(insert, [id, `${id}1`])
  await list()
  await list()
})

async function list(): Promise<string> {
  const listed = await database.list?.(notes, [10])
  expect(listed?.keys).toHaveLength(listed?.texts.length ?? -1)
  return listed?.texts.map(String).join(' ') ?? ''
}
/** How often rows were read from the file. */
const rowReads = (): number => database.figures.of('notes.rows').count

test('rows that are cached are not read again', async () => {
  const before = rowReads()
  expect(await list()).toBe('a1 b1 c1')
  expect(rowReads()).toBe(before)
})

test('a write removes its row when it commits, and the next list has the new text', async () => {
  await database.run(change, ['b', 'b2'])
  expect(await list()).toBe('a1 b2 c1')
  await database.run(changeAll, ['x'])
  expect(await list()).toBe('x x x')
  await database.run(remove, ['a'])
  expect(await list()).toBe('x x')
  await database.run(insert, ['a', 'new'])
  expect(await list()).toBe('new x x')
  await database.execute(`update notes set text = 'script'`)
  expect(await list()).toBe('script script script')
})

test('a transaction is not visible before its commit, and a rollback changes nothing', async () => {
  await database.transaction(async (tx) => {
    await tx.run(change, ['b', 'b2'])
    expect('list' in tx && tx.list).toBeFalsy()
    expect(await list()).toBe('a1 b1 c1')
  })
  expect(await list()).toBe('a1 b2 c1')
  const failed = database.transaction(async (tx) => {
    await tx.run(change, ['b', 'b3'])
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await list()).toBe('a1 b2 c1')
})

test('the next list has what another process committed', async () => {
  await using other = await openOther(file)
  for (let round = 0; round < 20; round++) {
    await other.commit(`update notes set text = 'other ${round}' where id = 'b'`)
    expect(await list()).toBe(`a1 other ${round} c1`)
    if (round % 2 === 0) expect(await list()).toBe(`a1 other ${round} c1`)
    if (round % 3 === 0) await database.run(change, ['a', 'a1'])
  }
})

test('the cache has a maximum size: the rows that were added first are removed', () => {
  const cache = new RowCache(3 * 1_250)
  for (const id of ['a', 'b', 'c', 'd']) cache.add('notes', id, Buffer.alloc(1_000))
  expect(cache.find('notes', [{ id: 'a' }])).toBeUndefined()
  expect(cache.find('notes', [{ id: 'b' }, { id: 'd' }])).toHaveLength(2)
  cache.add('notes', 'e', Buffer.alloc(10_000))
  expect(cache.find('notes', [{ id: 'e' }])).toBeUndefined()
  expect(cache.find('notes', [])).toEqual([])
})

test('rows of another table with the same key are separate', () => {
  const cache = new RowCache()
  cache.add('notes', 'a', Buffer.from('note'))
  expect(cache.find('pages', [{ id: 'a' }])).toBeUndefined()
  cache.noteWrite({ ...change, writes: ['pages'] }, ['a', 'x'])
  cache.committed()
  expect(cache.find('notes', [{ id: 'a' }])?.map(String)).toEqual(['note'])
})
