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
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Queries } from '@waypost/store/engine/database'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { readWatch } from '@waypost/store/tables/grants/watches'
import type { Mailbox } from '@waypost/store/tables/mail/message-metadata'
import { listHeld, releaseHeld } from '@waypost/store/tables/mail/tracked-lookups'
import { linksOf, type TrackedLink, type TrackedMessage } from '@waypost/store/tables/mail/tracked-messages'
import type { Notify } from '../grants/notify.ts'
import { clickedObject, openedObject } from '../sending/tracking/visits.ts'

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

type Backfill =
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

/**
 * Reports or drops tracking events counted while a grant was invalid, in the transaction of the re-authentication: one
 * notification for the opens of a message and one for each clicked link, with current counts. Replies are not held back:
 * the watcher finds them in the mailbox.
 */
export async function backfillTracking(
  tx: Queries,
  at: Mailbox,
  { notify, seals }: { notify: Notify; seals: DataSeals },
): Promise<void> {
  const held = await listHeld(tx, at, seals)
  const record = held.length > 0 ? await getGrant(tx, at.applicationId, at.grantId) : undefined
  if (record?.status !== 'valid') return
  const watch = await readWatch(tx, at, seals)
  const links = new Map<TrackedMessage, TrackedLink[]>()
  for (const message of held) links.set(message, await linksOf(tx, message, seals))
  const counted = [...held.map(({ opens }) => opens), ...[...links.values()].flat()]
  const acceptedAt = Math.max(watch?.authenticated_at ?? 0, ...counted.map(({ heldAfter }) => heldAfter ?? 0))
  const backfill = backfillOf('tracking', {
    firstAuthenticatedAt: record.createdAt,
    acceptedAt,
    ...(watch?.synced_at ? { syncedAt: watch.synced_at } : {}),
    reauthenticatedAt: record.updatedAt,
  })
  const { grant } = record
  const facts = { applicationId: at.applicationId, grantId: at.grantId, provider: grant.provider }
  for (const message of held) {
    const { opens } = message
    if (opens.heldAfter !== null && isReported(backfill, opens.lastAt ?? 0)) {
      await notify(tx, { ...facts, trigger: 'message.opened', object: openedObject(message, opens) })
    }
    for (const link of links.get(message) ?? []) {
      if (link.heldAfter === null || !isReported(backfill, link.lastAt ?? 0)) continue
      await notify(tx, {
        ...facts,
        trigger: 'message.link_clicked',
        object: clickedObject(message, links.get(message) ?? [], link),
      })
    }
  }
  await releaseHeld(tx, at)
}
