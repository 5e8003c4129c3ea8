/** What is known of the mails about an event, bound to one grant, and how an answer finds the event by its UID. */
import type { InvitationState, VirtualTables } from '../../../providers/virtual/tables.ts'
import { type Queries, sql } from '../../engine/database.ts'

const get = sql<{ state: string }>({
  name: 'invitations.get',
  text: 'select state from invitations where application_id = $1 and grant_id = $2 and event_id = $3',
  reads: ['invitations'],
})
const put = sql({
  name: 'invitations.put',
  text: `insert into invitations (application_id, grant_id, event_id, uid, state) values ($1, $2, $3, $4, $5)
   on conflict (grant_id, event_id, application_id) do update set uid = excluded.uid, state = excluded.state`,
  writes: ['invitations'],
})
// An answer names its event by the UID alone; the organizer's account and application are found by it.
const ofUid = sql<{ application_id: string; grant_id: string; event_id: string }>({
  name: 'invitations.ofUid',
  text: 'select application_id, grant_id, event_id from invitations where uid = $1 order by grant_id, event_id limit 20',
  reads: ['invitations'],
})

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

/** The events of any account that were mailed about under a UID. */
export const invitedEvents = async (queries: Queries, uid: string): Promise<InvitedEvent[]> =>
  (await queries.all(ofUid, [uid])).map((row) => ({
    applicationId: row.application_id,
    grantId: row.grant_id,
    eventId: row.event_id,
  }))
