/** Schema changes that exist only in tests of how changes run. */

import { version } from '@waypost/platform/versions'
import { sql } from '@waypost/testing/statement'
import type { Database, Queries } from '../../src/engine/database.ts'
import { changes } from '../../src/migrations/changes.ts'
import {
  type BatchResult,
  backfill,
  contract,
  expand,
  index,
  type SchemaChange,
  type Step,
} from '../../src/migrations/schema-change.ts'
import type { Pace } from '../../src/migrations/steps/run-step.ts'

/** Short times, so that a test need not wait. */
export const fastPace: Partial<Pace> = {
  ...{ leaseMs: 3_000, pollMs: 20, batchPauseMs: 1, announceMs: 50 },
  waits: { lockWaitMs: 200, totalMs: 60_000, firstPauseMs: 20, maxPauseMs: 100 },
}

const [major, minor] = version.split('.')
/** The version after that of the source code. */
export const nextVersion = `${major}.${Number(minor) + 1}.0`

/** Rows of the table `readings` that one batch fills. */
export const batchRows = 100

const nextReadings = sql<{ last: string | null; rows: number }>(
  'readings.next',
  `select max(id) as last, count(*) as rows from
   (select id from readings where id > $1 order by id limit $2) as next`,
)
const fillReadings = sql('readings.fill', 'update readings set doubled = amount * 2 where id > $1 and id <= $2')
const countReadings = sql<{ rows: number }>('readings.count', 'select count(*) as rows from readings')

async function fillBatch(tx: Queries, limit: number, after = ''): Promise<BatchResult | undefined> {
  const next = await tx.get(nextReadings, [after, limit])
  if (!next || next.last === null) return undefined
  await tx.run(fillReadings, [after, next.last])
  return { after: next.last, rows: next.rows }
}

/** Fills `readings.doubled`; `before` runs before each batch. */
export const fillDoubled = (before: (after: string | undefined) => void = () => undefined, rows = batchRows): Step =>
  backfill('doubled', {
    table: 'readings',
    total: async (queries) => (await queries.get(countReadings))?.rows ?? 0,
    batch(tx, after) {
      before(after)
      return fillBatch(tx, rows, after)
    },
  })

export const widen = expand('column', 'alter table readings add column doubled bigint', {
  readings: 'access exclusive',
})
export const indexDoubled = index('readings_doubled', 'readings', '(doubled)')
export const dropLegacy = (unusedSince: string): Step =>
  contract('legacy', {
    text: 'alter table readings drop column legacy',
    locks: { readings: 'access exclusive' },
    unusedSince,
  })

/** The changes of the next version: all of this version, and one more with these steps. */
export const withChange = (
  steps: readonly Step[],
  { number = 900, compatibleFrom = '0.1.0' }: { number?: number; compatibleFrom?: string } = {},
): SchemaChange[] => [
  ...changes,
  { ...{ number, name: 'doubled-readings', version: nextVersion, compatibleFrom }, steps: () => steps },
]

/** A table that exists in no version. */
export const createReadings = (database: Database): Promise<void> =>
  database.execute('create table readings (id text primary key, amount bigint not null, legacy text)')

const addReadings = (ids: readonly string[]): string =>
  `insert into readings (id, amount) values ${ids.map((id, at) => `('${id}', ${at})`).join(', ')}`

export const insertReadings = (database: Database, count: number): Promise<void> =>
  database.execute(addReadings(Array.from({ length: count }, (_, at) => `r${String(at).padStart(7, '0')}`)))
