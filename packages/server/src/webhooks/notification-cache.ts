/** The notifications that were read last, opened: one that goes to many destinations is read once. */
import type { Database } from '../store/database.ts'
import { notificationsAt, type StoredNotification } from '../store/deliveries.ts'
import { openPayloads, type PayloadOpener } from './sealed-payloads.ts'

export interface NotificationCache {
  /** Notifications by position; those that are gone are missing. */
  read(positions: readonly number[]): Promise<Map<number, StoredNotification>>
}

const maxBytes = 16_777_216

export function createNotificationCache(database: Database, payloads: PayloadOpener): NotificationCache {
  const open = async (positions: readonly number[]): Promise<StoredNotification[]> =>
    openPayloads(payloads, await notificationsAt(database, positions))
  const kept = new Map<number, StoredNotification>()
  let bytes = 0
  /** Many at once: each time the oldest are looked for, places of those that went before are passed over. */
  const forgetOldest = (): void => {
    for (const [position, oldest] of kept) {
      if (bytes <= maxBytes / 2) return
      kept.delete(position)
      bytes -= oldest.payload.length
    }
  }
  const keep = (stored: StoredNotification): void => {
    if (kept.has(stored.position)) return
    kept.set(stored.position, stored)
    bytes += stored.payload.length
    if (bytes > maxBytes) forgetOldest()
  }
  return {
    async read(positions) {
      const missing = positions.filter((position) => !kept.has(position))
      const found = new Map<number, StoredNotification>()
      for (const stored of missing.length > 0 ? await open(missing) : []) {
        found.set(stored.position, stored)
        keep(stored)
      }
      for (const position of positions) {
        const stored = kept.get(position)
        if (stored) found.set(position, stored)
      }
      return found
    },
  }
}
