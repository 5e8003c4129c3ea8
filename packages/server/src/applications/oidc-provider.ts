/** An OpenID provider: its metadata, cached for an hour, and what it says about a person who comes back from it. */

import { type Clock, systemClock } from '@waypost/platform/clock'
import type { Egress } from '@waypost/platform/egress/egress'
import { fetchThrough } from '@waypost/platform/egress/fetch-through'
import * as oauth from 'oauth4webapi'
import { type Attempt, algorithms, OidcError } from './oidc.ts'

/** What a provider says about a person. */
export interface Claims {
  sub: string
  email?: unknown
  email_verified?: unknown
  name?: unknown
}

export interface OidcProvider {
  /** The address to which the browser goes. */
  authorizationEndpoint(): Promise<string>
  /**
   * Exchanges the code of a callback for a token. Returns its claims, or those of the userinfo endpoint if the token
   * does not contain the address. Throws an OidcError if the callback, the token or its signature is not valid.
   */
  claims(callback: URLSearchParams, attempt: Attempt): Promise<Claims>
}

export interface OidcProviderOptions {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  redirectUri: string
  egress: Pick<Egress, 'request'>
  clock: Clock
}

const metadataMs = 3_600_000
/** Delay before failed metadata is requested again. */
const retryMs = 10_000
const toleranceSeconds = 60
const limits = { deadlineMs: 8_000, maxBytes: 256 * 1024 }

export function createOidcProvider(options: OidcProviderOptions): OidcProvider {
  const { issuer, clientId, clientSecret, redirectUri, clock } = options
  const send = fetchThrough(options.egress.request, limits)
  const requests = {
    // The egress guard decides about plain http.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (url: string, init: Parameters<typeof send>[1]): Promise<Response> => {
      const response = await send(url, init).catch((cause: unknown) => {
        throw new OidcError('unreachable', 'the provider cannot be reached', { cause })
      })
      if (response.status >= 500) throw new OidcError('unreachable', `the provider answered ${response.status}`)
      return response
    },
  }

  const metadata = cached(clock, async () => {
    const address = new URL(issuer)
    const server = await oauth.processDiscoveryResponse(address, await oauth.discoveryRequest(address, requests))
    if (server.issuer !== issuer) throw new Error("the provider's issuer differs from WAYPOST_OIDC_ISSUER")
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
      if (!/^https?:/.test(server[name] ?? '')) throw new Error(`the provider names no ${name}`)
    }
    // The library refuses what is neither named here nor supported, and always symmetric signatures.
    return {
      ...server,
      id_token_signing_alg_values_supported: server.id_token_signing_alg_values_supported ?? algorithms,
    }
  })

  /** A provider whose metadata cannot be used is unreachable, whatever the reason. */
  const reached = (): Promise<oauth.AuthorizationServer> =>
    metadata().catch((cause: unknown) => {
      if (cause instanceof OidcError) throw cause
      throw new OidcError('unreachable', `the provider's metadata cannot be used: ${messageOf(cause)}`, { cause })
    })

  const authentication = ({
    token_endpoint_auth_methods_supported: methods = ['client_secret_basic'],
  }: oauth.AuthorizationServer): oauth.ClientAuth => {
    if (clientSecret === undefined) return oauth.None()
    const posts = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    return posts ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret)
  }

  const claimsFrom = async (callback: URLSearchParams, attempt: Attempt): Promise<Claims> => {
    const server = await reached()
    const client: oauth.Client = {
      client_id: clientId,
      [oauth.clockSkew]: Math.round((clock.now() - systemClock.now()) / 1000),
      [oauth.clockTolerance]: toleranceSeconds,
    }
    const parameters = oauth.validateAuthResponse(server, client, callback, attempt.state)
    const response = await oauth.authorizationCodeGrantRequest(
      ...([server, client, authentication(server), parameters, redirectUri, attempt.verifier, requests] as const),
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: attempt.nonce,
      requireIdToken: true,
    })
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (claims === undefined) throw new OidcError('refused', 'the provider returned no ID token')
    await oauth.validateApplicationLevelSignature(server, response, requests)
    // Maximum length of Core 1.0 §2.
    if (claims.sub === '' || claims.sub.length > 255) throw new OidcError('refused', 'the token names no subject')
    if ('email' in claims || server.userinfo_endpoint === undefined) return claims
    const answer = await oauth.userInfoRequest(server, client, tokens.access_token, requests)
    return await oauth.processUserInfoResponse(server, client, claims.sub, answer)
  }

  return {
    authorizationEndpoint: async () => (await reached()).authorization_endpoint ?? '',
    claims: (callback, attempt) =>
      claimsFrom(callback, attempt).catch((cause: unknown) => {
        throw cause instanceof OidcError ? cause : refusal(cause)
      }),
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What the library found, in our words. Its messages name fields, and never contain secrets. */
function refusal(cause: unknown): OidcError {
  if (cause instanceof oauth.AuthorizationResponseError) {
    const isCancelled = cause.error === 'access_denied'
    return new OidcError(isCancelled ? 'cancelled' : 'refused', `the provider returned ${cause.error.slice(0, 100)}`)
  }
  if (cause instanceof oauth.ResponseBodyError) {
    return new OidcError('refused', `the provider answered ${cause.status}: ${cause.error.slice(0, 100)}`, { cause })
  }
  const code = cause instanceof oauth.OperationProcessingError ? cause.code : undefined
  const isGarbled = code === oauth.PARSE_ERROR || code === oauth.RESPONSE_IS_NOT_JSON
  return new OidcError(isGarbled ? 'unreachable' : 'refused', messageOf(cause), { cause })
}

/** A value that is fetched once for all concurrent callers, and again after an hour, or soon after a failure. */
function cached<T>(clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let latest: { at: number; value: Promise<T>; failed: boolean } | undefined
  return () => {
    const limit = latest?.failed ? retryMs : metadataMs
    if (latest && clock.now() - latest.at < limit) return latest.value
    const started = { at: clock.now(), value: read(), failed: false }
    latest = started
    started.value.catch(() => {
      started.failed = true
    })
    return started.value
  }
}
