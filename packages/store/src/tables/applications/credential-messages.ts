/**
 * The messages of a restricted credential in slots of five minutes, over all nodes. The slots of the last hour and the
 * current one are added up, so that no hour has more than the limit.
 */
import { type Database, type Queries, sql } from '../../engine/database.ts'

const slotMs = 300_000
/** The slots of an hour, and the one that the hour cuts. */
const slots = 13

/** Locks the count of a credential until the transaction ends. */
const hold = sql('credential_messages.hold')`
   insert into credential_messages (application_id, credential_id, slot, amount) values ($1, $2, 0, 0)
   on conflict (application_id, credential_id, slot) do update set amount = 0`
const forget = sql('credential_messages.forget')`delete from credential_messages
   where application_id = $1 and credential_id = $2 and slot > 0 and slot <= $3`
const counted = sql<{ slot: number; amount: number }>('credential_messages.counted')`select slot, amount
   from credential_messages where application_id = $1 and credential_id = $2 and slot > 0 order by slot`
const add = sql('credential_messages.add')`insert into credential_messages (application_id, credential_id, slot, amount)
   values ($1, $2, $3, $4)
   on conflict (application_id, credential_id, slot) do update set amount = credential_messages.amount + excluded.amount`

/** Counts messages. If they would exceed `max`, counts none and returns the milliseconds until some are free again. */
export const countMessages = (
  database: Pick<Database, 'transaction'>,
  { applicationId, credentialId }: { applicationId: string; credentialId: string },
  { count, max, now }: { count: number; max: number; now: number },
): Promise<{ counted: true } | { counted: false; waitMs: number }> =>
  database.transaction(async (tx: Queries) => {
    const at = [applicationId, credentialId]
    const slot = Math.floor(now / slotMs)
    await tx.run(hold, at)
    await tx.run(forget, [...at, slot - slots])
    const rows = await tx.all(counted, at)
    let used = rows.reduce((sum, { amount }) => sum + amount, 0)
    if (used + count <= max) {
      await tx.run(add, [...at, slot, count])
      return { counted: true }
    }
    let free = slot
    for (const row of rows) {
      if (used + count <= max) break
      used -= row.amount
      free = row.slot
    }
    return { counted: false, waitMs: Math.max(1000, (free + slots) * slotMs - now) }
  })
