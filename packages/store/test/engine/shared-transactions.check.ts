/**
 * Tasks that share a transaction on PostgreSQL without affecting each other. SQLite lets all writes share a commit.
 */

import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database, Queries } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'

const put = sql('notes.put', 'insert into notes (id, number) values ($1, $2)')
const hold = sql('notes.hold', 'select id from notes where id = $1 for no key update')
const read = sql<{ number: number }>('notes.read', 'select number from notes where id = $1')
const write = sql('notes.write', 'update notes set number = $2 where id = $1')
const wrong = sql('notes.wrong', 'insert into notes (id, number) values (null, null)')
const all = sql<{ id: string; number: number }>('notes.all', 'select id, number from notes order by id')
const transactionOf = sql<{ id: string }>('notes.transaction', 'select pg_current_xact_id()::text as id')

describe('shared transactions', () => {
  let database: Database
  beforeAll(async () => {
    database = openPostgresql(await freshDatabaseUrl(), () => undefined)
    await database.execute('create table notes (id text primary key not null, number bigint)')
  })
  afterAll(() => database[Symbol.asyncDispose]())
  beforeEach(async () => {
    await database.execute('delete from notes')
    for (const id of names) await database.run(put, [id, 0])
  })

  const names = ['a', 'b', 'c', 'd']
  const numbers = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await database.all(all)).map(({ id, number }) => [id, number]))

  /** Adds one to a note, as a change of an account does: lock, read, write. */
  const add = async (tx: Queries, id: string): Promise<number> => {
    const [, row] = await Promise.all([tx.post(hold, [id]), tx.get(read, [id])])
    const number = (row?.number ?? 0) + 1
    await tx.post(write, [id, number])
    return number
  }
  const addShared = (id: string): Promise<number> =>
    database.transaction((tx) => add(tx, id), { key: id, applicationId: 'x' })

  test('run tasks of several keys in one transaction, and each gets its own result', async () => {
    const seen = new Set<string>()
    const work = names.map((id) =>
      database.transaction(
        async (tx) => {
          await add(tx, id)
          seen.add((await tx.get(transactionOf))?.id ?? '')
          return id
        },
        { key: id, applicationId: 'x' },
      ),
    )
    expect(await Promise.all(work)).toEqual(names)
    expect(seen.size).toBe(1)
    expect(await numbers()).toEqual({ a: 1, b: 1, c: 1, d: 1 })
  })

  test('run tasks of one key one after the other, and lose no update', async () => {
    const work = Array.from({ length: 60 }, (_, index) => addShared(names[index % 3] ?? ''))
    await Promise.all(work)
    expect(await numbers()).toEqual({ a: 20, b: 20, c: 20, d: 0 })
  })

  test('let a task that fails before it writes fail alone, and nothing runs twice', async () => {
    const failure = new Error('no')
    let runs = 0
    const counted = names.slice(1).map((id) =>
      database.transaction(
        (tx) => {
          runs++
          return add(tx, id)
        },
        { key: id, applicationId: 'x' },
      ),
    )
    const failing = database.transaction(
      async (tx) => {
        await tx.post(hold, ['a'])
        throw failure
      },
      { key: 'a', applicationId: 'x' },
    )
    await expect(failing).rejects.toBe(failure)
    await Promise.all(counted)
    expect(runs).toBe(3)
    expect(await numbers()).toEqual({ a: 0, b: 1, c: 1, d: 1 })
  })

  test.each(['throws', 'meets a statement that fails', 'posts a statement that fails'])(
    'store nothing of a task that writes and then %s, and everything of the others',
    async (how) => {
      const failing = database.transaction(
        async (tx) => {
          await add(tx, 'a')
          if (how === 'throws') throw new Error('null')
          await (how.startsWith('meets') ? tx.run(wrong) : tx.post(wrong))
        },
        { key: 'a', applicationId: 'x' },
      )
      const others = names.slice(1).map(addShared)
      await expect(failing).rejects.toThrow(/null/)
      expect(await Promise.all(others)).toEqual([1, 1, 1])
      expect(await numbers()).toEqual({ a: 0, b: 1, c: 1, d: 1 })
    },
  )

  test('let a task that needs a locked row wait alone', async () => {
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = database.transaction(async (tx) => {
      await tx.get(hold, ['a'])
      locked.resolve()
      await held.promise
      await tx.run(write, ['a', 10])
    })
    await locked.promise
    const late = addShared('a')
    expect(await Promise.all(names.slice(1).map(addShared))).toEqual([1, 1, 1])
    expect(await numbers()).toEqual({ a: 0, b: 1, c: 1, d: 1 })
    held.resolve()
    await holder
    expect(await late).toBe(11)
    expect(await numbers()).toEqual({ a: 11, b: 1, c: 1, d: 1 })
  })

  test('that hang delay others only for a moment', async () => {
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const slow = ['a', 'b'].map((id) =>
      database.transaction(
        async (tx) => {
          begun.resolve()
          await held.promise
          return add(tx, id)
        },
        { key: id, applicationId: 'x' },
      ),
    )
    await begun.promise
    expect(await Promise.all([addShared('c'), addShared('d')])).toEqual([1, 1])
    held.resolve()
    expect(await Promise.all(slow)).toEqual([1, 1])
  })
})
