/**
 * The state of invitation mails of an event, bound to one grant, and the lookup of the event by its UID for replies.
 */
import type { InvitationState, VirtualTables } from '@waypost/providers/virtual/tables'
import { type Queries, sql } from '../../engine/database.ts'

const get = sql<{ state: string }>('invitations.get')`select state from invitations
   where application_id = $1 and grant_id = $2 and event_id = $3`
const put = sql('invitations.put')`insert into invitations (application_id, grant_id, event_id, uid, state)
   values ($1, $2, $3, $4, $5)
   on conflict (grant_id, event_id, application_id) do update set uid = excluded.uid, state = excluded.state`
// A reply contains only the UID, so the account and application of the organizer are found through it.
const ofUid = sql<{ application_id: string; grant_id: string; event_id: string }>('invitations.ofUid')`
   select application_id, grant_id, event_id from invitations where uid = $1 order by grant_id, event_id limit 20`

export const invitationTables = (
  queries: Queries,
  applicationId: string,
  grantId: string,
): VirtualTables['invitations'] => ({
  async get(eventId) {
    const row = await queries.get(get, [applicationId, grantId, eventId])
    return row && (JSON.parse(row.state) as InvitationState)
  },
  put: ({ eventId, uid, state }) => queries.post(put, [applicationId, grantId, eventId, uid, JSON.stringify(state)]),
})

export interface InvitedEvent {
  applicationId: string
  grantId: string
  eventId: string
}

/** The events of all accounts for which mails with this UID were sent. */
export const invitedEvents = async (queries: Queries, uid: string): Promise<InvitedEvent[]> =>
  (await queries.all(ofUid, [uid])).map((row) => ({
    applicationId: row.application_id,
    grantId: row.grant_id,
    eventId: row.event_id,
  }))
