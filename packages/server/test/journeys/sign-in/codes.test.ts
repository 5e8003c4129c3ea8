/** Authorization codes: how they are exchanged for tokens, with a secret or PKCE, and when not. */
import { createHash, hash } from 'node:crypto'
import { enginesFor } from '@waypost/testing/engines'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../src/grants/pkce.ts'
import type { Answer } from '../../harness.ts'
import { trade } from './hosted-google.ts'
import { expectOAuthError, useTokenSetup } from './token-setup.ts'

describe.each(enginesFor(import.meta.url))('on %s', (engine) => {
  const setup = useTokenSetup(engine)
  const { code, token, refresh, me } = setup

  describe('a code', () => {
    test('is exchanged once among fifty attempts, and the other attempts revoke its tokens', async () => {
      const one = await code()
      const answers = await Promise.all(Array.from({ length: 50 }, () => trade(setup.service, setup.client, one)))
      const good = answers.filter(({ status }) => status === 200)
      expect(good).toHaveLength(1)
      for (const answer of answers.filter((each) => each !== good[0])) expectOAuthError(answer, 'invalid_grant')
      expect(await me(good[0]?.body.access_token)).toBe(401)
      // The grant itself remains: only its tokens are revoked.
      expect(
        (await setup.service.call('GET', `/v3/grants/${good[0]?.body.grant_id}`, { key: setup.client.key })).status,
      ).toBe(200)
    })

    test('presented again later revokes its tokens, including a refresh token', async () => {
      const one = await code({ access_type: 'offline' })
      const first = await trade(setup.service, setup.client, one)
      expect(await me(first.body.access_token)).toBe(200)
      const again = await trade(setup.service, setup.client, one)
      expectOAuthError(again, 'invalid_grant')
      expect(again.body.error_description).toMatch(/already used/)
      expect(await me(first.body.access_token)).toBe(401)
      expectOAuthError(await refresh(first.body.refresh_token), 'invalid_grant')
    })

    test.each([
      ['another redirect_uri', { redirect_uri: 'https://app.test/other' }, 'invalid_grant', 400],
      ['a wrong secret', { client_secret: 'wrong' }, 'invalid_client', 401],
      ['no secret', { client_secret: '' }, 'invalid_client', 401],
      ['a verifier that nobody asked for', { code_verifier: 'x'.repeat(43) }, 'invalid_grant', 400],
    ])('with %s is refused, and cannot be used again', async (_what, more, error, status) => {
      const one = await code()
      expectOAuthError(await trade(setup.service, setup.client, one, more), error, status)
      expectOAuthError(await trade(setup.service, setup.client, one), 'invalid_grant')
    })

    test('of one application is not accepted from another', async () => {
      const other = await setup.newClient()
      const one = await code()
      expectOAuthError(await trade(setup.service, other, one), 'invalid_grant')
      expectOAuthError(
        await trade(setup.service, setup.client, await code(), { client_secret: other.key }),
        'invalid_client',
        401,
      )
    })

    test('is exchanged with only the key as bearer, and with an empty verifier', async () => {
      const body = {
        client_id: setup.client.id,
        grant_type: 'authorization_code',
        code: await code(),
        redirect_uri: 'https://app.test/cb',
        code_verifier: '',
      }
      expect((await token(body, setup.client.key)).status).toBe(200)
    })

    test('is exchanged with a form body', async () => {
      const form = new URLSearchParams({
        client_id: setup.client.id,
        client_secret: setup.client.key,
        grant_type: 'authorization_code',
        code: await code(),
        redirect_uri: 'https://app.test/cb',
      })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await setup.service.call('POST', '/v3/connect/token', { key: null, body: String(form), headers })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json')
    })
  })

  describe('PKCE', () => {
    const verifier = 'nylas'
    const hex = hash('sha256', verifier, 'hex')
    const spellings: [string, string, string][] = [
      [
        'base64 of hex',
        's256',
        'ZTk2YmY2Njg2YTNjMzUxMGU5ZTkyN2RiNzA2OWNiMWNiYTliOTliMDIyZjQ5NDgzYTZjZTMyNzA4MDllNjhhMg',
      ],
      ['base64url of the digest', 'S256', '6Wv2aGo8NRDp6SfbcGnLHLqbmbAi9JSDps4ycICeaKI'],
      ['hex', 'S256', hex],
    ]
    const plain = `${'A-z0.~_'.repeat(7)}`
    const exchange = (one: string, codeVerifier?: string, more: object = {}): Promise<Answer> =>
      token({
        client_id: setup.client.id,
        grant_type: 'authorization_code',
        code: one,
        redirect_uri: 'https://app.test/cb',
        ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
        ...more,
      })
    const requested = (challenge: string, method: string): Promise<string> =>
      code({ code_challenge: challenge, ...(method ? { code_challenge_method: method } : {}) })

    test.each(spellings)('with %s replaces a secret', async (_what, method, challenge) => {
      const answer = await exchange(await requested(challenge, method), verifier)
      expect(answer.status).toBe(200)
      expect(await me(answer.body.access_token)).toBe(200)
    })

    test.each([
      ['as its challenge', 'plain'],
      ['as its challenge by default', ''],
    ])('with a standard verifier %s replaces a secret', async (_what, method) => {
      expect((await exchange(await requested(plain, method), plain)).status).toBe(200)
    })

    test('with one character is never accepted, whatever the store contains', async () => {
      for (const method of ['plain', 'S256']) {
        expect(verifies('x', { value: 'x', method })).toBe(false)
        expect(verifies('', { value: '', method })).toBe(false)
      }
    })

    test.each([
      ['a wrong one', 'other'],
      ['the digest itself', hex],
      ['42 characters', 'x'.repeat(42)],
      ['129 characters', 'x'.repeat(129)],
      ['none', undefined],
      ['an empty one', ''],
    ])('is not fulfilled by %s', async (_what, shown) => {
      const one = await requested(createHash('sha256').update(verifier).digest('base64url'), 'S256')
      expectOAuthError(await exchange(one, shown), 'invalid_grant')
      expectOAuthError(await exchange(one, verifier), 'invalid_grant')
    })

    test('is required even with a secret', async () => {
      const one = await requested(hex, 'S256')
      expectOAuthError(await exchange(one, undefined, { client_secret: setup.client.key }), 'invalid_grant')
    })
  })

  describe('an invalid token request is refused with the reason', () => {
    test.each([
      [{}, 'invalid_request', 400, /grant_type/],
      [{ grant_type: 'password' }, 'unsupported_grant_type', 400, /./],
      [{ grant_type: 'authorization_code' }, 'invalid_request', 400, /client_id/],
      [{ grant_type: 'authorization_code', client_id: 'x' }, 'invalid_client', 401, /client_id/],
      [{ grant_type: 'toString', client_id: 'x' }, 'unsupported_grant_type', 400, /./],
    ])('%j', async (body, error, status, text) => {
      const answer = await token(body)
      expectOAuthError(answer, error, status)
      expect(answer.body.error_description).toMatch(text)
    })

    test('without a code', async () => {
      const answer = await token({
        grant_type: 'authorization_code',
        client_id: setup.client.id,
        client_secret: setup.client.key,
      })
      expectOAuthError(answer, 'invalid_request')
      expect(answer.body.error_description).toBe('Missing required parameter: code')
    })

    test('without valid JSON', async () => {
      expectOAuthError(
        await setup.service.call('POST', '/v3/connect/token', { key: null, body: '{' }),
        'invalid_request',
      )
    })
  })
})
