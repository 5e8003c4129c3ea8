/**
 * Caches the notifications that were read last, ready to be sent: one for many destinations is read and decrypted
 * once.
 */
import type { Database } from '@waypost/store/engine/database'
import { notificationsAt } from '@waypost/store/tables/notifications/deliveries'
import { openPayloadBytes, type PayloadOpener } from '../sealed-payloads.ts'
import { createBodyWriter, type ReadyNotification } from './body.ts'

export interface NotificationCache {
  /** Notifications of an application by position. Deleted ones are missing. */
  read(applicationId: string, positions: readonly number[]): Promise<Map<number, ReadyNotification>>
}

const maxBytes = 16_777_216

export function createNotificationCache(database: Database, payloads: PayloadOpener): NotificationCache {
  const makeReady = createBodyWriter()
  const open = async (applicationId: string, positions: readonly number[]): Promise<ReadyNotification[]> =>
    openPayloadBytes(
      payloads,
      await notificationsAt(database, database.engine, applicationId, positions),
      (row, payload) => makeReady({ ...row, payload }),
    )
  const retained = new Map<number, ReadyNotification>()
  let bytes = 0
  /** Evicts many at once, because each search for the oldest skips the places of those evicted before. */
  const forgetOldest = (): void => {
    for (const [position, oldest] of retained) {
      if (bytes <= maxBytes / 2) return
      retained.delete(position)
      bytes -= oldest.first.length
    }
  }
  const keep = (stored: ReadyNotification): void => {
    if (retained.has(stored.position)) return
    retained.set(stored.position, stored)
    bytes += stored.first.length
    if (bytes > maxBytes) forgetOldest()
  }
  return {
    async read(applicationId, positions) {
      const missing = positions.filter((position) => !retained.has(position))
      const found = new Map<number, ReadyNotification>()
      for (const stored of missing.length > 0 ? await open(applicationId, missing) : []) {
        found.set(stored.position, stored)
        keep(stored)
      }
      for (const position of positions) {
        const stored = retained.get(position)
        if (stored) found.set(position, stored)
      }
      return found
    },
  }
}
