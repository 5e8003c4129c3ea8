/**
 * A row for each account whose time is booked. A transaction that compares and writes claims first changes the rows of
 * all its accounts, in order, so that two of them run one after the other.
 */
import { type Queries, sql } from '../../engine/database.ts'

const lock = sql('scheduler_hosts.lock')`insert into scheduler_hosts (grant_id, application_id, changes)
   values ($2, $1, 1) on conflict (grant_id, application_id) do update set changes = scheduler_hosts.changes + 1`

/** Locks accounts until the transaction ends. Every account must exist. */
export async function lockHosts(tx: Queries, applicationId: string, grantIds: Iterable<string>): Promise<void> {
  for (const grantId of [...new Set(grantIds)].toSorted()) await tx.run(lock, [applicationId, grantId])
}
