/**
 * The work itself: put yours here. This one keeps a diary of events. Writes to the same database happen once.
 * External effects (a mail, another API) can happen twice if the process dies in between: use the id of the
 * notification as an idempotency key.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Received } from './journal.ts'

export const prepare = (database: DatabaseSync): void =>
  database.exec('create table if not exists diary (line integer primary key, entry text not null) strict')

export function work({ type, payload }: Received, database: DatabaseSync): void {
  const { data } = JSON.parse(payload) as { data: { object: { id?: string; title?: string | null } } }
  const entry = `${type} ${data.object.title ?? data.object.id ?? ''}`.trim()
  database.prepare('insert into diary (entry) values (?)').run(entry)
  console.log(entry)
}
