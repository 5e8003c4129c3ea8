/**
 * No request of an application scans a table that grows with its history, or with that of others: the store's planner
 * checks every statement that the routes of the contract execute.
 */

import { engines } from '@waypost/testing/engines'
import { postgresStore } from '@waypost/testing/peers/test-stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAdministrators, mainMethod, pathOf, routes } from '../../api/pipeline/requests.ts'
import { openService, type TestService } from '../../harness.ts'
import { bodyOf, queries } from '../../world/samples.ts'
import { furnish, type Tenant } from '../../world/world.ts'
import { openPostgresqlJudge, recordStatements, sqliteJudge } from './plans.ts'

/** Values for query fields, so that every filter is used. */
const fieldValues: Record<string, string[]> = {
  metadata_pair: ['key1:a', 'key5:b'],
  outcome: ['delivered', 'failed'],
  state: ['waiting', 'failed'],
  order: ['asc', 'desc'],
  order_by: ['asc', 'desc'],
  sort_by: ['created_at', 'updated_at'],
  trigger_types: ['event.created'],
  grant_status: ['valid', 'invalid'],
  provider: ['google'],
  calendar_id: ['primary'],
  start: ['1700000000'],
  end: ['1800000000'],
  since: ['1700000000'],
  before: ['1800000000'],
  email: ['a@b.test'],
}

async function askEverything(service: TestService, world: Tenant): Promise<void> {
  const { key } = world
  const reading = routes.filter((named) => !isAdministrators(named) && mainMethod(named) === 'GET')
  // The administrator's own pages are about one application and one grant: they must not grow with either.
  for (const named of routes.filter(({ id }) => id === 'overview.get' || id === 'adminGrants.timeline')) {
    const path = pathOf(named, world.params(named))
    const answer = await service.call('GET', `${path}?limit=1`, { admin: true })
    const cursor = answer.body.next_cursor
    if (cursor) await service.call('GET', `${path}?limit=1&page_token=${encodeURIComponent(cursor)}`, { admin: true })
    if (answer.status !== 200) throw new Error(`${named.id}: ${JSON.stringify(answer.body)}`)
  }
  for (const named of reading) {
    const base = pathOf(named, world.params(named))
    const needed = { ...(named.resource === 'events' ? { calendar_id: 'primary' } : {}), ...queries[named.id] }
    const fields = Object.keys(named.route.query?.shape ?? {})
    const requested = [
      {},
      ...fields.flatMap((name) => (fieldValues[name] ?? ['a']).map((value) => ({ [name]: value }))),
    ]
    for (const one of requested) {
      const query = new URLSearchParams({ ...needed, ...(fields.includes('limit') ? { limit: '1' } : {}), ...one })
      const answer = await service.call('GET', `${base}?${query}`, { key })
      const cursor = answer.body?.next_cursor
      if (cursor) await service.call('GET', `${base}?${query}&page_token=${encodeURIComponent(cursor)}`, { key })
    }
  }
  const changing = routes.filter((named) => !isAdministrators(named) && mainMethod(named) !== 'GET')
  const last = (id: string): number => Number(/delete|revoke/i.test(id)) + Number(id.startsWith('grants.'))
  for (const named of changing.toSorted((a, b) => last(a.id) - last(b.id))) {
    const query = named.resource === 'events' ? '?calendar_id=primary' : ''
    for (const body of [bodyOf(named, world), ...(furtherBodies(world)[named.id] ?? [])]) {
      await service.call(mainMethod(named), `${pathOf(named, world.params(named))}${query}`, { key, body })
    }
  }
}

/** Further bodies of routes whose statements depend on them. */
const furtherBodies = ({ grantId }: Tenant): Record<string, Record<string, unknown>[]> => ({
  'deliveries.replay': [
    { failed: true },
    { start: 1, end: 2 },
    { start: 1, outcome: 'delivered', trigger_types: ['event.created'], grant_id: grantId },
    { start: 1, grant_id: grantId, dry_run: true },
  ],
})

/**
 * Events of one calendar that SQLite finds by an index and then sorts: those of two pages, of one UID, or with one
 * value of metadata. And the few grants of one address, which has a key for each kind that only creates conferences.
 */
const isSorted = (name: string, text: string): boolean =>
  /^events\.(inWindow|byUid|byMetadata)\.\d+$/.test(name) || text.includes(' email_key in (')

describe.each(engines)('on %s', (engine) => {
  const held = new AsyncDisposableStack()
  const bad: string[] = []
  let seen = new Map<string, string>()
  beforeAll(async () => {
    const url = engine === 'postgresql' ? held.use(await postgresStore()).url : undefined
    const service = held.use(await openService({ engine, ...(url ? { databaseUrl: url } : {}) }))
    const world = await furnish(service)
    seen = recordStatements(service.services.storage.database)
    await askEverything(service, world)
    const judge = url ? await openPostgresqlJudge(url, held) : sqliteJudge(service.services.storage.database)
    for (const [text, name] of [...seen]) {
      if (/^(begin|commit|set|savepoint)/.test(text)) continue
      const found = await judge(text)
      const wrong = isSorted(name, text) ? found.filter((detail) => detail !== 'USE TEMP B-TREE FOR ORDER BY') : found
      bad.push(...wrong.map((detail) => `${name}: ${detail} in ${text}`))
    }
  })
  afterAll(() => held.disposeAsync())

  test('no statement of a route scans a growing table', () => {
    expect(seen.size).toBeGreaterThan(80)
    expect(bad).toEqual([])
  })
})
