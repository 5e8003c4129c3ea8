/**
 * The work itself: put yours here. This one keeps a diary of events. Whatever it writes into the same database is written
 * once. What goes elsewhere (a mail, another API) may be done twice, where the process dies between the two: give the id of
 * the notification along as an idempotency key.
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
