/**
 * Every statement runs on a distributed store, as the engine sends it: prepared, and often enough that PostgreSQL
 * considers a generic plan. A statement that names its application queries one shard. The others are listed in
 * `across-applications.ts`.
 */

import type { Statement } from '@waypost/store/engine/database'
import { citusMissing, openCitusStore } from '@waypost/testing/peers/citus'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acrossApplications } from '../statements/across-applications.ts'
import { recordStatements } from '../statements/recorded-statements.ts'

/** PostgreSQL compares a generic plan with those of the first five executions. */
const executions = 6

interface Ran {
  /** The message of the failure. */
  failure?: string
  /** The maximum number of shards that a part of the statement queries. */
  tasks: number
}

const sampleOf = (type: string): string => {
  if (type.endsWith('[]')) return `'{}'`
  if (type === 'json') return `'[]'`
  return type === 'text' ? `'x'` : '1'
}

/** Whether PostgreSQL, and not Citus, refused the values: the rows do not exist, or exist already. */
const isOfValues = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '23503' || error.code === '23505')

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function runOn(client: Client, { text, writes, locks }: Statement): Promise<Ran | undefined> {
  await client.query('begin')
  try {
    const whole = locks.length > 0 ? `${text} for no key update` : text
    const isOurs = await client.query(`prepare tried as ${whole}`).then(
      () => true,
      () => false,
    )
    if (!isOurs) return undefined
    const { rows } = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'tried'`,
    )
    const values = rows[0]?.types.map(sampleOf).join(', ')
    const execute = `execute tried${values ? `(${values})` : ''}`
    await client.query('savepoint before')
    try {
      for (let time = 0; time < executions; time++) {
        await client.query(execute)
        if (writes.length > 0) await client.query('rollback to before')
      }
    } catch (error) {
      if (!isOfValues(error)) return { failure: messageOf(error), tasks: 0 }
      await client.query('rollback to before')
    }
    const explained = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${execute}`)
    const lines = explained.rows.map((row) => row['QUERY PLAN']).join('\n')
    const counts = Array.from(lines.matchAll(/Task Count: (\d+)/g), ([, count]) => Number(count))
    return { tasks: Math.max(0, ...counts) }
  } catch (error) {
    return { failure: messageOf(error), tasks: 0 }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

/** A statement that names its application, but cannot run in one piece. */
const inPieces = {
  'notifications.add': ['notifications.number', 'notifications.insertNumbered', 'deliveries.queueOne'],
}

describe.skipIf(citusMissing)(`statements on Citus${citusMissing ? ` (${citusMissing})` : ''}`, () => {
  const held = new AsyncDisposableStack()
  const ran = new Map<string, Ran>()
  beforeAll(async () => {
    const { url } = held.use(await openCitusStore())
    const client = new Client({ connectionString: url })
    await client.connect()
    held.defer(() => client.end())
    using _noting = recordStatements()
    const { composeStatements } = await import('../statements/compose-statements.ts')
    for (const statement of new Map((await composeStatements()).map((each) => [each.text, each])).values()) {
      const name = statement.name.replace(/\.\d+$/, '')
      const result = await runOn(client, statement)
      if (result && name !== '') ran.set(statement.name, result)
    }
  })
  afterAll(() => held.disposeAsync())

  const nameOf = (name: string): string => name.replace(/\.\d+$/, '')
  const replaced = new Map(Object.entries(inPieces))
  for (const [name, { onCitus }] of Object.entries(acrossApplications)) if (onCitus) replaced.set(name, [...onCitus])
  const isReplaced = (name: string): boolean => replaced.has(nameOf(name))

  test('all run, except those that have a separate form for Citus', () => {
    expect(ran.size).toBeGreaterThan(450)
    const failed = [...ran].filter(([name, { failure }]) => failure !== undefined && !isReplaced(name))
    expect(failed).toEqual([])
    const known = new Set([...ran.keys()].map(nameOf))
    for (const [name, others] of replaced) {
      expect({ name, missing: others.filter((each) => !known.has(each)) }).toEqual({ name, missing: [] })
    }
  })

  test('query one shard if they name their application, and are listed otherwise', () => {
    const several = [...ran].filter(([name, { tasks }]) => tasks > 1 && !isReplaced(name))
    const unlisted = several.map(([name]) => nameOf(name)).filter((name) => !(name in acrossApplications))
    expect(unlisted.filter((name) => !/^partitions\./.test(name))).toEqual([])
    expect(several.length).toBeGreaterThan(40)
  })
})
