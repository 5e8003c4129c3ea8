/** Administrators sign in at a real OpenID provider (`oidc-provider`). */

import { enginesFor } from '@waypost/testing/engines'
import { type OidcPeer, oidcClient, startOidc } from '@waypost/testing/peers/oidc'
import { afterAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'
import { type Visitor, visitorOf } from './hosted-visitor.ts'

const base = 'http://127.0.0.1:3999'
const held = new AsyncDisposableStack()
afterAll(() => held.disposeAsync())

/** A browser at the provider: it stores cookies, and follows redirects while they stay there. */
async function signInAt(provider: OidcPeer, address: string, from: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = from
  let form: string | undefined
  for (let steps = 0; steps < 10 && url.startsWith(provider.issuer); steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) }
    const answer = await fetch(url, { method: form ? 'POST' : 'GET', body: form, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    form = location === null ? new URLSearchParams({ do: 'login', address }).toString() : undefined
    url = location === null ? url : new URL(location, url).href
  }
  return url
}

async function signIn(
  service: TestService,
  provider: OidcPeer,
  address: string,
): Promise<{ visitor: Visitor; to: string }> {
  const visitor = visitorOf(service)
  const { location = '' } = await visitor.get('/dashboard/oidc/sign-in?to=/health')
  const back = await signInAt(provider, address, location)
  const { location: to = '' } = await visitor.get(back)
  return { visitor, to }
}

async function sessionOf(service: TestService, { cookies }: Visitor) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  return (await service.call('GET', '/v3/admin/session', { key: null, headers })).body.data
}

describe.for(enginesFor(import.meta.url))('on %s', (engine) => {
  test('an invited person signs in with their address, and by their subject after it has changed', async () => {
    const provider = held.use(await startOidc([`${base}/dashboard/oidc/callback`]))
    provider.accounts.set('1', { email: 'Ada@Example.com', name: 'Ada Lovelace' })
    provider.accounts.set('2', { email: 'mallory@example.com' })
    await using service = await openService({
      engine,
      env: {
        WAYPOST_BASE_URL: base,
        WAYPOST_OIDC_ISSUER: provider.issuer,
        WAYPOST_OIDC_CLIENT_ID: oidcClient.client_id,
        WAYPOST_OIDC_CLIENT_SECRET: oidcClient.client_secret,
      },
    })
    const invited = await service.call('POST', '/v3/admin/people', {
      admin: true,
      body: { email: 'ada@example.com', role: 'administrator' },
    })
    const { visitor, to } = await signIn(service, provider, 'Ada@Example.com')
    expect(to).toBe('/dashboard/health')
    expect((await sessionOf(service, visitor)).person).toMatchObject({
      id: invited.body.data.id,
      role: 'administrator',
    })
    provider.accounts.set('1', { email: 'ada@other.example', verified: false })
    const again = await signIn(service, provider, 'ada@other.example')
    expect((await sessionOf(service, again.visitor)).person.id).toBe(invited.body.data.id)
    const stranger = await signIn(service, provider, 'mallory@example.com')
    expect(stranger.to).toBe('/dashboard#oidc=unknown')
    const person = await service.call('GET', `/v3/admin/people/${invited.body.data.id}`, { admin: true })
    expect(person.body.data).toMatchObject({ state: 'active', has_oidc: true, has_password: false })
    const audit = await service.call('GET', '/v3/admin/audit?action=session.create', { admin: true })
    expect(audit.body.data.map(({ status }: { status: number }) => status)).toEqual([401, 200, 200])
  })
})

test('a person without invitation gets the role from the settings; a client without a secret uses only PKCE', async () => {
  const provider = held.use(
    await startOidc([`${base}/dashboard/oidc/callback`], {
      token_endpoint_auth_method: 'none',
      client_secret: undefined,
    }),
  )
  provider.accounts.set('1', { email: 'grace@example.com', name: 'Grace Hopper' })
  provider.accounts.set('2', { email: 'eve@example.com', verified: false })
  await using service = await openService({
    env: {
      WAYPOST_BASE_URL: base,
      WAYPOST_OIDC_ISSUER: provider.issuer,
      WAYPOST_OIDC_CLIENT_ID: oidcClient.client_id,
      WAYPOST_OIDC_ROLE: 'viewer',
    },
  })
  const { visitor } = await signIn(service, provider, 'grace@example.com')
  expect(await sessionOf(service, visitor)).toMatchObject({
    person: { email: 'grace@example.com', name: 'Grace Hopper' },
    rights: { role: 'viewer' },
  })
  expect((await signIn(service, provider, 'eve@example.com')).to).toBe('/dashboard#oidc=unverified')
  expect((await signIn(service, provider, 'nobody')).to).toBe('/dashboard#oidc=cancelled')
})
