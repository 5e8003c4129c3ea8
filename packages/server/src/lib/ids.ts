/** The only place that makes random names. Tokens carry 256 random bits; a UUID is a name, never a secret. */
import { randomBytes, randomInt, randomUUID, randomUUIDv7 } from 'node:crypto'

export const newId = (): string => randomUUID()

/** A name that sorts by the time it was made: rows of an index on it are added at its end. */
export const newOrderedId = (): string => randomUUIDv7()

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
