/** What is sent to Citus for the changes of the schema. `releases/fixtures.test.ts` runs them on a cluster. */

import { isCheck } from '@waypost/testing/level'
import { emptyPostgres } from '@waypost/testing/peers/test-stores'
import { describe, expect, test } from 'vitest'
import type { Queries } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'
import { changes } from '../../src/migrations/changes.ts'
import { migrate } from '../../src/migrations/migrate.ts'
import { changeDistributed } from '../../src/sharding/new-tables.ts'
import { tablePlacement } from '../../src/sharding/table-placement.ts'

/** Answers as an empty store. */
const silent: Queries = {
  get: async () => undefined,
  all: async () => [],
  run: async () => 0,
  post: async () => {},
}

async function sentFor(script: string): Promise<string[]> {
  const sent: string[] = []
  await changeDistributed(silent, async (text) => void sent.push(text), script)
  return sent
}

const scripts = changes.flatMap(({ number, steps }) =>
  steps('postgresql').flatMap((step) => ('text' in step ? [{ number, script: step.text }] : [])),
)

describe.each(scripts)('change $number on a distributed store', ({ script }) => {
  test('is sent as single statements', async () => {
    const sent = await sentFor(script)
    for (const text of sent) expect(text).toMatch(/^(set local|create|alter|select) [^;]*$/)
    const counted = (pattern: RegExp) => script.match(pattern)?.length ?? 0
    for (const start of ['create', 'alter']) {
      const own = sent.filter((text) => text.startsWith(start))
      expect(own).toHaveLength(counted(new RegExp(`^ *${start} `, 'gm')))
    }
  })

  test('places each table that it creates', async () => {
    const created = [...script.matchAll(/create table (?:if not exists )?(\w+)/g)].map(([, name = '']) => name)
    const placed = created.filter((name) => tablePlacement[name]?.placement !== 'local')
    const sent = await sentFor(script)
    expect(sent.filter((text) => /create_distributed_table|citus_add_local_table/.test(text))).toEqual(
      placed.map((name) => expect.stringContaining(`'${name}'`)),
    )
  })
})

test('a change of distributed tables is sent to the workers, and a change of new tables is not', async () => {
  const sent = await sentFor(`
    alter table grants add column one text;
    create table bookings (id text primary key);
    create index bookings_by_id on bookings (id);
    create index grants_by_one on grants (one);
  `)
  const own = sent.filter((text) => !/^set local (?!citus\.enable_ddl)/.test(text))
  expect(own.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    'alter table grants add column one text',
    'set local citus.enable_ddl_propagation to off',
    'create table bookings (id text primary key)',
    'set local citus.enable_ddl_propagation to on',
    'set local citus.enable_ddl_propagation to off',
    'create index bookings_by_id on bookings (id)',
    'set local citus.enable_ddl_propagation to on',
    'create index grants_by_one on grants (one)',
    `select create_distributed_table('bookings', 'application_id', colocate_with => 'grants')`,
  ])
})

test.runIf(isCheck)(
  'a store whose distribution was interrupted is not changed, and the error says how to complete it',
  async () => {
    await using database = openPostgresql(await emptyPostgres(), () => undefined)
    await migrate(database, 1, { changes: changes.slice(0, 3) })
    await database.execute('create table distribution_progress (name text primary key, value text not null)')
    await expect(migrate(database, 2)).rejects.toMatchObject({
      message: 'the store is only partly distributed, and this version changes its tables',
      remedy: expect.stringContaining('of the version that began it'),
    })
    // Its own version may go on.
    await migrate(database, 3, { changes: changes.slice(0, 3) })
  },
)
