/** Checks the query plans of executed statements: none scans a growing table. */

import type { Database, Queries, Statement } from '@waypost/store/engine/database'
import { sql } from '@waypost/testing/statement'
import pg from 'pg'

/** Tables that grow with use; the others are bounded by limits of the contract. */
const growing = [
  ...['grants', 'notifications', 'deliveries', 'delivery_attempts', 'sends', 'send_sources', 'events', 'outbox'],
  ...['message_metadata', 'object_metadata', 'draft_notes', 'idempotency_keys', 'access_tokens', 'grant_errors'],
  ...['grant_events', 'grant_calls', 'application_figures', 'watch_failures'],
  ...['tracked_messages', 'tracked_links', 'send_reports', 'imported_objects', 'audit', 'notification_sequences'],
  ...['applications', 'grant_uses', 'credential_requests'],
]

/** Records every statement that a store executes. */
export function recordStatements(database: Database): Map<string, string> {
  const seen = new Map<string, string>()
  const note = ({ name, text, batch }: Statement<unknown>): void => {
    seen.set(text.replace(/\s+/g, ' '), name)
    if (database.engine !== 'postgresql') return
    if (batch) note(batch)
  }
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

/** The aliases of growing tables in a statement. */
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

/** The problems of a plan: a growing table is read completely, or read and sorted completely for one page. */
export type Judge = (text: string) => Promise<string[]>

/** A null for each parameter: a plan does not depend on them. */
const noValuesOf = (text: string): null[] =>
  Array.from({ length: Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))) }, () => null)

export function sqliteJudge(database: Database): Judge {
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

/** The table that a partition belongs to. */
const tableOf = (relation: string): string => relation.replace(/_(default|undated|\d{8})$/, '')

/** For the database at a URL, until `held` is disposed. */
export async function openPostgresqlJudge(url: string, held: AsyncDisposableStack): Promise<Judge> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  held.defer(() => client.end())
  // Test tables are small, so that a full scan is cheapest: the planner must only use one if it has to.
  await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan')
  return postgresqlJudge(client)
}

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
      (node: PlanNode) => node['Node Type'] === 'Seq Scan' && growing.includes(tableOf(node['Relation Name'] ?? '')),
    )
    return walks.map((node: PlanNode) => `Seq Scan on ${node['Relation Name']}`)
  }
}
