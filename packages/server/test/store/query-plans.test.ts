/**
 * Nothing that an application may call walks through a table that grows with its history, or with that of others: every
 * statement that the routes of the contract run is shown to the planner of the store.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, type Queries, type Statement, sql } from '../../src/store/database.ts'
import { bodyOf, furnish, isAdministrators, mainMethod, pathOf, queries, routes, type World } from '../api/requests.ts'
import { engines, openService, type TestService } from '../harness.ts'
import { migratedDatabase } from '../peers/database-url.ts'

/** Tables whose rows grow with what is done; the others are bounded by limits of the contract. */
const growing = [
  ...['grants', 'notifications', 'deliveries', 'delivery_attempts', 'sends', 'send_sources', 'events', 'outbox'],
  ...['message_metadata', 'object_metadata', 'draft_notes', 'idempotency_keys', 'access_tokens', 'grant_errors'],
  ...['tracked_messages', 'tracked_links', 'send_reports', 'imported_objects', 'audit', 'notification_sequences'],
]

/** Writes down every statement that a store is asked. */
function recordStatements(database: Database): Map<string, string> {
  const seen = new Map<string, string>()
  const note = ({ name, text }: Statement<unknown>): void => void seen.set(text.replace(/\s+/g, ' '), name)
  const recorded = (target: Queries): Queries => ({
    get(statement, values) {
      note(statement)
      return target.get(statement, values)
    },
    all(statement, values) {
      note(statement)
      return target.all(statement, values)
    },
    run(statement, values) {
      note(statement)
      return target.run(statement, values)
    },
    post(statement, values, counted) {
      note(statement)
      return target.post(statement, values, counted)
    },
  })
  const { transaction } = database
  Object.assign(database, recorded({ ...database }), {
    transaction: ((work, sharing) => transaction((tx) => work(recorded(tx)), sharing)) as Database['transaction'],
  })
  return seen
}

/** Values for the fields of queries, so that every filter is asked for. */
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

async function askEverything(service: TestService, world: World): Promise<void> {
  const { key } = world
  const reading = routes.filter((named) => !isAdministrators(named) && mainMethod(named) === 'GET')
  for (const named of reading) {
    const base = pathOf(named, world.params(named))
    const needed = { ...(named.resource === 'events' ? { calendar_id: 'primary' } : {}), ...queries[named.id] }
    const fields = Object.keys(named.route.query?.shape ?? {})
    const asked = [{}, ...fields.flatMap((name) => (fieldValues[name] ?? ['a']).map((value) => ({ [name]: value })))]
    for (const one of asked) {
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
    await service.call(mainMethod(named), `${pathOf(named, world.params(named))}${query}`, { key, body: bodyOf(named) })
  }
}

/** What a statement calls the tables that grow. */
function namesOf(text: string): Map<string, string> {
  const words =
    /\b(?:from|join|update|into) (\w+)(?: as)?(?: (?!where|set|on|left|join|order|limit|group|union|values|returning|using)(\w+))?/g
  const names = new Map<string, string>()
  for (const [, table = '', alias] of text.matchAll(words)) {
    if (!growing.includes(table)) continue
    names.set(table, table)
    if (alias) names.set(alias, table)
  }
  return names
}

/** What is wrong with a plan: a growing table is read from end to end, or read and sorted whole for a page of it. */
type Judge = (text: string) => Promise<string[]>

/** A null for each parameter: a plan does not depend on them. */
const noValuesOf = (text: string): null[] =>
  Array.from({ length: Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))) }, () => null)

function sqliteJudge(database: Database): Judge {
  return async (text) => {
    const plan = await database.all(sql<{ detail: string }>('', `explain query plan ${text}`), noValuesOf(text))
    const names = namesOf(text)
    const walks = plan.filter(({ detail }) => names.has(/^SCAN (\w+)/.exec(detail)?.[1] ?? ''))
    const sorts = / limit /.test(text) ? plan.filter(({ detail }) => detail === 'USE TEMP B-TREE FOR ORDER BY') : []
    return [...walks, ...sorts].map(({ detail }) => detail)
  }
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Plans?: PlanNode[]
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

function postgresqlJudge(client: pg.Client): Judge {
  let count = 0
  return async (text) => {
    const name = `plan_${count++}`
    await client.query(`prepare ${name} as ${text}`)
    const nulls = noValuesOf(text).map(() => 'null')
    const values = nulls.length === 0 ? '' : `(${nulls.join(', ')})`
    const { rows } = await client.query(`explain (format json) execute ${name}${values}`)
    const nodes = rows[0]['QUERY PLAN'].flatMap(({ Plan }: { Plan: PlanNode }) => nodesOf(Plan))
    const walks = nodes.filter(
      (node: PlanNode) => node['Node Type'] === 'Seq Scan' && growing.includes(node['Relation Name'] ?? ''),
    )
    return walks.map((node: PlanNode) => `Seq Scan on ${node['Relation Name']}`)
  }
}

describe.each(engines)('on %s', (engine) => {
  const held = new AsyncDisposableStack()
  const bad: string[] = []
  let seen = new Map<string, string>()
  beforeAll(async () => {
    const url = engine === 'postgresql' ? held.use(await migratedDatabase()).url : undefined
    const service = held.use(await openService({ engine, ...(url ? { databaseUrl: url } : {}) }))
    const world = await furnish(service)
    seen = recordStatements(service.services.database)
    await askEverything(service, world)
    let judge = sqliteJudge(service.services.database)
    if (url) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      held.defer(() => client.end())
      // Tables of a test are small, and reading them whole is cheapest: the planner shall only do so where it must.
      await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan')
      judge = postgresqlJudge(client)
    }
    for (const [text, name] of [...seen]) {
      if (/^(begin|commit|set|savepoint)/.test(text)) continue
      for (const wrong of await judge(text)) bad.push(`${name}: ${wrong} in ${text}`)
    }
  })
  afterAll(() => held.disposeAsync())

  test('no statement of a route walks through a table that grows', () => {
    expect(seen.size).toBeGreaterThan(80)
    expect(bad).toEqual([])
  })
})
