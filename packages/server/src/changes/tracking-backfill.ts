/**
 * Tracking events counted while a grant was invalid, when it is authenticated again. After a short outage they are
 * reported: one notification for the opens of a message and one for each clicked link, with current counts. After a
 * long outage they are dropped. Replies are not held back: the watcher finds them in the mailbox.
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
import { backfillOf, isReported } from './backfill.ts'

/** Reports or drops held events, in the transaction of the re-authentication. */
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
