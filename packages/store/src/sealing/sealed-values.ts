/** All columns with encrypted values, for key rotation. Add new columns here, or `secrets rotate` misses them. */
import type { SealContext } from '@waypost/platform/crypto/secrets'
import { type Queries, type Statement, sql } from '../engine/database.ts'

interface SealedColumn {
  table: string
  column: string
  list: Statement<SealedRow>
  replace: Statement
}
interface SealedRow {
  id: string
  application_id: string
  sealed: string
}

/** `application` is the column with the application id. Values of the installation have only their own id. */
const column = (table: string, name: string, application = 'application_id'): SealedColumn => ({
  table,
  column: name,
  list: sql<SealedRow>(`${table}.${name}.list`)`
     select id, ${application} as application_id, ${name} as sealed from ${table}
     where ${name} is not null and (id, ${application}) > ($1, $2) order by id, ${application} limit 500`,
  replace: sql(`${table}.${name}.replace`)`update ${table} set ${name} = $3
     where id = $1 and ${application} = $4 and ${name} = $2`,
})

export const sealedColumns: readonly SealedColumn[] = [
  column('authorization_codes', 'sealed_account'),
  column('connectors', 'sealed_settings'),
  column('credentials', 'sealed_data'),
  column('data_keys', 'sealed_key', 'id'),
  column('grants', 'sealed_credentials'),
  column('idempotency_keys', 'sealed_body'),
  column('login_sessions', 'sealed_verifier'),
  column('people', 'sealed_pending_totp', 'id'),
  column('people', 'sealed_totp', 'id'),
  column('provider_tokens', 'sealed_tokens'),
  column('send_sources', 'sealed_source'),
  column('webhooks', 'sealed_secret'),
  column('webhooks', 'sealed_previous_secret'),
]

/**
 * Columns encrypted with a data key. Key rotation re-encrypts only the data key and leaves them alone.
 */
export const dataSealedColumns: readonly Pick<SealedColumn, 'table' | 'column'>[] = [
  { table: 'approval_parts', column: 'sealed_content' },
  { table: 'approvals', column: 'sealed_document' },
  { table: 'approvals', column: 'sealed_outcome' },
  { table: 'bookings', column: 'sealed_document' },
  { table: 'bookings', column: 'sealed_intent' },
  { table: 'contact_groups', column: 'sealed_name' },
  { table: 'contact_pictures', column: 'sealed_picture' },
  { table: 'contacts', column: 'sealed_contact' },
  { table: 'delivery_attempts', column: 'sealed_answer' },
  { table: 'failed_jobs', column: 'sealed_message' },
  { table: 'grant_errors', column: 'sealed_message' },
  { table: 'grant_events', column: 'sealed_message' },
  { table: 'group_events', column: 'sealed_details' },
  { table: 'group_seats', column: 'sealed_people' },
  { table: 'notifications', column: 'sealed_payload' },
  { table: 'scheduler_configurations', column: 'sealed_document' },
  { table: 'send_reports', column: 'sealed_report' },
  { table: 'sends', column: 'sealed_content' },
  { table: 'sends', column: 'sealed_error' },
  { table: 'tracked_links', column: 'sealed_recents' },
  { table: 'tracked_links', column: 'sealed_url' },
  { table: 'tracked_messages', column: 'sealed_facts' },
  { table: 'tracked_messages', column: 'sealed_recents' },
  { table: 'upload_chunks', column: 'sealed_bytes' },
  { table: 'uploads', column: 'sealed_file' },
  { table: 'watches', column: 'sealed_cursor' },
]

export interface SealedValue {
  sealed: string
  context: SealContext
}

/** All encrypted values of a column, in the order of their rows. */
export async function* sealedValues(queries: Queries, of: SealedColumn): AsyncGenerator<SealedValue> {
  let after = ['', '']
  for (;;) {
    const rows = await queries.all(of.list, after)
    for (const row of rows) {
      const context = { table: of.table, column: of.column, application: row.application_id, row: row.id }
      yield { sealed: row.sealed, context }
    }
    const last = rows.at(-1)
    if (!last) return
    after = [last.id, last.application_id]
  }
}

/** Writes a re-encrypted value. False if the value was changed in the meantime. */
export const replaceSealedValue = async (
  queries: Queries,
  of: SealedColumn,
  value: SealedValue,
  sealed: string,
): Promise<boolean> =>
  (await queries.run(of.replace, [value.context.row, value.sealed, sealed, value.context.application])) === 1

/** The context of the values in an encrypted column. A value opens only in the application and row that it was sealed for. */
export const sealedColumn =
  (table: string, column: string) =>
  (application: string, row: string): SealContext => ({ table, column, application, row })
