/** Hosted sign-in on a provider's own page: there and back, and attacks in between. */

import { sandboxScopes } from '@waypost/providers/settings'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { type GooglePeer, openGoogle, openGoogleService } from '../../peers/google.ts'
import { calendarScope, consent, googleClient, mailScope, signIn, trade } from './hosted-google.ts'
import { authUrl, newClient, resultOf, visitorOf } from './hosted-visitor.ts'

let google: GooglePeer
let service: TestService
let client: { id: string; key: string }
const clock = testClock()
let number = 0
const newAccount = (): string => {
  const email = `user${++number}@gmail.com`
  google.simulator.addAccount({ email, name: `User ${number}` })
  return email
}

beforeAll(async () => {
  google = await openGoogle()
  service = await openGoogleService(google.simulator, { overrides: { clock } })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await google?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  client = await googleClient(service, google.simulator)
})

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.call(method, path, { key: client.key, ...(body === undefined ? {} : { body }) })
const grants = async (): Promise<{ id: string }[]> => (await call('GET', '/v3/grants')).body.data
const reported = async (type: string): Promise<Record<string, unknown>[]> =>
  (await call('GET', '/v3/notifications?limit=200')).body.data
    .filter((each: { type: string }) => each.type === type)
    .map((each: { data: { object: unknown } }) => each.data.object)

describe('a hosted sign-in', () => {
  test('leads to the provider and back with a code, which makes the grant usable', async () => {
    const email = newAccount()
    const visitor = visitorOf(service)
    const left = await visitor.get(authUrl(client.id, { provider: 'google', state: 'a b&c', login_hint: email }))
    expect(left.status).toBe(302)
    const requested = new URL(left.location ?? '')
    expect(requested.origin).toBe(google.simulator.url)
    expect(requested.searchParams.get('redirect_uri')).toBe(`${service.services.config.baseUrl}/v3/connect/callback`)
    expect(requested.searchParams.get('code_challenge_method')).toBe('S256')
    expect(requested.searchParams.get('prompt')).toBe('consent')
    expect(requested.searchParams.get('login_hint')).toBe(email)
    expect(requested.searchParams.get('scope')?.split(' ')).toContain(calendarScope)

    const back = await visitor.get(await consent(requested.href, { account: email }))
    expect(back.status).toBe(302)
    const { code, state, ...rest } = resultOf(back.location)
    expect(rest).toEqual({})
    expect(state).toBe('a b&c')

    expect(await grants()).toEqual([])
    expect(await reported('grant.created')).toEqual([])
    const answer = await trade(service, client, code ?? '')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, email, provider: 'google' })
    expect(answer.body.refresh_token).toBeUndefined()
    expect(answer.body.scope.split(' ')).toContain(calendarScope)

    const [grant] = await grants()
    expect(grant).toMatchObject({
      id: answer.body.grant_id,
      email,
      grant_status: 'valid',
      state: 'a b&c',
      ip: 'local',
      user_agent: 'Visitor/1',
    })
    const [created] = await reported('grant.created')
    expect(created).toMatchObject({ code: 25012, grant_id: answer.body.grant_id, login_id: expect.any(String) })
    const calendars = await service.call('GET', '/v3/grants/me/calendars', { key: answer.body.access_token })
    expect(calendars.status).toBe(200)
  })

  test('whose code is never exchanged stores nothing', async () => {
    const email = newAccount()
    const { code = '' } = await signIn(service, client.id, { account: email })
    expect(await grants()).toEqual([])
    expect((await call('GET', `/v3/grants/${email}`)).status).toBe(404)
    clock.advance(601_000)
    expect((await trade(service, client, code)).body).toMatchObject({ error: 'invalid_grant', error_code: 400 })
    await purgeExpired(service.services)
    expect((await signIn(service, client.id, { account: email })).code).toEqual(expect.any(String))
    expect(await reported('grant.deleted')).toEqual([])
  })

  test('again leaves the grant unchanged until the exchange, and then updates it', async () => {
    const email = newAccount()
    const first = await trade(service, client, (await signIn(service, client.id, { account: email })).code ?? '')
    const id = first.body.grant_id
    const before = (await call('GET', `/v3/grants/${id}`)).body
    clock.advance(5_000)
    const { code = '' } = await signIn(service, client.id, { account: email, query: { login_hint: email } })
    expect((await call('GET', `/v3/grants/${id}`)).body.data).toEqual(before.data)
    const again = await trade(service, client, code)
    expect(again.body.grant_id).toBe(id)
    const after = (await call('GET', `/v3/grants/${id}`)).body.data
    expect(after.updated_at).toBeGreaterThan(before.data.updated_at)
    expect(await reported('grant.updated')).toEqual([
      expect.objectContaining({ code: 25027, reauthentication_flag: true, grant_id: id }),
    ])
    expect(await reported('grant.created')).toHaveLength(1)
    expect((await call('GET', `/v3/grants/${id}/calendars`)).status).toBe(200)
  })

  test('requests consent only if no refresh token of the account is stored', async () => {
    const email = newAccount()
    await trade(service, client, (await signIn(service, client.id, { account: email })).code ?? '')
    const left = await visitorOf(service).get(authUrl(client.id, { login_hint: email }))
    expect(new URL(left.location ?? '').searchParams.get('prompt')).toBeNull()
  })

  test.each([
    [{}, 'true'],
    [{ include_grant_scopes: 'true' }, 'true'],
    [{ include_grant_scopes: 'false' }, null],
    [{ options: 'exclude_google_granted_scopes' }, null],
  ])('with %j requests earlier scopes: %s', async (query, expected) => {
    const left = await visitorOf(service).get(authUrl(client.id, { provider: 'google', ...query }))
    expect(new URL(left.location ?? '').searchParams.get('include_granted_scopes')).toBe(expected)
  })

  test('accepts scopes separated by spaces and by commas', async () => {
    for (const scope of [`${mailScope} ${calendarScope}`, `${mailScope},${calendarScope}`]) {
      const left = await visitorOf(service).get(authUrl(client.id, { provider: 'google', scope }))
      const requested = new URL(left.location ?? '').searchParams.get('scope')?.split(' ')
      expect(requested).toEqual(expect.arrayContaining([mailScope, calendarScope]))
    }
  })

  test('reports a refusal to the application, with its state', async () => {
    const result = await signIn(service, client.id, {
      account: newAccount(),
      decision: 'deny',
      query: { state: 's1' },
    })
    expect(result).toMatchObject({ error: 'access_denied', error_code: '45002', state: 's1' })
  })

  test('with an unticked scope is refused', async () => {
    const result = await signIn(service, client.id, {
      account: newAccount(),
      query: { scope: `${mailScope} ${calendarScope}` },
      without: [mailScope],
    })
    expect(result).toMatchObject({ error: 'grant.scopes_conflict', error_code: '25016' })
    expect(result.error_description).toContain(mailScope)
  })

  test('with a different account than the one to authenticate again is refused', async () => {
    const email = newAccount()
    const other = newAccount()
    const first = await trade(service, client, (await signIn(service, client.id, { account: email })).code ?? '')
    await call('GET', `/v3/grants/${first.body.grant_id}`)
    const visitor = visitorOf(service)
    const left = await visitor.get(authUrl(client.id, { provider: 'google', login_hint: email }))
    const url = new URL(left.location ?? '')
    url.searchParams.delete('login_hint')
    url.searchParams.set('prompt', 'consent')
    const back = await visitor.get(await consent(url.href, { account: other }))
    expect(resultOf(back.location)).toMatchObject({ error: 'grant.reauth_email_invalid' })
  })

  test('with a different account and without a refresh token is refused as a different account', async () => {
    const [email, other] = [newAccount(), newAccount()]
    await trade(service, client, (await signIn(service, client.id, { account: email })).code ?? '')
    // From now on Google has its consent. No code was exchanged, so there is no grant.
    await signIn(service, client.id, { account: other })
    const visitor = visitorOf(service)
    const left = await visitor.get(authUrl(client.id, { provider: 'google', login_hint: email }))
    const url = new URL(left.location ?? '')
    expect(url.searchParams.get('prompt')).toBeNull()
    url.searchParams.delete('login_hint')
    const back = await visitor.get(await consent(url.href, { account: other }))
    expect(resultOf(back.location)).toMatchObject({ error: 'grant.reauth_email_invalid', error_code: '400' })
  })

  test('of an application at its limit is refused before consent, except for an existing grant', async () => {
    const email = newAccount()
    await trade(service, client, (await signIn(service, client.id, { account: email })).code ?? '')
    const full = sql('test.full', 'update applications set grant_limit = 1 where id = $1')
    await service.services.storage.database.run(full, [client.id])
    const queries: Record<string, string>[] = [
      {},
      { provider: 'google' },
      { provider: 'google', login_hint: newAccount() },
    ]
    for (const query of queries) {
      const left = await visitorOf(service).get(authUrl(client.id, { state: 's', ...query }))
      expect(resultOf(left.location)).toMatchObject({ error: 'grant.access_denied', error_code: '403', state: 's' })
      expect(resultOf(left.location).error_description).toContain('allows 1 grants')
    }
    const left = await visitorOf(service).get(authUrl(client.id, { provider: 'google', login_hint: email }))
    expect(new URL(left.location ?? '').origin).toBe(google.simulator.url)
  })

  test('of another user with the same address is refused, and changes nothing', async () => {
    const email = newAccount()
    const first = await trade(service, client, (await signIn(service, client.id, { account: email })).code ?? '')
    google.simulator.renameAccount(email, `gone-${email}`)
    google.simulator.addAccount({ email, name: 'Somebody else' })
    const result = await signIn(service, client.id, { account: email })
    expect(result).toMatchObject({ error: 'oauth_failed', error_code: '45002' })
    expect((await call('GET', `/v3/grants/${first.body.grant_id}/calendars`)).status).toBe(200)
  })

  test("keeps the redirect URI's own parameters", async () => {
    const uri = 'https://app.test/cb?tenant=1'
    await call('PATCH', '/v3/applications', {
      additional_settings: { allow_query_param_in_redirect_uri: true },
      callback_uris: [{ url: uri }],
    })
    const result = await signIn(service, client.id, { account: newAccount(), query: { redirect_uri: uri } })
    expect(result).toMatchObject({ tenant: '1', code: expect.any(String) })
  })
})

describe('the callback from a provider', () => {
  const begun = async () => {
    const visitor = visitorOf(service)
    const left = await visitor.get(authUrl(client.id, { provider: 'google', state: 'mine' }))
    const state = new URL(left.location ?? '').searchParams.get('state') ?? ''
    return { visitor, url: left.location ?? '', state }
  }
  const expectRefused = (seen: { status: number; text: string; location: string | undefined }) => {
    expect(seen.status).toBe(400)
    expect(seen.location).toBeUndefined()
    expect(seen.text).toContain('started in another browser')
  }

  test('is refused without the cookie, and with another one', async () => {
    const { visitor, url } = await begun()
    const callback = await consent(url, { account: newAccount() })
    expectRefused(await visitorOf(service).get(callback))
    const [name = ''] = visitor.cookies.keys()
    expectRefused(await visitorOf(service).get(callback, { cookie: `${name}=${'A'.repeat(43)}` }))
    expectRefused(await visitor.get(callback, { cookie: `${name}=${'A'.repeat(43)}; ${name}=${'B'.repeat(43)}` }))
    // The failed attempts did not consume it: its own browser succeeds.
    expect(resultOf((await visitor.get(callback)).location)).toMatchObject({ state: 'mine', code: expect.any(String) })
  })

  test('can be used once', async () => {
    const { visitor, url } = await begun()
    const callback = await consent(url, { account: newAccount() })
    resultOf((await visitor.get(callback)).location)
    expectRefused(await visitor.get(callback))
  })

  test('expires after ten minutes', async () => {
    const { visitor, url } = await begun()
    const callback = await consent(url, { account: newAccount() })
    clock.advance(601_000)
    expectRefused(await visitor.get(callback))
  })

  test.each([
    ['a state that is unknown', (state: string) => `state=${'x'.repeat(state.length)}&code=1`],
    ['a state of 8 KB', () => `state=${'x'.repeat(8192)}&code=1`],
    ['no state', () => 'code=1'],
    ['two states', (state: string) => `state=${state}&state=${state}&code=1`],
  ])('is refused with %s', async (_what, query) => {
    const { visitor, state } = await begun()
    expectRefused(await visitor.get(`/v3/connect/callback?${query(state)}`))
  })

  test('without a code is reported to the application', async () => {
    const { visitor, state } = await begun()
    const back = await visitor.get(`/v3/connect/callback?state=${state}`)
    expect(resultOf(back.location)).toMatchObject({ error: 'oauth_failed', state: 'mine' })
  })

  test('with a code that the provider rejects is reported to the application', async () => {
    const { visitor, state } = await begun()
    const back = await visitor.get(`/v3/connect/callback?state=${state}&code=made-up`)
    expect(resultOf(back.location)).toMatchObject({ error: 'oauth_failed', error_code: '45002', state: 'mine' })
  })

  test('from another issuer is refused', async () => {
    const { visitor, url } = await begun()
    const callback = new URL(await consent(url, { account: newAccount() }))
    callback.searchParams.set('iss', 'https://evil.test')
    expect(resultOf((await visitor.get(callback.href)).location)).toMatchObject({
      error: 'oauth_failed',
      state: 'mine',
    })
  })

  test('with an error that contains markup passes it on as text', async () => {
    const { visitor, state } = await begun()
    const text = '<script>alert(1)</script>\r\nSet-Cookie: x=1'
    const query = new URLSearchParams({ state, error: 'access_denied', error_description: text })
    const back = await visitor.get(`/v3/connect/callback?${query}`)
    expect(back.headers.get('set-cookie')).toBeNull()
    expect(back.location).not.toMatch(/[<>\r\n]/)
    expect(resultOf(back.location).error_description).toBe('<script>alert(1)</script> Set-Cookie: x=1')
  })

  test('works for two sign-ins in one browser', async () => {
    const { visitor, url } = await begun()
    const second = await visitor.get(authUrl(client.id, { provider: 'google', state: 'second' }))
    const one = await visitor.get(await consent(url, { account: newAccount() }))
    const two = await visitor.get(await consent(second.location ?? '', { account: newAccount() }))
    expect([resultOf(one.location).state, resultOf(two.location).state]).toEqual(['mine', 'second'])
  })
})

test('a store contains no states, cookies or codes in readable form', async () => {
  await using own = await openService({ env: { WAYPOST_GOOGLE_URL: google.simulator.url } })
  const application = await googleClient(own, google.simulator)
  await newClient(own, 'https://other.test/cb')
  const visitor = visitorOf(own)
  const left = await visitor.get(authUrl(application.id, { provider: 'google' }))
  const state = new URL(left.location ?? '').searchParams.get('state') ?? ''
  const back = await visitor.get(await consent(left.location ?? '', { account: newAccount() }))
  const { code = '' } = resultOf(back.location)
  const { database } = own.services.storage
  const rows = await Promise.all(
    ['login_sessions', 'authorization_codes', 'grants'].map((table) => database.all(sql('', `select * from ${table}`))),
  )
  const text = JSON.stringify(rows)
  expect(text).toContain(application.id)
  for (const secret of [state, code, ...visitor.cookies.values()]) {
    expect(secret).not.toBe('')
    expect(text).not.toContain(secret)
    expect(own.logs()).not.toContain(secret)
  }
})

describe('the scopes of the sandbox', () => {
  const fixed = [...(sandboxScopes.google ?? [])]
  const wider = [...fixed, mailScope]
  let sandbox: { id: string; key: string }
  beforeAll(async () => {
    const { id: client_id, secret: client_secret } = google.simulator.client
    sandbox = { id: service.services.administration.installation.sandboxId, key: service.apiKey }
    const { key } = sandbox
    await service.call('PATCH', '/v3/connectors/google', { key, body: { settings: { client_id, client_secret } } })
    await service.call('POST', '/v3/applications/redirect-uris', { key, body: { url: 'https://app.test/cb' } })
  })
  const scopesOf = async (email: string): Promise<string[]> =>
    (await service.call('GET', `/v3/grants/${email}`, { key: sandbox.key })).body.data?.scope
  const custom = (account: string, scopes: string[], more: object = {}) =>
    service.call('POST', '/v3/connect/custom', {
      key: sandbox.key,
      body: {
        provider: 'google',
        settings: { refresh_token: google.simulator.grantToken(account, scopes).refreshToken },
        ...more,
      },
    })

  test.each([
    ['beside the fixed ones', wider.join(' ')],
    ['alone', mailScope],
    ['by a short name', 'gmail.settings.sharing'],
    ['with commas', ['openid', mailScope].join(',')],
  ])('are not widened by the scope of a sign-in, %s', async (_what, scope) => {
    const left = await visitorOf(service).get(authUrl(sandbox.id, { provider: 'google', scope, state: 's' }))
    expect(left.location).not.toContain(google.simulator.url)
    expect(resultOf(left.location)).toMatchObject({ error: 'invalid_scope', error_code: '400', state: 's' })
  })

  test('are requested completely or in part, without those that the user granted the client before', async () => {
    for (const scope of [undefined, 'gmail.modify', fixed.join(',')]) {
      const query: Record<string, string> = scope === undefined ? {} : { scope }
      const left = await visitorOf(service).get(
        authUrl(sandbox.id, { provider: 'google', include_grant_scopes: 'true', ...query }),
      )
      const requested = new URL(left.location ?? '').searchParams
      expect(requested.get('include_granted_scopes')).toBeNull()
      expect(fixed).toEqual(expect.arrayContaining(requested.get('scope')?.split(' ') ?? ['none']))
    }
  })

  test('limit what a sign-in grants, whatever the same client was granted elsewhere', async () => {
    const email = newAccount()
    const everything = await googleClient(service, google.simulator, [calendarScope, mailScope])
    await trade(service, everything, (await signIn(service, everything.id, { account: email })).code ?? '')
    const { code } = await signIn(service, sandbox.id, { account: email })
    await trade(service, sandbox, code ?? '')
    expect((await scopesOf(email)).filter((scope) => !fixed.includes(scope))).toEqual([])
  })

  test('are not extended by a refresh token with more scopes, by its scope field, or by a change', async () => {
    const email = newAccount()
    expect((await custom(email, wider)).body.error.type).toBe('invalid_scope')
    expect((await custom(email, fixed, { scope: [mailScope] })).body.error.type).toBe('invalid_scope')
    expect(await scopesOf(email)).toBeUndefined()
    expect((await custom(email, fixed)).status).toBe(201)
    const change = (body: object) => service.call('PATCH', `/v3/grants/${email}`, { key: sandbox.key, body })
    expect((await change({ scope: wider })).body.error.type).toBe('invalid_scope')
    const { refreshToken } = google.simulator.grantToken(email, wider)
    expect((await change({ settings: { refresh_token: refreshToken } })).body.error.type).toBe('invalid_scope')
    expect((await scopesOf(email)).toSorted()).toEqual(fixed.toSorted())
  })

  test('apply only to the sandbox: another application can request any scope', async () => {
    const left = await visitorOf(service).get(authUrl(client.id, { provider: 'google', scope: mailScope }))
    expect(new URL(left.location ?? '').searchParams.get('scope')).toContain(mailScope)
  })
})
