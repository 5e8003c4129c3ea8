// Consents of users to clients, and the tokens issued for them.
//
// A consent belongs to one user and one client and grows with every added scope. A refresh token belongs to a consent
// and has the scopes of the request that created it. An access token belongs to a refresh token, or to none if
// offline access was not requested. Revoking a consent ends all its tokens.
//
// With rotation, refresh tokens form a family: each refresh issues a new token. With lenient rotation, the old tokens
// stay valid. With rotation `once`, a replaced token is refused and nothing else happens. With strict rotation, using
// a replaced token ends the whole family (RFC 9700 section 4.14.2).
import { randomBytes } from 'node:crypto'

export interface Consent {
  /** The id of the user. */
  readonly sub: string
  readonly clientId: string
  readonly scopes: Set<string>
  /** Whether a refresh token was issued for it. */
  offline: boolean
}

interface Family {
  readonly consent: Consent
  readonly scopes: readonly string[]
  current: string
}

interface AccessToken {
  readonly consent: Consent
  readonly scopes: ReadonlySet<string>
  readonly expiresAt: number
  readonly family: Family | undefined
}

export interface IssuedAccess {
  readonly accessToken: string
  readonly scopes: readonly string[]
  /** Seconds. */
  readonly expiresIn: number
}

export interface Grants {
  consent(sub: string, clientId: string): Consent | undefined
  /** Adds scopes to the consent of a user to a client. */
  allow(sub: string, clientId: string, scopes: readonly string[]): Consent
  issueRefresh(consent: Consent, scopes: readonly string[], token?: string): string
  issueAccess(consent: Consent, scopes: readonly string[], refreshToken?: string): IssuedAccess
  /** The consent and scopes of a refresh token, without using it. */
  find(token: string): Pick<RefreshResult, 'consent' | 'scopes'> | undefined
  /** Undefined for a token that does not exist, has ended, or belongs to another client. */
  refresh(token: string, clientId: string): RefreshResult | undefined
  findAccess(token: string): FoundAccess | undefined
  /** Ends the consent behind an access or refresh token; false if there is no such token. */
  revoke(token: string): boolean
  endConsents(sub: string, clientId?: string): void
  endRefreshTokens(sub: string, hasScope: (scope: string) => boolean): void
  /** Ends every access token now, as if it had expired. */
  expireAccessTokens(): void
}

export interface RefreshResult {
  readonly consent: Consent
  readonly scopes: readonly string[]
  /** Only with rotation. */
  readonly refreshToken: string | undefined
  readonly familyToken: string
}

export interface FoundAccess {
  readonly consent: Consent
  readonly scopes: ReadonlySet<string>
  readonly expiresAt: number
}

export interface GrantsOptions {
  now(): number
  readonly accessTokenSeconds: number
  readonly rotation: 'none' | 'lenient' | 'once' | 'strict'
  /** The prefixes of issued tokens. */
  readonly prefixes: { readonly access: string; readonly refresh: string }
}

export function createGrants({ now, accessTokenSeconds, rotation, prefixes }: GrantsOptions): Grants {
  const consents = new Map<string, Consent>()
  const families = new Map<string, Family>()
  const access = new Map<string, AccessToken>()

  const keyOf = (sub: string, clientId: string) => `${sub} ${clientId}`

  function endFamily(family: Family): void {
    for (const [token, other] of families) if (other === family) families.delete(token)
    for (const [token, entry] of access) if (entry.family === family) access.delete(token)
  }

  function endConsent(consent: Consent): void {
    consents.delete(keyOf(consent.sub, consent.clientId))
    for (const family of [...families.values()]) if (family.consent === consent) endFamily(family)
    for (const [token, entry] of access) if (entry.consent === consent) access.delete(token)
  }

  function newRefreshToken(
    family: Family,
    token = `${prefixes.refresh}${randomBytes(48).toString('base64url')}`,
  ): string {
    families.set(token, family)
    family.current = token
    return token
  }

  return {
    consent: (sub, clientId) => consents.get(keyOf(sub, clientId)),
    allow(sub, clientId, scopes) {
      const consent = consents.get(keyOf(sub, clientId)) ?? { sub, clientId, scopes: new Set(), offline: false }
      for (const scope of scopes) consent.scopes.add(scope)
      consents.set(keyOf(sub, clientId), consent)
      return consent
    },
    issueRefresh(consent, scopes, token) {
      consent.offline = true
      return newRefreshToken({ consent, scopes, current: '' }, token)
    },
    issueAccess(consent, scopes, refreshToken) {
      const accessToken = `${prefixes.access}${randomBytes(72).toString('base64url')}`
      const family = refreshToken === undefined ? undefined : families.get(refreshToken)
      const expiresAt = now() + accessTokenSeconds * 1000
      access.set(accessToken, { consent, scopes: new Set(scopes), expiresAt, family })
      return { accessToken, scopes, expiresIn: accessTokenSeconds }
    },
    find: (token) => families.get(token),
    refresh(token, clientId) {
      const family = families.get(token)
      if (family === undefined || family.consent.clientId !== clientId) return undefined
      if (rotation === 'once' && family.current !== token) return undefined
      if (rotation === 'strict' && family.current !== token) {
        endFamily(family)
        return undefined
      }
      const refreshToken = rotation === 'none' ? undefined : newRefreshToken(family)
      return { consent: family.consent, scopes: family.scopes, refreshToken, familyToken: refreshToken ?? token }
    },
    findAccess(token) {
      const entry = access.get(token)
      return entry !== undefined && entry.expiresAt > now() ? entry : undefined
    },
    revoke(token) {
      const consent = families.get(token)?.consent ?? access.get(token)?.consent
      if (consent === undefined) return false
      endConsent(consent)
      return true
    },
    endConsents(sub, clientId) {
      for (const consent of [...consents.values()]) {
        if (consent.sub !== sub) continue
        if (clientId === undefined || consent.clientId === clientId) endConsent(consent)
      }
    },
    endRefreshTokens(sub, hasScope) {
      for (const family of new Set(families.values())) {
        if (family.consent.sub === sub && family.scopes.some(hasScope)) endFamily(family)
      }
    },
    expireAccessTokens: () => access.clear(),
  }
}
