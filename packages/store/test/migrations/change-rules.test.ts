/** Rules for every schema change: the previous release must work before, during and after it. */

import { compareVersions, isOlder } from '@waypost/platform/versions'
import { engines } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { emptyPostgres } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'
import { baseline } from '../../src/migrations/baseline.ts'
import { changes } from '../../src/migrations/changes.ts'
import { migrate } from '../../src/migrations/migrate.ts'
import { stepsOf } from '../../src/migrations/recorded-steps.ts'
import { createIndex, expand, type LockMode, lockModes, type Step } from '../../src/migrations/schema-change.ts'
import { locksOf } from '../../src/migrations/steps/plan.ts'
import { dropLegacy, indexDoubled, widen } from './changing-schema.ts'

/** Statements of a script; none of ours has a semicolon in a text. Bodies of functions stay whole. */
const statementsOf = (script: string): string[] =>
  script
    .replaceAll(/--.*$/gm, '')
    .split(/;(?=(?:[^$]*\$\$[^$]*\$\$)*[^$]*$)/)
    .map((text) => text.trim().toLowerCase().replaceAll(/\s+/g, ' '))
    .filter((text) => text !== '')

const tablesIn = (script: string): string[] =>
  Array.from(script.toLowerCase().matchAll(/create table (?:if not exists )?(\w+)/g), ([, name = '']) => name)

/** Why a step does not fit next to the previous release; empty if it does. */
function problemsOf(step: Step, own: ReadonlySet<string>): string[] {
  if (step.kind !== 'expand') return []
  return statementsOf(step.text).flatMap((text) => {
    if (/^drop (table|index|view)|\brename\b|\bdrop (column|constraint|not null|default)\b/.test(text))
      return [`removes or renames, which is a contract step: ${text}`]
    if (/\balter column \w+ (set data )?type\b|\bset not null\b/.test(text)) return [`changes a column: ${text}`]
    if (/\badd column\b/.test(text) && /\bnot null\b/.test(text) && !/\bdefault\b/.test(text))
      return [`old nodes cannot fill this column: ${text}`]
    const indexed = /^create (?:unique )?index (?:if not exists )?\w+ on (\w+)/.exec(text)?.[1]
    if (indexed !== undefined && !own.has(indexed))
      return [`locks a table for the time of a build, use index(): ${text}`]
    if (/\badd constraint\b/.test(text) && !/\bnot valid\b/.test(text)) return [`reads the whole table: ${text}`]
    if (/^(update|delete)\b/.test(text)) return [`changes rows in one transaction, use backfill(): ${text}`]
    return []
  })
}

describe('every schema change', () => {
  const all = new Set([
    ...tablesIn(baseline('sqlite')),
    ...changes.flatMap((change) =>
      engines.flatMap((engine) => change.steps(engine).flatMap((step) => ('text' in step ? tablesIn(step.text) : []))),
    ),
  ])

  test.each(changes.map((change) => [change.number, change] as const))('%i follows the rules', (number, change) => {
    expect(number).toBeGreaterThan(47)
    expect(change.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(isOlder(change.compatibleFrom, change.version)).toBe(true)
    for (const engine of engines) {
      const steps = change.steps(engine)
      expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length)
      const own = new Set(steps.flatMap((step) => ('text' in step ? tablesIn(step.text) : [])))
      for (const step of steps) {
        expect(problemsOf(step, own)).toEqual([])
        // A rollback to the previous release is possible, so nothing that it uses is removed.
        if (step.kind === 'contract') expect(isOlder(step.unusedSince, change.version)).toBe(true)
        if ('table' in step) expect([...all]).toContain(step.table)
        if (step.kind === 'index') expect(step.name.length).toBeLessThanOrEqual(40)
      }
    }
  })

  test('is refused if the previous release could not live with it', () => {
    const refused = (text: string): string[] => problemsOf(expand('step', text), new Set(['own']))
    expect(refused('alter table grants add column color text not null')).toHaveLength(1)
    expect(refused('alter table grants rename column email to address')).toHaveLength(1)
    expect(refused('alter table grants drop column email')).toHaveLength(1)
    expect(refused('alter table grants alter column email type bigint')).toHaveLength(1)
    expect(refused('create index grants_by_color on grants (color)')).toHaveLength(1)
    expect(refused("update grants set color = 'red'")).toHaveLength(1)
    expect(
      refused(
        "alter table grants add column color text not null default 'red'; create table own (id text); create index own_by on own (id)",
      ),
    ).toEqual([])
  })
})

test('versions are ordered by their numbers', () => {
  const sorted = ['', '0.1.0', '0.10.0', '1.0.0-rc.1', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0']
  expect(sorted.toReversed().toSorted(compareVersions)).toEqual(sorted)
})

const heldLocks = sql<{ table: string; mode: string }>(
  'test.locks',
  `select c.relname as "table", l.mode from pg_locks l join pg_class c on c.oid = l.relation
   where l.pid = pg_backend_pid() and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and l.granted`,
)
const modeOf = (reported: string): LockMode | undefined =>
  lockModes.find((mode) => mode.replaceAll(' ', '') === reported.replace(/Lock$/, '').toLowerCase())

/** The strongest lock on each of these tables. */
function strongest(
  rows: readonly { table: string; mode: string }[],
  tables: ReadonlySet<string>,
): Record<string, LockMode> {
  const found: Record<string, LockMode> = {}
  for (const { table, mode: reported } of rows) {
    const mode = modeOf(reported)
    const before = found[table]
    if (!mode || !tables.has(table) || mode === 'access share') continue
    if (before === undefined || lockModes.indexOf(mode) > lockModes.indexOf(before)) found[table] = mode
  }
  return found
}

describe.runIf(isCheck)('the declared locks', () => {
  const stack = new AsyncDisposableStack()
  let database: Database
  let url: string
  beforeAll(async () => {
    url = await emptyPostgres()
    database = stack.use(openPostgresql(url, () => undefined))
    await migrate(database, 1, { changes: [] })
    await database.execute('create table readings (id text primary key, amount bigint, legacy text)')
  })
  afterAll(() => stack.disposeAsync())

  const names = sql<{ name: string }>(
    'test.names',
    "select tablename as name from pg_tables where schemaname = 'public'",
  )

  /** Runs a step and compares its locks on tables that existed before. */
  async function compare(step: Step): Promise<void> {
    const tables = new Set((await database.all(names)).map(({ name }) => name))
    if (!('text' in step)) {
      await database.execute(step.kind === 'index' ? createIndex(step) : 'select 1')
      return
    }
    const rows = await database.exclusively(async (tx, execute) => {
      await execute(step.text)
      return tx.all(heldLocks)
    })
    expect({ step: step.name, locks: strongest(rows, tables) }).toEqual({ step: step.name, locks: step.locks })
  }

  test('of every change are those that PostgreSQL takes', async () => {
    for (const { step } of stepsOf(changes, 'postgresql')) await compare(step)
    await compare(widen)
    await compare(dropLegacy('0.1.0'))
    await expect(compare(expand('more', 'alter table readings add column more text'))).rejects.toThrow(/deeply equal/)
  })

  test('of an index are those that PostgreSQL takes while it builds one', async () => {
    const reader = new pg.Client({ connectionString: url })
    await reader.connect()
    await reader.query('begin isolation level repeatable read; select count(*) from installation')
    const built = database.maintain('create index concurrently readings_amount on readings (amount)')
    const others = sql<{ table: string; mode: string }>(
      'test.others',
      `select 'readings' as "table", mode from pg_locks where relation = 'readings'::regclass and pid in
       (select pid from pg_stat_progress_create_index)`,
    )
    await vi.waitFor(async () => expect(await database.all(others)).not.toEqual([]))
    const taken = strongest(await database.all(others), new Set(['readings']))
    expect(await locksOf(database, { ...indexDoubled, on: '(amount)' })).toEqual([
      { table: 'readings', mode: taken.readings, blocks: 'nothing' },
    ])
    await reader.query('commit')
    await reader.end()
    await built
  })
})
