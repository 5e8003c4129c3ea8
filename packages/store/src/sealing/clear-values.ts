/**
 * Columns that an earlier version wrote unencrypted, for their one-time encryption. Batches are small, because a
 * value may have a megabyte.
 */
import { type Queries, type Statement, sql, type Value } from '../engine/database.ts'

export interface ClearColumn {
  /** The migration after which the column is encrypted. */
  since: number
  table: string
  column: string
  /** The columns of an indexed key; the rows are processed in its order. */
  key: readonly string[]
  /** The columns that identify the row in the encryption context. */
  row: readonly string[]
  /** The column that identifies the application in the encryption context. */
  application?: string
  /** A value without content, which stays as it is. */
  empty?: string
  /** A key column that is also unencrypted, and is replaced by its keyed hash. */
  hashed?: string
}

const sends = { since: 23, table: 'sends', key: ['id', 'application_id'], row: ['id'] }
const trackedMessages = { since: 23, table: 'tracked_messages', key: ['send_id', 'application_id'], row: ['send_id'] }
const linkKey = ['send_id', 'link_index']
const trackedLinks = { since: 23, table: 'tracked_links', key: [...linkKey, 'application_id'], row: linkKey }
const streamKey = ['application_id', 'transaction_number', 'position']
const attemptRow = ['notification', 'webhook_id', 'attempt']
const reportKey = ['grant_id', 'message_id', 'kind', 'recipient_hash']

export const clearColumns: readonly ClearColumn[] = [
  { since: 18, table: 'notifications', column: 'sealed_payload', key: streamKey, row: ['id'] },
  {
    ...{ since: 18, table: 'delivery_attempts', column: 'sealed_answer' },
    ...{ key: ['application_id', ...attemptRow], row: attemptRow },
  },
  { ...sends, column: 'sealed_content' },
  { ...sends, column: 'sealed_error' },
  {
    ...{ since: 23, table: 'send_reports', column: 'sealed_report' },
    ...{ key: [...reportKey, 'application_id'], row: reportKey, hashed: 'recipient_hash' },
  },
  { ...trackedMessages, column: 'sealed_facts' },
  { ...trackedMessages, column: 'sealed_recents', empty: '[]' },
  { ...trackedLinks, column: 'sealed_url' },
  { ...trackedLinks, column: 'sealed_recents', empty: '[]' },
  { since: 23, table: 'watches', column: 'sealed_cursor', key: ['grant_id', 'application_id'], row: ['grant_id'] },
  {
    ...{ since: 23, table: 'grant_errors', column: 'sealed_message' },
    ...{ key: ['id', 'application_id'], row: ['id'], application: 'grant_id' },
  },
]

export type ClearRow = Record<string, Value> & { application: string; value: string }

const piece = 100

const parameters = (count: number, from: number): string =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ')

const pieceOf = (of: ClearColumn, name: string, condition: string): Statement<ClearRow> => {
  const { table, column, key, row, application = 'application_id', empty } = of
  const names = [...new Set([...key, ...row])].join(', ')
  const isThere = empty === undefined ? `${column} is not null` : `${column} <> '${empty}'`
  return sql({
    name: `${table}.${column}.${name}`,
    text: `select ${names}, ${application} as application, ${column} as value from ${table}
   where ${isThere} ${condition} order by ${key.join(', ')} limit ${piece}`,
    reads: [table],
  })
}
const first = (of: ClearColumn): Statement<ClearRow> => pieceOf(of, 'clearFirst', '')
const after = (of: ClearColumn): Statement<ClearRow> =>
  pieceOf(of, 'clearAfter', `and (${of.key.join(', ')}) > (${parameters(of.key.length, 1)})`)

const replace = ({ table, column, key, hashed }: ClearColumn): Statement => {
  const [value, former, hash] = [key.length + 1, key.length + 2, key.length + 3].map((number) => `$${number}`)
  return sql({
    name: `${table}.${column}.seal`,
    text: `update ${table} set ${column} = ${value}${hashed === undefined ? '' : `, ${hashed} = ${hash}`}
   where ${key.map((name, index) => `${name} = $${index + 1}`).join(' and ')} and ${column} = ${former}`,
    writes: [table],
  })
}

/** The rows of a column in batches. */
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

/** Replaces an unencrypted value by the encrypted one, unless it was changed or deleted in the meantime. */
export const sealClearValue = (
  tx: Queries,
  of: ClearColumn,
  row: ClearRow,
  { sealed, hash }: { sealed: string; hash: string | undefined },
): Promise<number> =>
  tx.run(replace(of), [
    ...of.key.map((name) => row[name] ?? null),
    sealed,
    row.value,
    ...(hash === undefined ? [] : [hash]),
  ])
