/** Statements sent to PostgreSQL: how often they are described, and how their rows are read. */

import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { sql } from '@waypost/testing/statement'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'

describe('a statement', () => {
  let database: Database
  const descriptions = vi.spyOn(pg.Connection.prototype, 'describe')
  beforeAll(async () => {
    database = openPostgresql(await freshDatabaseUrl(), () => undefined)
    await database.execute('create table notes (id text primary key not null, number bigint, flag integer)')
  })
  afterAll(async () => {
    descriptions.mockRestore()
    await database[Symbol.asyncDispose]()
  })
  afterEach(() => database.execute('delete from notes'))
  /** A transaction uses one connection for everything. */
  const describedIn = async (work: Parameters<Database['transaction']>[0]): Promise<number> => {
    descriptions.mockClear()
    await database.transaction(work)
    return descriptions.mock.calls.length
  }

  test('that is prepared is described once per connection, with rows or without', async () => {
    const put = sql('notes.put', 'insert into notes (id, number) values ($1, $2)')
    const read = sql<{ id: string; number: number }>('notes.read', 'select id, number from notes where id = $1')
    const work = await describedIn(async (tx) => {
      for (const id of ['a', 'b', 'c']) {
        expect(await tx.run(put, [id, 2 ** 40])).toBe(1)
        expect(await tx.get(read, [id])).toEqual({ id, number: 2 ** 40 })
      }
      expect(await tx.get(read, ['d'])).toBeUndefined()
      expect(await tx.all(sql('notes.all', 'select id from notes order by id'))).toHaveLength(3)
    })
    expect(work).toBe(3)
  })

  test('without a name is described every time', async () => {
    const read = sql<{ n: number }>('', 'select cast($1 as integer) as n')
    const work = await describedIn(async (tx) => {
      for (const n of [1, 2, 3]) expect(await tx.get(read, [n])).toEqual({ n })
    })
    expect(work).toBe(3)
  })

  test('that failed the first time is described the next time', async () => {
    const divide = sql<{ part: number }>('notes.divide', 'select 12 / cast($1 as integer) as part')
    await expect(database.transaction((tx) => tx.get(divide, [0]))).rejects.toThrow('division by zero')
    for (const by of [3, 4]) {
      expect(await database.transaction((tx) => tx.get(divide, [by]))).toEqual({ part: 12 / by })
    }
  })

  test('whose columns have changed since is refused, not misread', async () => {
    const read = sql<{ flag: unknown }>('notes.flag', 'select flag from notes')
    await database.run(sql('', "insert into notes (id, flag) values ('a', 1)"))
    expect(await database.transaction((tx) => tx.get(read))).toEqual({ flag: 1 })
    await database.execute("alter table notes alter column flag type text using 'x'")
    await expect(database.transaction((tx) => tx.get(read))).rejects.toThrow('must not change result type')
  })

  test('reads each type of value, and returns the number of changed rows', async () => {
    const kinds = sql(
      'notes.kinds',
      `select cast($1 as bigint) as wide, 7 as narrow, cast(null as text) as none, '' as empty, true as yes, $2 as text`,
    )
    for (let round = 0; round < 2; round++) {
      expect(await database.get(kinds, [-5, 'Räume 🚪'])).toEqual({
        ...{ wide: -5, narrow: 7, none: null, empty: '', yes: true, text: 'Räume 🚪' },
      })
    }
    for (const id of ['a', 'b']) await database.run(sql('notes.insert', 'insert into notes (id) values ($1)'), [id])
    expect(await database.run(sql('notes.none', "update notes set number = 1 where id = 'z'"))).toBe(0)
    expect(await database.run(sql('notes.both', 'update notes set number = 1'))).toBe(2)
  })
})
