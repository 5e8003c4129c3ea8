import { createHash, generateKeyPairSync } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify, SignJWT } from 'jose'
import { afterEach, expect, test } from 'vitest'
import { type MicrosoftOptions, type MicrosoftSimulator, startMicrosoft } from '../src/index.ts'

const REDIRECT = 'http://localhost:9999/callback'
const SCOPE = 'openid profile email offline_access https://graph.microsoft.com/mail.read User.Read'

const running: MicrosoftSimulator[] = []
afterEach(async () => {
  for (const microsoft of running.splice(0)) await microsoft[Symbol.asyncDispose]()
})

async function start(options: MicrosoftOptions = {}): Promise<MicrosoftSimulator> {
  const microsoft = await startMicrosoft(options)
  running.push(microsoft)
  microsoft.addAccount({ email: 'ada@contoso.example', name: 'Ada Lovelace' })
  microsoft.addAccount({ email: 'boss@contoso.example', name: 'Boss', isAdministrator: true })
  microsoft.addAccount({ email: 'fred@fabrikam.example' })
  microsoft.addAccount({ email: 'ada@outlook.example', kind: 'personal' })
  return microsoft
}

function authorizeUrl({ url, client }: MicrosoftSimulator, fields: Record<string, string> = {}, tenant = 'common') {
  const all = {
    client_id: client.id,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: SCOPE,
    state: 's',
    ...fields,
  }
  return `${url}/${tenant}/oauth2/v2.0/authorize?${new URLSearchParams(all)}`
}

async function postToken(microsoft: MicrosoftSimulator, fields: Record<string, string>, tenant = 'common') {
  const { id, secret } = microsoft.client
  const body = new URLSearchParams({ client_id: id, client_secret: secret, redirect_uri: REDIRECT, ...fields })
  const response = await fetch(`${microsoft.url}/${tenant}/oauth2/v2.0/token`, { method: 'POST', body })
  return {
    status: response.status,
    json: (await response.json()) as Record<string, string> & { error_codes: number[] },
  }
}

/** The error number of a failed refresh. */
async function refreshError(microsoft: MicrosoftSimulator, token: string, more: Record<string, string> = {}) {
  const { status, json } = await postToken(microsoft, { grant_type: 'refresh_token', refresh_token: token, ...more })
  return status === 200 ? 'none' : `${status} ${json.error} ${json.error_codes[0]} ${json.suberror ?? ''}`.trim()
}

async function signIn(
  microsoft: MicrosoftSimulator,
  email = 'ada@contoso.example',
  fields: Record<string, string> = {},
) {
  const target = await microsoft.consent(authorizeUrl(microsoft, fields), { email })
  const code = target.searchParams.get('code') ?? ''
  const { json } = await postToken(microsoft, { grant_type: 'authorization_code', code })
  return { target, code, tokens: json }
}

test('the page offers the accounts that the authority and the hints allow, and lists the requested scopes', async () => {
  const microsoft = await start()
  const offered = async (fields: Record<string, string>, tenant?: string) => {
    const page = await (await fetch(authorizeUrl(microsoft, fields, tenant))).text()
    return [...page.matchAll(/name="account" value="([^"]+)"/g)].map(([, email]) => email)
  }
  expect(await offered({})).toHaveLength(4)
  expect(await offered({}, 'organizations')).not.toContain('ada@outlook.example')
  expect(await offered({}, 'consumers')).toEqual(['ada@outlook.example'])
  expect(await offered({}, 'fabrikam.example')).toEqual(['fred@fabrikam.example'])
  expect(await offered({}, microsoft.account('fred@fabrikam.example').tenant.id)).toEqual(['fred@fabrikam.example'])
  expect(await offered({ domain_hint: 'contoso.example' })).toEqual(['ada@contoso.example', 'boss@contoso.example'])
  const page = await (await fetch(authorizeUrl(microsoft, { login_hint: 'fred@fabrikam.example' }))).text()
  expect(page).toContain('value="fred@fabrikam.example" checked')
  expect(page).toContain('Read your mail')
  const lost = await fetch(authorizeUrl(microsoft, {}, 'nowhere.example'))
  expect(await lost.text()).toContain('AADSTS90002')
})

test('a code is exchanged for tokens and an ID token that is signed with the published key', async () => {
  const microsoft = await start()
  const { target, code, tokens } = await signIn(microsoft, 'ada@contoso.example', { nonce: 'n-1' })
  expect(target.origin + target.pathname).toBe(REDIRECT)
  expect(target.searchParams.get('state')).toBe('s')
  expect(tokens).toMatchObject({
    token_type: 'Bearer',
    expires_in: 3599,
    scope: 'openid profile email https://graph.microsoft.com/Mail.Read https://graph.microsoft.com/User.Read',
  })
  const { oid, tenant } = microsoft.account('ada@contoso.example')
  const keys = createRemoteJWKSet(new URL(`${microsoft.url}/common/discovery/v2.0/keys`))
  const issuer = `https://login.microsoftonline.com/${tenant.id}/v2.0`
  const { payload } = await jwtVerify(tokens.id_token ?? '', keys, { issuer, audience: microsoft.client.id })
  expect(payload).toMatchObject({ oid, tid: tenant.id, preferred_username: 'ada@contoso.example', nonce: 'n-1' })
  const bearer = { headers: { authorization: `Bearer ${tokens.access_token}` } }
  expect(await (await fetch(`${microsoft.url}/v1.0/me`, bearer)).json()).toMatchObject({ id: oid })
  const info = await (await fetch(`${microsoft.url}/oidc/userinfo`, bearer)).json()
  expect(info).toMatchObject({ sub: payload.sub, email: 'ada@contoso.example' })
  const again = await postToken(microsoft, { grant_type: 'authorization_code', code })
  expect([again.status, again.json.error, again.json.error_codes]).toEqual([400, 'invalid_grant', [54005]])
  const found = await (await fetch(`${microsoft.url}/contoso.example/v2.0/.well-known/openid-configuration`)).json()
  expect(found).toMatchObject({ issuer, token_endpoint: `${microsoft.url}/contoso.example/oauth2/v2.0/token` })
})

test('a personal account has short scopes, and no refresh token without offline_access', async () => {
  const microsoft = await start()
  const { tokens } = await signIn(microsoft, 'ada@outlook.example', { scope: 'openid profile Mail.Read' })
  expect(tokens.scope).toBe('openid profile Mail.Read')
  expect(tokens).not.toHaveProperty('refresh_token')
})

test('responses use the query, the fragment or a form', async () => {
  const microsoft = await start()
  const decide = (mode: string) =>
    fetch(authorizeUrl(microsoft, { response_mode: mode }), {
      method: 'POST',
      body: new URLSearchParams({ decision: 'allow', account: 'ada@contoso.example' }),
      redirect: 'manual',
    })
  expect((await decide('fragment')).headers.get('location')).toMatch(/callback#code=/)
  expect(await (await decide('form_post')).text()).toMatch(/action="http:\/\/localhost:9999\/callback"/)
})

test('the verifier must match the challenge', async () => {
  const microsoft = await start()
  const challenge = createHash('sha256').update('right').digest('base64url')
  const redeem = async (verifier: string) => {
    const url = authorizeUrl(microsoft, { code_challenge: challenge, code_challenge_method: 'S256' })
    const target = await microsoft.consent(url, { email: 'ada@contoso.example' })
    const code = target.searchParams.get('code') ?? ''
    return postToken(microsoft, { grant_type: 'authorization_code', code, code_verifier: verifier })
  }
  expect((await redeem('right')).status).toBe(200)
  expect((await redeem('wrong')).json.error_codes).toEqual([501481])
})

test('sign-in errors are redirected to the application, and errors of the application itself stay on the page', async () => {
  const microsoft = await start()
  const answerTo = async (fields: Record<string, string>) => {
    const response = await fetch(authorizeUrl(microsoft, fields), { redirect: 'manual' })
    const location = response.headers.get('location')
    const { searchParams } = new URL(location ?? 'none:')
    const text = location === null ? await response.text() : searchParams.get('error_description')
    return `${searchParams.get('error') ?? 'page'} ${/AADSTS\d+/.exec(text ?? '')?.[0]}`
  }
  expect(await answerTo({ client_id: 'nobody' })).toBe('page AADSTS700016')
  expect(await answerTo({ scope: 'Mail.Nothing' })).toBe('invalid_client AADSTS650053')
  expect(await answerTo({ response_type: 'token' })).toBe('unsupported_response_type AADSTS700054')
  expect(await answerTo({ prompt: 'none' })).toBe('login_required AADSTS50058')
  const hinted = { prompt: 'none', login_hint: 'ada@contoso.example' }
  expect(await answerTo(hinted)).toBe('consent_required AADSTS65001')
  await signIn(microsoft)
  microsoft.account('ada@contoso.example').refuseSignIn('mfaRequired')
  expect(await answerTo(hinted)).toBe('interaction_required AADSTS50076')
  microsoft.addClient({ id: 'known', secret: 'x', redirectUris: ['https://app.example/'], audience: 'contoso.example' })
  expect(await answerTo({ client_id: 'known' })).toBe('page AADSTS50011')
  expect(await answerTo({ client_id: 'known', redirect_uri: 'https://app.example/' })).toBe('page AADSTS50194')
  const denied = await microsoft.consent(authorizeUrl(microsoft), { email: 'ada@contoso.example', deny: true })
  expect(denied.searchParams.get('error')).toBe('access_denied')
  expect(denied.searchParams.get('error_description')).toContain('AADSTS65004')
})

test('a user with consent is redirected at once if login_hint names them', async () => {
  const microsoft = await start()
  await signIn(microsoft)
  const url = authorizeUrl(microsoft, { login_hint: 'ada@contoso.example' })
  expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toContain('code=')
  expect((await fetch(`${url}&prompt=select_account`, { redirect: 'manual' })).status).toBe(200)
})

test('some permissions require an administrator, and in some organizations all do', async () => {
  const microsoft = await start()
  const ask = async (scope: string, email = 'ada@contoso.example') => {
    const target = await microsoft.consent(authorizeUrl(microsoft, { scope }), { email })
    return /AADSTS\d+/.exec(target.searchParams.get('error_description') ?? '')?.[0] ?? 'code'
  }
  expect(await ask('Place.Read.All')).toBe('AADSTS90094')
  expect(await ask('Place.Read.All', 'boss@contoso.example')).toBe('code')
  microsoft.setUsersMayConsent('contoso.example', false)
  expect(await ask('Mail.Read')).toBe('AADSTS90094')
  expect(await ask('Mail.Read', 'fred@fabrikam.example')).toBe('code')
  microsoft.consentForTenant('contoso.example', { scopes: ['Mail.Read'] })
  expect(await ask('openid Mail.Read')).toBe('code')
})

test('each refresh returns another refresh token, and the old one stays valid', async () => {
  const microsoft = await start()
  const { tokens } = await signIn(microsoft)
  const old = tokens.refresh_token ?? ''
  const { json } = await postToken(microsoft, { grant_type: 'refresh_token', refresh_token: old })
  expect(json.refresh_token).not.toBe(old)
  expect(await refreshError(microsoft, old)).toBe('none')
  expect(await refreshError(microsoft, json.refresh_token ?? '', { scope: 'Mail.Read offline_access' })).toBe('none')
  expect(await refreshError(microsoft, old, { scope: 'Calendars.Read' })).toBe(
    '400 invalid_grant 65001 consent_required',
  )
})

test('under strict rotation, a replaced refresh token revokes them all', async () => {
  const microsoft = await start({ strictRotation: true })
  const { refreshToken } = microsoft.grantToken('ada@contoso.example', ['Mail.Read', 'offline_access'])
  const { json } = await postToken(microsoft, { grant_type: 'refresh_token', refresh_token: refreshToken })
  expect(await refreshError(microsoft, refreshToken)).toBe('400 invalid_grant 50173 bad_token')
  expect(await refreshError(microsoft, json.refresh_token ?? '')).toBe('400 invalid_grant 50173 bad_token')
})

test('a refused token request has its error number', async () => {
  const microsoft = await start()
  const ada = microsoft.account('ada@contoso.example')
  const { refreshToken } = microsoft.grantToken(ada.email, ['openid', 'Mail.Read', 'offline_access', 'User.ReadWrite'])
  const numbers = {
    mfaRequired: 50076,
    disabled: 50057,
    passwordExpired: 50055,
    passwordChanged: 50173,
    expired: 700082,
    blockedByPolicy: 53003,
    consentRequired: 65001,
  } as const
  for (const [problem, number] of Object.entries(numbers)) {
    ada.refuseSignIn(problem as keyof typeof numbers)
    expect(await refreshError(microsoft, refreshToken)).toContain(`400 invalid_grant ${number}`)
  }
  await signIn(microsoft)
  expect(await refreshError(microsoft, refreshToken)).toBe('none')
  ada.refuseSignIn('disabled')
  await expect(microsoft.consent(authorizeUrl(microsoft), { email: ada.email })).rejects.toThrow('AADSTS50057')
  ada.refuseSignIn(undefined)
  const { accessToken } = microsoft.grantToken(ada.email, ['User.ReadWrite'])
  const bearer = { authorization: `Bearer ${accessToken}` }
  await fetch(`${microsoft.url}/v1.0/me/revokeSignInSessions`, { method: 'POST', headers: bearer })
  expect(await refreshError(microsoft, refreshToken)).toBe('400 invalid_grant 50173 bad_token')
})

test('an application with wrong credentials is refused', async () => {
  const microsoft = await start()
  const refusal = async (fields: Record<string, string>, tenant?: string) => {
    const { status, json } = await postToken(microsoft, { grant_type: 'client_credentials', ...fields }, tenant)
    return `${status} ${json.error} ${json.error_codes[0]}`
  }
  microsoft.addClient({ id: 'old', secret: 'x', hasExpiredSecret: true })
  expect(await refusal({ client_secret: 'wrong' })).toBe('401 invalid_client 7000215')
  expect(await refusal({ client_secret: '' })).toBe('401 invalid_client 7000218')
  expect(await refusal({ client_id: 'old', client_secret: 'x' })).toBe('401 invalid_client 7000222')
  expect(await refusal({ client_id: 'nobody' })).toBe('400 unauthorized_client 700016')
  expect(await refusal({ client_assertion: 'x.y.z' })).toBe('400 invalid_request 900144')
  expect(await refusal({ scope: 'Mail.Read' }, 'contoso.example')).toBe('400 invalid_scope 1002012')
  expect(await refusal({ scope: 'https://graph.microsoft.com/.default' })).toBe('400 invalid_request 50059')
  expect(await refusal({ grant_type: 'password' })).toBe('400 unsupported_grant_type 70003')
})

test("with an administrator's consent an application acts on its own, with a secret or certificate", async () => {
  const microsoft = await start()
  const scope = 'https://graph.microsoft.com/.default'
  const fields = { grant_type: 'client_credentials', scope }
  expect((await postToken(microsoft, fields, 'contoso.example')).json.error_codes).toEqual([700016])
  const query = new URLSearchParams({ client_id: microsoft.client.id, redirect_uri: REDIRECT, scope, state: 's' })
  const url = `${microsoft.url}/organizations/v2.0/adminconsent?${query}`
  expect((await microsoft.consent(url, { email: 'ada@contoso.example' })).searchParams.get('error')).toBe(
    'access_denied',
  )
  const declined = await microsoft.consent(url, { email: 'boss@contoso.example', deny: true })
  expect(declined.searchParams.get('error')).toBe('consent_required')
  const { id } = microsoft.account('boss@contoso.example').tenant
  const target = await microsoft.consent(url, { email: 'boss@contoso.example' })
  expect(Object.fromEntries(target.searchParams)).toEqual({ admin_consent: 'True', tenant: id, scope, state: 's' })
  const { json } = await postToken(microsoft, fields, id)
  expect(json).not.toHaveProperty('refresh_token')
  const ask = (path: string) =>
    fetch(microsoft.url + path, { headers: { authorization: `Bearer ${json.access_token}` } }).then(
      ({ status }) => status,
    )
  expect(await ask('/v1.0/users/ada@contoso.example')).toBe(200)
  expect(await ask('/v1.0/users/fred@fabrikam.example')).toBe(404)
  expect(await ask('/v1.0/me')).toBe(400)

  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const certificates = [publicKey.export({ type: 'spki', format: 'pem' }).toString()]
  microsoft.addClient({ id: 'signing', secret: 'x', certificates, roles: ['Mail.Read'] })
  microsoft.consentForTenant('contoso.example', { clientId: 'signing' })
  const assert = (audience: string) =>
    new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'PS256', 'x5t#S256': 'thumbprint' })
      .setIssuer('signing')
      .setSubject('signing')
      .setAudience(audience)
      .setExpirationTime('5m')
      .sign(privateKey)
  const post = async (audience: string) => {
    const body = new URLSearchParams({
      ...fields,
      client_id: 'signing',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assert(audience),
    })
    return (await fetch(`${microsoft.url}/${id}/oauth2/v2.0/token`, { method: 'POST', body })).status
  }
  expect(await post(`${microsoft.url}/${id}/oauth2/v2.0/token`)).toBe(200)
  expect(await post(`https://login.microsoftonline.com/${id}/oauth2/v2.0/token`)).toBe(200)
  expect(await post('https://elsewhere.example/token')).toBe(401)
})
