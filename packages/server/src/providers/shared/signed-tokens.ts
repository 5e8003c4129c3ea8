/** Tokens that a provider signs with keys that it publishes (JWT, RFC 7519; JWK Set, RFC 7517). */
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { ApiError } from '../../lib/api-error.ts'
import type { Io } from '../io.ts'

/** What a token must be. */
export interface TokenRules {
  /** What the provider is called in errors. */
  name: string
  /** Where its keys are. */
  keysUrl: string
  issuer: string[]
  audience: string[]
  requiredClaims: string[]
}

const keysMs = 3_600_000
/** A key that is not known is asked for again after this. */
const askedAgainMs = 60_000
const keyBytes = 256 * 1024

interface Keys {
  find: ReturnType<typeof createLocalJWKSet>
  at: number
}

async function fetchKeys({ keysUrl, name }: TokenRules, { request, signal, clock }: Io): Promise<Keys> {
  const { status, body } = await request({
    url: keysUrl,
    method: 'GET',
    signal,
    maxBytes: keyBytes,
    onOverflow: 'fail',
  })
  if (status !== 200) throw new ApiError('provider_unavailable', `the keys of ${name} cannot be fetched now`)
  const keys: JSONWebKeySet = JSON.parse(body.toString())
  return { find: createLocalJWKSet(keys), at: clock.now() }
}

/** The keys, at most so old. */
async function keysOf(rules: TokenRules, io: Io, maxAge: number): Promise<Keys> {
  // By where they were fetched.
  const kept = io.shared('signing keys', () => new Map<string, Promise<Keys>>())
  const known = await kept.get(rules.keysUrl)?.catch(() => undefined)
  if (known && io.clock.now() - known.at < maxAge) return known
  const fetched = fetchKeys(rules, io)
  kept.set(rules.keysUrl, fetched)
  fetched.catch(() => kept.delete(rules.keysUrl))
  return fetched
}

/** What a genuine token says; throws an ApiError where the keys cannot be had, and whatever `jose` does where it is not. */
export async function readSigned(token: string, rules: TokenRules, io: Io): Promise<JWTPayload> {
  const options = {
    issuer: rules.issuer,
    audience: rules.audience,
    algorithms: ['RS256'],
    currentDate: new Date(io.clock.now()),
    clockTolerance: 60,
    requiredClaims: ['exp', ...rules.requiredClaims],
  }
  const verify = async (maxAge: number) => jwtVerify(token, (await keysOf(rules, io, maxAge)).find, options)
  const { payload } = await verify(keysMs).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_JWKS_NO_MATCHING_KEY') {
      return verify(askedAgainMs)
    }
    throw error
  })
  return payload
}
