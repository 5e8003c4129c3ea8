/** Reads that share a statement on PostgreSQL and through PgBouncer: no reader gets a result from before its request. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '@waypost/store/engine/database'
import { findKeyHolder } from '@waypost/store/tables/applications/api-keys'
import { freshDatabaseUrl, sharedPostgresUrl } from '@waypost/testing/peers/database-url'
import { startPgBouncer } from '@waypost/testing/peers/pgbouncer'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { batched } from '../../../../store/src/engine/batch-loader.ts'
import { openPostgresql } from '../../../../store/src/engine/postgresql.ts'
import { hashKey } from '../../../src/applications/api-keys.ts'
import { openService } from '../../harness.ts'

interface Note {
  text: string
}
const point = batched(sql<Note>('notes.point', 'select text from notes where id = $1'))

describe.each(['PostgreSQL', 'PgBouncer'])('on %s', (place) => {
  const held = new AsyncDisposableStack()
  let database: Database
  let other: pg.Client
  beforeAll(async () => {
    const url = await freshDatabaseUrl()
    const bouncer =
      place === 'PgBouncer' ? held.use(await startPgBouncer(await sharedPostgresUrl(), { poolSize: 8 })) : undefined
    other = new pg.Client({ connectionString: url })
    await other.connect()
    held.defer(() => other.end())
    await other.query('create table notes (id text primary key not null, text text)')
    database = held.use(openPostgresql(bouncer?.through(url) ?? url, () => undefined))
  })
  afterAll(() => held.disposeAsync())

  test('a commit before a read is in its result, even while earlier reads are in progress', async () => {
    await other.query("insert into notes values ('one', 'old'), ('two', 'old')")
    // Each reads the table as of its start, and answers once nobody holds the number.
    const gated = batched(
      sql<Note>(
        'notes.gated',
        'select n.text from (select pg_advisory_xact_lock_shared(7)) gate, notes n where n.id = $1',
      ),
    )
    const begun = async (count: number): Promise<void> => {
      const waiting = `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
      while ((await other.query(waiting)).rows[0].n < count) await nextTurn()
    }
    await other.query('select pg_advisory_lock(7)')
    const first = database.get(gated, ['one'])
    await begun(1)
    await other.query("update notes set text = 'new'")
    const late = ['one', 'two', 'one'].map((id) => database.get(gated, [id]))
    await nextTurn()
    await other.query('select pg_advisory_unlock(7)')
    expect(await first).toEqual({ text: 'old' })
    expect((await Promise.all(late)).map((row) => row?.text)).toEqual(['new', 'new', 'new'])
  })

  test('texts of any kind are found unchanged', async () => {
    const texts = ['', ' ', 'null', '{}', '"', '\\', '\\"', 'a,b', "'", 'ä🚪', '$1', '%s', '\n\t']
    for (const text of texts) await other.query('insert into notes values ($1, $2)', [`id ${text}`, text])
    const found = await Promise.all(texts.map((text) => database.get(point, [`id ${text}`])))
    expect(found.map((row) => row?.text)).toEqual(texts)
    expect(database.figures.statements().get('notes.pointBatch')?.count).toBe(1)
  })

  test('a transaction reads what it has written, and shares nothing', async () => {
    await other.query("insert into notes values ('own', 'before')")
    await database.transaction(async (tx) => {
      await tx.run(sql('notes.change', "update notes set text = $1 where id = 'own'"), ['within'])
      expect(await Promise.all([tx.get(point, ['own']), database.get(point, ['own'])])).toMatchObject([
        { text: 'within' },
        { text: 'before' },
      ])
    })
    expect(await database.get(point, ['own'])).toMatchObject({ text: 'within' })
  })
})

test('a change of another node is visible to the next request, however many run concurrently', async () => {
  await using store = await migratedStore('postgresql')
  const { dataDir, databaseUrl = '' } = store
  await using one = await openService({ dataDir, databaseUrl })
  await using other = await openService({ dataDir, databaseUrl })
  const { id } = await one.createGrant('Room A')
  const atOnce = async (path: string, key: string) =>
    Promise.all(Array.from({ length: 20 }, () => other.call('GET', path, { key })))
  const owner = await findKeyHolder(one.services.storage.database, hashKey(one.apiKey))
  const keys = `/v3/admin/applications/${owner?.application_id}/api-keys`
  const made = await one.call('POST', keys, { admin: true, body: { name: 'second' } })
  const { id: keyId, api_key: key } = made.body.data
  // Some reads are always in progress, so that there is always something to share.
  let isOver = false
  const busy = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver) await other.call('GET', '/v3/grants?limit=50')
    }),
  )
  for (const value of ['first', 'second', 'third']) {
    await one.call('PATCH', `/v3/grants/${id}`, { body: { metadata: { key1: value } } })
    for (const { body } of await atOnce(`/v3/grants/${id}`, key)) expect(body.data.metadata).toEqual({ key1: value })
    for (const { body } of await atOnce('/v3/grants?limit=50', key)) {
      expect(body.data.map(({ metadata }: { metadata: unknown }) => metadata)).toEqual([{ key1: value }])
    }
  }
  expect((await one.call('DELETE', `${keys}/${keyId}`, { admin: true })).status).toBe(200)
  for (const path of [`/v3/grants/${id}`, '/v3/grants?limit=50', `/v3/grants/${id}/calendars`]) {
    for (const { status } of await atOnce(path, key)) expect(status).toBe(401)
  }
  isOver = true
  await busy
})
