/** The tokens that the service issues: how they are had, what they open, and how they end. */
import { createHash, hash } from 'node:crypto'
import { decodeJwt, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keepHouse } from '../../src/server.ts'
import { type Answer, engines, openHouse, type TestHouse, testClock } from '../harness.ts'
import { type GooglePeer, openGoogle, openGoogleHouse } from '../peers/google.ts'
import { googleClient, signIn, trade } from './hosted-google.ts'

let google: GooglePeer
beforeAll(async () => {
  google = await openGoogle()
})
afterAll(() => google?.[Symbol.asyncDispose]())

describe.each(engines)('on %s', (engine) => {
  let house: TestHouse
  let client: { id: string; key: string }
  let email: string
  let number = 0
  const clock = testClock()
  beforeAll(async () => {
    house = await openGoogleHouse(google.simulator, { engine, overrides: { clock } })
  })
  afterAll(() => house?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    client = await googleClient(house, google.simulator)
    email = `${engine}${++number}@gmail.com`
    google.simulator.addAccount({ email, name: 'Ada' })
  })

  const code = async (query: Record<string, string> = {}): Promise<string> =>
    (await signIn(house, client.id, { account: email, query })).code ?? ''
  const token = (body: object, key: string | null = null): Promise<Answer> =>
    house.call('POST', '/v3/connect/token', { key, body })
  const traded = async (query: Record<string, string> = {}): Promise<Record<string, string>> => {
    const answer = await trade(house, client, await code(query))
    expect(answer.status).toBe(200)
    return answer.body
  }
  const me = async (accessToken: string): Promise<number> =>
    (await house.call('GET', '/v3/grants/me', { key: accessToken })).status
  const settings = (additional: object): Promise<Answer> =>
    house.call('PATCH', '/v3/applications', { key: client.key, body: { additional_settings: additional } })
  const refresh = (refreshToken: string): Promise<Answer> =>
    token({ client_id: client.id, client_secret: client.key, grant_type: 'refresh_token', refresh_token: refreshToken })

  const expectOAuthError = (answer: Answer, error: string, status = 400): void => {
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({
      error,
      error_code: status,
      error_description: expect.any(String),
      error_uri: expect.stringContaining('/docs'),
      request_id: answer.headers.get('x-request-id'),
    })
  }

  describe('a code', () => {
    test('is traded once among fifty attempts, and what it gave is revoked by the others', async () => {
      const one = await code()
      const answers = await Promise.all(Array.from({ length: 50 }, () => trade(house, client, one)))
      const good = answers.filter(({ status }) => status === 200)
      expect(good).toHaveLength(1)
      for (const answer of answers.filter((each) => each !== good[0])) expectOAuthError(answer, 'invalid_grant')
      expect(await me(good[0]?.body.access_token)).toBe(401)
      // The grant itself is there: only its tokens are gone.
      expect((await house.call('GET', `/v3/grants/${good[0]?.body.grant_id}`, { key: client.key })).status).toBe(200)
    })

    test('shown again later ends its tokens, a refresh token included', async () => {
      const one = await code({ access_type: 'offline' })
      const first = await trade(house, client, one)
      expect(await me(first.body.access_token)).toBe(200)
      const again = await trade(house, client, one)
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
    ])('with %s is refused, and used up', async (_what, more, error, status) => {
      const one = await code()
      expectOAuthError(await trade(house, client, one, more), error, status)
      expectOAuthError(await trade(house, client, one), 'invalid_grant')
    })

    test('of one application is nothing to another', async () => {
      const other = await googleClient(house, google.simulator)
      const one = await code()
      expectOAuthError(await trade(house, other, one), 'invalid_grant')
      expectOAuthError(await trade(house, client, await code(), { client_secret: other.key }), 'invalid_client', 401)
    })

    test('is traded with the key as bearer alone, and with an empty verifier', async () => {
      const body = {
        client_id: client.id,
        grant_type: 'authorization_code',
        code: await code(),
        redirect_uri: 'https://app.test/cb',
        code_verifier: '',
      }
      expect((await token(body, client.key)).status).toBe(200)
    })

    test('is traded by a form', async () => {
      const form = new URLSearchParams({
        client_id: client.id,
        client_secret: client.key,
        grant_type: 'authorization_code',
        code: await code(),
        redirect_uri: 'https://app.test/cb',
      })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await house.call('POST', '/v3/connect/token', { key: null, body: String(form), headers })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json')
    })
  })

  describe('a proof key', () => {
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
      ['plain', 'plain', verifier],
      ['plain by default', '', verifier],
    ]
    const exchange = (one: string, codeVerifier?: string, more: object = {}): Promise<Answer> =>
      token({
        client_id: client.id,
        grant_type: 'authorization_code',
        code: one,
        redirect_uri: 'https://app.test/cb',
        ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
        ...more,
      })
    const asked = (challenge: string, method: string): Promise<string> =>
      code({ code_challenge: challenge, ...(method ? { code_challenge_method: method } : {}) })

    test.each(spellings)('as %s makes a secret needless', async (_what, method, challenge) => {
      const answer = await exchange(await asked(challenge, method), verifier)
      expect(answer.status).toBe(200)
      expect(await me(answer.body.access_token)).toBe(200)
    })

    test.each([
      ['a wrong one', 'other'],
      ['the digest itself', hex],
      ['42 characters', 'x'.repeat(42)],
      ['129 characters', 'x'.repeat(129)],
      ['none', undefined],
      ['an empty one', ''],
    ])('is not shown by %s', async (_what, shown) => {
      const one = await asked(createHash('sha256').update(verifier).digest('base64url'), 'S256')
      expectOAuthError(await exchange(one, shown), 'invalid_grant')
      expectOAuthError(await exchange(one, verifier), 'invalid_grant')
    })

    test('is needed even with a secret', async () => {
      const one = await asked(hex, 'S256')
      expectOAuthError(await exchange(one, undefined, { client_secret: client.key }), 'invalid_grant')
    })
  })

  describe('what is missing is named', () => {
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

    test('of a code', async () => {
      const answer = await token({ grant_type: 'authorization_code', client_id: client.id, client_secret: client.key })
      expectOAuthError(answer, 'invalid_request')
      expect(answer.body.error_description).toBe('Missing required parameter: code')
    })

    test('and what is no JSON', async () => {
      expectOAuthError(await house.call('POST', '/v3/connect/token', { key: null, body: '{' }), 'invalid_request')
    })
  })

  describe('a refresh token', () => {
    test('comes with offline access alone, and gives further access tokens', async () => {
      expect((await traded()).refresh_token).toBeUndefined()
      const first = await traded({ access_type: 'offline' })
      const next = await refresh(first.refresh_token ?? '')
      expect(next.status).toBe(200)
      expect(next.body).toMatchObject({
        grant_id: first.grant_id,
        expires_in: 3600,
        refresh_token: first.refresh_token,
      })
      expect(next.body.access_token).not.toBe(first.access_token)
      expect(await me(next.body.access_token)).toBe(200)
      expect((await refresh(first.refresh_token ?? '')).status).toBe(200)
    })

    test('needs the key of its application', async () => {
      const { refresh_token: own } = await traded({ access_type: 'offline' })
      const other = await googleClient(house, google.simulator)
      const body = { grant_type: 'refresh_token', refresh_token: own }
      expectOAuthError(await token({ ...body, client_id: client.id }), 'invalid_client', 401)
      expectOAuthError(await token({ ...body, client_id: other.id, client_secret: other.key }), 'invalid_grant')
      expectOAuthError(await refresh('made-up'), 'invalid_grant')
    })

    test('opens nothing by itself, and an access token refreshes nothing', async () => {
      const { refresh_token: own = '', access_token: access = '' } = await traded({ access_type: 'offline' })
      expect(await me(own)).toBe(401)
      expectOAuthError(await refresh(access), 'invalid_grant')
    })

    test('is replaced at each use where the application has them rotated; the old one ends all', async () => {
      await settings({ rotate_refresh_token: true })
      const first = await traded({ access_type: 'offline' })
      const next = await refresh(first.refresh_token ?? '')
      expect(next.body.refresh_token).not.toBe(first.refresh_token)
      const third = await refresh(next.body.refresh_token)
      expect(third.status).toBe(200)
      expectOAuthError(await refresh(first.refresh_token ?? ''), 'invalid_grant')
      expectOAuthError(await refresh(third.body.refresh_token), 'invalid_grant')
      expect(await me(third.body.access_token)).toBe(401)
    })

    test('ends when the application says so', async () => {
      await settings({ refresh_token_expiration_absolute: 7200, refresh_token_expiration_idle: 3600 })
      const first = await traded({ access_type: 'offline' })
      clock.advance(3_000_000)
      expect((await refresh(first.refresh_token ?? '')).status).toBe(200)
      clock.advance(3_000_000)
      expect((await refresh(first.refresh_token ?? '')).status).toBe(200)
      clock.advance(3_000_000)
      expectOAuthError(await refresh(first.refresh_token ?? ''), 'invalid_grant')
      const idle = await traded({ access_type: 'offline' })
      clock.advance(3_601_000)
      expectOAuthError(await refresh(idle.refresh_token ?? ''), 'invalid_grant')
    })
  })

  describe('client credentials', () => {
    test('give an access token for a grant of the application', async () => {
      const { grant_id: grantId } = await traded()
      const body = { client_id: client.id, client_secret: client.key, grant_type: 'client_credentials' }
      const answer = await token({ ...body, grant_id: grantId })
      expect(answer.status).toBe(200)
      expect(answer.body.refresh_token).toBeUndefined()
      expect(await me(answer.body.access_token)).toBe(200)
      expectOAuthError(await token({ ...body, grant_id: 'none' }), 'invalid_grant')
      expectOAuthError(await token(body), 'invalid_request')
      expectOAuthError(await token({ ...body, client_secret: 'x', grant_id: grantId }), 'invalid_client', 401)
      const other = await googleClient(house, google.simulator)
      const foreign = { ...body, client_id: other.id, client_secret: other.key, grant_id: grantId }
      expectOAuthError(await token(foreign), 'invalid_grant')
    })

    test('an access token is no client secret', async () => {
      const { grant_id: grantId, access_token: access } = await traded()
      const body = { client_id: client.id, client_secret: access, grant_type: 'client_credentials', grant_id: grantId }
      expectOAuthError(await token(body), 'invalid_client', 401)
    })
  })

  describe('an access token', () => {
    test('opens its own grant by every name of it, and no other', async () => {
      const { access_token: access = '', grant_id: id } = await traded()
      const other = await house.createGrant('room', client.key)
      const get = (path: string): Promise<Answer> => house.call('GET', path, { key: access })
      for (const locator of ['me', id, email, `grant:${id}`, encodeURIComponent(email.toUpperCase())]) {
        expect((await get(`/v3/grants/${locator}`)).body.data).toMatchObject({ id, email })
        expect((await get(`/v3/grants/${locator}/calendars`)).status).toBe(200)
      }
      for (const locator of [other.id, 'room', 'nobody', 'external:x', '0a0a0a0a-0000-4000-8000-000000000000']) {
        for (const path of [`/v3/grants/${locator}`, `/v3/grants/${locator}/calendars`]) {
          const answer = await get(path)
          expect([answer.status, answer.body.error.type]).toEqual([403, 'grant.access_denied'])
        }
      }
    })

    test('opens no route of the application', async () => {
      const { access_token: access = '' } = await traded()
      for (const [method, path] of [
        ['GET', '/v3/grants'],
        ['GET', '/v3/applications'],
        ['GET', '/v3/connectors'],
        ['GET', '/v3/webhooks'],
        ['DELETE', '/v3/grants/me'],
        ['PATCH', '/v3/grants/me'],
        ['GET', '/v3/notifications'],
      ] as const) {
        const answer = await house.call(method, path, { key: access, ...(method === 'PATCH' ? { body: {} } : {}) })
        expect([path, answer.status, answer.body.error?.type]).toEqual([path, 401, 'api.authentication_error'])
      }
      const admin = await house.call('GET', '/v3/admin/applications', { key: access })
      expect(admin.status).toBe(401)
    })

    test('with a key, "me" is nobody', async () => {
      expect((await house.call('GET', '/v3/grants/me', { key: client.key })).status).toBe(401)
    })

    test('ends after an hour', async () => {
      const { access_token: access = '' } = await traded()
      clock.advance(3_599_000)
      expect(await me(access)).toBe(200)
      clock.advance(1_000)
      expect(await me(access)).toBe(401)
    })

    test('ends with its grant', async () => {
      const {
        access_token: access = '',
        refresh_token: own = '',
        grant_id: id,
      } = await traded({ access_type: 'offline' })
      expect((await house.call('DELETE', `/v3/grants/${id}`, { key: client.key })).status).toBe(200)
      expect(await me(access)).toBe(401)
      expectOAuthError(await refresh(own), 'invalid_grant')
    })

    test('of a grant that became invalid is told so', async () => {
      const { access_token: access = '', grant_id: id } = await traded()
      await house.call('POST', `/v3/admin/applications/${client.id}/grants/${id}/revoke`, { admin: true })
      const answer = await house.call('GET', '/v3/grants/me/calendars', { key: access })
      expect([answer.status, answer.body.error.type]).toEqual([401, 'grant.invalid_authentication'])
      expect(await me(access)).toBe(200)
    })

    test('of a blocked application opens nothing', async () => {
      const { access_token: access = '' } = await traded()
      await house.call('PATCH', `/v3/admin/applications/${client.id}`, { admin: true, body: { blocked: true } })
      expect(await me(access)).toBe(423)
    })

    test('is kept as a hash alone, and goes when its time is over', async () => {
      const { access_token: access = '' } = await traded()
      const rows = await house.services.database.all({ name: '', text: 'select * from access_tokens' })
      expect(rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain(access.slice(5))
      expect(house.logs()).not.toContain(access)
      clock.advance(26 * 3_600_000)
      await keepHouse(house.services)
      expect(
        await house.services.database.all({
          name: '',
          text: 'select id from access_tokens where expires_at is not null',
        }),
      ).toEqual([])
    })
  })

  describe('revoking', () => {
    const revoke = (query: string, options: { key: string | null; body?: unknown }): Promise<Answer> =>
      house.call('POST', `/v3/connect/revoke${query}`, options)

    test('ends a token with its siblings and its parent at once, and leaves the grant', async () => {
      const first = await traded({ access_type: 'offline' })
      const sibling = (await refresh(first.refresh_token ?? '')).body
      const apart = await traded()
      const answer = await revoke(`?token=${first.access_token}`, { key: client.key })
      expect([answer.status, answer.body]).toEqual([200, { request_id: expect.any(String) }])
      expect([await me(first.access_token ?? ''), await me(sibling.access_token)]).toEqual([401, 401])
      expectOAuthError(await refresh(first.refresh_token ?? ''), 'invalid_grant')
      expect(await me(apart.access_token ?? '')).toBe(200)
      expect((await house.call('GET', `/v3/grants/${first.grant_id}`, { key: client.key })).status).toBe(200)
      expectOAuthError(await revoke(`?token=${first.access_token}`, { key: client.key }), 'invalid_token')
    })

    test('takes the token in the query, a form or JSON, with a key, a token of the grant, or none', async () => {
      const [a, b, c] = [await traded(), await traded(), await traded()]
      expect((await revoke('', { key: client.key, body: { token: a.access_token } })).status).toBe(200)
      const form = await house.call('POST', '/v3/connect/revoke', {
        key: null,
        body: `token=${b.access_token}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(form.status).toBe(200)
      expect((await revoke(`?token=${c.access_token}`, { key: c.access_token ?? '' })).status).toBe(200)
      expect([await me(a.access_token ?? ''), await me(b.access_token ?? ''), await me(c.access_token ?? '')]).toEqual([
        401, 401, 401,
      ])
    })

    test('is refused for unknown tokens, and for those of others', async () => {
      const { access_token: access = '' } = await traded()
      const other = await googleClient(house, google.simulator)
      expectOAuthError(await revoke('?token=made-up', { key: client.key }), 'invalid_token')
      expectOAuthError(await revoke(`?token=${access}`, { key: other.key }), 'invalid_token')
      expectOAuthError(await revoke('', { key: client.key }), 'invalid_request')
      expectOAuthError(await revoke(`?token=${access}`, { key: 'no key' }), 'invalid_client', 401)
      expect(await me(access)).toBe(200)
    })
  })

  describe('tokeninfo', () => {
    const info = (query: string, key: string | null = null): Promise<Answer> =>
      house.call('GET', `/v3/connect/tokeninfo${query}`, { key })

    test('tells what an access token and an id_token are', async () => {
      const { access_token: access, id_token: id, grant_id: sub } = await traded()
      const expected = { iss: house.services.config.baseUrl, aud: client.id, sub, email }
      for (const query of [`?access_token=${access}`, `?id_token=${id}`]) {
        for (const key of [null, client.key, access ?? '']) {
          const answer = await info(query, key)
          expect(answer.status).toBe(200)
          expect(answer.body.data).toMatchObject(expected)
          expect(answer.body.data.exp - answer.body.data.iat).toBe(3600)
        }
      }
      expect(decodeJwt(id ?? '')).toMatchObject({ ...expected, name: 'Ada', provider: 'google', email_verified: true })
    })

    test('refuses what is not exactly one token, or none of the caller', async () => {
      const { access_token: access, id_token: id } = await traded()
      expectOAuthError(await info(''), 'invalid_request')
      expectOAuthError(await info(`?access_token=${access}&id_token=${id}`), 'invalid_request')
      expectOAuthError(await info('?access_token=made-up'), 'invalid_token')
      const other = await googleClient(house, google.simulator)
      expectOAuthError(await info(`?access_token=${access}`, other.key), 'invalid_token')
      expectOAuthError(await info(`?id_token=${id}`, other.key), 'invalid_token')
    })

    test('refuses forged id_tokens', async () => {
      const { id_token: id = '', grant_id: sub } = await traded()
      const [head = '', payload = '', signature = ''] = id.split('.')
      const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
      const header = JSON.parse(Buffer.from(head, 'base64url').toString())
      const claims = decodeJwt(id)
      const keys = await (await house.app.request('/.well-known/jwks.json')).text()
      const confused = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: header.kid })
        .sign(Buffer.from(keys))
      const forged = [
        `${encode({ ...header, alg: 'none' })}.${payload}.`,
        confused,
        `${encode({ ...header, kid: '../../etc/passwd' })}.${payload}.${signature}`,
        `${encode({ ...header, jku: 'https://evil.test/keys' })}.${payload}.${signature}`,
        `${head}.${encode({ ...claims, sub: 'other' })}.${signature}`,
        `${head}.${payload}.${'A'.repeat(86)}`,
        `${head}.${payload}`,
        'a.b.c',
        '',
      ]
      expect(sub).toBe(claims.sub)
      for (const each of forged.filter(Boolean)) expectOAuthError(await info(`?id_token=${each}`), 'invalid_token')
      clock.advance(3_601_000)
      expectOAuthError(await info(`?id_token=${id}`), 'invalid_token')
    })

    test('of an installation is not told by another', async () => {
      const { id_token: id } = await traded()
      await using other = await openHouse()
      expectOAuthError(await other.call('GET', `/v3/connect/tokeninfo?id_token=${id}`, { key: null }), 'invalid_token')
    })
  })

  test('browsers of registered origins may call', async () => {
    await house.call('PATCH', '/v3/applications', {
      key: client.key,
      body: { idp_settings: { origins: 'https://spa.test' } },
    })
    const headers = { origin: 'https://spa.test', 'access-control-request-method': 'POST' }
    const asked = await house.app.request('/v3/connect/token', { method: 'OPTIONS', headers })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe('https://spa.test')
    expect(asked.headers.get('access-control-allow-headers')).toContain('x-nylas-connect')
    const answer = await house.call('POST', '/v3/connect/token', { key: null, body: {}, headers })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://spa.test')
    const { access_token: access = '' } = await traded()
    for (const [origin, allowed] of [
      ['https://spa.test', 'https://spa.test'],
      ['https://evil.test', null],
    ] as const) {
      const seen = await house.call('GET', '/v3/grants/me', { key: access, headers: { origin } })
      expect(seen.headers.get('access-control-allow-origin')).toBe(allowed)
    }
  })
})
