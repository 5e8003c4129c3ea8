/**
 * Deletes grants with many dependent rows: a mailbox may have twenty thousand contacts, and a
 * virtual account as many events. The row stays for a while as
 * a tombstone, without document, address or credentials. It cannot be found or locked (`grants.ts`). Everything that
 * could still have an effect is deleted at once. Contacts and events are deleted in batches (`leftovers.ts`), and the row
 * with its calendars after the last.
 */
import { type Queries, sql } from '../../engine/database.ts'
import { removeRequestsOf } from '../applications/credential-requests.ts'
import { removeFailedJobsOf } from '../notifications/failed-jobs.ts'
import { leaveBehind } from '../notifications/leftovers.ts'
import { piece } from '../notifications/notification-purge.ts'
import { removeBookingJobs } from '../notifications/outbox.ts'
import { deleteGrant, uncountGrant } from './grants.ts'
import { expireUploadsOf } from './uploads.ts'

interface GrantAddress {
  applicationId: string
  id: string
}

/** The tables whose rows are deleted with the grant. Contacts and calendars with their events are left for the batches. */
export const goingAtOnce = [
  'access_tokens',
  'agent_grants',
  'approvals',
  'authorization_codes',
  'booking_hosts',
  'bookings',
  'contact_groups',
  'draft_notes',
  'grant_calls',
  'grant_errors',
  'grant_events',
  'grant_uses',
  'group_events',
  'imported_objects',
  'message_metadata',
  'message_places',
  'notification_sequences',
  'nudges',
  'object_metadata',
  'provider_tokens',
  'scheduler_configurations',
  'scheduler_hosts',
  'send_reports',
  'sends',
  'signatures',
  'templates',
  'tracked_messages',
  'watch_failures',
  'watches',
  'workflows',
] as const

const removals = goingAtOnce.map(
  (table) =>
    sql(`${table}.removeOfGrant`)`delete from ${table}
   where application_id = $1 and ${table === 'provider_tokens' ? 'id' : 'grant_id'} = $2`,
)
const removeTokens = removals[goingAtOnce.indexOf('access_tokens')]
const firstOf = (table: string): string =>
  `select id from (select id from ${table} where application_id = $1 and grant_id = $2 limit ${piece + 1}) as some_${table}`
const beyondPiece = sql<{ id: string }>('grants.beyondPiece')`select id
   from (${firstOf('contacts')} union all ${firstOf('events')}) as dependent limit 1 offset ${piece}`
const tombstone = sql('grants.tombstone', { raises: ['watches'] })`update grants
   set email_key = $4, external_id = null, status = 'unverified', ip = null, account_id = null,
   credential_id = null, sealed_credentials = null, document = 'null', watched = 0, purge_at = $3
   where application_id = $1 and id = $2`
const forgotten = sql<{ application_id: string; id: string }>('grants.tombstonesForgotten')`select application_id, id
   from grants where purge_at <= $1 and document = 'null' limit 100`
const postpone = sql('grants.tombstonePostpone', { raises: ['watches'] })`update grants set purge_at = $3
   where application_id = $1 and id = $2`

/** After this time, housekeeping checks the tombstone, in case the job has failed permanently. */
const checkAgainMs = 86_400_000

/**
 * Deletes a grant with all of its data. If that is a lot, the grant becomes a tombstone and the rest is deleted
 * later.
 */
export async function removeGrant(tx: Queries, { applicationId, id }: GrantAddress, now: number): Promise<void> {
  await removeFailedJobsOf(tx, { applicationId, id })
  await removeBookingJobs(tx, { applicationId, id })
  await removeRequestsOf(tx, { applicationId, id })
  await expireUploadsOf(tx, { applicationId, id })
  if (!(await tx.get(beyondPiece, [applicationId, id]))) {
    // In a distributed store, tokens are on another machine than their grant, and no foreign key removes them.
    if (removeTokens) await tx.post(removeTokens, [applicationId, id])
    await deleteGrant(tx, applicationId, id)
    return
  }
  await uncountGrant(tx, applicationId, id)
  // Not a possible address, because it contains a space.
  await tx.run(tombstone, [applicationId, id, now + checkAgainMs, `deleted ${id}`])
  for (const removal of removals) await tx.post(removal, [applicationId, id])
  await leaveBehind(tx, { of: 'grant tombstone', applicationId, id }, now)
}

/** Restarts the deletion of tombstones whose job was lost. */
export async function removeForgotten(tx: Queries, now: number): Promise<void> {
  for (const { application_id: applicationId, id } of await tx.all(forgotten, [now])) {
    await tx.run(postpone, [applicationId, id, now + checkAgainMs])
    await leaveBehind(tx, { of: 'grant tombstone', applicationId, id }, now)
  }
}
