/** The only place that makes random names. Tokens carry 256 random bits; a UUID is a name, never a secret. */
import { randomBytes, randomUUID } from 'node:crypto'

export const newId = (): string => randomUUID()

/** 256 random bits, URL-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url')

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A short name without letters that look alike. */
export const newShortName = (length: number): string =>
  Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')

/** Whether a text has the form of the ids we make. */
export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
