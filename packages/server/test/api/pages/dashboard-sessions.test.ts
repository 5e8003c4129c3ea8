/** Sessions of the dashboard: how they start and end, and the requests that they authenticate. */
import { contract, routesOf } from '@waypost/contract'
import { enginesFor } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLink } from '../../../src/applications/admin-sessions.ts'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'

const own = { 'sec-fetch-site': 'same-origin' }
const minute = 60_000

const cookieOf = (answer: Answer): string => (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''

/** Signs in. Returns the headers that a browser sends from then on. */
async function signIn(service: TestService, password = service.adminPassword): Promise<Record<string, string>> {
  const answer = await service.call('POST', '/v3/admin/session', { key: null, headers: own, body: { password } })
  expect(answer.status).toBe(200)
  return { ...own, cookie: cookieOf(answer) }
}

const ask = (service: TestService, headers: Record<string, string>): Promise<Answer> =>
  service.call('GET', '/v3/admin/session', { key: null, headers })

describe.each(enginesFor(import.meta.url))('sessions on %s', (engine) => {
  let clock: TestClock
  let service: TestService

  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('the password opens a session, and its cookie is valid only for this service', async () => {
    const body = { password: service.adminPassword }
    const answer = await service.call('POST', '/v3/admin/session', { key: null, headers: own, body })
    const now = Math.floor(clock.now() / 1000)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      id: expect.any(String),
      signed_in_at: now,
      expires_at: now + 43_200,
      idle_expires_at: now + 1800,
      person: null,
      rights: { role: 'owner', applications: 'all', customer_data: true },
      required_action: null,
    })
    const [session, device, ...others] = answer.headers.getSetCookie()
    expect(session).toMatch(/^waypost=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(device).toMatch(/^waypost-device=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=15552000$/)
    expect(others).toEqual([])
    const headers = { ...own, cookie: cookieOf(answer) }
    expect((await ask(service, headers)).body.data).toEqual(answer.body.data)
    expect((await service.call('GET', '/v3/admin/applications', { key: null, headers })).status).toBe(200)
    expect((await service.call('GET', '/v3/admin/session', { admin: true })).status).toBe(404)
  })

  test('on https the cookie is secure, with the prefix __Host-', async () => {
    await using secure = await openService({ env: { WAYPOST_BASE_URL: 'https://mail.example.com/waypost' } })
    const headers = { origin: 'https://mail.example.com' }
    const body = { password: secure.adminPassword }
    const answer = await secure.call('POST', '/waypost/v3/admin/session', { key: null, headers, body })
    const [session, device] = answer.headers.getSetCookie()
    expect(session).toMatch(/^__Host-waypost=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    expect(device).toMatch(/^__Host-waypost-device=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=/)
  })

  test('the session of an administrator acts for an application that it names', async () => {
    const headers = await signIn(service)
    const { sandboxId } = service.services.administration.installation
    const named = { ...headers, 'x-waypost-application': sandboxId }
    const made = await service.call('POST', '/v3/connectors', {
      key: null,
      headers: named,
      body: { provider: 'imap' },
    })
    expect(made.status).toBe(201)
    const unnamed = await service.call('GET', '/v3/connectors', { key: null, headers })
    expect([unnamed.status, Object.keys(unnamed.body.error.validation_errors)]).toEqual([
      400,
      ['x-waypost-application'],
    ])
  })

  test('an API key or an access token gives no access to routes of administrators', async () => {
    const routes = routesOf(contract).filter(({ route }) => route.audience === 'administrator')
    expect(routes.length).toBeGreaterThan(15)
    for (const { id, route } of routes) {
      const path = route.path.replaceAll(/:\w+/g, service.services.administration.installation.sandboxId)
      const answer = await service.call(route.method, path, { ...(route.body ? { body: {} } : {}) })
      expect([id, answer.status, answer.body.error?.type]).toEqual([id, 401, 'api.authentication_error'])
    }
  })

  test('a key in a request takes precedence over the cookie', async () => {
    const headers = await signIn(service)
    expect((await service.call('GET', '/v3/admin/applications', { headers })).status).toBe(401)
    expect((await service.call('GET', '/v3/applications', { headers, key: 'wrong' })).status).toBe(401)
  })

  describe('requests from other sites', () => {
    const cases: [string, Record<string, string>][] = [
      [
        'a form of another site',
        { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
      ],
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['a sister site', { 'sec-fetch-site': 'same-site' }],
      ['an address that was typed', { 'sec-fetch-site': 'none' }],
      ['neither site nor origin', {}],
      ['another origin', { origin: 'https://evil.example' }],
      ['no origin', { origin: 'null' }],
      ['our name in another origin', { origin: 'http://127.0.0.1.evil.example' }],
      ['an origin that is none', { origin: 'evil' }],
      ['another origin that says it is ours', { ...own, origin: 'https://evil.example' }],
      ['a frame of ours without origin', { ...own, origin: 'null' }],
      ['JSON as text', { ...own, 'content-type': 'text/plain' }],
      ['JSON as a form', { ...own, 'content-type': 'application/x-www-form-urlencoded' }],
      ['JSON as parts', { ...own, 'content-type': 'multipart/form-data; boundary=x' }],
      ['another method in a header', { 'sec-fetch-site': 'cross-site', 'x-http-method-override': 'POST' }],
    ]

    test.each(cases)('cannot change anything: %s', async (_, sent) => {
      const { cookie = '' } = await signIn(service)
      const count = async () => (await service.call('GET', '/v3/admin/applications', { admin: true })).body.data.length
      const before = await count()
      const headers = { 'content-type': 'application/json', ...sent, cookie }
      const body = JSON.stringify({ name: 'Planted' })
      const made = await service.call('POST', '/v3/admin/applications', { key: null, headers, body })
      expect([made.status, made.body.error.type]).toEqual([403, 'forbidden'])
      const out = await service.call('DELETE', '/v3/admin/sessions', { key: null, headers: { ...sent, cookie } })
      expect(out.status).toBe(403)
      expect(await count()).toBe(before)
      expect((await ask(service, { ...own, cookie })).status).toBe(200)
    })

    test.each(cases)('cannot sign anybody in: %s', async (_, sent) => {
      const headers = { 'content-type': 'application/json', ...sent }
      const body = JSON.stringify({ password: service.adminPassword })
      const answer = await service.call('POST', '/v3/admin/session', { key: null, headers, body })
      expect([403, 415]).toContain(answer.status)
      expect(answer.headers.get('set-cookie')).toBeNull()
    })

    test('cannot read anything', async () => {
      const { cookie = '' } = await signIn(service)
      for (const site of ['cross-site', 'same-site']) {
        expect((await ask(service, { 'sec-fetch-site': site, cookie })).status).toBe(403)
      }
      expect((await ask(service, { origin: 'https://evil.example', cookie })).status).toBe(403)
      expect((await ask(service, { 'sec-fetch-site': 'none', cookie })).status).toBe(200)
      expect((await ask(service, { cookie })).status).toBe(200)
    })

    test("do not include those of the service's own page", async () => {
      const { cookie = '' } = await signIn(service)
      const { origin } = new URL(service.services.config.baseUrl)
      const ways: Record<string, string>[] = [
        own,
        { origin },
        { ...own, origin },
        { origin: 'http://here:1', host: 'here:1' },
      ]
      for (const sent of ways) {
        const headers = { ...sent, cookie }
        const made = await service.call('POST', '/v3/admin/applications', {
          key: null,
          headers,
          body: { name: 'Mine' },
        })
        expect(made.status).toBe(201)
      }
    })
  })

  test('a planted cookie never becomes a session', async () => {
    const planted = `waypost=${'A'.repeat(43)}`
    const body = { password: service.adminPassword }
    const answer = await service.call('POST', '/v3/admin/session', {
      key: null,
      headers: { ...own, cookie: planted },
      body,
    })
    expect(cookieOf(answer)).not.toBe(planted)
    expect((await ask(service, { ...own, cookie: planted })).status).toBe(401)
    // Two cookies with the name, one of which is foreign.
    expect((await ask(service, { ...own, cookie: `${planted}; ${cookieOf(answer)}` })).status).toBe(401)
  })

  test('a new sign-in ends the previous session', async () => {
    const first = await signIn(service)
    const body = { password: service.adminPassword }
    const again = await service.call('POST', '/v3/admin/session', { key: null, headers: first, body })
    expect(cookieOf(again)).not.toBe(first.cookie)
    expect((await ask(service, first)).status).toBe(401)
    expect((await ask(service, { ...own, cookie: cookieOf(again) })).status).toBe(200)
  })

  test('signing out ends the session on the server and removes the cookie', async () => {
    const headers = await signIn(service)
    const out = await service.call('DELETE', '/v3/admin/session', { key: null, headers })
    expect(out.status).toBe(200)
    expect(out.headers.get('set-cookie')).toBe('waypost=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
    expect((await ask(service, headers)).status).toBe(401)
  })

  test("every way of signing out clears the browser's data, but not the cookies of other hosts", async () => {
    const out = async (path: (id: string) => string): Promise<Answer> => {
      const headers = await signIn(service)
      const { id } = (await ask(service, headers)).body.data
      return service.call('DELETE', path(id), { key: null, headers })
    }
    for (const path of [
      () => '/v3/admin/session',
      () => '/v3/admin/sessions',
      (id: string) => `/v3/admin/sessions/${id}`,
    ]) {
      const { status, headers } = await out(path)
      expect(status).toBe(200)
      expect(headers.get('clear-site-data')).toBe('"cache", "storage"')
      expect(headers.get('set-cookie')).toContain('Max-Age=0')
    }
    const [mine, other] = [await signIn(service), await signIn(service)]
    const { id } = (await ask(service, other)).body.data
    const ended = await service.call('DELETE', `/v3/admin/sessions/${id}`, { key: null, headers: mine })
    expect(ended.headers.get('clear-site-data')).toBeNull()
  })

  test('signing out everywhere ends every session and every link', async () => {
    const all = [await signIn(service), await signIn(service), await signIn(service)]
    const link = await makeLink(service.services.storage.database, clock.now())
    const out = await service.call('DELETE', '/v3/admin/sessions', { key: null, headers: all[0] ?? {} })
    expect(out.status).toBe(200)
    for (const headers of all) expect((await ask(service, headers)).status).toBe(401)
    const late = await service.call('POST', '/v3/admin/session', { key: null, headers: own, body: { link } })
    expect(late.status).toBe(401)
  })

  test('a session ends after 30 minutes without a request, and not before', async () => {
    const headers = await signIn(service)
    for (let turn = 0; turn < 3; turn++) {
      clock.advance(29 * minute)
      expect((await ask(service, headers)).status).toBe(200)
    }
    clock.advance(30 * minute)
    expect((await ask(service, headers)).status).toBe(401)
  })

  test('a session ends after 12 hours, even if it is in use', async () => {
    const headers = await signIn(service)
    for (let turn = 0; turn < 28; turn++) {
      clock.advance(25 * minute)
      expect((await ask(service, headers)).status).toBe(200)
    }
    clock.advance(19 * minute)
    const { data } = (await ask(service, headers)).body
    expect(data.idle_expires_at).toBe(data.expires_at)
    clock.advance(minute)
    expect((await ask(service, headers)).status).toBe(401)
    await purgeExpired(service.services)
    expect((await ask(service, headers)).status).toBe(401)
  })

  test('a link signs in once, within 15 minutes', async () => {
    const { database } = service.services.storage
    const use = (link: string) => service.call('POST', '/v3/admin/session', { key: null, headers: own, body: { link } })
    const link = await makeLink(database, clock.now())
    const raced = await Promise.all(Array.from({ length: 5 }, () => use(link)))
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    const late = await makeLink(database, clock.now())
    clock.advance(15 * minute)
    expect((await use(late)).status).toBe(401)
    expect((await use('nothing')).status).toBe(401)
  })

  test('a sign-in needs either the password or a link', async () => {
    for (const body of [{}, { password: 'x', link: 'y' }]) {
      const answer = await service.call('POST', '/v3/admin/session', { key: null, headers: own, body })
      expect(answer.status).toBe(400)
    }
  })
})

describe.each(enginesFor(import.meta.url))('the password on %s', (engine) => {
  test('is changed with the current password, which ends every other session', async () => {
    await using service = await openService({ engine, env: { WAYPOST_ADMIN_PASSWORD: '' } })
    const first = service.services.administration.installation.adminPassword ?? ''
    const [mine, other] = [await signIn(service, first), await signIn(service, first)]
    const change = (body: object) => service.call('PUT', '/v3/admin/password', { key: null, headers: mine, body })
    const next = 'a heron over the weir'
    for (const weak of ['Passw0rd!', 'qwertz123', '12345678', 'aaaaaaaaaa', 'Dragon2024!', 'waypost1', 'short']) {
      const refused = await change({ current_password: first, new_password: weak })
      expect([weak, refused.status, Object.keys(refused.body.error.validation_errors)]).toEqual([
        weak,
        400,
        ['new_password'],
      ])
    }
    const wrong = await change({ current_password: 'not this one', new_password: next })
    expect([wrong.status, Object.keys(wrong.body.error.validation_errors)]).toEqual([400, ['current_password']])
    const changed = await change({ current_password: first, new_password: next })
    expect([changed.status, changed.body]).toEqual([200, { request_id: expect.any(String) }])
    expect((await ask(service, mine)).status).toBe(200)
    expect((await ask(service, other)).status).toBe(401)
    const old = await service.call('POST', '/v3/admin/session', { key: null, headers: own, body: { password: first } })
    expect(old.status).toBe(401)
    await signIn(service, next)
  })

  test('cannot be changed if it is set in the settings', async () => {
    await using service = await openService({ engine })
    const headers = await signIn(service)
    const body = { current_password: service.adminPassword, new_password: 'a heron over the weir' }
    const refused = await service.call('PUT', '/v3/admin/password', { key: null, headers, body })
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      expect.stringContaining('WAYPOST_ADMIN_PASSWORD'),
    ])
  })
})

test('a new password in the settings ends all sessions; an unchanged one does not', async () => {
  await using first = await openService()
  const headers = await signIn(first)
  const { dataDir } = first.services.config
  const again = await openService({ dataDir, env: { WAYPOST_ADMIN_PASSWORD: first.adminPassword } })
  expect((await ask(again, headers)).status).toBe(200)
  await again[Symbol.asyncDispose]()
  await using other = await openService({ dataDir, env: { WAYPOST_ADMIN_PASSWORD: 'quite-another-one' } })
  expect((await ask(other, headers)).status).toBe(401)
})
