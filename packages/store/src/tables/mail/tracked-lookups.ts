/**
 * Finds tracked messages of an account: by Message-ID, by API id, or those with visits whose notification is held
 * back.
 */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { dynamic, type Queries, sql } from '../../engine/database.ts'
import { openTrackedFacts, type TrackedOptions } from '../../sealing/sealed-tracking.ts'
import type { Mailbox } from './message-metadata.ts'
import { openTracked, selectTracked, type TrackedMessage, type TrackedRow, trackedColumns } from './tracked-messages.ts'

const ofGrant = 'application_id = $1 and grant_id = $2'

/** The messages of an account with tracked replies and one of these Message-IDs. */
export async function findReplyTracked(
  tx: Queries,
  { applicationId, grantId }: Mailbox,
  mimeIds: readonly string[],
  seals: DataSeals,
): Promise<TrackedMessage[]> {
  if (mimeIds.length === 0) return []
  const list = mimeIds.map((_, index) => `$${index + 3}`).join(', ')
  const text = `select ${trackedColumns} from tracked_messages where ${ofGrant} and thread_replies = 1 and mime_id in (${list})
    order by created_at, send_id`
  const rows = await tx.all(dynamic<TrackedRow>({ name: 'tracked_messages.byMimeIds', text }), [
    applicationId,
    grantId,
    ...mimeIds,
  ])
  return openTracked(seals, rows)
}

const heldMessages = selectTracked('heldOf')`where ${ofGrant} and (held_after is not null or
     send_id in (select send_id from tracked_links where ${ofGrant} and held_after is not null))
   order by created_at, send_id`
const release = sql('tracked_messages.release')`update tracked_messages set held_after = null
   where ${ofGrant} and held_after is not null`
const releaseLinks = sql('tracked_links.release')`update tracked_links set held_after = null
   where ${ofGrant} and held_after is not null`

/** The messages of an account with visits whose notification is held back. */
export const listHeld = async (tx: Queries, at: Mailbox, seals: DataSeals): Promise<TrackedMessage[]> =>
  openTracked(seals, await tx.all(heldMessages, [at.applicationId, at.grantId]))
/** Clears all held visits, whether they were reported or not. */
export async function releaseHeld(tx: Queries, at: Mailbox): Promise<void> {
  await tx.run(release, [at.applicationId, at.grantId])
  await tx.run(releaseLinks, [at.applicationId, at.grantId])
}

const factsOf = sql<{ send_id: string; sealed_facts: string }>('tracked_messages.facts')`select send_id, sealed_facts
   from tracked_messages where ${ofGrant} and message_id = $3 limit 1`
/** The tracking options of a message, by its API id. */
export async function readTrackedOptions(
  queries: Queries,
  at: Mailbox,
  messageId: string,
  seals: DataSeals,
): Promise<TrackedOptions | undefined> {
  for (const id of [messageId, ...(at.formerIds?.(messageId) ?? [])]) {
    const row = await queries.get(factsOf, [at.applicationId, at.grantId, id])
    if (!row) continue
    await seals.learn([row.sealed_facts])
    return openTrackedFacts(seals, { applicationId: at.applicationId, sendId: row.send_id }, row.sealed_facts).options
  }
  return undefined
}
