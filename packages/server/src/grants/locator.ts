/** How a path names a grant: id, `me`, address, or a form with a prefix. Order matters: id, then me, then address. */
import { ApiError } from '../lib/api-error.ts'
import { emailKey } from '../lib/email-key.ts'
import { isUuid } from '../lib/ids.ts'
import type { GrantRecord, Locator } from '../store/tables/grants/grants.ts'

export type PathLocator = Locator | { by: 'me' }

/** Control characters stand in no stored value, and PostgreSQL refuses some. */
const unspeakable = (text: string): boolean => /\p{Cc}/u.test(text) || !text.isWellFormed()

const prefixes = { 'grant:': 'id', 'email:': 'email', 'external:': 'external' } as const

/** Reads the grant segment of a path, already decoded; undefined when it can name no grant. */
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

/** The locator of a grant for a caller with an API key, or the error that says why there is none. */
export function locatorFor(segment: string): Locator {
  const locator = parseLocator(segment)
  if (!locator) throw new ApiError('grant_not_found')
  if (locator.by !== 'me') return locator
  throw new ApiError(
    'unauthorized',
    '"me" needs an access token of the grant; with an API key name the grant by id or address',
  )
}

/** Whether a path means this grant; `me` is the one of the access token. */
export function isNamed({ grant, emailKey: key }: GrantRecord, segment: string): boolean {
  const locator = parseLocator(segment)
  if (!locator || locator.by === 'me') return locator !== undefined
  return { id: grant.id, email: key, external: grant.external_id }[locator.by] === locator.value
}

/** Why an address may not be given to a grant: it would read as another kind of locator. Undefined when it may. */
export function reservedAddress(address: string): string | undefined {
  const key = emailKey(address)
  if (key === '') return 'must not be empty'
  if (unspeakable(key)) return 'must not hold control characters'
  if (key === 'me') return '"me" is a reserved word'
  if (isUuid(key)) return 'must not have the form of a grant id'
  if (Object.keys(prefixes).some((prefix) => key.startsWith(prefix))) {
    return 'must not start with grant:, email: or external:'
  }
  return undefined
}
