/** The only place that generates random names. Tokens carry 256 random bits. A UUID is a name, never a secret. */
import { randomInt, randomUUID, randomUUIDv7 } from 'node:crypto'
import { randomBytes } from './crypto/random.ts'

export const newId = (): string => randomUUID()

/** The millisecond of the last ordered id and its sequence number within it (RFC 9562 §6.2, method 1). */
let last = { millisecond: '', number: 0 }

/**
 * An id that sorts by creation time, also within one millisecond of this process, so rows are added at the end of an
 * index.
 */
export function newOrderedId(): string {
  const id = randomUUIDv7()
  const millisecond = id.slice(0, 13)
  const number = millisecond === last.millisecond ? last.number + 1 : Number.parseInt(id.slice(15, 18), 16) & 0x7ff
  // Beyond 4,096 ids in one millisecond, the order among the rest is undefined.
  if (number > 0xfff) return id
  last = { millisecond, number }
  return `${id.slice(0, 15)}${number.toString(16).padStart(3, '0')}${id.slice(18)}`
}

/** 256 random bits, URL-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** 256 random bits in base64, the key format of Standard Webhooks. */
export const newKey = (): string => randomBytes(32).toString('base64')

/** A number from 0 up to, not including, 1, for randomized delays. */
export const newFraction = (): number => randomInt(2 ** 32) / 2 ** 32

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A short name without letters that look alike. */
export const newShortName = (length: number): string =>
  Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')

/** Whether a text has the form of the ids that this service creates. */
export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)

/** Trace and span ids (W3C Trace Context): 16 and 8 random bytes, never all zero. */
export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')
