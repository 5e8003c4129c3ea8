/** Checks every SQL text of the store: whose rows it touches, and that its values are bound. */

import type { Statement, Topic } from '@waypost/store/engine/database'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { needsProgram } from '@waypost/testing/peers/needs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installationTables, readCatalogue } from '../../../../store/test/statements/catalogue.ts'
import { openService } from '../../harness.ts'
import { acrossApplications } from './across-applications.ts'
import { composeStatements } from './compose-statements.ts'
import { openPostgresqlJudge } from './plans.ts'
import { inspectAll, openPostgresqlInspector, sqliteInspector } from './touched-tables.ts'

/** The tables with work, and the workers that poll them. */
const topicsOf: Record<string, Topic[]> = {
  deliveries: ['deliveries'],
  sends: ['sends'],
  outbox: ['jobs'],
  nudges: ['watches'],
  grants: ['watches'],
}
/** Statements on these tables that finish or remove work, or do not change it. */
const withoutNewWork = [
  ...['deliveries.complete', 'deliveries.completeAll', 'deliveries.giveUp', 'deliveries.postpone'],
  ...['deliveries.postponeAll', 'deliveries.purge', 'deliveries.purgeBefore', 'deliveries.remove.failed'],
  ...[
    'deliveries.remove.waiting',
    'grants.firstRead',
    // No worker depends on the workspace of a grant.
    'grants.moveToWorkspace',
    'grants.sealed_credentials.replace',
    'nudges.removeOfGrant',
    'nudges.take',
  ],
  ...['nudges.takeOne', 'outbox.claimThese', 'outbox.removeOfBookings', 'outbox.take'],
  ...['outbox.claim', 'outbox.complete', 'outbox.withdraw', 'sends.purge', 'sends.removeFailed', 'sends.removeOfGrant'],
]

export const describeStatements = (noting: Disposable) =>
  describe('every statement of the store', () => {
    afterAll(() => noting[Symbol.dispose]())
    let statements: Map<string, string>
    let declarations: Statement[]
    beforeAll(async () => {
      const ours = await composeStatements()
      // A statement without a name is not prepared; its text is its name.
      statements = new Map(ours.map(({ name, text }) => [name || text, text]))
      declarations = [...new Map(ours.map((statement) => [statement.text, statement])).values()]
      const clashing = ours.filter(({ name, text }) => statements.get(name || text) !== text)
      expect(clashing, 'PostgreSQL prepares a name once').toEqual([])
    })

    let tenantTables: string[]
    beforeAll(async () => {
      await using service = await openService()
      const tables = await readCatalogue(service.services.storage.database)
      const own = [...tables.values()].filter(({ columns }) => columns.some(({ name }) => name === 'application_id'))
      tenantTables = own.map(({ name }) => name).filter((name) => installationTables[name] === undefined)
    })

    const touches = (text: string): string[] => {
      const named = [...text.matchAll(/\b(?:from|join|update)\s+([a-z_]+)/gi)].map((match) => match[1] ?? '')
      return named.filter((table) => tenantTables.includes(table))
    }
    const namesApplication = (text: string): boolean =>
      /\bapplication_id (?:= \$\d|in \(\$\d)/.test(text.slice(text.search(/\bwhere\b/i)))

    test('names the tables that it writes and locks, as SQLite and PostgreSQL report them', async (context) => {
      needsProgram(context, 'PostgreSQL 15 or newer')
      await using held = new AsyncDisposableStack()
      const onSqlite = await inspectAll(declarations, sqliteInspector())
      const { url } = held.use(await migratedDatabase())
      const onPostgresql = await inspectAll(declarations, await openPostgresqlInspector(url, held))
      expect([...onSqlite.wrong, ...onPostgresql.wrong]).toEqual([])
      expect(declarations.length).toBeGreaterThan(400)
      const foreign = onSqlite.foreign.filter((name) => onPostgresql.foreign.includes(name))
      // Those on the catalog of Citus are executed by the tests in store/sharding.
      const nowhere = foreign.filter((name) => !name.startsWith('citus.'))
      expect(nowhere, 'each is accepted by one of them').toEqual(['set local lock_timeout = 1000'])
    })

    test('that creates work wakes the workers that do it', () => {
      const raising = declarations.filter(({ raises }) => raises.length > 0)
      for (const { name, writes } of raising) expect(writes, name).not.toEqual([])
      const silent = declarations.filter(({ writes, raises }) => {
        const topics = writes.flatMap((table) => topicsOf[table] ?? [])
        return topics.some((topic) => !raises.includes(topic))
      })
      expect(silent.map(({ name }) => name.replace(/\.\d+$/, '')).toSorted()).toEqual(withoutNewWork.toSorted())
    })

    test('on a row of an application names the application', () => {
      const tenant = [...statements].filter(([, text]) => touches(text).length > 0)
      const known = ['grants', 'connectors', 'credentials', 'redirect_uris', 'api_keys', 'billing_periods', 'origins']
      expect(tenantTables).toEqual(expect.arrayContaining(known))
      expect(tenant.flatMap(([, text]) => touches(text))).toEqual(expect.arrayContaining(known))
      const free = tenant.filter(([, text]) => !namesApplication(text)).map(([name]) => name.replace(/\.\d+$/, ''))
      expect([...new Set(free)].sort()).toEqual(Object.keys(acrossApplications).sort())
    })

    test('that crosses applications finds its rows by an index on PostgreSQL, unless it is listed as a full scan', async (context) => {
      needsProgram(context, 'PostgreSQL 15 or newer')
      await using held = new AsyncDisposableStack()
      const judge = await openPostgresqlJudge(held.use(await migratedDatabase()).url, held)
      const walking = new Set<string>()
      let judged = 0
      for (const [name, text] of statements) {
        const crossing = name.replace(/\.\d+$/, '')
        if (!(crossing in acrossApplications)) continue
        judged++
        if ((await judge(text)).length > 0) walking.add(crossing)
      }
      expect(judged).toBeGreaterThanOrEqual(Object.keys(acrossApplications).length)
      const listed = Object.entries(acrossApplications).filter(([, { walks }]) => walks)
      expect([...walking].toSorted()).toEqual(listed.map(([name]) => name).toSorted())
    })

    test('that compares in a CASE does so after each WHEN: Citus sends other forms to a worker in a way that it refuses', () => {
      const cases = [...statements].filter(([, text]) => /\bcase\b/i.test(text))
      expect(cases.length).toBeGreaterThan(5)
      expect(cases.filter(([, text]) => /\bcase\s+(?!when\b)/i.test(text)).map(([name]) => name)).toEqual([])
    })

    test('that inserts a row of an application sets its application', () => {
      const inserts = [...statements].filter(([, text]) => /^\s*insert\b/i.test(text))
      const tenant = inserts.filter(([, text]) => tenantTables.includes(/into ([a-z_]+)/.exec(text)?.[1] ?? ''))
      expect(tenant.length).toBeGreaterThan(6)
      for (const [name, text] of tenant) expect(text, name).toMatch(/into [a-z_]+\s+\([^)]*\bapplication_id\b/)
    })

    test('that joins notifications for a page contains its row limit', () => {
      const joining = [...statements].filter(([, text]) => /join notifications\b/.test(text) && /\blimit\b/.test(text))
      expect(joining.length).toBeGreaterThan(1)
      for (const [name, text] of joining) expect(text, name).toMatch(/limit \d+$/)
    })

    test('binds its values: literals in a text are plain words or separators', () => {
      for (const [name, text] of statements) {
        const quoted = [...text.matchAll(/'([^']*)'/g)].map(([, value = '']) => value)
        const strange = quoted.filter((value) => !/^([a-z_]+|[, ])$/.test(value))
        expect(strange, name).toEqual([])
      }
    })
  })
