/** The start of a hosted sign-in: the allowed redirect URIs, and the effect of each parameter. */

import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'
import { authUrl, newClient, redirectUri, resultOf, type Seen, visitorOf } from './hosted-visitor.ts'

let service: TestService
const clock = testClock()
beforeAll(async () => {
  const exchanges: Record<string, string[]> = { 'acme.test': ['aspmx.l.google.com'], 'mail.test': ['mx.mail.test'] }
  service = await openService({
    overrides: {
      clock,
      findMailExchangers: async (domain) => exchanges[domain] ?? [],
      findService: async () => undefined,
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

let client: { id: string; key: string }
beforeEach(async () => {
  client = await newClient(service)
})
const connect = async (...kinds: string[]): Promise<void> => {
  for (const provider of kinds) {
    clock.advance(1)
    const oauth = ['google', 'microsoft'].includes(provider)
      ? { settings: { client_id: 'id', client_secret: 'secret' } }
      : {}
    const made = await service.call('POST', '/v3/connectors', { key: client.key, body: { provider, ...oauth } })
    expect(made.status).toBe(201)
  }
}
const begin = (query: Record<string, string> = {}): Promise<Seen> => visitorOf(service).get(authUrl(client.id, query))
/** The first page of a sign-in. */
const firstPage = async (query: Record<string, string> = {}): Promise<Seen> => {
  const visitor = visitorOf(service)
  return visitor.get((await visitor.get(authUrl(client.id, query))).location ?? '')
}

describe('a redirect URI that is not registered', () => {
  test.each([
    ['with a slash more', 'https://app.test/cb/'],
    ['with a query', 'https://app.test/cb?x'],
    ['with a fragment', 'https://app.test/cb#'],
    ['with dots', 'https://app.test/cb/../evil'],
    ['with another host behind ours', 'https://app.test.evil.com/cb'],
    ['with ours as user name', 'https://app.test@evil.com/cb'],
    ['in capitals', 'HTTPS://APP.TEST/cb'],
    ['without scheme', '//app.test/cb'],
    ['with the port', 'https://app.test:443/cb'],
    ['that is a script', 'javascript:alert(1)'],
    ['that is data', 'data:text/html,<script>alert(1)</script>'],
    ['with an encoded dot', 'https://app%2etest/cb'],
    ['with a line break', 'https://app.test/cb\r\nSet-Cookie: x=1'],
    ['that is empty', ''],
    ['that is long', `https://app.test/cb${'x'.repeat(4096)}`],
    ['with a zero byte', 'https://app.test/cb\0'],
  ])('%s is never used', async (_what, uri) => {
    await connect('imap')
    const seen = await begin({ redirect_uri: uri })
    expect(seen.status).toBe(400)
    expect(seen.location).toBeUndefined()
    expect(seen.headers.get('set-cookie')).toBeNull()
    expect(seen.text).toContain('The sign-in cannot continue')
    expect(seen.text).not.toContain('<script')
    const json = await visitorOf(service).get(authUrl(client.id, { redirect_uri: uri }), { accept: 'application/json' })
    expect(json.status).toBe(400)
    expect(JSON.parse(json.text).error.type).toMatch(/^(grant\.callback_uri_not_allowed|invalid_request_error)$/)
  })

  test('is not used next to a registered one either', async () => {
    await connect('imap')
    const seen = await visitorOf(service).get(`${authUrl(client.id)}&redirect_uri=https%3A%2F%2Fevil.test`)
    expect([seen.status, seen.location]).toEqual([400, undefined])
  })

  test('is not used if it belongs to another application', async () => {
    await newClient(service, 'https://other.test/cb')
    const seen = await begin({ redirect_uri: 'https://other.test/cb' })
    expect([seen.status, seen.location]).toEqual([400, undefined])
  })
})

test.each([
  ['unknown', { client_id: 'nobody' }],
  ['empty', { client_id: '' }],
  ['long', { client_id: 'x'.repeat(5000) }],
])('a client_id that is %s is refused on our own page', async (_what, query) => {
  const seen = await begin(query)
  expect([seen.status, seen.location]).toEqual([400, undefined])
})

test('a blocked application cannot start a sign-in', async () => {
  await connect('imap')
  await service.call('PATCH', `/v3/admin/applications/${client.id}`, { admin: true, body: { blocked: true } })
  expect(await begin()).toMatchObject({ status: 423, location: undefined })
})

describe('an error after the redirect URI was checked', () => {
  test.each([
    ['response_type', { response_type: 'token' }, 'invalid_request'],
    ['an unknown provider', { provider: 'nobody' }, 'invalid_request'],
    ['a provider without connector', { provider: 'google' }, 'invalid_request_error'],
    ['virtual calendars', { provider: 'virtual-calendar' }, 'invalid_request'],
    ['an unknown access_type', { access_type: 'never' }, 'invalid_request'],
    ['an unknown prompt', { prompt: 'guess' }, 'invalid_request'],
    ['an unknown method of PKCE', { code_challenge: 'x', code_challenge_method: 'S512' }, 'invalid_request'],
    ['a plain challenge of one character', { code_challenge: 'x', code_challenge_method: 'plain' }, 'invalid_request'],
    ['one of one character without a method', { code_challenge: 'x' }, 'invalid_request'],
    ['a plain challenge of 42 characters', { code_challenge: 'x'.repeat(42) }, 'invalid_request'],
    ['a plain challenge of 129 characters', { code_challenge: 'x'.repeat(129) }, 'invalid_request'],
    ['a plain challenge with other characters', { code_challenge: `${'x'.repeat(43)}+` }, 'invalid_request'],
    ['a challenge that is no digest', { code_challenge: 'x', code_challenge_method: 'S256' }, 'invalid_request'],
    ['a method without challenge', { code_challenge_method: 's256' }, 'invalid_request'],
    ['a credential that is not there', { provider: 'imap', credential_id: 'none' }, 'invalid_request'],
    ['admin consent', { response_type: 'adminconsent', credential_id: 'c' }, 'not_supported_by_provider'],
  ])('such as %s is reported to the application', async (_what, query, error) => {
    await connect('imap', 'virtual-calendar')
    const seen = await begin({ state: 'keep this', ...query })
    expect(seen.status).toBe(302)
    const result = resultOf(seen.location)
    expect(result).toMatchObject({ error, state: 'keep this', error_description: expect.any(String) })
    expect(Number(result.error_code)).toBeGreaterThanOrEqual(400)
  })

  test('such as a state of more than 256 characters is reported without the state', async () => {
    await connect('imap')
    const result = resultOf((await begin({ state: 'x'.repeat(257) })).location)
    expect(result).toMatchObject({ error: 'invalid_request' })
    expect(result.state).toBeUndefined()
    const retained = resultOf((await begin({ state: 'x'.repeat(256), response_type: 'token' })).location)
    expect(retained.state).toBe('x'.repeat(256))
  })

  test('such as a missing connector is reported to the application', async () => {
    await connect('virtual-calendar')
    expect(resultOf((await begin()).location).error_description).toMatch(/no connector/)
  })
})

describe('the page of providers', () => {
  test('shows the configured providers, never virtual calendars', async () => {
    await connect('virtual-calendar', 'imap', 'google')
    const { status, text } = await firstPage()
    expect(status).toBe(200)
    expect(text).toContain('Another mail account')
    expect(text).toContain('Continue with Google')
    expect(text).not.toMatch(/virtual/i)
    expect(text).toContain('View all providers')
    expect(text).toContain('AOL')
  })

  const labelsIn = (text: string): string[] =>
    Array.from(text.matchAll(/<span>(Continue with \w+|Another mail account)<\/span>/g), ([, label = '']) => label)

  test('lists providers by name and other mail accounts last, in whatever order they were set up', async () => {
    await connect('imap', 'ews', 'icloud', 'microsoft', 'google')
    expect(labelsIn((await firstPage()).text)).toEqual([
      'Continue with Google',
      'Continue with Microsoft',
      'Continue with iCloud',
      'Continue with Exchange',
      'Another mail account',
    ])
  })

  test('has the requested order', async () => {
    await connect('imap', 'google')
    const { text } = await firstPage({ provider: 'imap,google' })
    expect(labelsIn(text)).toEqual(['Another mail account', 'Continue with Google'])
  })

  test('shows logos if their owners allow it on sign-in buttons, and neutral images otherwise', async () => {
    await connect('imap', 'icloud', 'microsoft', 'google')
    const { text } = await firstPage()
    const buttons = Array.from(text.matchAll(/<a class="button ?([^"]*)"[^>]*>(<svg.*?<\/svg>)<span>([^<]*)/g))
    const markOf = (label: string) => buttons.find(([, , , text]) => text === label)
    expect(markOf('Continue with Google')?.[1]).toBe('google')
    for (const color of ['#ea4335', '#fbbc05', '#34a853', '#4285f4']) {
      expect(markOf('Continue with Google')?.[2]).toContain(color)
    }
    for (const color of ['#f25022', '#7fba00', '#00a4ef', '#ffb900']) {
      expect(markOf('Continue with Microsoft')?.[2]).toContain(color)
    }
    for (const label of ['Continue with iCloud', 'Another mail account']) {
      expect(markOf(label)?.[2]).toContain('stroke="currentColor"')
      expect(markOf(label)?.[1]).toBe('')
    }
  })

  test('is skipped with a provider parameter, and with only one connector', async () => {
    await connect('google')
    expect((await begin()).location).toMatch(/^https:\/\/accounts\.google\.com\//)
    await connect('imap')
    expect((await begin({ provider: 'google' })).location).toMatch(/^https:\/\/accounts\.google\.com\//)
    expect((await firstPage({ provider: 'imap' })).text).toContain('What is the address of your account?')
  })

  test('omits connectors without a client', async () => {
    // Those of the sandbox exist from the start.
    const key = service.apiKey
    await service.call('POST', '/v3/applications/redirect-uris', { key, body: { url: redirectUri } })
    await service.call('POST', '/v3/connectors', { key, body: { provider: 'imap' } })
    const id = service.services.administration.installation.sandboxId
    const visitor = visitorOf(service)
    const page = await visitor.get((await visitor.get(authUrl(id))).location ?? '')
    expect(page.text).toContain('What is the address of your account?')
  })

  test.each([
    ['select_provider', ['Continue with Google'], ['E-mail address']],
    ['detect', ['E-mail address'], ['Continue with Google']],
    ['select_provider,detect', ['Continue with Google', 'E-mail address'], []],
    ['detect,select_provider', ['E-mail address', 'Continue with Google'], []],
  ])('follows prompt=%s', async (prompt, shown, hidden) => {
    await connect('imap', 'google')
    const { text } = await firstPage({ prompt })
    const places = shown.map((each) => text.indexOf(each))
    expect(Math.min(...places)).toBeGreaterThan(0)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    for (const each of hidden) expect(text).not.toContain(each)
  })

  test('with prompt=detect follows the hint immediately', async () => {
    await connect('imap', 'google')
    const { location } = await begin({ prompt: 'detect', login_hint: 'ada@acme.test' })
    expect(location).toMatch(/^https:\/\/accounts\.google\.com\//)
    expect(new URL(location ?? '').searchParams.get('login_hint')).toBe('ada@acme.test')
    expect((await firstPage({ prompt: 'detect', login_hint: 'ada@aol.com' })).text).toContain('App password')
    expect((await firstPage({ prompt: 'detect', login_hint: 'ada@nowhere.test' })).text).toContain('E-mail address')
  })

  test("has the application's branding, as text", async () => {
    await connect('imap', 'google')
    await service.call('PATCH', '/v3/applications', {
      key: client.key,
      body: {
        branding: { name: '<b>Acme</b>', icon_url: 'https://cdn.test/icon.png' },
        hosted_authentication: {
          title: '"><svg onload=alert(1)>',
          subtitle: '</style><script>alert(1)</script>',
          color_primary: '#ffdd00',
          background_color: '#123',
          background_image_url: 'https://cdn.test/back.png?a="x)\\',
          alignment: 'right',
          spacing: 10,
          terms_of_service_url: 'https://app.test/terms',
          privacy_policy_url: 'https://app.test/privacy',
        },
      },
    })
    const { text, headers } = await firstPage()
    expect(text).toContain('&lt;b&gt;Acme&lt;/b&gt;')
    expect(text).toContain('&quot;&gt;&lt;svg onload=alert(1)&gt;')
    expect(text).not.toMatch(/<script|<svg on|<b>/)
    expect(text).toContain('--fill:#ffdd00;--on-fill:#000000')
    expect(text).toContain('--ground:#112233')
    expect(text).toContain('--place:flex-end')
    expect(text).toContain('https://app.test/terms')
    expect(text.match(/<\/style>/g)).toHaveLength(1)
    expect(headers.get('content-security-policy')).toContain('img-src https://cdn.test')
  })

  test('loads only images over https', async () => {
    await connect('imap', 'google')
    await service.call('PATCH', '/v3/applications', {
      key: client.key,
      body: { branding: { icon_url: 'http://cdn.test/icon.png' } },
    })
    const { text, headers } = await firstPage()
    expect(text).not.toContain('<img')
    expect(headers.get('content-security-policy')).toContain("img-src 'none'")
  })
})

test('pages run no script, cannot be framed, and are not cached', async () => {
  await connect('imap', 'google')
  for (const seen of [await firstPage(), await firstPage({ provider: 'imap' }), await begin({ client_id: 'x' })]) {
    const policy = seen.headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule)
    }
    expect(policy).not.toMatch(/script-src|unsafe/)
    expect(Object.fromEntries(seen.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
    expect(seen.text).not.toContain('<script')
  }
})

test.each([
  [
    'http://127.0.0.1:3000',
    'waypost-sign-in',
    /^waypost-sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600$/,
  ],
  [
    'https://connect.test/base',
    '__Host-waypost-sign-in',
    /^__Host-waypost-sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure$/,
  ],
])('at %s the cookie is %s', async (baseUrl, _name, form) => {
  await using own = await openService({ env: { WAYPOST_BASE_URL: baseUrl, WAYPOST_EGRESS: 'private' } })
  const application = await newClient(own)
  await own.call('POST', '/v3/connectors', { key: application.key, body: { provider: 'imap' } })
  const seen = await visitorOf(own).get(authUrl(application.id))
  expect(seen.headers.get('set-cookie')).toMatch(form)
  expect(seen.location).toMatch(new RegExp(`^${new URL(baseUrl).pathname.replace(/\/$/, '')}/v3/connect/login/`))
})

test('a sign-in expires after an hour, and cannot be used from another browser', async () => {
  await connect('imap', 'google')
  const visitor = visitorOf(service)
  const page = (await visitor.get(authUrl(client.id))).location ?? ''
  expect((await visitor.get(page)).status).toBe(200)
  expect((await visitorOf(service).get(page)).status).toBe(400)
  clock.advance(3_601_000)
  const seen = await visitor.get(page)
  expect([seen.status, seen.location]).toEqual([400, undefined])
})

test('cancelling is reported to the application, and ends the sign-in', async () => {
  await connect('imap', 'google')
  const visitor = visitorOf(service)
  const page = (await visitor.get(authUrl(client.id, { state: 's' }))).location ?? ''
  const seen = await visitor.get(`${page}?cancel=1`)
  expect(seen.status).toBe(302)
  expect(resultOf(seen.location)).toMatchObject({ error: 'access_denied', error_code: '45002', state: 's' })
  expect((await visitor.get(page)).status).toBe(400)
})
