import type { VirtualTables } from '../../../providers/virtual/tables.ts'
import type { ForeseenRead, Queries } from '../../engine/database.ts'
import { invitationTables } from '../applications/invitations.ts'
import { findGrantByEmail, holdGrant } from '../grants/grants.ts'
import { calendarTables, readOfCalendar } from './calendars.ts'
import { eventTables, readOfEvent } from './events.ts'

/** Whose accounts an account may look at: an access token opens its own grant alone. */
export type Reach = 'application' | 'grant'

/** What a change of an event reads first: its calendar, and the event where there is one already. */
export function readsOfChange(
  applicationId: string,
  grantId: string,
  { calendarId, eventId }: { calendarId: string; eventId: string | undefined },
): ForeseenRead[] {
  const at = [applicationId, grantId]
  const calendar = readOfCalendar(at, calendarId)
  return eventId === undefined ? [calendar] : [readOfEvent(at, eventId), calendar]
}

/** What the virtual adapter is given: the tables of one account. */
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
      const usable = record?.status === 'valid' && !record.grant.blocked && record.grant.provider === kind
      return usable ? virtualTables(queries, { applicationId, grantId: record.grant.id, kind, reach }) : undefined
    },
  }
}
