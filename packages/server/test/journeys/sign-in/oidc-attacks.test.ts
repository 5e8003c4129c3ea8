/** Sign-in with OpenID Connect under attack, or with a faulty provider: nobody gets in. */
import { createHash } from 'node:crypto'
import { type ScriptedOidc, startScriptedOidc } from '@waypost/testing/peers/scripted-oidc'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { generateKeyPair, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openService, type TestService } from '../../harness.ts'
import { type Seen, type Visitor, visitorOf } from './hosted-visitor.ts'

const base = 'https://waypost.example/mail'
const client = { id: 'waypost & co', secret: 'a secret: 100 % +1' }
let provider: ScriptedOidc
let service: TestService
let clock: TestClock

beforeAll(async () => {
  clock = testClock()
  provider = await startScriptedOidc()
  service = await openService({
    overrides: { clock },
    env: {
      WAYPOST_BASE_URL: base,
      WAYPOST_EGRESS: 'private',
      WAYPOST_OIDC_ISSUER: provider.issuer,
      WAYPOST_OIDC_CLIENT_ID: client.id,
      WAYPOST_OIDC_CLIENT_SECRET: client.secret,
      WAYPOST_OIDC_NAME: 'Example SSO',
    },
  })
  for (const [email, role] of [
    ['olga@example.com', 'owner'],
    ['ada@example.com', 'viewer'],
  ]) {
    await service.call('POST', '/v3/admin/people', { admin: true, body: { email, role } })
  }
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})
beforeEach(() => {
  provider.answers.clear()
  provider.userinfo = {}
})

interface Begun {
  visitor: Visitor
  /** The parameters that the provider received. */
  requested: URLSearchParams
}

async function begin(query = ''): Promise<Begun> {
  const visitor = visitorOf(service)
  const { location = '' } = await visitor.get(`/dashboard/oidc/sign-in${query}`)
  return { visitor, requested: new URL(location).searchParams }
}

/** The claims of a valid token for a sign-in. */
const claimsFor = (requested: URLSearchParams, more: JWTPayload = {}): JWTPayload => {
  const now = Math.floor(clock.now() / 1000)
  return {
    iss: provider.issuer,
    aud: client.id,
    sub: 'subject of ada',
    iat: now,
    exp: now + 300,
    nonce: requested.get('nonce') ?? '',
    email: 'ada@example.com',
    email_verified: true,
    ...more,
  }
}

const giveToken = (
  claims: JWTPayload,
  ...by: Parameters<ScriptedOidc['sign']> extends [unknown, ...infer R] ? R : []
) => {
  provider.token = async () => ({
    access_token: 'an access token',
    token_type: 'Bearer',
    id_token: await provider.sign(claims, ...by),
  })
}

const comeBack = ({ visitor, requested }: Begun, more: Record<string, string> = {}): Promise<Seen> =>
  visitor.get(
    `/dashboard/oidc/callback?${new URLSearchParams({ state: requested.get('state') ?? '', code: 'a code', ...more })}`,
  )

/** The address of the person who is signed in; null if nobody is. */
async function whoIs({ cookies }: Visitor): Promise<string | null> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const { body } = await service.call('GET', '/v3/admin/session', { key: null, headers })
  return body.data?.person?.email ?? null
}

async function expectRefused(begun: Begun, seen: Seen, refusal: string): Promise<void> {
  expect(seen).toMatchObject({ status: 303, location: `/mail/dashboard#oidc=${refusal}` })
  expect(seen.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-waypost-oidc=; .*Max-Age=0/)])
  expect(await whoIs(begun.visitor)).toBe(null)
}

describe('a valid sign-in', () => {
  test('uses PKCE, state and nonce, exchanges the code with the secret, and ends at the requested page', async () => {
    const begun = await begin('?to=%2Fa%2Fx%2Fgrants%3Fsearch%3D1')
    const { requested, visitor } = begun
    expect(Object.fromEntries(requested)).toMatchObject({
      realm: 'one',
      response_type: 'code',
      client_id: client.id,
      redirect_uri: `${base}/dashboard/oidc/callback`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    })
    giveToken(claimsFor(requested, { name: 'Ada\nLovelace' }))
    const seen = await comeBack(begun, { iss: provider.issuer })
    expect(seen).toMatchObject({ status: 303, location: '/mail/dashboard/a/x/grants?search=1' })
    const trade = provider.traded.at(-1)
    const challenge = createHash('sha256')
      .update(trade?.form.get('code_verifier') ?? '')
      .digest('base64url')
    expect(challenge).toBe(requested.get('code_challenge'))
    const pair = 'waypost+%26+co:a+secret%3A+100+%25+%2B1'
    expect(trade?.authorization).toBe(`Basic ${Buffer.from(pair).toString('base64')}`)
    expect(await whoIs(visitor)).toBe('ada@example.com')
    for (const line of seen.headers.getSetCookie()) expect(line).toMatch(/^__Host-.*; HttpOnly; .*Secure/)
    expect((await service.call('GET', '/v3/admin/session/ways', { key: null })).body.data.oidc).toEqual({
      name: 'Example SSO',
      url: '/dashboard/oidc/sign-in',
    })
  })

  test('is recognized by the subject from then on, whatever the address', async () => {
    const begun = await begin()
    giveToken(claimsFor(begun.requested, { email: 'somebody@else.example', email_verified: false }))
    expect(await comeBack(begun)).toMatchObject({ location: '/mail/dashboard' })
    expect(await whoIs(begun.visitor)).toBe('ada@example.com')
  })

  test('can get the address from the userinfo endpoint', async () => {
    const begun = await begin()
    provider.userinfo = { sub: 'subject of olga', email: 'olga@example.com', email_verified: true }
    giveToken(claimsFor(begun.requested, { sub: 'subject of olga', email: undefined }))
    expect(await comeBack(begun)).toMatchObject({ location: '/mail/dashboard' })
    expect(await whoIs(begun.visitor)).toBe('olga@example.com')
  })

  test("can be signed with a new key, for which the provider's keys are fetched once", async () => {
    const before = {
      keys: provider.requested.get('/keys') ?? 0,
      found: provider.requested.get('/.well-known/openid-configuration'),
    }
    await provider.rotate()
    // The library fetches keys again for an unknown one when its own are a minute old, by the clock of the machine.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    for (let times = 0; times < 3; times += 1) {
      const begun = await begin()
      giveToken(claimsFor(begun.requested))
      expect(await comeBack(begun)).toMatchObject({ location: '/mail/dashboard' })
    }
    expect(provider.requested.get('/keys')).toBe(before.keys + 1)
    expect(provider.requested.get('/.well-known/openid-configuration')).toBe(before.found)
    clock.advance(3_600_000)
    await begin()
    expect(provider.requested.get('/.well-known/openid-configuration')).toBe((before.found ?? 0) + 1)
  })
})

describe('a callback', () => {
  test('works once: not again for the same browser, and not for one with a stolen cookie', async () => {
    const begun = await begin()
    giveToken(claimsFor(begun.requested))
    const retained = new Map(begun.visitor.cookies)
    expect(await comeBack(begun)).toMatchObject({ location: '/mail/dashboard' })
    begun.visitor.cookies.clear()
    await expectRefused(begun, await comeBack(begun), 'expired')
    for (const [name, value] of retained) begun.visitor.cookies.set(name, value)
    await expectRefused(begun, await comeBack(begun), 'expired')
  })

  test.for([
    ['in a browser that began nothing', {}, true, 'expired'],
    ['with the state of another sign-in', { state: 'another' }, false, 'expired'],
    ['from another issuer', { iss: 'https://evil.example' }, false, 'refused'],
    ['without a code', { code: '' }, false, 'refused'],
    ['because the person cancelled', { error: 'access_denied' }, false, 'cancelled'],
    ['with an error', { error: '<script>' }, false, 'refused'],
  ] as const)('%s is refused', async ([, more, strange, refusal]) => {
    const begun = await begin()
    giveToken(claimsFor(begun.requested))
    if (strange) begun.visitor.cookies.clear()
    await expectRefused(begun, await comeBack(begun, more), refusal)
  })

  test('with two states, or with a foreign cookie, is refused', async () => {
    const begun = await begin()
    giveToken(claimsFor(begun.requested))
    const state = begun.requested.get('state') ?? ''
    const twice = `/dashboard/oidc/callback?state=${state}&state=${state}&code=a`
    await expectRefused(begun, await begun.visitor.get(twice), 'expired')
    const other = await begin()
    giveToken(claimsFor(other.requested))
    other.visitor.cookies.set('__Host-waypost-oidc', 'v1.made.up.AAAA')
    await expectRefused(other, await comeBack(other), 'expired')
  })

  test('after its time is refused', async () => {
    const begun = await begin()
    clock.advance(600_000)
    giveToken(claimsFor(begun.requested))
    await expectRefused(begun, await comeBack(begun), 'expired')
  })
})

describe('a token', () => {
  const stranger = generateKeyPair('ES256')
  test.for([
    ['of another sign-in', { nonce: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['for another client', { aud: 'another' }],
    ['for several clients, made for another', { aud: [client.id, 'another'], azp: 'another' }],
    ['for several clients that says of none that it was made for it', { aud: [client.id, 'another'] }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 86_400 }],
    ['without an end', { exp: undefined }],
    ['that names nobody', { sub: '' }],
    ['that names somebody at too great length', { sub: 'a'.repeat(256) }],
  ] as const)('%s is refused', async ([, more]) => {
    const begun = await begin()
    const claims: JWTPayload = claimsFor(begun.requested, more as JWTPayload)
    giveToken(claims)
    await expectRefused(begun, await comeBack(begun), 'refused')
  })

  test('with a foreign signature, with none, or signed with our own secret is refused', async () => {
    const kidOf = async () => JSON.parse(await (await fetch(`${provider.issuer}/keys`)).text()).keys[0].kid
    const forged = await begin()
    giveToken(claimsFor(forged.requested), { key: (await stranger).privateKey, alg: 'ES256', kid: await kidOf() })
    await expectRefused(forged, await comeBack(forged), 'refused')
    const symmetric = await begin()
    giveToken(claimsFor(symmetric.requested), {
      key: new TextEncoder().encode(client.secret.padEnd(32, '.')),
      alg: 'HS256',
    })
    await expectRefused(symmetric, await comeBack(symmetric), 'refused')
    const bare = await begin()
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const none = `${part({ alg: 'none' })}.${part(claimsFor(bare.requested))}.`
    provider.token = async () => ({ access_token: 'an access token', token_type: 'Bearer', id_token: none })
    await expectRefused(bare, await comeBack(bare), 'refused')
  })

  test('that contradicts the userinfo endpoint is refused', async () => {
    const begun = await begin()
    provider.userinfo = { sub: 'subject of olga', email: 'ada@example.com', email_verified: true }
    giveToken(claimsFor(begun.requested, { sub: 'another subject', email: undefined }))
    await expectRefused(begun, await comeBack(begun), 'refused')
  })
})

describe('a person', () => {
  test.for([
    ['whose address nobody verified', { sub: 'new 1', email: 'olga@example.com', email_verified: false }, 'unverified'],
    ['whose address may or may not be verified', { sub: 'new 2', email_verified: undefined }, 'unverified'],
    ['whom nobody invited', { sub: 'new 3', email: 'mallory@example.com' }, 'unknown'],
    ['with the address of one who has signed in as somebody else', { sub: 'new 4' }, 'unknown'],
  ] as const)('%s cannot sign in', async ([, more, refusal]) => {
    const begun = await begin()
    giveToken(claimsFor(begun.requested, more as JWTPayload))
    await expectRefused(begun, await comeBack(begun), refusal)
  })

  test('who is blocked cannot sign in, and the attempt is audited', async () => {
    const { body } = await service.call('GET', '/v3/admin/people', { admin: true })
    const ada = body.data.find(({ email }: { email: string }) => email === 'ada@example.com')
    await service.call('PATCH', `/v3/admin/people/${ada.id}`, { admin: true, body: { blocked: true } })
    const begun = await begin()
    giveToken(claimsFor(begun.requested))
    await expectRefused(begun, await comeBack(begun), 'unknown')
    await service.call('PATCH', `/v3/admin/people/${ada.id}`, { admin: true, body: { blocked: false } })
    clock.advance(60_000)
    const again = await begin()
    giveToken(claimsFor(again.requested, { nonce: 'another' }))
    await comeBack(again)
    const audit = await service.call('GET', '/v3/admin/audit?limit=1', { admin: true })
    expect(audit.body.data[0]).toMatchObject({ action: 'session.create', status: 401, actor: 'session' })
  })
})

describe('a provider', () => {
  test.for([
    ['that is down', '/token', { status: 503, body: '' }, 'unreachable'],
    ['that refuses the code', '/token', { status: 400, body: '{"error":"invalid_grant"}' }, 'refused'],
    ['that answers with a page', '/token', { status: 200, body: '<html>' }, 'unreachable'],
    [
      'that gives no ID token',
      '/token',
      { status: 200, body: '{"access_token":"a","token_type":"Bearer"}' },
      'refused',
    ],
    [
      'that answers without end',
      '/token',
      { status: 200, body: `{"id_token":"${'a'.repeat(300_000)}"}` },
      'unreachable',
    ],
    ['that says nothing of anybody', '/userinfo', { status: 200, body: '[]' }, 'refused'],
  ] as const)('%s lets nobody in', async ([, path, answer, refusal]) => {
    const begun = await begin()
    provider.answers.set(path, answer)
    if (path === '/userinfo') giveToken(claimsFor(begun.requested, { email: undefined }))
    await expectRefused(begun, await comeBack(begun), refusal)
  })

  test('with a wrong issuer, or that cannot be reached, is not used; it is checked again after a moment', async () => {
    clock.advance(3_600_000)
    const found = await fetch(`${provider.issuer}/.well-known/openid-configuration`)
    const body = (await found.text()).replace('"issuer":"http', '"issuer":"https')
    provider.answers.set('/.well-known/openid-configuration', { status: 200, body })
    const visitor = visitorOf(service)
    const away = await visitor.get('/dashboard/oidc/sign-in')
    expect(away).toMatchObject({ status: 303, location: '/mail/dashboard#oidc=unreachable' })
    const requested = provider.requested.get('/.well-known/openid-configuration')
    await visitor.get('/dashboard/oidc/sign-in')
    expect(provider.requested.get('/.well-known/openid-configuration')).toBe(requested)
    provider.answers.clear()
    clock.advance(10_000)
    expect((await visitor.get('/dashboard/oidc/sign-in')).location).toContain('/authorize?')
  })
})

test.for(['//evil.example', 'https://evil.example', '/\\evil.example', '/a#b', '/a\r\nx: y', 'javascript:alert(1)'])(
  'the target page must be in the dashboard: not %j',
  async (to) => {
    const begun = await begin(`?to=${encodeURIComponent(to)}`)
    giveToken(claimsFor(begun.requested))
    const { location = '' } = await comeBack(begun)
    expect(new URL(location, base).origin).toBe(new URL(base).origin)
    expect(location).toMatch(/^\/mail\/dashboard(\/\/evil\.example)?$/)
  },
)

test('no credentials are logged', () => {
  const logs = service.logs()
  expect(logs).toContain('sign-in refused')
  for (const text of ['a code', 'an access token', client.secret]) expect(logs).not.toContain(text)
})
