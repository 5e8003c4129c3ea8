/**
 * How a path identifies a grant: id, `me`, address, or a prefixed form. Order matters: id, then me, then address. The
 * address names the grant with mail and calendars; `zoom:<address>` names the Zoom account of the address.
 */
import { conferencingKinds } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import { isUuid } from '@waypost/platform/ids'
import { messageNamesOf } from '@waypost/providers/registry'
import type { GrantRecord, Locator } from '@waypost/store/tables/grants/grants'
import type { Mailbox } from '@waypost/store/tables/mail/message-metadata'

export type PathLocator = Locator | { by: 'me' }

/** No stored value contains control characters, and PostgreSQL refuses some. */
const unspeakable = (text: string): boolean => /\p{Cc}/u.test(text) || !text.isWellFormed()

const prefixes = { 'grant:': 'id', 'email:': 'email', 'external:': 'external' } as const

/** Parses the decoded grant segment of a path. Undefined if it cannot identify a grant. */
export function parseLocator(segment: string): PathLocator | undefined {
  if (segment === '' || segment.length > 512 || unspeakable(segment)) return undefined
  if (isUuid(segment)) return { by: 'id', value: segment.toLowerCase() }
  if (segment === 'me') return { by: 'me' }
  for (const [prefix, by] of Object.entries(prefixes)) {
    if (!segment.startsWith(prefix)) continue
    const value = segment.slice(prefix.length)
    if (value === '') return undefined
    return { by, value: by === 'email' ? emailKey(value) : by === 'id' ? value.toLowerCase() : value }
  }
  return { by: 'email', value: emailKey(segment) }
}

/** The locator of a grant for a caller with an API key. Throws an error that explains a missing one. */
export function locatorFor(segment: string): Locator {
  const locator = parseLocator(segment)
  if (!locator) throw new ApiError('grant_not_found')
  if (locator.by !== 'me') return locator
  throw new ApiError(
    'unauthorized',
    '"me" needs an access token of the grant; with an API key name the grant by id or address',
  )
}

/** Whether a path segment identifies this grant. `me` is the grant of the access token. */
export function isNamed({ grant, emailKey: key }: GrantRecord, segment: string): boolean {
  const locator = parseLocator(segment)
  if (!locator || locator.by === 'me') return locator !== undefined
  return { id: grant.id, email: key, external: grant.external_id }[locator.by] === locator.value
}

/** Why an address cannot be used for a grant: it would be parsed as another kind of locator. Undefined if it can. */
export function reservedAddress(address: string): string | undefined {
  const key = emailKey(address)
  if (key === '') return 'must not be empty'
  if (unspeakable(key)) return 'must not contain control characters'
  if (key === 'me') return '"me" is a reserved word'
  if (isUuid(key)) return 'must not have the form of a grant id'
  const reserved = [...Object.keys(prefixes), ...accountKeyPrefixes]
  if (reserved.some((prefix) => key.startsWith(prefix))) return `must not start with ${reserved.join(' or ')}`
  return undefined
}

/**
 * The key that identifies an account within its application. Of all accounts of an address, one grant has its mail and
 * calendars, and the address names it. An account that only creates conferences has a key of its own, `zoom:<address>`,
 * so the same person can have both.
 */
export const accountKey = (kind: string, email: string): string =>
  conferencingKinds.has(kind) ? `${kind}:${emailKey(email)}` : emailKey(email)

/** The beginnings of such keys, which no other address may have. */
const accountKeyPrefixes: readonly string[] = [...conferencingKinds].map((kind) => `${kind}:`)

/** Where the store finds what belongs to the mail of a grant. */
export const mailboxOf = ({ applicationId, grant }: GrantRecord): Mailbox => ({
  applicationId,
  grantId: grant.id,
  ...messageNamesOf(grant),
})
