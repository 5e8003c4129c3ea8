// Authorization codes: each is good once, for a few minutes.
import { randomBytes } from 'node:crypto'
import type { Challenge } from './pkce.ts'

const LIFETIME_MS = 10 * 60_000

export interface CodeGrant {
  /** The number of the user. */
  readonly sub: string
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** Whether a refresh token comes with it. */
  readonly offline: boolean
  readonly nonce: string | undefined
  readonly challenge: Challenge | undefined
}

export interface Codes {
  issue(grant: CodeGrant): string
  /** Undefined for a code that is unknown. */
  redeem(code: string): CodeGrant | 'used' | 'expired' | undefined
}

export function createCodes(now: () => number, prefix: string): Codes {
  const codes = new Map<string, { grant: CodeGrant; expiresAt: number; isUsed: boolean }>()
  return {
    issue(grant) {
      const code = `${prefix}${randomBytes(48).toString('base64url')}`
      codes.set(code, { grant, expiresAt: now() + LIFETIME_MS, isUsed: false })
      return code
    },
    redeem(code) {
      const entry = codes.get(code)
      if (entry === undefined) return undefined
      if (entry.isUsed) return 'used'
      entry.isUsed = true
      return entry.expiresAt > now() ? entry.grant : 'expired'
    },
  }
}
