/**
 * Shared reading of pushes, and of the tokens that a provider signs with keys that it publishes (JWT, RFC 7519; JWK Set,
 * RFC 7517). A push that is not genuine is answered like a path that does not exist.
 */
import { ApiError } from '@waypost/platform/api-error'
import { fetchThrough } from '@waypost/platform/egress/fetch-through'
import { createRemoteJWKSet, customFetch, type JWKSCacheInput, type JWTPayload, jwksCache, jwtVerify } from 'jose'
import type { Io } from '../io.ts'
import { recordOf } from './refusal.ts'

export const notGenuine = (cause?: unknown): ApiError =>
  new ApiError('not_found', undefined, cause === undefined ? {} : { cause })

/** The JSON object in a push. */
export function postedObject(bytes: Uint8Array): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(Buffer.from(bytes).toString()))
  } catch (error) {
    throw notGenuine(error)
  }
}

/** The requirements for a token. */
interface TokenRules {
  /** The name of the provider in errors. */
  name: string
  /** The URL of its keys. */
  keysUrl: string
  issuer: string[]
  audience: string[]
  requiredClaims: string[]
}

const cacheMaxAge = 3_600_000
/** The keys are fetched again for an unknown key, at most this often. */
const cooldownDuration = 60_000
const maxBytes = 256 * 1024

/** The keys of a provider, which the node caches for all accounts by the clock of the machine. */
function keysOf({ name, keysUrl }: TokenRules, io: Io): ReturnType<typeof createRemoteJWKSet> {
  const send = fetchThrough(io.request, { maxBytes, signal: io.signal })
  const caches = io.shared('signing keys', () => new Map<string, JWKSCacheInput>())
  return createRemoteJWKSet(new URL(keysUrl), {
    cacheMaxAge,
    cooldownDuration,
    [jwksCache]: caches.getOrInsertComputed(keysUrl, () => ({})),
    [customFetch]: async (url, options) => {
      const response = await send(url, options)
      if (response.ok) return response
      throw new ApiError('provider_unavailable', `the keys of ${name} cannot be fetched now`)
    },
  })
}

/**
 * The claims of a genuine token. Throws an ApiError if the keys cannot be fetched, and the error of `jose` if the
 * token is not genuine.
 */
export async function readSigned(token: string, rules: TokenRules, io: Io): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, keysOf(rules, io), {
    issuer: rules.issuer,
    audience: rules.audience,
    algorithms: ['RS256'],
    currentDate: new Date(io.clock.now()),
    clockTolerance: 60,
    requiredClaims: ['exp', ...rules.requiredClaims],
  })
  return payload
}
