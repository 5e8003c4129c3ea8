/**
 * Transactions of PostgreSQL that only write, or write before they read: once prepared, their statements are sent as
 * one.
 */

import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { sql } from '@waypost/testing/statement'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database, Queries } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'

const put = sql('notes.put', 'insert into notes (id, number) values ($1, $2)')
const raise = sql('notes.raise', 'update notes set number = number + 1')
const refer = sql('links.put', 'insert into links (note) values ($1)')
const all = sql<{ id: string; number: number }>('notes.all', 'select id, number from notes order by id')

describe('a transaction', () => {
  let database: Database
  const requested = vi.spyOn(pg.Client.prototype, 'query')
  const ends = vi.spyOn(pg.Connection.prototype, 'sync')
  beforeAll(async () => {
    database = openPostgresql(await freshDatabaseUrl(), () => undefined)
    await database.execute(`create table notes (id text primary key not null, number bigint);
      create table links (note text references notes (id) deferrable initially deferred)`)
    // The pool has one connection, on which everything is prepared.
    await twoPosts('warm')
    await database.transaction((tx) => tx.post(raise))
    await database.transaction((tx) => tx.post(refer, ['warm']))
    await database.execute('delete from links; delete from notes')
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await database[Symbol.asyncDispose]()
  })
  afterEach(() => database.execute('delete from links; delete from notes'))

  const counts: number[] = []
  const twoPosts = (id: string): Promise<void> =>
    database.transaction(async (tx) => {
      counts.length = 0
      await tx.post(put, [id, 1], (rows) => counts.push(rows))
      await tx.post(put, [`${id}2`, 2], (rows) => counts.push(rows))
      await tx.post(raise, [], (rows) => counts.push(rows))
    })
  const retained = async () => Object.fromEntries((await database.all(all)).map(({ id, number }) => [id, number]))

  test('that only writes is sent as one, and gets all counts', async () => {
    requested.mockClear()
    ends.mockClear()
    await twoPosts('a')
    expect([requested.mock.calls.length, ends.mock.calls.length]).toEqual([1, 1])
    expect(counts).toEqual([1, 1, 2])
    expect(await retained()).toEqual({ a: 2, a2: 3 })
  })

  test('is stored completely or not at all, and the connection stays usable', async () => {
    await database.run(put, ['b2', 7])
    await expect(twoPosts('b')).rejects.toMatchObject({ code: '23505' })
    expect(counts).toEqual([])
    expect(await retained()).toEqual({ b2: 7 })
    await twoPosts('c')
    expect(await retained()).toEqual({ b2: 8, c: 2, c2: 3 })
  })

  test('gets errors that are found at its end', async () => {
    const dangling = database.transaction(async (tx) => {
      await tx.post(put, ['d', 1])
      await tx.post(refer, ['nobody'])
    })
    await expect(dangling).rejects.toMatchObject({ code: '23503' })
    expect(await retained()).toEqual({})
  })

  test('reads its own writes', async () => {
    const seen = await database.transaction(async (tx) => {
      await tx.post(put, ['e', 1])
      await tx.post(raise)
      const before = await tx.all(all)
      await tx.post(raise)
      return before
    })
    expect(seen).toEqual([{ id: 'e', number: 2 }])
    expect(await retained()).toEqual({ e: 3 })
  })

  test('that throws stores nothing, sent or not', async () => {
    const failing = (work: (tx: Queries) => Promise<unknown>) =>
      expect(
        database.transaction(async (tx) => {
          await tx.post(put, ['f', 1])
          await work(tx)
          throw new Error('not so')
        }),
      ).rejects.toThrow('not so')
    await failing(async () => undefined)
    await failing((tx) => tx.all(all))
    expect(await retained()).toEqual({})
  })

  test('without any statement sends nothing', async () => {
    requested.mockClear()
    expect(await database.transaction(async () => 'done')).toBe('done')
    expect(requested).not.toHaveBeenCalled()
  })

  test('refuses values that a store would refuse', async () => {
    await expect(database.transaction((tx) => tx.post(put, ['g\0', 1]))).rejects.toThrow('NUL')
    expect(await retained()).toEqual({})
  })
})
