/** What the service reveals about its tokens, and to which callers. */

import { enginesFor } from '@waypost/testing/engines'
import { decodeJwt, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { type Answer, openService } from '../../harness.ts'
import { expectOAuthError, useTokenSetup } from './token-setup.ts'

describe.each(enginesFor(import.meta.url))('on %s', (engine) => {
  const setup = useTokenSetup(engine)
  const { traded } = setup

  describe('tokeninfo', () => {
    const info = (query: string, key: string | null = null): Promise<Answer> =>
      setup.service.call('GET', `/v3/connect/tokeninfo${query}`, { key })

    test('describes an access token and an id_token', async () => {
      const { access_token: access, id_token: id, grant_id: sub } = await traded()
      const expected = { iss: setup.service.services.config.baseUrl, aud: setup.client.id, sub, email: setup.email }
      for (const query of [`?access_token=${access}`, `?id_token=${id}`]) {
        for (const key of [null, setup.client.key, access ?? '']) {
          const answer = await info(query, key)
          expect(answer.status).toBe(200)
          expect(answer.body.data).toMatchObject(expected)
          expect(answer.body.data.exp - answer.body.data.iat).toBe(3600)
        }
      }
      expect(decodeJwt(id ?? '')).toMatchObject({ ...expected, name: 'Ada', provider: 'google', email_verified: true })
    })

    test('requires exactly one token, which belongs to the caller', async () => {
      const { access_token: access, id_token: id } = await traded()
      expectOAuthError(await info(''), 'invalid_request')
      expectOAuthError(await info(`?access_token=${access}&id_token=${id}`), 'invalid_request')
      expectOAuthError(await info('?access_token=made-up'), 'invalid_token')
      const other = await setup.newClient()
      expectOAuthError(await info(`?access_token=${access}`, other.key), 'invalid_token')
      expectOAuthError(await info(`?id_token=${id}`, other.key), 'invalid_token')
    })

    test('refuses forged id_tokens', async () => {
      const { id_token: id = '', grant_id: sub } = await traded()
      const [head = '', payload = '', signature = ''] = id.split('.')
      const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
      const header = JSON.parse(Buffer.from(head, 'base64url').toString())
      const claims = decodeJwt(id)
      const keys = await (await setup.service.app.request('/.well-known/jwks.json')).text()
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
      setup.clock.advance(3_601_000)
      expectOAuthError(await info(`?id_token=${id}`), 'invalid_token')
    })

    test('of one installation is not returned by another', async () => {
      const { id_token: id } = await traded()
      await using other = await openService()
      expectOAuthError(await other.call('GET', `/v3/connect/tokeninfo?id_token=${id}`, { key: null }), 'invalid_token')
    })
  })

  test('can be called by browsers from registered origins', async () => {
    await setup.service.call('PATCH', '/v3/applications', {
      key: setup.client.key,
      body: { idp_settings: { origins: 'https://spa.test' } },
    })
    const headers = { origin: 'https://spa.test', 'access-control-request-method': 'POST' }
    const requested = await setup.service.app.request('/v3/connect/token', { method: 'OPTIONS', headers })
    expect(requested.status).toBe(204)
    expect(requested.headers.get('access-control-allow-origin')).toBe('https://spa.test')
    expect(requested.headers.get('access-control-allow-headers')).toContain('x-nylas-connect')
    const answer = await setup.service.call('POST', '/v3/connect/token', { key: null, body: {}, headers })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://spa.test')
    const { access_token: access = '' } = await traded()
    for (const [origin, allowed] of [
      ['https://spa.test', 'https://spa.test'],
      ['https://evil.test', null],
    ] as const) {
      const seen = await setup.service.call('GET', '/v3/grants/me', { key: access, headers: { origin } })
      expect(seen.headers.get('access-control-allow-origin')).toBe(allowed)
    }
  })
})
