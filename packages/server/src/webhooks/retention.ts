/** Removes notifications that have had their time, and those that nobody asks for any more. */
import { typesOf } from '@waypost/contract'
import {
  endNotificationStreams,
  listNotificationKeeping,
  type NotificationKeeping,
  noteChecked,
} from '../store/applications.ts'
import type { Database } from '../store/database.ts'
import { oldestKept, purgeNotifications, removeOtherTypes } from '../store/notification-purge.ts'
import type { StreamPosition } from '../store/notification-stream.ts'
import { listWebhooks } from '../store/webhooks.ts'
import { triggersOf } from './destinations.ts'

export interface RetentionOptions {
  /** For applications that say nothing themselves. */
  days: number
  now: number
  stopping: AbortSignal
}

const dayMs = 86_400_000

/** Goes through the applications, piece by piece, until nothing is left to remove or the node stops. */
export async function purgeKept(database: Database, { days, now, stopping }: RetentionOptions): Promise<void> {
  await endNotificationStreams(database, now)
  for (const application of await listNotificationKeeping(database)) {
    if (stopping.aborted) return
    const before = now - (application.notification_days ?? days) * dayMs
    const oldest = await oldestKept(database, application.id)
    if (oldest !== undefined && oldest < before) {
      while (!stopping.aborted && (await database.transaction((tx) => purgeNotifications(tx, application.id, before))));
    }
    if (application.checked_revision < application.asked_revision) await removeUnasked(database, application, stopping)
  }
}

/** After a change of who asks: removes what no destination is subscribed to, where the stream is off. */
async function removeUnasked(
  database: Database,
  { id, notification_stream_until, asked_revision }: NotificationKeeping,
  stopping: AbortSignal,
): Promise<void> {
  if (notification_stream_until === 0) {
    const types = new Set((await listWebhooks(database, id)).flatMap(triggersOf).flatMap(typesOf))
    let after: StreamPosition | undefined = { transaction: 0, position: 0 }
    while (after) {
      if (stopping.aborted) return
      const from: StreamPosition = after
      after = await database.transaction((tx) => removeOtherTypes(tx, id, { types, after: from }))
    }
  }
  await noteChecked(database, id, asked_revision)
}
