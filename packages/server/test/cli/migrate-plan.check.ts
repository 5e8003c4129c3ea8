/** `waypost db migrate --plan`: what a migration would do, without doing it. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { changes } from '@waypost/store/migrations/changes'
import { migrate } from '@waypost/store/migrations/migrate'
import { expand } from '@waypost/store/migrations/schema-change'
import { planSteps } from '@waypost/store/migrations/steps/plan'
import { beatNode } from '@waypost/store/tables/applications/nodes'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { expect, test } from 'vitest'
import { openPostgresql } from '../../../store/src/engine/postgresql.ts'
import {
  dropLegacy,
  fillDoubled,
  indexDoubled,
  widen,
  withChange,
} from '../../../store/test/migrations/changing-schema.ts'
import { runHere } from '../command-line.ts'

test('the plan of an upgrade from 0.1.0 names each step, its locks and whether old nodes may keep running', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-plan-'))
  const url = await freshDatabaseUrl()
  const env = { DATABASE_URL: url, WAYPOST_DATA_DIR: folder.path }
  expect((await runHere(['db', 'migrate', '--plan'], env)).stdout).toContain('The store is empty')
  {
    await using database = openPostgresql(url, () => undefined)
    await migrate(database, 1, { changes: [] })
  }
  for (let turn = 0; turn < 2; turn++) {
    const { code, stdout } = await runHere(['db', 'migrate', '--plan', '--json'], env)
    expect(code).toBe(0)
    const plan = JSON.parse(stdout)
    expect(plan).toMatchObject({ store: 'postgresql', is_empty: false, migrations: [], old_nodes_keep_running: true })
    expect(plan.steps[0]).toMatchObject({ change: 48, kind: 'expand', state: 'missing', runs: 'before a node serves' })
    expect(new Set(plan.steps.map(({ change }: { change: number }) => change))).toEqual(
      new Set(changes.map(({ number }) => number)),
    )
  }
  const shown = await runHere(['db', 'migrate', '--plan'], env)
  expect(shown.stdout).toContain('48 schema-changes')
  expect(shown.stdout).toContain('Nodes that run now may keep running.')
})

test('a store from before 0.1.0 has no plan', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-plan-'))
  const url = await freshDatabaseUrl()
  {
    await using database = openPostgresql(url, () => undefined)
    await migrate(database, 1, { changes: [] })
    await database.execute('delete from migrations where number = 47')
  }
  const { code, stderr } = await runHere(['db', 'migrate', '--plan'], {
    DATABASE_URL: url,
    WAYPOST_DATA_DIR: folder.path,
  })
  expect(code).toBe(1)
  expect(stderr).toContain('before 0.1.0: start version 1.3.1 on it once')
})

test('a plan names locks and what they block, older nodes, and a process that is at work', async () => {
  await using database = openPostgresql(await freshDatabaseUrl(), () => undefined)
  await migrate(database, 1)
  const time = await database.now()
  await beatNode(database, { id: 'old', startedAt: time, version: '0.1.0', host: 'web-1' }, time)
  const hot = expand('key', 'alter table grants add column readings text', { grants: 'access exclusive' })
  const steps = [hot, widen, indexDoubled, fillDoubled(), dropLegacy('1.0.0')]
  const plan = await planSteps(database, withChange(steps), [])
  expect(plan.filter(({ change }) => change === 900)).toMatchObject([
    { step: 'key', locks: [{ table: 'grants', mode: 'access exclusive', blocks: 'reads and writes' }], waits_for: [] },
    { step: 'column', runs: 'before a node serves' },
    { step: 'readings_doubled', locks: [{ mode: 'share update exclusive', blocks: 'nothing' }] },
    { step: 'doubled', runs: 'in the background', locks: [{ mode: 'row exclusive', blocks: 'nothing' }] },
    { step: 'legacy', runs: 'in the background', waits_for: ['the end of the older node web-1 (0.1.0)'] },
  ])
  const needy = await planSteps(database, withChange([hot], { compatibleFrom: '1.0.0' }), [])
  expect(needy.at(-1)).toMatchObject({ old_nodes_keep_running: false })
})
