import type { VirtualTables } from '../providers/virtual/tables.ts'
import { calendarTables } from './calendars.ts'
import type { Queries } from './database.ts'
import { eventTables } from './events.ts'
import { findGrantByEmail, holdGrant } from './grants.ts'

/** What the virtual adapter is given: the tables of one account. */
export function virtualTables(
  queries: Queries,
  { applicationId, grantId, kind }: { applicationId: string; grantId: string; kind: string },
): VirtualTables {
  return {
    calendars: calendarTables(queries, applicationId, grantId),
    events: eventTables(queries, applicationId, grantId),
    lock: () => holdGrant(queries, applicationId, grantId),
    async ofAddress(emailKey) {
      const record = await findGrantByEmail(queries, applicationId, emailKey)
      const usable = record?.status === 'valid' && !record.grant.blocked && record.grant.provider === kind
      return usable ? virtualTables(queries, { applicationId, grantId: record.grant.id, kind }) : undefined
    },
  }
}
