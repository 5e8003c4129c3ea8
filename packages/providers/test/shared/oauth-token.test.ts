/** A token endpoint on loopback: its requests, and the handling of its responses. */

import { ApiError } from '@waypost/platform/api-error'
import { signAssertion } from '@waypost/platform/crypto/assertion'
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  assertedClient,
  assertionGrant,
  authorizationUrl,
  clientCredentials,
  exchangeCode,
  refreshTokens,
  type TokenEndpoint,
} from '../../src/shared/oauth-token.ts'
import { openProviderPeer, type ProviderPeer, type Reply } from './provider-peer.ts'

let peer: ProviderPeer
beforeAll(async () => {
  peer = await openProviderPeer()
})
afterAll(() => peer[Symbol.asyncDispose]())
beforeEach(() => void peer.requested())

const endpoint: TokenEndpoint = {
  name: 'Example',
  url: ({ providerUrl }) => `${providerUrl}/common/oauth2/v2.0/token`,
  passedOn: ['error_codes', 'suberror'],
  // The provider's own error numbers.
  explain: ({ error_codes: codes }) =>
    Array.isArray(codes) && codes.includes(65001) ? { words: 'the user has to consent', needsSignIn: true } : undefined,
}
const client = { client_id: 'id', client_secret: 'hush-hush' }
const code = { code: 'c', redirectUri: 'https://way.test/callback', codeVerifier: 'v' }

const posted = (): Record<string, string> => {
  const [heard] = peer.requested()
  expect(heard).toMatchObject({ method: 'POST', target: '/common/oauth2/v2.0/token' })
  return Object.fromEntries(new URLSearchParams(heard?.body))
}
const refusal = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof ApiError) return error
  throw error
}

describe('tokens', () => {
  const tokens = { access_token: 'at', expires_in: 3599, refresh_token: 'rt2', scope: 'a b', id_token: 'it' }

  test('are issued for a code, with PKCE', async () => {
    peer.reply({ body: tokens })
    expect(await exchangeCode(endpoint, client, code, peer.io)).toEqual({
      accessToken: 'at',
      expiresAt: peer.now + 3_599_000,
      refreshToken: 'rt2',
      scope: ['a', 'b'],
      idToken: 'it',
    })
    expect(posted()).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: 'https://way.test/callback',
      code_verifier: 'v',
      ...client,
    })
  })

  test('are issued for a refresh token, which may be replaced', async () => {
    peer.reply({ body: tokens })
    expect(await refreshTokens(endpoint, client, 'rt1', peer.io, { scope: 'a' })).toMatchObject({ refreshToken: 'rt2' })
    expect(posted()).toEqual({ grant_type: 'refresh_token', refresh_token: 'rt1', scope: 'a', ...client })
    expect((await refusal(refreshTokens(endpoint, client, undefined, peer.io))).code).toBe('grant_invalid')
    expect(peer.requested()).toEqual([])
  })

  test('are issued to the client itself, which may use a signed assertion instead of a secret', async () => {
    const { publicKey, privateKey } = await generateKeyPair('PS256', { extractable: true })
    const assertion = await signAssertion(
      {
        privateKey: await exportPKCS8(privateKey),
        alg: 'PS256',
        header: { 'x5t#S256': 'thumbprint' },
        issuer: 'id',
        subject: 'id',
        audience: endpoint.url(peer.io),
        claims: { jti: 'one' },
        lifeSeconds: 300,
        unreadableKey: () => new Error('is no key'),
      },
      peer.now,
    )
    const { payload, protectedHeader } = await jwtVerify(assertion, publicKey, { currentDate: new Date(peer.now) })
    expect(protectedHeader).toEqual({ alg: 'PS256', typ: 'JWT', 'x5t#S256': 'thumbprint' })
    const seconds = peer.now / 1000
    expect(payload).toMatchObject({ iss: 'id', sub: 'id', jti: 'one', iat: seconds, exp: seconds + 300 })
    peer.reply({ body: { access_token: 'at' } })
    const got = await clientCredentials(endpoint, assertedClient('id', assertion), 'https://api.test/.default', peer.io)
    // Without a lifetime, a token is assumed to be valid for an hour.
    expect(got).toMatchObject({ accessToken: 'at', expiresAt: peer.now + 3_600_000, refreshToken: undefined })
    expect(posted()).toMatchObject({
      grant_type: 'client_credentials',
      scope: 'https://api.test/.default',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    })
    await assertionGrant(endpoint, assertion, peer.io)
    expect(posted()).toEqual({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
  })

  test('are not issued with an invalid key', async () => {
    const assertion = { privateKey: 'x', alg: 'RS256', header: {}, issuer: '', audience: '', lifeSeconds: 1 } as const
    const unreadableKey = () => new Error('is no key')
    await expect(signAssertion({ ...assertion, unreadableKey }, peer.now)).rejects.toThrow('is no key')
  })
})

describe('a refusal', () => {
  const replies: [string, Reply, string, object][] = [
    ['of the grant', { status: 400, body: { error: 'invalid_grant' } }, 'grant_invalid', {}],
    [
      'of the client',
      { status: 401, body: { error: 'invalid_client', error_description: 'AADSTS7000215: wrong secret' } },
      'authentication_failed',
      {},
    ],
    [
      'of its own kind',
      { status: 400, body: { error: 'interaction_required', error_codes: [65001], suberror: 'consent_required' } },
      'grant_invalid',
      {
        providerError: {
          status: 400,
          error: 'interaction_required',
          error_codes: [65001],
          suberror: 'consent_required',
        },
      },
    ],
    ['for a while', { status: 429, headers: { 'retry-after': '7' } }, 'provider_rate_limited', { retryAfter: 7 }],
    ['for a while, without a time', { status: 429 }, 'provider_rate_limited', { retryAfter: 30 }],
    ['of a broken server', { status: 503, body: '<html>' }, 'provider_unavailable', {}],
    ['that is a success without a token', { body: [] }, 'provider_unavailable', {}],
    ['that is no JSON', { body: 'access_token=at' }, 'provider_unavailable', {}],
    ['that is an HTML page with status 200', { body: '<html>Sign in</html>' }, 'provider_unavailable', {}],
    ['that is an HTML page with status 403', { status: 403, body: '<html>Blocked</html>' }, 'provider_unavailable', {}],
    ['without an error', { status: 400, body: {} }, 'provider_unavailable', {}],
    ['with an error that is no text', { status: 400, body: { error: { code: 1 } } }, 'provider_unavailable', {}],
  ]
  test.each(replies)('%s', async (_, reply, expected, details) => {
    peer.reply(reply)
    const error = await refusal(refreshTokens(endpoint, client, 'rt', peer.io))
    expect(error.code).toBe(expected)
    expect(error.details).toMatchObject({ providerError: { status: reply.status ?? 200 }, ...details })
    expect(JSON.stringify([error.message, error.details])).not.toMatch(/hush-hush|"rt"/)
  })

  test('of a code is not a refusal of a grant', async () => {
    peer.reply({ status: 400, body: { error: 'invalid_grant' } })
    const error = await refusal(exchangeCode(endpoint, client, code, peer.io))
    expect([error.code, error.message]).toEqual([
      'authentication_failed',
      'Example did not take its own code: begin the sign-in again',
    ])
  })

  test('without a response is transient', async () => {
    const gone = { ...endpoint, url: () => 'http://127.0.0.1:1/token' }
    expect((await refusal(refreshTokens(gone, client, 'rt', peer.io))).code).toBe('provider_unavailable')
  })
})

test("the sign-in address has PKCE, and the provider's own parameters", () => {
  const signIn = {
    redirectUri: 'https://way.test/cb',
    state: 's',
    codeChallenge: 'cc',
    scope: ['a', 'b'],
    loginHint: 'x@y',
  }
  const url = new URL(
    authorizationUrl(
      'https://login.test/authorize',
      'id',
      { ...signIn, consent: true, includeGranted: false },
      { prompt: 'consent' },
    ),
  )
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'id',
    redirect_uri: 'https://way.test/cb',
    scope: 'a b',
    state: 's',
    code_challenge: 'cc',
    code_challenge_method: 'S256',
    login_hint: 'x@y',
    prompt: 'consent',
  })
})
