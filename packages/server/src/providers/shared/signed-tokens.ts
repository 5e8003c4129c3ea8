/** Tokens that a provider signs with keys that it publishes (JWT, RFC 7519; JWK Set, RFC 7517). */
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { ApiError } from '../../lib/api-error.ts'
import type { Io } from '../io.ts'

/** The requirements for a token. */
export interface TokenRules {
  /** The name of the provider in errors. */
  name: string
  /** The URL of its keys. */
  keysUrl: string
  issuer: string[]
  audience: string[]
  requiredClaims: string[]
}

const keysMs = 3_600_000
/** The keys are fetched again for an unknown key, at most this often. */
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

/** The keys, not older than `maxAge`. */
async function keysOf(rules: TokenRules, io: Io, maxAge: number): Promise<Keys> {
  // By URL.
  const kept = io.shared('signing keys', () => new Map<string, Promise<Keys>>())
  const known = await kept.get(rules.keysUrl)?.catch(() => undefined)
  if (known && io.clock.now() - known.at < maxAge) return known
  const fetched = fetchKeys(rules, io)
  kept.set(rules.keysUrl, fetched)
  fetched.catch(() => kept.delete(rules.keysUrl))
  return fetched
}

/**
 * The claims of a genuine token. Throws an ApiError if the keys cannot be fetched, and the error of `jose` if the
 * token is not genuine.
 */
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
