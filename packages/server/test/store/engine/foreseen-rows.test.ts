/** Work whose rows were read before its transaction, on PostgreSQL: it comes to what it would have come to under the lock. */
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Database,
  type ForeseenRows,
  type Queries,
  StoreUnavailable,
  sql,
} from '../../../src/store/engine/database.ts'
import { foreseeable, runForeseen } from '../../../src/store/engine/foreseen-rows.ts'
import { openPostgresql } from '../../../src/store/engine/postgresql.ts'
import { freshDatabaseUrl } from '../../peers/database-url.ts'

const hold = sql('notes.hold', 'select id from notes where id = $1 for no key update')
const read = foreseeable(sql<{ number: number }>('notes.read', 'select number from notes where id = $1'))
const readLine = foreseeable(
  sql<{ text: string }>('lines.read', 'select text from lines where note = $1 and place = $2'),
)
const count = sql<{ n: number }>('lines.count', 'select count(*) as n from lines where note = $1')
const write = sql('notes.write', 'update notes set number = $2 where id = $1')
const log = sql('log.add', 'insert into log (note) values ($1)')
const logged = sql<{ n: number }>('log.count', 'select count(*) as n from log')

const blockedBy = sql<{ n: number }>(
  'test.blocked',
  'select count(*) as n from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
)

describe('rows that were read before the transaction', () => {
  let database: Database
  let outside: Client
  beforeAll(async () => {
    const url = await freshDatabaseUrl()
    database = openPostgresql(url, () => undefined)
    outside = new Client({ connectionString: url })
    await outside.connect()
    await database.execute(`create table notes (id text primary key, number bigint);
      create table lines (note text, place bigint, text text, primary key (note, place));
      create table log (note text)`)
  })
  afterAll(async () => {
    await outside.end()
    await database[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    await database.execute(`delete from notes; delete from lines; delete from log; insert into notes values ('a', 1);
      insert into lines values ('a', 1, 'first')`)
  })

  let runs = 0
  beforeEach(() => {
    runs = 0
  })
  /** Adds one, as a change of an account does: lock, read, write. */
  const add = async (tx: Queries): Promise<string> => {
    runs++
    const [, row, line] = await Promise.all([tx.post(hold, ['a']), tx.get(read, ['a']), tx.get(readLine, ['a', 1])])
    await tx.post(write, ['a', (row?.number ?? 0) + 1])
    await tx.post(log, ['a'])
    return `${row?.number} ${line?.text}`
  }
  const foresee = (): ForeseenRows => {
    const rows = database.foresee?.([
      { statement: read, parameters: ['a'] },
      { statement: readLine, parameters: ['a', 1] },
    ])
    if (!rows) throw new Error('somebody else waits for the store')
    return rows
  }
  const change = (foreseen: ForeseenRows, work = add) => database.transaction(work, { key: 'a', foreseen })
  const asked = (name: string): number => database.figures.statements().get(name)?.count ?? 0
  const state = async () => ({ note: await database.get(read, ['a']), logged: (await database.get(logged))?.n })

  test('are not asked for again', async () => {
    const before = asked('notes.read')
    expect(await change(foresee())).toBe('1 first')
    expect([runs, asked('notes.read') - before]).toEqual([1, 0])
    expect(await state()).toEqual({ note: { number: 2 }, logged: 1 })
  })

  test.each([
    ['changed', "update notes set number = 10 where id = 'a'", '10 first', 11],
    ['written with the same values', "update notes set number = 1 where id = 'a'", '1 first', 2],
    ['made anew', "delete from notes; insert into notes values ('a', 20)", '20 first', 21],
  ])('are asked for under the lock where one was %s since', async (_, statement, found, number) => {
    const foreseen = foresee()
    await foreseen.known()
    await outside.query(statement)
    expect(await change(foreseen)).toBe(found)
    expect(runs).toBe(2)
    // Nothing of the first run was kept.
    expect(await state()).toEqual({ note: { number }, logged: 1 })
  })

  test('are asked for under the lock where another one than the first was changed or removed', async () => {
    const foreseen = foresee()
    await foreseen.known()
    await outside.query("update lines set text = 'second'")
    expect(await change(foreseen)).toBe('1 second')
    const other = foresee()
    await other.known()
    await outside.query('delete from lines')
    expect(await change(other)).toBe('2 undefined')
    expect(runs).toBe(4)
  })

  test('are looked at after the lock: who had to wait for it sees what was changed meanwhile', async () => {
    const foreseen = foresee()
    await foreseen.known()
    await outside.query('begin')
    await outside.query("select id from notes where id = 'a' for no key update")
    const changed = change(foreseen)
    const { rows } = await outside.query('select pg_backend_pid() as pid')
    await vi.waitFor(async () => expect((await database.get(blockedBy, [rows[0].pid]))?.n).toBe(1), { timeout: 20_000 })
    await outside.query("update lines set text = 'second'")
    await outside.query('commit')
    expect(await changed).toBe('1 second')
    expect([runs, await state()]).toEqual([2, { note: { number: 2 }, logged: 1 }])
  })

  test('that are not there are asked for, and what was not foreseen too', async () => {
    await outside.query('delete from lines')
    expect(await change(foresee())).toBe('1 undefined')
    expect(runs).toBe(1)
    await outside.query("insert into lines values ('a', 1, 'first'), ('a', 2, 'other')")
    const counting = async (tx: Queries): Promise<string> => {
      const said = await add(tx)
      return `${said} ${(await tx.get(count, ['a']))?.n}`
    }
    expect(await change(foresee(), counting)).toBe('2 first 2')
    expect(runs).toBe(2)
  })

  test('count for nothing in a refusal: that is told of what stands under the lock', async () => {
    const refusing = async (tx: Queries): Promise<string> => {
      const said = await add(tx)
      if (said.startsWith('1 ')) throw new Error(said)
      return said
    }
    const foreseen = foresee()
    await foreseen.known()
    await outside.query("update notes set number = 5 where id = 'a'")
    expect(await change(foreseen, refusing)).toBe('5 first')
    await outside.query("update notes set number = 1 where id = 'a'")
    await expect(change(foresee(), refusing)).rejects.toThrow('1 first')
    expect(await state()).toEqual({ note: { number: 1 }, logged: 1 })
  })

  test('are not read ahead while others wait for the store, who share a transaction', async () => {
    const other = database.get(count, ['a'])
    expect(database.foresee?.([{ statement: read, parameters: ['a'] }])).toBeUndefined()
    await other
  })

  test('never have work run again whose end is not known', async () => {
    const lost = async () => {
      runs++
      throw new StoreUnavailable('gone', undefined)
    }
    const rows = foresee()
    await expect(runForeseen((work) => work({} as Queries), lost, { rows, figures: undefined })).rejects.toThrow('gone')
    expect(runs).toBe(1)
  })
})
