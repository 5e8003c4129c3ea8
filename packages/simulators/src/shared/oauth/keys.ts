// The key that signs ID tokens and the tokens sent with pushes.
import { randomBytes } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

export interface SigningKey {
  /** The public key that the provider publishes. */
  readonly jwk: JWK
  sign(claims: JWTPayload): Promise<string>
}

let shared: Promise<SigningKey> | undefined

/** One key per process: generating a key takes longer than most tests. */
export function sharedSigningKey(): Promise<SigningKey> {
  shared ??= createSigningKey()
  return shared
}

async function createSigningKey(): Promise<SigningKey> {
  const kid = randomBytes(20).toString('hex')
  const pair: { privateKey: CryptoKey; publicKey: CryptoKey } = await generateKeyPair('RS256', { modulusLength: 2048 })
  return {
    jwk: { ...(await exportJWK(pair.publicKey)), alg: 'RS256', use: 'sig', kid },
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(pair.privateKey),
  }
}
