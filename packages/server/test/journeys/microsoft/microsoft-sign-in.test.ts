/** Microsoft accounts: hosted sign-in, tokens from applications, administrators' consent, and readable errors. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { providers } from '@waypost/providers/registry'
import { makeSigningCertificate } from '@waypost/testing/peers/certificates'
import { freePort } from '@waypost/testing/peers/daemon'
import { Nylas } from '@waypost/testing/peers/nylas'
import { CredentialType } from 'nylas'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { doJobs } from '../../../src/node.ts'
import type { Answer, TestService } from '../../harness.ts'
import {
  createMicrosoftGrant,
  everyScope,
  identity,
  type MicrosoftPeer,
  openMicrosoft,
  openMicrosoftService,
} from '../../peers/microsoft.ts'
import { trade } from '../sign-in/hosted-google.ts'
import { authUrl, newClient, redirectUri, resultOf, type Visitor, visitorOf } from '../sign-in/hosted-visitor.ts'

let peer: MicrosoftPeer
let service: TestService
let client: { id: string; key: string }
let number = 0

/** The adapter with one operation, with which tests check whether an account can be used. */
const adapter = {
  ...providers.microsoft,
  folders: {
    async list(session: { execute(method: string, path: string): Promise<void>; mailbox: string }) {
      await session.execute('GET', session.mailbox)
      return { items: [] }
    },
  },
}

beforeAll(async () => {
  peer = await openMicrosoft()
  service = await openMicrosoftService(peer.simulator, {
    env: { WAYPOST_PORT: String(await freePort()) },
    overrides: { providers: { ...providers, microsoft: adapter } },
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  client = await newClient(service)
})

const newAccount = (more: { isAdministrator?: boolean; kind?: 'work' | 'personal'; domain?: string } = {}) => {
  const { domain = 'contoso.example', ...seed } = more
  return peer.simulator.addAccount({ email: `user${++number}@${domain}`, name: `User ${number}`, ...seed })
}
const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.call(method, path, { key: client.key, ...(body === undefined ? {} : { body }) })

async function connect({
  scope = ['Mail.Read'],
  ...settings
}: {
  scope?: string[]
  tenant?: string
} = {}): Promise<void> {
  const { id: client_id, secret: client_secret } = peer.simulator.client
  const made = await call('POST', '/v3/connectors', {
    provider: 'microsoft',
    settings: { client_id, client_secret, ...settings },
    scope,
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
}

/** Opens the sign-in page and returns its address. */
async function leave(visitor: Visitor, query: Record<string, string> = {}): Promise<URL> {
  const left = await visitor.get(authUrl(client.id, { provider: 'microsoft', ...query }))
  expect(left.status).toBe(302)
  return new URL(left.location ?? '')
}

/** A whole sign-in, up to the application's redirect URI. */
async function signIn(
  email: string,
  { query, deny, refuse }: { query?: Record<string, string>; deny?: boolean; refuse?: string[] } = {},
): Promise<Record<string, string>> {
  const visitor = visitorOf(service)
  const page = await leave(visitor, query)
  const answer = { email, ...(deny ? { deny } : {}), ...(refuse ? { refuse } : {}) }
  const back = await peer.simulator.consent(page.href, answer)
  return resultOf((await visitor.get(back.href)).location)
}

const connected = async (email: string): Promise<string> => {
  const { code = '' } = await signIn(email)
  const traded = await trade(service, client, code)
  expect(traded.status).toBe(200)
  return traded.body.grant_id
}

describe('a hosted sign-in', () => {
  test('leads to the page of the tenant and back, and the grant is used and refreshed', async () => {
    await connect({ scope: ['https://graph.microsoft.com/Mail.Read', 'calendars.readwrite'] })
    const account = newAccount()
    const visitor = visitorOf(service)
    const page = await leave(visitor, { login_hint: account.email, state: 'a b&c' })
    expect(page.origin + page.pathname).toBe(`${peer.simulator.url}/common/oauth2/v2.0/authorize`)
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      login_hint: account.email,
      scope: [...identity, 'Mail.Read', 'Calendars.ReadWrite'].join(' '),
      response_mode: 'query',
    })
    const back = await peer.simulator.consent(page.href, { email: account.email })
    const { code = '', state } = resultOf((await visitor.get(back.href)).location)
    expect(state).toBe('a b&c')
    const traded = await trade(service, client, code)
    expect(traded.body).toMatchObject({ email: account.email, provider: 'microsoft' })
    const grant = (await call('GET', `/v3/grants/${traded.body.grant_id}`)).body.data
    expect(grant).toMatchObject({
      email: account.email,
      name: account.name,
      provider_user_id: account.id,
      grant_status: 'valid',
      provider: 'microsoft',
    })
    expect(new Set(grant.scope)).toEqual(new Set([...identity, 'Mail.Read', 'Calendars.ReadWrite']))
    expect((await call('GET', `/v3/grants/${grant.id}/folders`)).status).toBe(200)
    peer.simulator.expireAccessTokens()
    expect((await call('GET', `/v3/grants/${grant.id}/folders`)).status).toBe(200)
  })

  test('without a hint lets the user choose, and with a personal address goes to personal accounts', async () => {
    await connect()
    const requested = async (query?: Record<string, string>) =>
      Object.fromEntries((await leave(visitorOf(service), query)).searchParams)
    expect(await requested()).toMatchObject({ prompt: 'select_account' })
    const personal = await requested({ login_hint: 'somebody@outlook.com' })
    expect(personal).toMatchObject({ domain_hint: 'consumers' })
    expect(personal).not.toHaveProperty('prompt')
    expect(await requested({ login_hint: 'somebody@contoso.example' })).not.toHaveProperty('domain_hint')
  })

  test('accepts personal accounts, or only those of the tenant if one is set', async () => {
    await connect()
    const personal = newAccount({ kind: 'personal', domain: 'outlook.example' })
    const id = await connected(personal.email)
    expect((await call('GET', `/v3/grants/${id}`)).body.data).toMatchObject({
      email: personal.email,
      provider_user_id: personal.id,
    })
    client = await newClient(service)
    const own = newAccount({ domain: 'fabrikam.example' })
    await connect({ tenant: 'fabrikam.example' })
    const page = await leave(visitorOf(service))
    expect(page.pathname).toBe('/fabrikam.example/oauth2/v2.0/authorize')
    await expect(peer.simulator.consent(page.href, { email: newAccount().email })).rejects.toThrow()
    expect(await connected(own.email)).toEqual(expect.any(String))
  })

  test('again keeps the grant, also after it was invalid, and refuses another account', async () => {
    await connect()
    const account = newAccount()
    const id = await connected(account.email)
    account.refuseSignIn('passwordChanged')
    peer.simulator.expireAccessTokens()
    const lost = await call('GET', `/v3/grants/${id}/folders`)
    expect(lost.status).toBe(401)
    expect(lost.body.error).toMatchObject({
      type: 'grant.invalid_authentication',
      message: expect.stringContaining('AADSTS50173'),
      provider_error: { error: 'invalid_grant', error_codes: [50173] },
    })
    expect((await call('GET', `/v3/grants/${id}`)).body.data.grant_status).toBe('invalid')
    const other = await signIn(newAccount().email, { query: { login_hint: account.email } })
    expect(other).toMatchObject({ error: 'grant.reauth_email_invalid' })
    expect(await connected(account.email)).toBe(id)
    expect((await call('GET', `/v3/grants/${id}/folders`)).status).toBe(200)
    // A browser at custom authentication is redirected to the same page.
    const visitor = visitorOf(service)
    const query = new URLSearchParams({
      client_id: client.id,
      redirect_uri: 'https://app.test/cb',
      provider: 'microsoft',
    })
    const led = await visitor.get(`/v3/connect/custom?${query}`)
    expect(led.location).toContain('/v3/connect/auth?')
    expect((await visitor.get(led.location ?? '')).location).toContain('/oauth2/v2.0/authorize')
  })

  test('that a user declines, or an organization does not allow, gets a readable error', async () => {
    await connect()
    expect(await signIn(newAccount().email, { deny: true })).toMatchObject({
      error: 'access_denied',
      error_code: '45002',
      error_description: expect.stringContaining('did not give consent'),
    })
    const closed = newAccount({ domain: 'closed.example' })
    peer.simulator.setUsersMayConsent('closed.example', false)
    const refused = await signIn(closed.email)
    expect(refused.error_description).toMatch(/only after an administrator approved it.*AADSTS9009[45]/)
    expect(refused.error_description).not.toMatch(/Trace ID|Correlation/)
  })

  test('with missing scopes names them', async () => {
    await connect({ scope: ['Mail.Read', 'Contacts.Read'] })
    const result = await signIn(newAccount().email, { refuse: ['Contacts.Read'] })
    expect(result).toMatchObject({ error: 'grant.scopes_conflict', error_code: '25016' })
    expect(result.error_description).toContain('Contacts.Read')
    expect(result.error_description).not.toContain('Mail.Read')
  })

  test('with a wrong secret is an error of the connector', async () => {
    await connect()
    await call('PATCH', '/v3/connectors/microsoft', {
      settings: { client_id: peer.simulator.client.id, client_secret: 'wrong' },
    })
    const result = await signIn(newAccount().email)
    expect(result).toMatchObject({ error: 'oauth_failed', error_description: expect.stringContaining('AADSTS7000215') })
    expect(result.error_description).toContain('client_secret')
  })
})

describe('a grant', () => {
  test.each([
    ['mfaRequired', /second factor/],
    ['disabled', /disabled/],
    ['passwordExpired', /password.*has expired/],
    ['expired', /connection has expired/],
    ['blockedByPolicy', /policy of the organization/],
    ['consentRequired', /consent is missing/],
  ] as const)('whose user is refused (%s) becomes invalid with the reason', async (problem, words) => {
    await connect()
    const account = newAccount()
    const id = await connected(account.email)
    account.refuseSignIn(problem)
    peer.simulator.expireAccessTokens()
    const lost = await call('GET', `/v3/grants/${id}/folders`)
    expect([lost.status, lost.body.error.type]).toEqual([401, 'grant.invalid_authentication'])
    expect(lost.body.error.message).toMatch(words)
    expect(JSON.stringify(lost.body)).not.toContain(peer.simulator.client.secret)
  })

  test('survives a temporarily wrong secret of the connector', async () => {
    await connect()
    const id = await connected(newAccount().email)
    const { id: client_id, secret } = peer.simulator.client
    const settings = (client_secret: string) => ({ settings: { client_id, client_secret } })
    await call('PATCH', '/v3/connectors/microsoft', settings('wrong'))
    peer.simulator.expireAccessTokens()
    const refused = await call('GET', `/v3/grants/${id}/folders`)
    expect(refused.body.error.message).toContain('client_secret')
    expect((await call('GET', `/v3/grants/${id}`)).body.data.grant_status).toBe('valid')
    await call('PATCH', '/v3/connectors/microsoft', settings(secret))
    expect((await call('GET', `/v3/grants/${id}/folders`)).status).toBe(200)
  })

  test('without a scope gets its name before a request to Microsoft', async () => {
    const grant = await createMicrosoftGrant(service, peer.simulator, {
      email: newAccount().email,
      key: client.key,
      scopes: [...identity, 'https://graph.microsoft.com/Contacts.Read'],
    })
    expect(grant.scope).toContain('Contacts.Read')
    peer.simulator.clearCalls()
    const refused = await call('GET', `/v3/grants/${grant.id}/folders`)
    expect([refused.status, refused.body.error.type]).toEqual([403, 'insufficient_scopes'])
    expect(refused.body.error.message).toContain('Mail.Read')
    expect(peer.simulator.calls).toEqual([])
  })

  test('that is deleted is not revoked at Microsoft', async () => {
    const account = newAccount()
    const grant = await createMicrosoftGrant(service, peer.simulator, { email: account.email, key: client.key })
    peer.simulator.clearCalls()
    expect((await call('DELETE', `/v3/grants/${grant.id}`)).status).toBe(200)
    await doJobs(service.services)
    expect(peer.simulator.calls).toEqual([])
  })
})

describe('custom authentication', () => {
  const custom = (settings: Record<string, unknown>) =>
    call('POST', '/v3/connect/custom', { provider: 'microsoft', settings })

  test('accepts refresh tokens, one for each account, and keeps the same grant', async () => {
    await connect()
    const accounts = [newAccount(), newAccount(), newAccount({ kind: 'personal', domain: 'outlook.example' })]
    const made = await Promise.all(
      accounts.map(({ email }) => custom({ refresh_token: peer.simulator.grantToken(email, everyScope).refreshToken })),
    )
    expect(made.map(({ status, body }) => [status, body.data.email])).toEqual(accounts.map(({ email }) => [201, email]))
    const [first] = accounts
    const again = await custom({
      refresh_token: peer.simulator.grantToken(first?.email ?? '', everyScope).refreshToken,
    })
    expect(again.body.data.id).toBe(made[0]?.body.data.id)
    expect((await call('GET', `/v3/grants/${again.body.data.id}/folders`)).status).toBe(200)
  })

  test('refuses an invalid token with a readable error that does not repeat it', async () => {
    await connect()
    const refused = await custom({ refresh_token: 'CANARY-nonsense' })
    expect([refused.status, refused.body.error.type]).toEqual([401, 'grant.refresh_token_invalid'])
    expect(refused.body.error.message).toMatch(/AADSTS\d+/)
    expect(JSON.stringify(refused.body)).not.toContain('CANARY')
  })

  test('requires a token, or an address with a credential', async () => {
    await connect()
    for (const settings of [{}, { refresh_token: 'x', email_address: 'a@contoso.example' }]) {
      const refused = await custom(settings)
      expect([refused.status, Object.keys(refused.body.error.validation_errors)]).toEqual([
        400,
        ['settings.refresh_token'],
      ])
    }
    const refused = await custom({ email_address: 'a@contoso.example' })
    expect(refused.body.error.validation_errors).toHaveProperty(['settings.credential_id'])
  })
})

describe("an administrator's consent", () => {
  const credential = async (data: Record<string, unknown>): Promise<Answer> =>
    call('POST', '/v3/connectors/microsoft/creds', {
      name: `credential ${++number}`,
      credential_type: 'adminconsent',
      credential_data: data,
    })
  const made = async (data: Record<string, unknown>): Promise<string> => (await credential(data)).body.data.id
  const use = (email_address: string, credential_id: string, more: object = {}) =>
    call('POST', '/v3/connect/custom', { provider: 'microsoft', settings: { email_address, credential_id }, ...more })

  test('gives the application access to the mailboxes of the organization', async () => {
    await connect()
    const admin = newAccount({ domain: 'north.example', isAdministrator: true })
    const user = newAccount({ domain: 'north.example' })
    const id = await made({ tenant: admin.tenant.id })
    const before = await use(user.email, id)
    expect([before.status, before.body.error.type]).toEqual([400, 'grant.invalid_authentication'])
    expect(before.body.error.message).toContain('AADSTS700016')

    const visitor = visitorOf(service)
    const page = await leave(visitor, { response_type: 'adminconsent', credential_id: id, state: 'kept' })
    expect(page.pathname).toBe(`/${admin.tenant.id}/v2.0/adminconsent`)
    const back = await peer.simulator.consent(page.href, { email: admin.email })
    const result = resultOf((await visitor.get(back.href)).location)
    expect(result).toEqual({ admin_consent: 'true', tenant: admin.tenant.id, state: 'kept' })
    expect((await call('GET', '/v3/grants')).body.data).toEqual([])

    const grant = await use(user.email, id)
    expect(grant.status).toBe(201)
    expect(grant.body.data).toMatchObject({
      email: user.email,
      provider_user_id: user.id,
      credential_id: id,
      grant_status: 'valid',
      settings: { email_address: user.email },
    })
    expect(grant.body.data.scope).toContain('Mail.ReadWrite')
    peer.simulator.clearCalls()
    expect((await call('GET', `/v3/grants/${grant.body.data.id}/folders`)).status).toBe(200)
    peer.simulator.expireAccessTokens()
    expect((await call('GET', `/v3/grants/${grant.body.data.id}/folders`)).status).toBe(200)
    expect(decodeURIComponent(peer.simulator.calls[0]?.path ?? '')).toBe(`/v1.0/users/${user.email}`)

    const nobody = await use('nobody@north.example', id)
    expect(nobody.body.error.message).toContain('has no user nobody@north.example')
    // Users sign in with the same credential as well.
    const { code = '' } = await signIn(newAccount({ domain: 'north.example' }).email, { query: { credential_id: id } })
    const own = await trade(service, client, code)
    peer.simulator.expireAccessTokens()
    expect((await call('GET', `/v3/grants/${own.body.grant_id}/folders`)).status).toBe(200)
  })

  test('that is declined, or given without permission, gets a readable error', async () => {
    await connect()
    const admin = newAccount({ domain: 'south.example', isAdministrator: true })
    const user = newAccount({ domain: 'south.example' })
    const id = await made({ tenant: 'south.example' })
    const end = async (answer: { email: string; deny?: boolean }) => {
      const visitor = visitorOf(service)
      const page = await leave(visitor, { response_type: 'adminconsent', credential_id: id })
      const back = await peer.simulator.consent(page.href, answer)
      return resultOf((await visitor.get(back.href)).location)
    }
    expect((await end({ email: admin.email, deny: true })).error_description).toContain('did not give consent')
    expect((await end({ email: user.email })).error_description).toContain('administrator approved it')
  })

  test('requires a credential of its type, and works once', async () => {
    await connect()
    const begin = async (query: Record<string, string>) => {
      const all = { provider: 'microsoft', response_type: 'adminconsent', ...query }
      return visitorOf(service).get(authUrl(client.id, all))
    }
    expect(resultOf((await begin({})).location)).toMatchObject({ error: 'invalid_request' })
    const { body } = await call('POST', '/v3/connectors/microsoft/creds', {
      name: 'other',
      credential_type: 'connector',
      credential_data: { client_id: 'c', client_secret: 's' },
    })
    expect(resultOf((await begin({ credential_id: body.data.id })).location).error_description).toContain(
      'adminconsent',
    )

    const admin = newAccount({ domain: 'west.example', isAdministrator: true })
    const id = await made({ tenant: 'west.example' })
    const visitor = visitorOf(service)
    const page = await leave(visitor, { response_type: 'adminconsent', credential_id: id })
    const back = await peer.simulator.consent(page.href, { email: admin.email })
    // A callback without consent, or in another browser, gives none.
    expect((await visitorOf(service).get(back.href)).status).toBe(400)
    await visitor.get(back.href)
    expect((await visitor.get(back.href)).status).toBe(400)
    const forged = visitorOf(service)
    const state = (await leave(forged, { response_type: 'adminconsent', credential_id: id })).searchParams.get('state')
    const result = resultOf((await forged.get(`/v3/connect/callback?state=${state}&admin_consent=False`)).location)
    expect(result).toMatchObject({ error: 'oauth_failed' })
  })

  test('works with a certificate in place of a secret', async () => {
    await connect()
    const admin = newAccount({ domain: 'east.example', isAdministrator: true })
    const { certificate, privateKey } = await makeSigningCertificate()
    peer.simulator.addClient({ id: 'certified', secret: 'unused', certificates: [certificate], roles: ['Mail.Read'] })
    peer.simulator.consentForTenant('east.example', { clientId: 'certified' })
    const data = { tenant: 'east.example', client_id: 'certified', certificate, private_key: privateKey }
    const grant = await use(admin.email, await made(data), { scope: ['Mail.Read'] })
    expect([grant.status, grant.body.data?.scope]).toEqual([201, ['Mail.Read']])
    const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const key = foreign.export({ type: 'pkcs8', format: 'pem' }).toString()
    const refused = await use(admin.email, await made({ ...data, private_key: key }))
    expect(refused.body.error.message).toMatch(/certificate.*AADSTS700027/)
    const half = await credential({ tenant: 'east.example', certificate })
    expect(half.body.error.validation_errors).toHaveProperty(['credential_data.private_key'])
    const none = await use(admin.email, await made({ ...data, certificate: createHash('sha256').digest('hex') }))
    expect(none.body.error.validation_errors).toHaveProperty('credential_id')
  })

  test('requires one organization', async () => {
    await connect()
    const refused = await credential({})
    expect(refused.status).toBe(400)
    expect(refused.body.error.validation_errors).toHaveProperty(['credential_data.tenant'])
    expect((await credential({ tenant: 'common' })).status).toBe(400)
    const id = await made({ tenant: 'contoso.example' })
    const path = `/v3/connectors/microsoft/creds/${id}`
    expect((await call('PATCH', path, { credential_data: { tenant: 'organizations' } })).status).toBe(400)
    expect((await call('PATCH', path, { name: `renamed ${id}` })).status).toBe(200)
  })
})

test("the published nylas client signs users in, brings its own tokens, and requests administrators' consent", async () => {
  await connect()
  const apiUri = await service.listen()
  const nylas = new Nylas({ apiKey: client.key, apiUri, timeout: 60 })
  const clientId = client.id
  const admin = newAccount({ domain: 'nylas.example', isAdministrator: true })
  const user = newAccount({ domain: 'nylas.example' })
  const follow = async (url: string, email: string): Promise<Record<string, string>> => {
    const visitor = visitorOf(service)
    const page = (await visitor.get(url)).location ?? ''
    const back = await peer.simulator.consent(page, { email })
    return resultOf((await visitor.get(back.href)).location)
  }
  const url = nylas.auth.urlForOAuth2({ clientId, redirectUri, provider: 'microsoft', loginHint: user.email })
  const { code = '' } = await follow(url, user.email)
  const { grantId, email } = await nylas.auth.exchangeCodeForToken({ clientId, redirectUri, code })
  expect(email).toBe(user.email)
  expect((await nylas.grants.find({ grantId })).data).toMatchObject({ provider: 'microsoft', grantStatus: 'valid' })
  const { refreshToken } = peer.simulator.grantToken(user.email, everyScope)
  const custom = { provider: 'microsoft' as const, settings: { refreshToken } }
  expect((await nylas.auth.customAuthentication({ requestBody: custom })).data.id).toBe(grantId)

  const made = await nylas.connectors.credentials.create({
    provider: 'microsoft',
    requestBody: {
      name: 'organization',
      credentialType: CredentialType.ADMINCONSENT,
      credentialData: {
        tenant: admin.tenant.id,
        clientId: peer.simulator.client.id,
        clientSecret: peer.simulator.client.secret,
      },
    },
  })
  const credentialId = made.data.id
  const requested = nylas.auth.urlForAdminConsent({ clientId, redirectUri, credentialId, state: 'kept' })
  expect(await follow(requested, admin.email)).toEqual({
    admin_consent: 'true',
    tenant: admin.tenant.id,
    state: 'kept',
  })
  const bulk = { provider: 'microsoft' as const, settings: { emailAddress: admin.email, credentialId } }
  expect((await nylas.auth.customAuthentication({ requestBody: bulk })).data).toMatchObject({ email: admin.email })
})

describe('the check of a connector', () => {
  const check = async (): Promise<Record<string, { ok: boolean; message: string }>> => {
    const { body } = await call('POST', '/v3/connectors/microsoft/test')
    return Object.fromEntries(body.data.checks.map((each: { name: string }) => [each.name, each]))
  }
  const change = (settings: Record<string, string>, scope = ['Mail.Read']) => {
    const { id: client_id, secret: client_secret } = peer.simulator.client
    return call('PATCH', '/v3/connectors/microsoft', { settings: { client_id, client_secret, ...settings }, scope })
  }

  test('reports what is wrong with the client, the tenant and the scopes', async () => {
    await connect()
    const good = await check()
    expect(Object.values(good).map(({ ok }) => ok)).toEqual([true, true, true, true])
    expect(good.tenant?.message).toContain('Personal accounts and those of all organizations')
    await change({ client_secret: 'wrong' })
    expect((await check()).client).toMatchObject({ ok: false, message: expect.stringContaining('client_secret') })
    await change({ client_id: 'd0000000-0000-4000-8000-000000000000' })
    expect((await check()).client).toMatchObject({ ok: false, message: expect.stringContaining('client_id') })
    await change({ tenant: 'contoso..example' })
    expect((await check()).tenant?.ok).toBe(false)
    await change({}, ['Mail.ReadEverything', 'https://graph.microsoft.com/Files.Read', 'mail.send'])
    const { scopes } = await check()
    expect(scopes).toMatchObject({ ok: false, message: expect.stringContaining('Mail.ReadEverything') })
    expect(scopes?.message).not.toMatch(/Files|send/i)
  })

  test('tests the client itself for a single organization', async () => {
    newAccount({ domain: 'checked.example' })
    await connect({ tenant: 'checked.example' })
    peer.simulator.consentForTenant('checked.example')
    expect((await check()).client?.ok).toBe(true)
    await change({ tenant: 'checked.example', client_secret: 'wrong' })
    expect((await check()).client).toMatchObject({ ok: false, message: expect.stringContaining('AADSTS7000215') })
    await change({ tenant: 'nobody.example' })
    expect((await check()).client).toMatchObject({ ok: false, message: expect.stringContaining('does not exist') })
  })
})
