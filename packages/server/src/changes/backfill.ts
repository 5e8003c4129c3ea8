/**
 * What is reported after an outage of a grant that is authenticated again: the 72-hour rule.
 *
 * - The outage lasts from the last time the provider accepted the grant's credentials (a sign-in, a token refresh, a
 *   successful sync) to the re-authentication.
 * - Less than 72 hours: all changes since the last successful sync are reported, possibly many. For a grant that was never
 *   synced, all changes since its first authentication are.
 * - 72 hours or more: nothing of the outage is reported, and watching starts from now. Clients compare the times of
 *   grant.expired and grant.updated and request what changed.
 * - Tracking events (an opened message, a clicked link, a reply) come from Waypost, not from a sync. They are held while
 *   the grant is invalid, reported after a short outage, and dropped after a long one.
 * - grant.* is reported at once, whatever the state of the grant.
 * - Nothing older than the first authentication is ever reported.
 * - The clock may step back: an outage that seems to end before it began counts as short, and nothing after the
 *   re-authentication is held back.
 */
const seventyTwoHours = 72 * 3_600_000

/** Times in milliseconds. */
export interface Outage {
  /** When the grant was first authenticated. */
  firstAuthenticatedAt: number
  /** When the provider last accepted the grant's credentials; undefined if only the first authentication is known. */
  acceptedAt?: number
  /** When changes were last fetched completely; undefined if never. */
  syncedAt?: number
  reauthenticatedAt: number
}

/** The source of a notification: a sync, tracking, or the state of the grant. */
export type Kind = 'sync' | 'tracking' | 'grant'

export type Backfill =
  /** Nothing was held back; report everything when it happens. */
  | { reported: 'always' }
  /** Report everything since `from`; a watcher continues from its last successful sync. */
  | { reported: 'missed'; from: number }
  /**
   * Report nothing before `from`, the time of the re-authentication; a watcher discards its position and takes a new
   * one.
   */
  | { reported: 'from_now'; from: number }

const tracked = ['message.opened', 'message.link_clicked', 'thread.replied']

/** The kind of a trigger; suffixes such as `.legacy` and `.truncated` do not matter. */
export function kindOf(trigger: string): Kind {
  if (trigger.startsWith('grant.')) return 'grant'
  return tracked.some((name) => trigger === name || trigger.startsWith(`${name}.`)) ? 'tracking' : 'sync'
}

/** The rule for a kind of notification after an outage, and the time from which it reports. */
export function backfillOf(kind: Kind, outage: Outage): Backfill {
  if (kind === 'grant') return { reported: 'always' }
  const { firstAuthenticatedAt, acceptedAt, syncedAt, reauthenticatedAt } = outage
  const reachedAt = Math.max(firstAuthenticatedAt, acceptedAt ?? firstAuthenticatedAt, syncedAt ?? firstAuthenticatedAt)
  if (reauthenticatedAt - reachedAt >= seventyTwoHours) return { reported: 'from_now', from: reauthenticatedAt }
  const since = kind === 'tracking' ? reachedAt : (syncedAt ?? firstAuthenticatedAt)
  return { reported: 'missed', from: Math.max(firstAuthenticatedAt, Math.min(since, reauthenticatedAt)) }
}

/** Whether a change at a time is reported. */
export const isReported = (backfill: Backfill, happenedAt: number): boolean =>
  backfill.reported === 'always' || happenedAt >= backfill.from
