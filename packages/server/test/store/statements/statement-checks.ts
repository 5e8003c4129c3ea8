/** Checks every SQL text of the store: whose rows it touches, and that its values are bound. */
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Queries, Statement, Topic } from '../../../src/store/engine/database.ts'
import { searchApplications } from '../../../src/store/tables/applications/applications.ts'
import { listAudit } from '../../../src/store/tables/applications/audit.ts'
import { contactTables } from '../../../src/store/tables/calendars-contacts/contacts.ts'
import {
  addGrantErrors,
  forgetWatchFailures,
  saveGrantUses,
  saveWatchFailures,
  trimGrantErrors,
} from '../../../src/store/tables/grants/grant-activity.ts'
import { addCalls } from '../../../src/store/tables/grants/grant-calls.ts'
import { type GrantFilter, readGrantPage } from '../../../src/store/tables/grants/grant-pages.ts'
import { countFoundGrants, searchGrants } from '../../../src/store/tables/grants/grant-search.ts'
import { listWatched, tallyWatched } from '../../../src/store/tables/grants/watches.ts'
import { claimSends, dueSends } from '../../../src/store/tables/mail/sends.ts'
import { attemptsOf, listAttempts, scanAttempts, takenOf } from '../../../src/store/tables/notifications/attempt-log.ts'
import { listDeliveries, notificationsAt } from '../../../src/store/tables/notifications/deliveries.ts'
import { releaseLeases } from '../../../src/store/tables/notifications/delivery-leases.ts'
import {
  completeDeliveries,
  logAttempts,
  postponeDeliveries,
} from '../../../src/store/tables/notifications/delivery-results.ts'
import { readStream, scanStream, streamedAt } from '../../../src/store/tables/notifications/notification-stream.ts'
import {
  failedDeliveries,
  requeueFailed,
  requeueNotifications,
} from '../../../src/store/tables/notifications/replays.ts'
import { engines, openService } from '../../harness.ts'
import { migratedDatabase } from '../../peers/database-url.ts'
import { testSeals } from '../../webhooks/notification-rows.ts'
import { acrossApplications } from './across-applications.ts'
import { installationTables, readCatalogue } from './catalogue.ts'
import { madeStatements } from './made-statements.ts'
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
  ...['deliveries.remove.waiting', 'grants.sealed_credentials.replace', 'nudges.removeOfGrant', 'nudges.take'],
  ...['outbox.claim', 'outbox.complete', 'outbox.withdraw', 'sends.purge', 'sends.removeFailed', 'sends.removeOfGrant'],
]

export const describeStatements = (noting: Disposable) =>
  describe('every statement of the store', () => {
    afterAll(() => noting[Symbol.dispose]())
    const folder = new URL('../../../src/store/', import.meta.url)
    let statements: Map<string, string>
    let declarations: Statement[]
    beforeAll(async () => {
      const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'))
      for (const file of files) await import(`../../../src/store/${file.slice(0, -3)}.ts`)
      const silent: Queries = {
        get: async () => undefined,
        all: async () => [],
        run: async () => 0,
        post: async () => {},
      }
      const filter: GrantFilter = { sortBy: 'updated_at', order: 'desc', ip: 'x' }
      await readGrantPage(silent, 'x', filter, { limit: 1, offset: 0, after: { time: 1, id: 'x' } })
      const destination = { applicationId: 'x', webhookId: 'x' }
      const attempts = { notificationId: 'x', outcome: 'failed', start: 1, end: 2 } as const
      await releaseLeases(silent, { applicationId: 'x', owner: 'x', webhookIds: ['x'] })
      await listAttempts(silent, destination, { filter: attempts, after: [1, 1, 1], limit: 1 })
      await scanAttempts(silent, destination, { filter: attempts, after: [1, 1, 1], limit: 1 })
      await attemptsOf(silent, destination, [1])
      await takenOf(silent, destination, [1])
      await listDeliveries(silent, destination, { limit: 1 })
      await failedDeliveries(silent, destination, { after: 0, limit: 1 })
      await requeueNotifications(silent, destination, { positions: [1], now: 1 })
      await requeueFailed(silent, destination, { ids: [1], now: 1 })
      const contacts = contactTables(silent, testSeals, { applicationId: 'x', grantId: 'x' })
      const narrowed = { emailKey: 'x', phoneKey: 'x', groupId: 'x', after: 'x' }
      await contacts.list({ source: 'inbox', ...narrowed, limit: 1 })
      await contacts.met(['x'])
      await tallyWatched(silent, 'x', ['x'])
      await listWatched(silent, 'x', { kinds: ['x'], part: 1 })
      await dueSends(silent, { node: 'x', now: 1 }, { without: ['x'], limit: 1 })
      await claimSends(silent, { node: 'x', now: 1, attempt: 'x', seals: testSeals }, [{ applicationId: 'x', id: 'x' }])
      const noted = { grantId: 'x', at: 1, hour: 1, lastUsedAt: 1, failures: 1, nextTryAt: 1 }
      const error = { id: 'x', operation: 'x', type: 'x', message: 'x', requestId: null, isRefusal: false }
      await saveGrantUses(silent, [noted])
      await addGrantErrors(silent, [{ ...noted, ...error }], testSeals)
      await trimGrantErrors(silent, ['x'])
      await saveWatchFailures(silent, [noted])
      await forgetWatchFailures(silent, ['x'])
      const sums = { requests: 1, refused: 1, errors: 1, milliseconds: 1, lastAt: 1, lastRequestId: 'x' }
      await addCalls(silent, [{ ...noted, route: 'x', ...sums }])
      const part = {
        applicationId: 'x',
        grantId: 'x',
        order: 'asc',
        from: { transaction: 0, position: 0 },
        limit: 1,
      } as const
      await streamedAt(silent, 'x', [1])
      const looked = { applicationId: 'x', search: { text: 'x', provider: 'x' }, order: 'desc' } as const
      await listAudit(silent, { action: 'x*', target: 'x' }, { order: 'asc', limit: 1 })
      for (const engine of engines) {
        await notificationsAt(silent, engine, 'x', [1])
        const delivery = { webhookId: 'x', id: 1, attempts: 1, tries: 1, dueAt: 1, state: 'waiting' } as const
        const logged = { attempt: 1, at: 1, latencyMs: 1, status: 1, error: 'x', sealedAnswer: 'x' }
        await completeDeliveries(silent, engine, { applicationId: 'x', owner: 'x' }, [delivery])
        await postponeDeliveries(silent, engine, { applicationId: 'x', owner: 'x' }, [delivery])
        await logAttempts(silent, engine, 'x', [{ webhookId: 'x', notification: 1, ...logged }])
        for (const sort of ['created_at', 'last_used_at', 'email', 'grant_status'] as const) {
          await searchGrants(silent, engine, { ...looked, sort, limit: 1 })
        }
        await countFoundGrants(silent, engine, looked)
        const named = { search: { text: 'x', ids: ['x'] }, sort: 'name', order: 'asc' } as const
        await searchApplications(silent, engine, named, { limit: 1 })
        await readStream(silent, engine, part)
        await scanStream(silent, engine, part)
      }
      const ours = madeStatements.filter(({ name }) => !/^(notes|test)\./.test(name))
      // A statement without a name is not prepared; its text is its name.
      statements = new Map(ours.map(({ name, text }) => [name || text, text]))
      declarations = [...new Map(ours.map((statement) => [statement.text, statement])).values()]
      const clashing = ours.filter(({ name, text }) => statements.get(name || text) !== text)
      expect(clashing, 'PostgreSQL prepares a name once').toEqual([])
    })

    let tenantTables: string[]
    beforeAll(async () => {
      await using service = await openService()
      const tables = await readCatalogue(service.services.database)
      const own = [...tables.values()].filter(({ columns }) => columns.some(({ name }) => name === 'application_id'))
      tenantTables = own.map(({ name }) => name).filter((name) => installationTables[name] === undefined)
    })

    const touches = (text: string): string[] => {
      const named = [...text.matchAll(/\b(?:from|join|update)\s+([a-z_]+)/gi)].map((match) => match[1] ?? '')
      return named.filter((table) => tenantTables.includes(table))
    }
    const namesApplication = (text: string): boolean =>
      /\bapplication_id (?:= \$\d|in \(\$\d)/.test(text.slice(text.search(/\bwhere\b/i)))

    test('declares the tables that it touches, as SQLite and PostgreSQL report them', async () => {
      await using held = new AsyncDisposableStack()
      const onSqlite = await inspectAll(declarations, sqliteInspector())
      const { url } = held.use(await migratedDatabase())
      const onPostgresql = await inspectAll(declarations, await openPostgresqlInspector(url, held))
      expect([...onSqlite.wrong, ...onPostgresql.wrong]).toEqual([])
      expect(declarations.length).toBeGreaterThan(400)
      const nowhere = onSqlite.foreign.filter((name) => onPostgresql.foreign.includes(name))
      expect(nowhere, 'each is accepted by one of them').toEqual(['set local lock_timeout = 1000'])
    })

    test('that declares the key of its row writes no other row', () => {
      const keyed = declarations.filter(({ rowKeyAt }) => rowKeyAt !== undefined)
      expect(keyed.map(({ name }) => name)).toContain('grants.update')
      for (const { name, text, rowKeyAt, writes } of keyed) {
        expect(writes, name).toHaveLength(1)
        const [, first, , values] = /^insert into \w+ \((\w+), (.*)\) values \((\$\d+), /.exec(text) ?? []
        if (first !== undefined) expect([first, values], name).toEqual(['id', `$${rowKeyAt}`])
        else
          expect(`${text.slice(text.lastIndexOf(' where ')).replaceAll('\n', ' ')} `, name).toMatch(
            new RegExp(` id = \\$${rowKeyAt} `),
          )
      }
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

    test('that crosses applications finds its rows by an index on PostgreSQL, unless it is listed as a full scan', async () => {
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

    test('that inserts a row of an application sets its application', () => {
      const inserts = [...statements].filter(([, text]) => /^\s*insert\b/i.test(text))
      const tenant = inserts.filter(([, text]) => tenantTables.includes(/into ([a-z_]+)/.exec(text)?.[1] ?? ''))
      expect(tenant.length).toBeGreaterThan(6)
      for (const [name, text] of tenant) expect(text, name).toMatch(/into [a-z_]+\s+\([^)]*\bapplication_id\b/)
    })

    test('that joins notifications for a page has its row limit in the text', () => {
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
