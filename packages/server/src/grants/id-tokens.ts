/**
 * id_tokens tell the application who signed in. They are JWTs signed with ES256. The signing key is derived from the
 * newest key of the ring, so it is never stored. Tokens signed with older keys of the ring stay valid. The public
 * keys are published, so that clients can verify tokens themselves.
 */
import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Grant } from '@waypost/contract'
import { type Clock, seconds } from '@waypost/platform/clock'
import type { Key, KeyRing } from '@waypost/platform/crypto/key-ring'
import { cachedKey } from '@waypost/platform/crypto/secrets'
import { type JWK, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { accessTokenSeconds } from './access-tokens.ts'

const Claims = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  email: z.string(),
  iat: z.int(),
  exp: z.int(),
})
export type IdClaims = z.output<typeof Claims>

export interface IdTokens {
  /** `verified`: the provider itself confirms the address. */
  sign(grant: Grant, facts: { applicationId: string; verified: boolean }): Promise<string>
  /** The claims of a token that we issued and that has not expired. */
  read(token: string): Promise<IdClaims | undefined>
  /** The public keys, as a JWK set. */
  keys(): { keys: JWK[] }
}

const algorithm = 'ES256'

export function createIdTokens(keyRing: KeyRing, { issuer, clock }: { issuer: string; clock: Clock }): IdTokens {
  const seedOf = cachedKey('sign id_token')
  const privateKeys = new WeakMap<Buffer, KeyObject>()
  const privateKeyOf = (key: Key): KeyObject => {
    const seed = seedOf(key)
    const made = privateKeys.get(seed) ?? ellipticKey(seed)
    privateKeys.set(seed, made)
    return made
  }

  return {
    sign(grant, { applicationId, verified }) {
      const key = keyRing.current()
      const now = seconds(clock.now())
      const claims = {
        email: grant.email,
        email_verified: verified,
        provider: grant.provider,
        ...(grant.name === null ? {} : { name: grant.name }),
      }
      return new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: key.id })
        .setIssuer(issuer)
        .setAudience(applicationId)
        .setSubject(grant.id)
        .setIssuedAt(now)
        .setExpirationTime(now + accessTokenSeconds)
        .sign(privateKeyOf(key))
    },
    async read(token) {
      const options = { algorithms: [algorithm], typ: 'JWT', issuer, currentDate: new Date(clock.now()) }
      const keyFor = ({ kid }: { kid?: string }): KeyObject => {
        const key = kid !== undefined && /^[0-9a-f]{8}$/.test(kid) ? keyRing.find(kid) : undefined
        if (!key) throw new Error('no such key')
        return createPublicKey(privateKeyOf(key))
      }
      const verified = await jwtVerify(token, keyFor, options).catch(() => undefined)
      return Claims.safeParse(verified?.payload).data
    },
    keys: () => ({
      keys: keyRing.ids().flatMap((kid) => {
        const key = keyRing.find(kid)
        if (!key) return []
        return [{ ...createPublicKey(privateKeyOf(key)).export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' }]
      }),
    }),
  }
}

/** The P-256 key whose private scalar is the seed. */
function ellipticKey(seed: Buffer): KeyObject {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(seed)
  // Uncompressed: one byte, then both coordinates.
  const point = curve.getPublicKey()
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: seed.toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  return createPrivateKey({ key: jwk, format: 'jwk' })
}
