// Who gave which client which scopes, and the tokens that came of it.
//
// A consent belongs to one user and one client and grows with every scope that is added. A refresh token belongs to a
// consent and carries the scopes of the request it came from; an access token belongs to a refresh token, or to none (when
// offline access was not asked for). Ending a consent ends all tokens under it.
//
// Where tokens rotate, they form a family: each refresh gives a new one. With lenient rotation, the old ones stay good; with
// strict rotation, using a replaced one ends the whole family (RFC 9700 section 4.14.2).
import { randomBytes } from 'node:crypto'

export interface Consent {
  /** The number of the user. */
  readonly sub: string
  readonly clientId: string
  readonly scopes: Set<string>
  /** Whether a refresh token has come of it. */
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
  /** Adds scopes to what a user has given a client. */
  allow(sub: string, clientId: string, scopes: readonly string[]): Consent
  issueRefresh(consent: Consent, scopes: readonly string[], token?: string): string
  issueAccess(consent: Consent, scopes: readonly string[], refreshToken?: string): IssuedAccess
  /** What a refresh token is for, without using it. */
  find(token: string): Pick<RefreshResult, 'consent' | 'scopes'> | undefined
  /** Undefined for a token that does not exist, has ended, or belongs to another client. */
  refresh(token: string, clientId: string): RefreshResult | undefined
  findAccess(token: string): FoundAccess | undefined
  /** Ends the consent of a token of either kind; false when there is no such token. */
  revoke(token: string): boolean
  endConsents(sub: string, clientId?: string): void
  endRefreshTokens(sub: string, hasScope: (scope: string) => boolean): void
  /** Ends every access token now, as if its time were over. */
  expireAccessTokens(): void
}

export interface RefreshResult {
  readonly consent: Consent
  readonly scopes: readonly string[]
  /** Only where tokens rotate. */
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
  readonly rotation: 'none' | 'lenient' | 'strict'
  /** What tokens begin with. */
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
