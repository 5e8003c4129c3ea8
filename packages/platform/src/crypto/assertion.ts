/** A JWT with which a client or a service account proves who it is (RFC 7523). */
import { importPKCS8, SignJWT } from 'jose'
import { seconds } from '../clock.ts'

export const assertionGrantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export interface Assertion {
  /** A PKCS #8 key in PEM form. */
  privateKey: string
  alg: 'RS256' | 'PS256'
  /** Further fields of the header, such as the id of the key. */
  header: Readonly<Record<string, string>>
  issuer: string
  subject?: string
  audience: string
  /** Further claims. */
  claims?: Readonly<Record<string, string>>
  /** Whether it says from when on it is valid. */
  hasNotBefore?: boolean
  lifeSeconds: number
  /** What to throw if the key cannot be read. */
  unreadableKey(): Error
}

export async function signAssertion(assertion: Assertion, nowMs: number): Promise<string> {
  const { alg, header, claims, subject, hasNotBefore, lifeSeconds } = assertion
  const key = await importPKCS8(assertion.privateKey, alg).catch(() => {
    throw assertion.unreadableKey()
  })
  const now = seconds(nowMs)
  const optional = { ...(subject !== undefined && { sub: subject }), ...(hasNotBefore && { nbf: now }) }
  return new SignJWT({ ...claims, ...optional })
    .setProtectedHeader({ alg, typ: 'JWT', ...header })
    .setIssuer(assertion.issuer)
    .setAudience(assertion.audience)
    .setIssuedAt(now)
    .setExpirationTime(now + lifeSeconds)
    .sign(key)
}
