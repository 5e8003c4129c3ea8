// The states behind `$skiptoken` and `$deltatoken`. Tokens are opaque and expire: pages after an hour, deltas when
// the part discards its changes.
import { randomBytes } from 'node:crypto'

interface Entry {
  readonly state: unknown
  readonly expiresAt: number
}

export interface StateTokens {
  /** Issues a token for a state, valid for `lifetimeMs`. */
  issue(state: unknown, lifetimeMs?: number): string
  /** Undefined for an unknown or expired token. */
  read<T>(token: string): T | undefined
  /** Expires all tokens issued so far. */
  expire(): void
}

export function createStateTokens(now: () => number): StateTokens {
  const entries = new Map<string, Entry>()
  return {
    issue(state, lifetimeMs = Number.POSITIVE_INFINITY) {
      const token = randomBytes(36).toString('base64url')
      entries.set(token, { state, expiresAt: now() + lifetimeMs })
      return token
    },
    read<T>(token: string) {
      const entry = entries.get(token)
      return entry !== undefined && entry.expiresAt > now() ? (entry.state as T) : undefined
    },
    expire: () => entries.clear(),
  }
}
