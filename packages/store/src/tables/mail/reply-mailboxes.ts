/** The read position in the mailbox for replies, and the node that reads it. One node at a time holds a lease. */
import { type Queries, sql } from '../../engine/database.ts'
import { statementsOn } from '../../engine/table.ts'

const replyMailboxes = statementsOn('reply_mailboxes')

export interface ReadingPlace {
  /** UIDVALIDITY of the folder; 0 if it was never read. */
  validity: number
  uid: number
}

const take = sql<{ uid_validity: number; last_uid: number }>('reply_mailboxes.take')`
   insert into reply_mailboxes (id, owner, lease_until, uid_validity, last_uid) values ($1, $2, $3, 0, 0)
   on conflict (id) do update set owner = excluded.owner, lease_until = excluded.lease_until
   where reply_mailboxes.owner is null or reply_mailboxes.owner = excluded.owner or reply_mailboxes.lease_until < $4
   returning uid_validity, last_uid`
const save = replyMailboxes.update('save')`set uid_validity = $3, last_uid = $4, lease_until = $5
   where id = $1 and owner = $2`
const release = replyMailboxes.update('release')`set owner = null where id = $1 and owner = $2`

/** Leases the mailbox to a node. Undefined if another node holds it. */
export async function takeReplyMailbox(
  queries: Queries,
  id: string,
  { owner, now, until }: { owner: string; now: number; until: number },
): Promise<ReadingPlace | undefined> {
  const row = await queries.get(take, [id, owner, until, now])
  return row && { validity: row.uid_validity, uid: row.last_uid }
}

/** Stores the read position and extends the lease. False if the node no longer holds it. */
export const saveReplyMailbox = async (
  tx: Queries,
  id: string,
  { owner, place, until }: { owner: string; place: ReadingPlace; until: number },
): Promise<boolean> => (await tx.run(save, [id, owner, place.validity, place.uid, until])) === 1

export const releaseReplyMailbox = (queries: Queries, id: string, owner: string): Promise<number> =>
  queries.run(release, [id, owner])

const abandon = replyMailboxes.update('abandon')`set owner = null where owner is not null`
/** Releases all mailboxes, when the only server of a SQLite file starts. */
export const abandonReplyMailboxes = (queries: Queries): Promise<number> => queries.run(abandon)
