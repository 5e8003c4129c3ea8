// Proof key for code exchange (RFC 7636).
import { createHash } from 'node:crypto'

export interface Challenge {
  readonly value: string
  readonly method: 'S256' | 'plain'
}

/**
 * The challenge of an authorization request. Undefined if there is none; `unknown` if its method is not supported.
 */
export function readChallenge(query: URLSearchParams): Challenge | 'unknown' | undefined {
  const value = query.get('code_challenge')
  if (value === null) return undefined
  const method = query.get('code_challenge_method') ?? 'plain'
  return method === 'S256' || method === 'plain' ? { value, method } : 'unknown'
}

export function fitsChallenge({ method, value }: Challenge, verifier: string): boolean {
  return value === (method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier)
}
