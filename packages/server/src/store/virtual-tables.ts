import type { VirtualTables } from '../providers/virtual/tables.ts'
import { calendarTables } from './calendars.ts'
import { type Queries, sql } from './database.ts'
import { eventTables } from './events.ts'
import { findGrantByEmail } from './grants.ts'

const lock = sql('grants.lock', 'update grants set blocked = blocked where application_id = $1 and id = $2')

/** What the virtual adapter is given: the tables of one account. */
export function virtualTables(
  queries: Queries,
  { applicationId, grantId, kind }: { applicationId: string; grantId: string; kind: string },
): VirtualTables {
  return {
    calendars: calendarTables(queries, applicationId, grantId),
    events: eventTables(queries, applicationId, grantId),
    lock: async () => void (await queries.run(lock, [applicationId, grantId])),
    async ofAddress(emailKey) {
      const record = await findGrantByEmail(queries, applicationId, emailKey)
      const usable = record?.status === 'valid' && record.grant.provider === kind
      return usable ? virtualTables(queries, { applicationId, grantId: record.grant.id, kind }) : undefined
    },
  }
}
