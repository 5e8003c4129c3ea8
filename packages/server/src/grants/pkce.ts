/**
 * Proof keys for codes (RFC 7636). The clients of the API that this service speaks write the S256 challenge in a way of
 * their own, base64 of the hexadecimal digest; the standard's way and the bare digest are taken too. A challenge has one
 * meaning in each, so that taking all three gives nothing away.
 *
 * Their verifiers are shorter than the standard's 43 characters (a UUID), and are taken where a digest of them was sent. A
 * challenge that is the verifier itself must be as the standard says: whoever sees it must at least not have guessed it.
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
/** RFC 7636 §4.1. */
const verifierForm = /^[\w.~-]{43,128}$/
/** The digest in base64url, the hexadecimal digest, and base64 of that. */
const digestForm = /^(?:[\w-]{43}|[0-9a-f]{64}|[A-Za-z0-9]{86})$/

/** What is wrong with a challenge; undefined where nothing is. */
export function challengeProblem({ value, method }: { value: string; method: string }): string | undefined {
  if (method === 'plain') {
    if (verifierForm.test(value)) return undefined
    return 'with the method plain it must be 43 to 128 letters, digits, "-", ".", "_" or "~"; prefer S256'
  }
  return digestForm.test(unpadded(value)) ? undefined : 'is not the SHA-256 digest of a verifier in base64url'
}

/** Whether a verifier is the one of a challenge. */
export function verifies(verifier: string, challenge: { value: string; method: string }): boolean {
  if (verifier === '' || verifier.length > longest) return false
  if (challenge.method === 'plain') return verifierForm.test(verifier) && same(verifier, challenge.value)
  const asked = unpadded(challenge.value)
  return challengesOf(verifier).some((each) => same(each, asked))
}

/** A verifier and its S256 challenge, for a provider. */
export function newProofKey(): { verifier: string; challenge: string } {
  const verifier = newToken()
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
}
