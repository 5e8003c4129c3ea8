/** The published `nylas` client, unmodified: hosted sign-in, with and without PKCE, and the resulting tokens. */

import { oneEngineFor } from '@waypost/testing/engines'
import { freePort } from '@waypost/testing/peers/daemon'
import { failureOf, Nylas, thrownBy } from '@waypost/testing/peers/nylas'
import { NylasOAuthError } from 'nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../../harness.ts'
import { type GooglePeer, openGoogle, openGoogleService } from '../../peers/google.ts'
import { calendarScope, consent, googleClient } from '../sign-in/hosted-google.ts'
import { redirectUri, resultOf, visitorOf } from '../sign-in/hosted-visitor.ts'

describe.each(oneEngineFor(import.meta.url))('the nylas client on %s', (engine) => {
  let google: GooglePeer
  let service: TestService
  let apiUri: string
  let client: { id: string; key: string }
  let nylas: Nylas
  beforeAll(async () => {
    google = await openGoogle()
    const port = await freePort()
    service = await openGoogleService(google.simulator, { engine, env: { WAYPOST_PORT: String(port) } })
    apiUri = await service.listen()
    client = await googleClient(service, google.simulator)
    nylas = new Nylas({ apiKey: client.key, apiUri, timeout: 60 })
    google.simulator.addAccount({ email: 'ada@gmail.com', name: 'Ada Lovelace' })
    google.simulator.addAccount({ email: 'grace@gmail.com', name: 'Grace Hopper' })
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await google?.[Symbol.asyncDispose]()
  })

  /** Follows a link that the client created, as a user with a Google account. */
  async function follow(url: string, account: string): Promise<Record<string, string>> {
    expect(url.startsWith(`${apiUri}/v3/connect/auth?`)).toBe(true)
    const visitor = visitorOf(service)
    const left = await visitor.get(url)
    return resultOf((await visitor.get(await consent(left.location ?? '', { account }))).location)
  }

  const oauthFailureOf = async (call: Promise<unknown>): Promise<NylasOAuthError> => {
    const error = await thrownBy(call)
    if (!(error instanceof NylasOAuthError)) throw error
    return error
  }

  test('signs a user in, refreshes, inspects tokens and revokes them', async () => {
    const url = nylas.auth.urlForOAuth2({
      clientId: client.id,
      redirectUri,
      provider: 'google',
      scope: [calendarScope],
      accessType: 'offline',
      state: 'state-1',
      loginHint: 'ada@gmail.com',
      includeGrantScopes: true,
    })
    const { code = '', state } = await follow(url, 'ada@gmail.com')
    expect(state).toBe('state-1')
    const request = { clientId: client.id, redirectUri, code }
    const tokens = await nylas.auth.exchangeCodeForToken(request)
    expect(tokens).toMatchObject({
      email: 'ada@gmail.com',
      expiresIn: 3600,
      tokenType: 'Bearer',
      provider: 'google',
      grantId: expect.any(String),
      refreshToken: expect.any(String),
      idToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    })
    expect((await nylas.grants.find({ grantId: tokens.grantId })).data).toMatchObject({
      email: 'ada@gmail.com',
      grantStatus: 'valid',
      state: 'state-1',
    })

    const replayed = await oauthFailureOf(nylas.auth.exchangeCodeForToken({ ...request }))
    expect(replayed).toMatchObject({ error: 'invalid_grant', errorCode: 400, statusCode: 400 })
    expect(replayed.errorDescription).toMatch(/already used/)

    const again = await follow(url, 'ada@gmail.com')
    const fresh = await nylas.auth.exchangeCodeForToken({ clientId: client.id, redirectUri, code: again.code ?? '' })
    expect(fresh.grantId).toBe(tokens.grantId)
    const refreshed = await nylas.auth.refreshAccessToken({
      clientId: client.id,
      redirectUri,
      refreshToken: fresh.refreshToken ?? '',
    })
    expect(refreshed.accessToken).not.toBe(fresh.accessToken)

    const facts = { iss: apiUri, aud: client.id, sub: fresh.grantId, email: 'ada@gmail.com' }
    expect((await nylas.auth.accessTokenInfo(refreshed.accessToken)).data).toMatchObject(facts)
    expect((await nylas.auth.idTokenInfo(fresh.idToken ?? '')).data).toMatchObject(facts)

    const user = new Nylas({ apiKey: refreshed.accessToken, apiUri, timeout: 60 })
    const calendars = await user.calendars.list({ identifier: 'me' })
    expect(calendars.data.length).toBeGreaterThan(0)

    expect(await nylas.auth.revoke(refreshed.accessToken)).toBe(true)
    expect((await failureOf(user.calendars.list({ identifier: 'me' }))).statusCode).toBe(401)
    expect(await oauthFailureOf(nylas.auth.accessTokenInfo(refreshed.accessToken))).toMatchObject({
      error: 'invalid_token',
    })
    expect((await nylas.grants.find({ grantId: fresh.grantId })).data.grantStatus).toBe('valid')
  })

  test('signs a user in with PKCE, without any key in the exchange', async () => {
    const { url, secret } = nylas.auth.urlForOAuth2PKCE({
      clientId: client.id,
      redirectUri,
      provider: 'google',
      scope: [calendarScope],
    })
    const { code = '' } = await follow(url, 'grace@gmail.com')
    const bare = new Nylas({ apiKey: 'none', apiUri, timeout: 60 })
    const tokens = await bare.auth.exchangeCodeForToken({
      clientId: client.id,
      redirectUri,
      code,
      codeVerifier: secret,
    })
    expect(tokens).toMatchObject({ email: 'grace@gmail.com', provider: 'google' })
    expect(tokens.refreshToken).toBeUndefined()
  })

  test("gets an error for administrators' consent if the application has no connector for it", async () => {
    const url = nylas.auth.urlForAdminConsent({ clientId: client.id, redirectUri, credentialId: 'c', state: 's' })
    const seen = await visitorOf(service).get(url)
    expect(resultOf(seen.location)).toMatchObject({
      error: 'invalid_request_error',
      error_code: '400',
      error_description: expect.stringContaining('microsoft'),
      state: 's',
    })
  })
})
