// Authorization codes: each works once and expires after a few minutes.
import { randomBytes } from 'node:crypto'
import type { Challenge } from './pkce.ts'

const lifetimeMs = 10 * 60_000

export interface CodeGrant {
  /** The id of the user. */
  readonly sub: string
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** Whether the client also receives a refresh token. */
  readonly offline: boolean
  readonly nonce: string | undefined
  readonly challenge: Challenge | undefined
}

export interface Codes {
  issue(grant: CodeGrant): string
  /** Undefined for an unknown code. */
  redeem(code: string): CodeGrant | 'used' | 'expired' | undefined
}

export function createCodes(now: () => number, prefix: string): Codes {
  const codes = new Map<string, { grant: CodeGrant; expiresAt: number; isUsed: boolean }>()
  return {
    issue(grant) {
      const code = `${prefix}${randomBytes(48).toString('base64url')}`
      codes.set(code, { grant, expiresAt: now() + lifetimeMs, isUsed: false })
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
