/**
 * Columns in which an earlier version wrote in clear what is sealed now, for the one time at which they are sealed. The
 * pieces are small, since a value may be a megabyte.
 */
import { type Queries, type Statement, sql, type Value } from './database.ts'

export interface ClearColumn {
  table: string
  column: string
  /** The columns of the primary key: the order in which the rows are gone through. */
  key: readonly string[]
  /** What names the row in the context of its seal. */
  row: readonly string[]
}

export const clearColumns: readonly ClearColumn[] = [
  { table: 'notifications', column: 'sealed_payload', key: ['position'], row: ['id'] },
  {
    table: 'delivery_attempts',
    column: 'sealed_answer',
    key: ['notification', 'webhook_id', 'attempt'],
    row: ['notification', 'webhook_id', 'attempt'],
  },
]

export type ClearRow = Record<string, Value> & { application_id: string; value: string }

const piece = 100

const names = (of: ClearColumn): string => [...new Set([...of.key, ...of.row])].join(', ')
const parameters = (count: number, from: number): string =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ')

const first = ({ table, column, key, ...of }: ClearColumn): Statement<ClearRow> =>
  sql(
    `${table}.${column}.clearFirst`,
    `select ${names({ table, column, key, ...of })}, application_id, ${column} as value from ${table}
   where ${column} is not null order by ${key.join(', ')} limit ${piece}`,
  )
const after = ({ table, column, key, ...of }: ClearColumn): Statement<ClearRow> =>
  sql(
    `${table}.${column}.clearAfter`,
    `select ${names({ table, column, key, ...of })}, application_id, ${column} as value from ${table}
   where ${column} is not null and (${key.join(', ')}) > (${parameters(key.length, 1)})
   order by ${key.join(', ')} limit ${piece}`,
  )
const replace = ({ table, column, key }: ClearColumn): Statement =>
  sql(
    `${table}.${column}.seal`,
    `update ${table} set ${column} = $1 where ${key.map((name, index) => `${name} = $${index + 2}`).join(' and ')}
   and ${column} = $${key.length + 2}`,
  )

/** The rows of a column in pieces. */
export async function* clearPieces(queries: Queries, of: ClearColumn): AsyncGenerator<ClearRow[]> {
  let rows = await queries.all(first(of))
  while (rows.length > 0) {
    yield rows
    const last = rows.at(-1)
    rows = await queries.all(
      after(of),
      of.key.map((name) => last?.[name] ?? null),
    )
  }
}

/** Puts a sealed value in the place of a clear one, unless it is gone or another by now. */
export const sealClearValue = (tx: Queries, of: ClearColumn, row: ClearRow, sealed: string): Promise<number> =>
  tx.run(replace(of), [sealed, ...of.key.map((name) => row[name] ?? null), row.value])
