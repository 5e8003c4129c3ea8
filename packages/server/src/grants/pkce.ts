/**
 * Proof keys for authorization codes (RFC 7636). The published API clients encode the S256 challenge in their own
 * way, as base64 of the hexadecimal digest. The standard encoding and the bare hexadecimal digest are accepted too. A
 * text is a valid challenge in only one of them, so accepting all three weakens nothing.
 *
 * Those clients use verifiers shorter than the standard's 43 characters (a UUID). They are accepted if a digest was
 * sent. A plain challenge, which is the verifier itself, must follow the standard, so that it cannot be guessed.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { AdditionalSettings, ConnectAuthQuery } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { newToken } from '@waypost/platform/ids'

const same = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const unpadded = (text: string): string => text.replace(/=+$/, '')

/** All challenges that match a verifier. */
function challengesOf(verifier: string): string[] {
  const hex = hash('sha256', verifier, 'hex')
  return [unpadded(Buffer.from(hex).toString('base64')), hash('sha256', verifier, 'base64url'), hex]
}

const maxLength = 128
/** RFC 7636 §4.1. */
const verifierForm = /^[\w.~-]{43,128}$/
/** The digest in base64url, the hexadecimal digest, and base64 of that. */
const digestForm = /^(?:[\w-]{43}|[0-9a-f]{64}|[A-Za-z0-9]{86})$/

/** The problem with a challenge. Undefined if there is none. */
export function challengeProblem({ value, method }: { value: string; method: string }): string | undefined {
  if (method === 'plain') {
    if (verifierForm.test(value)) return undefined
    return 'with the method plain it must be 43 to 128 letters, digits, "-", ".", "_" or "~"; prefer S256'
  }
  return digestForm.test(unpadded(value)) ? undefined : 'is not the SHA-256 digest of a verifier in base64url'
}

/** Whether a verifier matches a challenge. */
export function verifies(verifier: string, challenge: { value: string; method: string }): boolean {
  if (verifier === '' || verifier.length > maxLength) return false
  if (challenge.method === 'plain') return verifierForm.test(verifier) && same(verifier, challenge.value)
  const requested = unpadded(challenge.value)
  return challengesOf(verifier).some((each) => same(each, requested))
}

/** A verifier and its S256 challenge, for an authorization request to a provider. */
export function newProofKey(): { verifier: string; challenge: string } {
  const verifier = newToken()
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
}

/*
 * Rules of RFC 9700 and OWASP ASVS that existing API clients do not follow by default. Operators whose applications
 * all follow them can enforce them with `WAYPOST_OAUTH=strict`.
 */

/** Lifetime of a refresh token in strict mode if neither the application nor the operator sets one. */
const maxDays = 90

/** Refuses an authorization request without an S256 code challenge. */
export function needProofKey({ code_challenge: value, code_challenge_method: method }: ConnectAuthQuery): void {
  if (value !== undefined && method === 's256') return
  throw invalidField('code_challenge', 'is required, with code_challenge_method=S256: WAYPOST_OAUTH is strict')
}

/** The token settings of an application in strict mode: refresh tokens are rotated and expire. */
export const strictTokens = (settings: AdditionalSettings): AdditionalSettings => ({
  ...settings,
  rotate_refresh_token: true,
  refresh_token_expiration_absolute: settings.refresh_token_expiration_absolute || maxDays * 86_400,
})
