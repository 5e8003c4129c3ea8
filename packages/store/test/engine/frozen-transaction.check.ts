import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { sql } from '@waypost/testing/statement'
import { describe, expect, test } from 'vitest'
import { StoreUnavailable } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'

const change = sql('test.change', 'update things set n = n + 1')
const read = sql<{ n: number }>('test.read', 'select n from things')

describe('a node that freezes in the middle of a transaction', () => {
  test('holds its rows no longer than its leases last: others continue, and nothing of it is stored', async () => {
    const url = await freshDatabaseUrl()
    await using frozen = openPostgresql(url, () => undefined)
    await using other = openPostgresql(url, () => undefined)
    await other.execute('create table things (n bigint not null); insert into things values (0)')
    let end: () => void = () => undefined
    const silence = new Promise<void>((resolve) => {
      end = resolve
    })
    const holds = Promise.withResolvers<void>()
    const lost = frozen
      .transaction(async (tx) => {
        await tx.run(change)
        holds.resolve()
        await silence
      })
      .catch((error: unknown) => error)
    await holds.promise
    // Waits for the row until the server ends the silent connection.
    expect(await other.run(change)).toBe(1)
    end()
    expect(await lost).toBeInstanceOf(StoreUnavailable)
    expect(await other.get(read)).toEqual({ n: 1 })
  })
})
