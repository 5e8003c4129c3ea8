/**
 * The key that identifies an account within its application. Of all accounts of an address, one grant has its mail and
 * calendars, and the address names it. An account that only creates conferences has a key of its own, `zoom:<address>`,
 * so the same person can have both.
 */
import { conferencingKinds } from '@waypost/contract'
import { emailKey } from '@waypost/platform/email-key'

export const accountKey = (kind: string, email: string): string =>
  conferencingKinds.has(kind) ? `${kind}:${emailKey(email)}` : emailKey(email)

/** The beginnings of such keys, which no other address may have. */
export const accountKeyPrefixes: readonly string[] = [...conferencingKinds].map((kind) => `${kind}:`)
