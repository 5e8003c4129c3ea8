/** Request figures of applications per five minutes and provider, as counted by each node. */
import type { Queries } from '../../engine/database.ts'
import { number, type RowOf, table, text } from '../../engine/table.ts'
import { writeRows } from '../../engine/value-rows.ts'

const figures = table('application_figures', {
  application_id: text,
  /** The start of the interval, in milliseconds. */
  at: number,
  /** The kind of account; empty for requests without an account. */
  provider: text,
  node_id: text,
  requests: number,
  refused: number,
  errors: number,
  provider_errors: number,
  /** A histogram of durations, as JSON. */
  latencies: text,
})
export type ApplicationFiguresRow = RowOf<typeof figures>

const { columns, valuesOf } = figures
const types = ['text', 'bigint', 'text', 'text', 'integer', 'integer', 'integer', 'integer', 'text']
const save = (values: string): string => `insert into application_figures (${columns})
   select a.id, v.column2, v.column3, v.column4, v.column5, v.column6, v.column7, v.column8, v.column9
   from (values ${values}) as v join applications a on a.id = v.column1 where true
   on conflict (application_id, at, provider, node_id) do update set requests = excluded.requests,
   refused = excluded.refused, errors = excluded.errors, provider_errors = excluded.provider_errors,
   latencies = excluded.latencies`

/** Replaces the figures that the same node wrote for the same interval. */
export const saveApplicationFigures = (queries: Queries, rows: readonly ApplicationFiguresRow[]): Promise<void> =>
  writeRows(queries, rows.map(valuesOf), { name: 'application_figures.save', types, text: save })

const since = figures.select('since')`where application_id = $1 and at >= $2 order by at`
export const applicationFigures = (
  queries: Queries,
  applicationId: string,
  from: number,
): Promise<ApplicationFiguresRow[]> => queries.all(since, [applicationId, from])

const purge = figures.delete('purge')`where at < $1`
export const purgeApplicationFigures = (queries: Queries, before: number): Promise<number> =>
  queries.run(purge, [before])
