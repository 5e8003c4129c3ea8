/**
 * What is told after a grant was out of reach and is authenticated again: the 72-hour rule of the founding document
 * ("States and transitions", rule 2 of the grant).
 *
 * - The outage lasts from the last time the provider accepted the grant's credentials (a sign-in, a refresh of the token,
 *   a successful sync) to the re-authentication.
 * - Less than 72 hours: the changes since the last successful sync are told, possibly many. A grant that was never synced
 *   is told of from its first authentication.
 * - 72 hours or more: nothing of the outage is told; watching starts from now. Clients look at the times of grant.expired
 *   and grant.updated and ask for what changed.
 * - Tracking (an opened message, a clicked link, a reply) is ours, not synced: it is held while the grant is invalid, told
 *   after a short outage, and lost after a long one. What was noticed before the outage was told when it happened.
 * - grant.* is told when it happens, whatever the state of the grant, and has nothing to make up for.
 * - Nothing older than the first authentication is ever told.
 * - The clock may step back: an outage that seems to end before it began is a short one, and nothing after the
 *   re-authentication is held back.
 */
const seventyTwoHours = 72 * 3_600_000

/** Times in milliseconds. */
export interface Outage {
  /** When the grant was authenticated for the first time. */
  firstAuthenticatedAt: number
  /** When the provider last accepted the grant's credentials; none when only the first authentication is known. */
  acceptedAt?: number
  /** When changes were last fetched in full; none when they never were. */
  syncedAt?: number
  reauthenticatedAt: number
}

/** Where a notification comes from: what a sync finds, what tracking notices, or the life of the grant. */
export type Kind = 'sync' | 'tracking' | 'grant'

export type Backfill =
  /** Nothing was held back: tell everything when it happens. */
  | { told: 'always' }
  /** Tell what happened at `from` or later; a watcher goes on from the position of its last successful sync. */
  | { told: 'missed'; from: number }
  /** Tell nothing before `from`, the time of the re-authentication; a watcher forgets its position and takes a new one. */
  | { told: 'from_now'; from: number }

const tracked = ['message.opened', 'message.link_clicked', 'thread.replied']

/** The kind of a trigger; suffixes such as `.legacy` and `.truncated` change nothing. */
export function kindOf(trigger: string): Kind {
  if (trigger.startsWith('grant.')) return 'grant'
  return tracked.some((name) => trigger === name || trigger.startsWith(`${name}.`)) ? 'tracking' : 'sync'
}

/** What is told of an outage in notifications of a kind, and from when. */
export function backfillOf(kind: Kind, outage: Outage): Backfill {
  if (kind === 'grant') return { told: 'always' }
  const { firstAuthenticatedAt, acceptedAt, syncedAt, reauthenticatedAt } = outage
  const reachedAt = Math.max(firstAuthenticatedAt, acceptedAt ?? firstAuthenticatedAt, syncedAt ?? firstAuthenticatedAt)
  if (reauthenticatedAt - reachedAt >= seventyTwoHours) return { told: 'from_now', from: reauthenticatedAt }
  const since = kind === 'tracking' ? reachedAt : (syncedAt ?? firstAuthenticatedAt)
  return { told: 'missed', from: Math.max(firstAuthenticatedAt, Math.min(since, reauthenticatedAt)) }
}

/** Whether something that happened at a time is told. */
export const isTold = (backfill: Backfill, happenedAt: number): boolean =>
  backfill.told === 'always' || happenedAt >= backfill.from
