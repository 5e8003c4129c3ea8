/** The tokens that the service issues: how clients get them, what they give access to, and how they end. */

import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { describe, expect, test } from 'vitest'
import { purgeExpired } from '../../../src/housekeeping.ts'
import type { Answer } from '../../harness.ts'
import { expectOAuthError, useTokenSetup } from './token-setup.ts'

describe.each(enginesFor(import.meta.url))('on %s', (engine) => {
  const setup = useTokenSetup(engine)
  const { token, traded, refresh, me } = setup
  const settings = (additional: object): Promise<Answer> =>
    setup.service.call('PATCH', '/v3/applications', {
      key: setup.client.key,
      body: { additional_settings: additional },
    })

  describe('a refresh token', () => {
    test('is issued only with offline access, and gives further access tokens', async () => {
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

    test('requires the key of its application', async () => {
      const { refresh_token: own } = await traded({ access_type: 'offline' })
      const other = await setup.newClient()
      const body = { grant_type: 'refresh_token', refresh_token: own }
      expectOAuthError(await token({ ...body, client_id: setup.client.id }), 'invalid_client', 401)
      expectOAuthError(await token({ ...body, client_id: other.id, client_secret: other.key }), 'invalid_grant')
      expectOAuthError(await refresh('made-up'), 'invalid_grant')
    })

    test('gives no access by itself, and an access token cannot be used to refresh', async () => {
      const { refresh_token: own = '', access_token: access = '' } = await traded({ access_type: 'offline' })
      expect(await me(own)).toBe(401)
      expectOAuthError(await refresh(access), 'invalid_grant')
    })

    test('is replaced at each use if the application rotates them; the old one revokes all', async () => {
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

    test('expires when the application says so', async () => {
      await settings({ refresh_token_expiration_absolute: 7200, refresh_token_expiration_idle: 3600 })
      const first = await traded({ access_type: 'offline' })
      setup.clock.advance(3_000_000)
      expect((await refresh(first.refresh_token ?? '')).status).toBe(200)
      setup.clock.advance(3_000_000)
      expect((await refresh(first.refresh_token ?? '')).status).toBe(200)
      setup.clock.advance(3_000_000)
      expectOAuthError(await refresh(first.refresh_token ?? ''), 'invalid_grant')
      const idle = await traded({ access_type: 'offline' })
      setup.clock.advance(3_601_000)
      expectOAuthError(await refresh(idle.refresh_token ?? ''), 'invalid_grant')
    })
  })

  describe('client credentials', () => {
    test('give an access token for a grant of the application', async () => {
      const { grant_id: grantId } = await traded()
      const body = { client_id: setup.client.id, client_secret: setup.client.key, grant_type: 'client_credentials' }
      const answer = await token({ ...body, grant_id: grantId })
      expect(answer.status).toBe(200)
      expect(answer.body.refresh_token).toBeUndefined()
      expect(await me(answer.body.access_token)).toBe(200)
      expectOAuthError(await token({ ...body, grant_id: 'none' }), 'invalid_grant')
      expectOAuthError(await token(body), 'invalid_request')
      expectOAuthError(await token({ ...body, client_secret: 'x', grant_id: grantId }), 'invalid_client', 401)
      const other = await setup.newClient()
      const foreign = { ...body, client_id: other.id, client_secret: other.key, grant_id: grantId }
      expectOAuthError(await token(foreign), 'invalid_grant')
    })

    test('are not accepted with an access token as client secret', async () => {
      const { grant_id: grantId, access_token: access } = await traded()
      const body = {
        client_id: setup.client.id,
        client_secret: access,
        grant_type: 'client_credentials',
        grant_id: grantId,
      }
      expectOAuthError(await token(body), 'invalid_client', 401)
    })
  })

  describe('an access token', () => {
    test('gives access to its own grant by every name, and to no other', async () => {
      const { access_token: access = '', grant_id: id } = await traded()
      const other = await setup.service.createGrant('room', setup.client.key)
      const get = (path: string): Promise<Answer> => setup.service.call('GET', path, { key: access })
      for (const locator of ['me', id, setup.email, `grant:${id}`, encodeURIComponent(setup.email.toUpperCase())]) {
        expect((await get(`/v3/grants/${locator}`)).body.data).toMatchObject({ id, email: setup.email })
        expect((await get(`/v3/grants/${locator}/calendars`)).status).toBe(200)
      }
      for (const locator of [other.id, 'room', 'nobody', 'external:x', '0a0a0a0a-0000-4000-8000-000000000000']) {
        for (const path of [`/v3/grants/${locator}`, `/v3/grants/${locator}/calendars`]) {
          const answer = await get(path)
          expect([answer.status, answer.body.error.type]).toEqual([403, 'grant.access_denied'])
        }
      }
    })

    test('gives no access to routes of the application', async () => {
      const { access_token: access = '' } = await traded()
      for (const [method, path] of [
        ['GET', '/v3/grants'],
        ['GET', '/v3/applications'],
        ['GET', '/v3/connectors'],
        ['GET', '/v3/webhooks'],
        ['DELETE', '/v3/grants/me'],
        ['PATCH', '/v3/grants/me'],
      ] as const) {
        const answer = await setup.service.call(method, path, {
          key: access,
          ...(method === 'PATCH' ? { body: {} } : {}),
        })
        expect([path, answer.status, answer.body.error?.type]).toEqual([path, 401, 'api.authentication_error'])
      }
      const admin = await setup.service.call('GET', '/v3/admin/applications', { key: access })
      expect(admin.status).toBe(401)
    })

    test('"me" finds no grant with an API key', async () => {
      expect((await setup.service.call('GET', '/v3/grants/me', { key: setup.client.key })).status).toBe(401)
    })

    test('expires after an hour', async () => {
      const { access_token: access = '' } = await traded()
      setup.clock.advance(3_599_000)
      expect(await me(access)).toBe(200)
      setup.clock.advance(1_000)
      expect(await me(access)).toBe(401)
    })

    test('is deleted with its grant', async () => {
      const {
        access_token: access = '',
        refresh_token: own = '',
        grant_id: id,
      } = await traded({ access_type: 'offline' })
      expect((await setup.service.call('DELETE', `/v3/grants/${id}`, { key: setup.client.key })).status).toBe(200)
      expect(await me(access)).toBe(401)
      expectOAuthError(await refresh(own), 'invalid_grant')
    })

    test('of an invalid grant is refused with that reason', async () => {
      const { access_token: access = '', grant_id: id } = await traded()
      await setup.service.call('POST', `/v3/admin/applications/${setup.client.id}/grants/${id}/revoke`, { admin: true })
      const answer = await setup.service.call('GET', '/v3/grants/me/calendars', { key: access })
      expect([answer.status, answer.body.error.type]).toEqual([401, 'grant.invalid_authentication'])
      expect(await me(access)).toBe(200)
    })

    test('of a blocked application gives no access', async () => {
      const { access_token: access = '' } = await traded()
      await setup.service.call('PATCH', `/v3/admin/applications/${setup.client.id}`, {
        admin: true,
        body: { blocked: true },
      })
      expect(await me(access)).toBe(423)
    })

    test('is stored only as a hash, and deleted when it expires', async () => {
      const { access_token: access = '' } = await traded()
      const rows = await setup.service.services.storage.database.all(sql('', 'select * from access_tokens'))
      expect(rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain(access.slice(5))
      expect(setup.service.logs()).not.toContain(access)
      setup.clock.advance(26 * 3_600_000)
      await purgeExpired(setup.service.services)
      expect(
        await setup.service.services.storage.database.all(
          sql('', 'select id from access_tokens where expires_at is not null'),
        ),
      ).toEqual([])
    })
  })

  describe('revoking', () => {
    const revoke = (query: string, options: { key: string | null; body?: unknown }): Promise<Answer> =>
      setup.service.call('POST', `/v3/connect/revoke${query}`, options)

    test('revokes a token with its siblings and its parent immediately, and keeps the grant', async () => {
      const first = await traded({ access_type: 'offline' })
      const sibling = (await refresh(first.refresh_token ?? '')).body
      const apart = await traded()
      const answer = await revoke(`?token=${first.access_token}`, { key: setup.client.key })
      expect([answer.status, answer.body]).toEqual([200, { request_id: expect.any(String) }])
      expect([await me(first.access_token ?? ''), await me(sibling.access_token)]).toEqual([401, 401])
      expectOAuthError(await refresh(first.refresh_token ?? ''), 'invalid_grant')
      expect(await me(apart.access_token ?? '')).toBe(200)
      expect((await setup.service.call('GET', `/v3/grants/${first.grant_id}`, { key: setup.client.key })).status).toBe(
        200,
      )
      expectOAuthError(await revoke(`?token=${first.access_token}`, { key: setup.client.key }), 'invalid_token')
    })

    test('accepts the token in the query, a form or JSON, with a key, a token of the grant, or none', async () => {
      const [a, b, c] = [await traded(), await traded(), await traded()]
      expect((await revoke('', { key: setup.client.key, body: { token: a.access_token } })).status).toBe(200)
      const form = await setup.service.call('POST', '/v3/connect/revoke', {
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
      const other = await setup.newClient()
      expectOAuthError(await revoke('?token=made-up', { key: setup.client.key }), 'invalid_token')
      expectOAuthError(await revoke(`?token=${access}`, { key: other.key }), 'invalid_token')
      expectOAuthError(await revoke('', { key: setup.client.key }), 'invalid_request')
      expectOAuthError(await revoke(`?token=${access}`, { key: 'no key' }), 'invalid_client', 401)
      expect(await me(access)).toBe(200)
    })
  })
})
