/** A worker of a distributed store that is gone makes a part of the store unavailable, not all of it. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from '@waypost/testing/statement'
import { describe, expect, test } from 'vitest'
import { StoreUnavailable } from '../../src/engine/database.ts'
import { translate } from '../../src/engine/postgresql-statements.ts'
import { openSqlite } from '../../src/engine/sqlite.ts'
import { watchHealth } from '../../src/store-health.ts'

/** An error as the driver reports one of the server. */
const reported = (code: string, message: string, where?: string): Error =>
  Object.assign(new Error(message), { code, severity: 'ERROR', where })

describe('an error of the coordinator', () => {
  test.for([
    ['08006', 'connection to the remote node waypost@10.0.0.2:5432 failed', undefined],
    ['57P01', 'terminating connection due to administrator command', 'while executing command on 10.0.0.2:5432'],
    ['XX000', 'could not commit transaction for shard 102008 on any active node', undefined],
    ['XX000', 'failure on connection marked as essential: 10.0.0.2:5432', undefined],
  ] as const)('%s, "%s", concerns a worker', ([code, message, where]) => {
    expect(translate(reported(code, message, where))).toMatchObject({ name: 'StoreUnavailable', isPart: true })
  })

  test('that it is shutting down itself concerns the whole store', () => {
    const error = translate(reported('57P01', 'terminating connection due to administrator command'))
    expect(error).toMatchObject({ name: 'StoreUnavailable', isPart: false })
  })

  test('about a statement on a worker is no outage', () => {
    const error = reported('23505', 'duplicate key value', 'while executing command on 10.0.0.2:5432')
    expect(translate(error)).toBe(error)
  })
})

test('a node stays ready while a part of the store is gone', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-part-'))
  await using store = openSqlite(path.join(folder.path, 'waypost.db'))
  await store.execute('create table installation (name text primary key, value text not null)')
  const failing = { ...store, get: () => Promise.reject(new StoreUnavailable('gone', undefined, { isPart: true })) }
  const { database, health } = watchHealth(failing)
  await expect(database.get(sql('notes.one', 'select 1 as one'))).rejects.toThrow('gone')
  expect(await health.problem()).toBeUndefined()
})
