/** Commits of SQLite and the disk: a commit is neither acknowledged nor readable before it is on disk. */
import fs, { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from '@waypost/testing/statement'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, StoreUnavailable } from '../../src/engine/database.ts'
import { openSqlite } from '../../src/engine/sqlite.ts'

const add = sql('words.add', 'insert into words (word) values ($1)')
const list = sql<{ word: string }>('words.list', 'select word from words order by word')

let folder: string
let file: string
let store: Database
/** Flushes that the disk has not answered; undefined while it answers at once. */
let held: ((error?: Error) => void)[] | undefined
let flushes: number
const original = fs.fdatasync

beforeEach(async () => {
  held = undefined
  flushes = 0
  fs.fdatasync = ((descriptor: number, done: (error: Error | null) => void) => {
    flushes++
    if (held) held.push((error) => (error ? done(error) : original(descriptor, done)))
    else original(descriptor, done)
  }) as typeof fs.fdatasync
  syncBuiltinESMExports()
  folder = mkdtempSync(path.join(tmpdir(), 'waypost-log-'))
  file = path.join(folder, 'store.db')
  store = openSqlite(file)
  await store.execute('create table words (word text not null)')
})
afterEach(async () => {
  held = undefined
  await store[Symbol.asyncDispose]()
  fs.fdatasync = original
  syncBuiltinESMExports()
  rmSync(folder, { recursive: true })
})

const write = (word: string) => store.transaction((tx) => tx.run(add, [word]))
const words = async () => (await store.all(list)).map(({ word }) => word)
const turns = async (count: number) => {
  for (let index = 0; index < count; index++) await turn()
}
/** Records the result of a promise. */
function follow<T>(promise: Promise<T>): { is?: T | Error } {
  const seen: { is?: T | Error } = {}
  promise.then(
    (value) => {
      seen.is = value
    },
    (error) => {
      seen.is = error
    },
  )
  return seen
}

test('a commit is acknowledged and readable once it is on disk', async () => {
  held = []
  const written = write('one')
  const answered = follow(written)
  while (held.length === 0) await turn()
  const read = words()
  const seen = follow(read)
  await turns(5)
  expect([answered, seen]).toEqual([{}, {}])
  held.shift()?.()
  expect(await read).toEqual(['one'])
  expect(await written).toBe(1)
})

test('writes during a flush share the next flush', async () => {
  held = []
  const first = write('a')
  while (held.length === 0) await turn()
  const others = ['b', 'c', 'd'].map(async (word) => {
    await turn()
    return write(word)
  })
  await turns(5)
  expect(held).toHaveLength(1)
  const before = flushes
  const { length } = held.splice(0).map((answer) => answer())
  held = undefined
  await Promise.all([first, ...others])
  expect([length, flushes - before]).toEqual([1, 1])
  expect(await words()).toEqual(['a', 'b', 'c', 'd'])
})

test('a separate transaction is on disk too before it is acknowledged', async () => {
  held = []
  const scripted = follow(store.execute("insert into words values ('scripted')"))
  while (held.length === 0) await turn()
  await turns(3)
  expect(scripted).toEqual({})
  held.splice(0).map((answer) => answer())
  held = undefined
  await store.exclusively((tx) => tx.run(add, ['apart']))
  expect(await words()).toEqual(['apart', 'scripted'])
})

test('after a failed flush, the file receives the whole log before anything follows', async () => {
  held = []
  const failing = follow(write('perhaps'))
  while (held.length === 0) await turn()
  // It started before the failure was known.
  const beside = follow(write('never'))
  await turns(3)
  held.shift()?.(new Error('EIO'))
  held = undefined
  while (!beside.is || !failing.is) await turn()
  expect(failing.is).toBeInstanceOf(StoreUnavailable)
  expect(beside.is).toBeInstanceOf(StoreUnavailable)
  // Another reader keeps the log from being emptied: nothing is accepted.
  const other = new DatabaseSync(file)
  other.exec('begin; select * from words')
  await expect(write('not yet')).rejects.toThrow(StoreUnavailable)
  other.exec('commit')
  other.close()
  await write('after')
  expect(await words()).toEqual(['after', 'perhaps'])
})
