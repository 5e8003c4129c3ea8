/**
 * Notification bodies. The bytes are assembled once, when the payload is decrypted, and sent unchanged to every
 * destination. Only the attempt number differs. It is at a known position, where later attempts replace it.
 */
import { gzipSync } from 'node:zlib'
import type { OpenedNotification } from '@waypost/store/tables/notifications/deliveries'
import { opening, openingEnd } from '../envelope.ts'

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

export type MakeReady = (notification: OpenedNotification) => ReadyNotification

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
