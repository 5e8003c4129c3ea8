import type { Grant } from '@waypost/contract'
import type { VirtualTables } from '@waypost/providers/virtual/tables'
import type { Queries } from '../../engine/database.ts'
import { invitationTables } from '../applications/invitations.ts'
import { findGrantByEmail, holdGrant } from '../grants/grants.ts'
import { calendarTables } from './calendars.ts'
import { eventTables } from './events.ts'

/**
 * The accounts that a caller may access. An access token is limited to its own grant, a restricted credential to some grants.
 */
export type Reach = 'application' | 'grant' | ((grant: Grant) => boolean)

/** The tables of one account, for the virtual adapter. */
export function virtualTables(
  queries: Queries,
  {
    applicationId,
    grantId,
    kind,
    reach,
  }: { applicationId: string; grantId: string; kind: string; reach?: Reach | undefined },
): VirtualTables {
  return {
    calendars: calendarTables(queries, applicationId, grantId),
    events: eventTables(queries, applicationId, grantId),
    invitations: invitationTables(queries, applicationId, grantId),
    lock: () => holdGrant(queries, applicationId, grantId),
    async ofAddress(emailKey) {
      const record = await findGrantByEmail(queries, applicationId, emailKey)
      if (reach === 'grant' && record?.grant.id !== grantId) return undefined
      if (typeof reach === 'function' && record && !reach(record.grant)) return undefined
      const usable = record?.status === 'valid' && !record.grant.blocked && record.grant.provider === kind
      return usable ? virtualTables(queries, { applicationId, grantId: record.grant.id, kind, reach }) : undefined
    },
  }
}
