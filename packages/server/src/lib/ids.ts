/** The only place that makes random names. Tokens carry 256 random bits; a UUID is a name, never a secret. */
import { randomInt, randomUUID, randomUUIDv7 } from 'node:crypto'
import { randomBytes } from './crypto/random.ts'

export const newId = (): string => randomUUID()

/** The millisecond of the last ordered id, and its number within it (RFC 9562 §6.2, method 1). */
let last = { millisecond: '', number: 0 }

/** A name that sorts by when it was made, also within a millisecond of this process: rows are added at an index's end. */
export function newOrderedId(): string {
  const id = randomUUIDv7()
  const millisecond = id.slice(0, 13)
  const number = millisecond === last.millisecond ? last.number + 1 : Number.parseInt(id.slice(15, 18), 16) & 0x7ff
  // Thousands in one millisecond: those beyond are in no order among themselves.
  if (number > 0xfff) return id
  last = { millisecond, number }
  return `${id.slice(0, 15)}${number.toString(16).padStart(3, '0')}${id.slice(18)}`
}

/** 256 random bits, URL-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** 256 random bits in the base64 that Standard Webhooks writes its keys in. */
export const newKey = (): string => randomBytes(32).toString('base64')

/** A number from 0 up to, not including, 1: for waits that shall not be the same everywhere. */
export const newFraction = (): number => randomInt(2 ** 32) / 2 ** 32

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A short name without letters that look alike. */
export const newShortName = (length: number): string =>
  Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')

/** Whether a text has the form of the ids we make. */
export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)

/** Names of traces and spans (W3C Trace Context): 16 and 8 random bytes, never all zero. */
export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')
