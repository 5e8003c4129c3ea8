/** Pages of grants on PostgreSQL that are asked for again: sent anew only where something in them is another. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, kept, type Queries, type Statement, sql } from '../../../src/store/engine/database.ts'
import { openPostgresql } from '../../../src/store/engine/postgresql.ts'
import { TaggedReads } from '../../../src/store/engine/tagged-reads.ts'
import { type GrantFilter, readGrantPage } from '../../../src/store/tables/grants/grant-pages.ts'
import { migratedDatabase } from '../../peers/database-url.ts'

describe('a page that was asked for before', () => {
  const held = new AsyncDisposableStack()
  let database: Database
  let other: pg.Client
  beforeAll(async () => {
    const { url } = held.use(await migratedDatabase())
    other = new pg.Client({ connectionString: url })
    await other.connect()
    held.defer(() => other.end())
    database = held.use(openPostgresql(url, () => undefined))
    await other.query('alter table grants disable trigger all')
    await other.query(`insert into grants (id, application_id, connector_id, provider, email_key, status, blocked,
      workspace_id, created_at, updated_at, document, watched, watch_mark)
      select 'g' || n, 'app', 'c', 'imap', 'e' || n, 'valid', 0, 'w', n, n, '{"id":"g' || n || '"}', 1, 1
      from generate_series(1, 5) n`)
  })
  afterAll(() => held.disposeAsync())

  const filter: GrantFilter = { sortBy: 'created_at', order: 'asc' }
  const page = (limit = 3) => readGrantPage(database, 'app', filter, { limit, offset: 0 })
  const asked = (name: string): number => database.figures.statements().get(name)?.count ?? 0

  test('is asked for by its tag from the second time on, and is the same object as long as nothing changes', async () => {
    const first = await page()
    expect(first.grants.text).toBe('{"id":"g1"},{"id":"g2"},{"id":"g3"}')
    expect([asked('grants.page'), asked('grants.pageTagged')]).toEqual([1, 0])
    const second = await page()
    expect([second.grants.text, second.next]).toEqual([first.grants.text, { time: 3, id: 'g3' }])
    expect(await page()).toBe(second)
    expect([asked('grants.page'), asked('grants.pageTagged')]).toEqual([1, 2])
  })

  test.each([
    ['a document changes', `update grants set document = '{"id":"g2","new":1}' where id = 'g2'`],
    ['it changes back', `update grants set document = '{"id":"g2"}' where id = 'g2'`],
    ['a place in the order changes', `update grants set created_at = 10 where id = 'g3'`],
    ['a grant comes', `update grants set created_at = 3 where id = 'g3'`],
    ['a grant goes', `delete from grants where id = 'g1'`],
    ['a grant is no longer among them', `update grants set status = 'unverified' where id = 'g2'`],
    ['nothing follows any more', `delete from grants where id = 'g4'`],
    ['none is left', 'delete from grants'],
  ])('is what the store has when %s', async (_what, change) => {
    await page()
    const before = await page()
    await other.query(change)
    const { rows } = await other.query(
      `select document, id, created_at::int as time from grants where status <> 'unverified' order by created_at, id`,
    )
    const expected = {
      text: rows
        .slice(0, 3)
        .map(({ document }) => document)
        .join(','),
      next: rows.length > 3 ? { time: rows[2].time, id: rows[2].id } : undefined,
    }
    const after = await page()
    expect({ text: after.grants.text, next: after.next }).toEqual(expected)
    expect({ text: before.grants.text, next: before.next }).not.toEqual(expected)
  })
})

test('what is kept has an end: what was asked for longest ago goes first', async () => {
  const read: Statement<{ text: string }> = {
    ...kept(sql('test.read', 'select text')),
    tagged: sql('test.readTagged', 'select tag, text'),
  }
  const tags: unknown[] = []
  const get = (async ({ name }: Statement<unknown>, values: readonly unknown[]) => {
    if (name === 'test.readTagged') tags.push(values[1])
    return { tag: 'same', text: 'x'.repeat(1_000_000) }
  }) as Queries['get']
  const reads = new TaggedReads({ get })
  const look = async (...ids: string[]): Promise<unknown[]> => {
    tags.length = 0
    for (const id of ids) await reads.get(read, [id])
    return [...tags]
  }
  expect(await look('1', '2', '3', '1', '2', '3')).toEqual(['', '', ''])
  expect(await look('1', '2', '3')).toEqual(['same', 'same', 'same'])
  // One more than there is room for: the first is as if nobody had asked for it.
  expect(await look('4', '4')).toEqual([''])
  expect(await look('2', '3', '4')).toEqual(['same', 'same', 'same'])
  expect(await look('1')).toEqual([])
})
