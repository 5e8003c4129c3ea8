/** Request figures of applications per five minutes and provider, as counted by each node. */
import { dynamic, type Queries, sql, type Value } from '../../engine/database.ts'
import { pieces, valuesOf } from '../../engine/value-rows.ts'

export interface ApplicationFiguresRow {
  application_id: string
  /** The start of the interval, in milliseconds. */
  at: number
  /** The kind of account; empty for requests without an account. */
  provider: string
  node_id: string
  requests: number
  refused: number
  errors: number
  provider_errors: number
  /** A histogram of durations, as JSON. */
  latencies: string
}

const columns = 'application_id, at, provider, node_id, requests, refused, errors, provider_errors, latencies'
const types = ['text', 'bigint', 'text', 'text', 'integer', 'integer', 'integer', 'integer', 'text']
const save = (values: string): string => `insert into application_figures (${columns})
   select a.id, v.column2, v.column3, v.column4, v.column5, v.column6, v.column7, v.column8, v.column9
   from (values ${values}) as v join applications a on a.id = v.column1 where true
   on conflict (application_id, at, provider, node_id) do update set requests = excluded.requests,
   refused = excluded.refused, errors = excluded.errors, provider_errors = excluded.provider_errors,
   latencies = excluded.latencies`

/** Replaces the figures that the same node wrote for the same interval. */
export async function saveApplicationFigures(queries: Queries, rows: readonly ApplicationFiguresRow[]): Promise<void> {
  const values = rows.map((row): Value[] => [
    row.application_id,
    row.at,
    row.provider,
    row.node_id,
    row.requests,
    row.refused,
    row.errors,
    row.provider_errors,
    row.latencies,
  ])
  for (const piece of pieces(values)) {
    await queries.run(
      dynamic({
        name: 'application_figures.save',
        text: save(valuesOf(piece, types)),
      }),
      piece.flat(),
    )
  }
}

const since = sql<ApplicationFiguresRow>({
  name: 'application_figures.since',
  text: `select ${columns} from application_figures where application_id = $1 and at >= $2 order by at`,
})
export const applicationFigures = (
  queries: Queries,
  applicationId: string,
  from: number,
): Promise<ApplicationFiguresRow[]> => queries.all(since, [applicationId, from])

const purge = sql({ name: 'application_figures.purge', text: 'delete from application_figures where at < $1' })
export const purgeApplicationFigures = (queries: Queries, before: number): Promise<number> =>
  queries.run(purge, [before])
