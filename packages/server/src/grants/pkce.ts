/**
 * Proof keys for codes (RFC 7636). The clients of the API that this service speaks write the S256 challenge in a way of
 * their own, base64 of the hexadecimal digest; the standard's way and the bare digest are taken too. A challenge has one
 * meaning in each, so that taking all three gives nothing away.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { newToken } from '../lib/ids.ts'

const same = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const unpadded = (text: string): string => text.replace(/=+$/, '')

/** The challenges that a verifier stands for. */
function challengesOf(verifier: string): string[] {
  const hex = hash('sha256', verifier, 'hex')
  return [unpadded(Buffer.from(hex).toString('base64')), hash('sha256', verifier, 'base64url'), hex]
}

const longest = 128

/** Whether a verifier is the one of a challenge. */
export function verifies(verifier: string, challenge: { value: string; method: string }): boolean {
  if (verifier === '' || verifier.length > longest) return false
  if (challenge.method === 'plain') return same(verifier, challenge.value)
  const asked = unpadded(challenge.value)
  return challengesOf(verifier).some((each) => same(each, asked))
}

/** A verifier and its S256 challenge, for a provider. */
export function newProofKey(): { verifier: string; challenge: string } {
  const verifier = newToken()
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
}
