/**
 * Access tokens of a Google service account: an assertion signed with its key is exchanged at the token endpoint
 * (RFC 7523). https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */

import { assertionGrantType, signAssertion } from '@waypost/platform/crypto/assertion'
import { isObject } from '@waypost/platform/json/values'
import { credentialsMs, type Expiring, headerOf, Refused, shown, userAgent } from '../cloud-answer.ts'
import type { TransportTools } from '../transport.ts'

export interface ServiceAccount {
  readonly email: string
  readonly privateKey: string
  readonly keyId: string | undefined
  readonly tokenUrl: string
}

const scope = 'https://www.googleapis.com/auth/pubsub'
const googleTokenUrl = 'https://oauth2.googleapis.com/token'
const assertionSeconds = 3_600
const maxAnswerBytes = 16_384

/** Why a text is not a usable key. The message names the field and quotes nothing of the text. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey'
}

/** Reads the JSON key file of a service account. */
export function readServiceAccount(text: string): ServiceAccount {
  const key = objectOf(text)
  if (key.type !== 'service_account') {
    throw new UnusableKey('its type is not "service_account"; create a JSON key of a service account')
  }
  const { client_email: email, private_key: privateKey, private_key_id: keyId, token_uri: tokenUrl } = key
  if (typeof email !== 'string' || email === '') throw new UnusableKey('it has no client_email')
  if (typeof privateKey !== 'string' || !privateKey.includes('PRIVATE KEY'))
    throw new UnusableKey('it has no private_key')
  return {
    email,
    privateKey,
    keyId: typeof keyId === 'string' ? keyId : undefined,
    tokenUrl: typeof tokenUrl === 'string' && tokenUrl !== '' ? tokenUrl : googleTokenUrl,
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {}
  throw new UnusableKey('it is not JSON; paste the whole key file')
}

const assertionOf = ({ email, privateKey, keyId, tokenUrl }: ServiceAccount, now: number): Promise<string> =>
  signAssertion(
    {
      privateKey,
      alg: 'RS256',
      header: keyId === undefined ? {} : { kid: keyId },
      issuer: email,
      audience: tokenUrl,
      claims: { scope },
      lifeSeconds: assertionSeconds,
      unreadableKey: () => new UnusableKey('its private_key cannot be read; paste the whole key file'),
    },
    now,
  )

/**
 * Fetches an access token. Rejects with `Refused` if Google says no, with `UnusableKey`, or with an `EgressError`.
 */
export async function fetchAccessToken(
  account: ServiceAccount,
  { egress, clock, signal }: Pick<TransportTools, 'egress' | 'clock'> & { signal: AbortSignal },
): Promise<Expiring<string>> {
  const now = clock.now()
  const assertion = await assertionOf(account, now)
  const { status, headers, body } = await egress.request({
    url: account.tokenUrl,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'user-agent': userAgent,
    },
    body: new URLSearchParams({ grant_type: assertionGrantType, assertion }).toString(),
    signal,
    deadlineMs: credentialsMs,
    maxBytes: maxAnswerBytes,
  })
  const answer = answerIn(body)
  const { access_token: token, expires_in: life } = answer
  if (status === 200 && typeof token === 'string' && token !== '') {
    return { value: token, expiresAt: now + (typeof life === 'number' && life > 0 ? life : 3_600) * 1000 }
  }
  // The token endpoint says 400 or 401 to a key that it does not accept.
  const refused = status === 429 || status >= 500 ? status : 403
  const reported = shown([answer.error, answer.error_description].filter((each) => typeof each === 'string').join(': '))
  throw new Refused(
    refused,
    `Google refused an access token to ${account.email} with ${status} ${reported}`.trimEnd(),
    headerOf(headers, 'retry-after'),
  )
}

/** The fields of an answer of Google; none if it is not JSON. */
export function answerIn(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    return objectOf(body.toString('utf8'))
  } catch {
    return {}
  }
}
