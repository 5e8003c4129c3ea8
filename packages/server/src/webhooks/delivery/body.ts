/**
 * Notification bodies. The bytes are assembled once, when the payload is decrypted, and sent unchanged to every
 * destination. Only the attempt number differs. It is at a known position, where later attempts replace it.
 */
import { gzipSync } from 'node:zlib'
import type { Database } from '@waypost/store/engine/database'
import { notificationsAt, type OpenedNotification } from '@waypost/store/tables/notifications/deliveries'
import { opening, openingEnd } from '../envelope.ts'
import { openPayloadBytes, type PayloadOpener } from '../sealed-payloads.ts'

export interface ReadyNotification {
  readonly position: number
  readonly id: string
  readonly type: string
  readonly grantId: string
  readonly sequence: number
  /** The body of the first attempt. */
  readonly first: Buffer
  /** The position of the attempt number. */
  readonly attemptAt: number
  /** The compressed body, once a destination has requested it. */
  compressed: Buffer | undefined
}

type MakeReady = (notification: OpenedNotification) => ReadyNotification

const slabBytes = 262_144
const closing = '}'

/**
 * Writes bodies one after the other into shared buffers, because allocating one per body costs more than writing it.
 * A buffer is freed with its last body. Long bodies get their own buffer.
 */
export function createBodyWriter(): MakeReady {
  let slab = Buffer.allocUnsafeSlow(slabBytes)
  let used = 0
  const placeFor = (maxBytes: number): { buffer: Buffer; start: number } => {
    if (maxBytes > slabBytes / 4) return { buffer: Buffer.allocUnsafeSlow(maxBytes), start: 0 }
    if (used + maxBytes > slabBytes) {
      slab = Buffer.allocUnsafeSlow(slabBytes)
      used = 0
    }
    return { buffer: slab, start: used }
  }
  return ({ position, id, type, source, sequence, grant_id: grantId, created_at: createdAt, payload }) => {
    const begins = opening({ type, source, id, createdAt, sequence, attempt: 1 })
    const { buffer, start } = placeFor(3 * begins.length + payload.length + closing.length)
    const dataAt = start + buffer.write(begins, start)
    payload.copy(buffer, dataAt)
    const end = dataAt + payload.length + buffer.write(closing, dataAt + payload.length)
    if (buffer === slab) used = end
    const attemptAt = dataAt - start - openingEnd(sequence).length - 1
    return {
      position,
      id,
      type,
      grantId,
      sequence,
      first: buffer.subarray(start, end),
      attemptAt,
      compressed: undefined,
    }
  }
}

/** The bytes of an attempt. */
export function bodyOf(ready: ReadyNotification, attempt: number, { compressed }: { compressed: boolean }): Buffer {
  const { first, attemptAt } = ready
  if (attempt === 1) {
    if (compressed) ready.compressed ??= gzipSync(first)
    return ready.compressed && compressed ? ready.compressed : first
  }
  const number = Buffer.from(String(attempt))
  const body = Buffer.concat([first.subarray(0, attemptAt), number, first.subarray(attemptAt + 1)])
  return compressed ? gzipSync(body) : body
}

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
