/** Rows that SQLite need not be asked for again, and when it must be. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, kept, sql } from '../../../src/store/engine/database.ts'
import { KeptReads, tablesRead, tablesWritten } from '../../../src/store/engine/kept-reads.ts'
import { openSqlite } from '../../../src/store/engine/sqlite.ts'

const put = sql('test.put', 'insert into notes (id, shelf, text) values ($1, $2, $3)')
const change = sql('test.change', 'update notes set text = $2 where id = $1')
const read = kept(
  sql<{ text: string; shelf: string }>(
    'test.read',
    'select n.text, s.id as shelf from notes n join shelves s on s.id = n.shelf where n.id = $1',
  ),
)

describe('a row that was read', () => {
  const held = new AsyncDisposableStack()
  afterAll(() => held.disposeAsync())
  let file: string
  let database: Database
  beforeEach(async () => {
    file = path.join(held.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-kept-'))).path, 'waypost.db')
    database = held.use(openSqlite(file))
    await database.execute(`create table shelves (id text primary key not null);
      create table notes (id text primary key not null, shelf text not null references shelves (id) on delete cascade, text text);
      create table others (id text primary key not null)`)
    await database.run(sql('test.shelf', 'insert into shelves (id) values ($1)'), ['a'])
    await database.run(put, ['one', 'a', 'first'])
  })
  const asked = (): number => database.figures.statements().get('test.read')?.count ?? 0

  test('is not asked for again as long as its tables stay as they are', async () => {
    const first = await database.get(read, ['one'])
    await database.run(sql('test.other', 'insert into others (id) values ($1)'), ['x'])
    await nextTurn()
    expect(await database.get(read, ['one'])).toBe(first)
    expect([first, asked()]).toEqual([{ text: 'first', shelf: 'a' }, 1])
    expect(Object.isFrozen(first)).toBe(true)
  })

  test('is told apart from what another process wrote meanwhile, at the first question and once for all it wrote', async () => {
    await nextTurn()
    expect([database.othersWrote?.(), database.othersWrote?.()]).toEqual([true, false])
    await database.run(change, ['one', 'its own'])
    await nextTurn()
    expect(database.othersWrote?.()).toBe(false)
    await using beside = openSqlite(file)
    await beside.run(change, ['one', 'second'])
    await beside.run(change, ['one', 'third'])
    await nextTurn()
    // A read that sees it first does not hide it.
    expect(await database.get(read, ['one'])).toMatchObject({ text: 'third' })
    expect([database.othersWrote?.(), database.othersWrote?.()]).toEqual([true, false])
  })

  test('is known without waiting until its table is written to, and only where it is one of those that are kept', async () => {
    const known = (): unknown => database.known?.(read, ['one'])
    expect(known()).toBeUndefined()
    await database.get(read, ['one'])
    expect(known()).toEqual({ text: 'first', shelf: 'a' })
    expect(database.known?.(sql('test.plain', read.text), ['one'])).toBeUndefined()
    await database.run(change, ['one', 'second'])
    expect(known()).toBeUndefined()
  })

  test('is read anew as soon as a change of it is acknowledged, alone or in a transaction', async () => {
    await database.get(read, ['one'])
    await database.run(change, ['one', 'second'])
    expect(await database.get(read, ['one'])).toMatchObject({ text: 'second' })
    await database.transaction(async (tx) => {
      await tx.run(change, ['one', 'third'])
      expect(await tx.get(read, ['one'])).toMatchObject({ text: 'third' })
      // Others see what was kept.
      expect(await database.get(read, ['one'])).toMatchObject({ text: 'second' })
    })
    expect(await database.get(read, ['one'])).toMatchObject({ text: 'third' })
  })

  test('stays what it was when the change is taken back', async () => {
    await database.get(read, ['one'])
    const failing = database.transaction(async (tx) => {
      await tx.run(change, ['one', 'never'])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await database.get(read, ['one'])).toMatchObject({ text: 'first' })
  })

  test('goes with the row that it belongs to', async () => {
    await database.get(read, ['one'])
    await database.run(sql('test.drop', 'delete from shelves where id = $1'), ['a'])
    expect(await database.get(read, ['one'])).toBeUndefined()
  })

  test('is read anew when another process has changed it, also within a turn that read before', async () => {
    await using other = openSqlite(file)
    await database.get(read, ['one'])
    await other.run(change, ['one', 'theirs'])
    await nextTurn()
    // The snapshot of this turn is open before the change, and the row is kept from it.
    await database.get(sql('test.open', 'select id from others'))
    await other.run(change, ['one', 'theirs again'])
    await database.get(read, ['one'])
    await nextTurn()
    expect(await database.get(read, ['one'])).toMatchObject({ text: 'theirs again' })
  })

  test('is none that is not there: it is looked for until it is', async () => {
    expect(await database.get(read, ['two'])).toBeUndefined()
    await database.run(put, ['two', 'a', 'new'])
    expect(await database.get(read, ['two'])).toMatchObject({ text: 'new' })
  })
})

test('what is kept has an end', () => {
  const reads = new KeptReads()
  let looks = 0
  const look = (id: string) =>
    reads.get(read, [id], () => {
      looks++
      return { text: 'x'.repeat(1_000_000), shelf: id }
    })
  for (const id of ['1', '2', '3', '1', '2', '3']) look(id)
  expect(looks).toBe(3)
  for (const id of ['4', '5', '1']) look(id)
  expect(looks).toBe(6)
})

test.each([
  ['insert into notes (id) values ($1)', ['notes']],
  ['insert or replace into shelves (id) values ($1)', ['shelves', 'notes']],
  ['insert into notes (id) values ($1) on conflict (id) do update set text = $2', ['notes', 'set']],
  ['update shelves set id = $1', ['shelves']],
  ['delete from shelves where id = $1', ['shelves', 'notes']],
  ['reindex', ['*']],
])('%s writes to %j', (text, tables) => {
  const cascades = (table: string): string[] => (table === 'shelves' ? ['notes'] : [])
  expect(tablesWritten(text, cascades)).toEqual(tables)
})

test('a statement tells which tables it reads', () => {
  expect([...tablesRead(read.text)]).toEqual(['notes', 'shelves'])
})
