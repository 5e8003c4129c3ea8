// What `$skiptoken` and `$deltatoken` stand for. They are opaque, and they end: pages after an hour, deltas when the part
// forgets its changes.
import { randomBytes } from 'node:crypto'

interface Entry {
  readonly state: unknown
  readonly expiresAt: number
}

export interface StateTokens {
  /** A token for a state, good for `lifetimeMs`. */
  issue(state: unknown, lifetimeMs?: number): string
  /** Undefined for a token that is unknown or over. */
  read<T>(token: string): T | undefined
  /** Ends every token there is now. */
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
