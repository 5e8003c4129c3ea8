import { createHash, generateKeyPairSync } from 'node:crypto'
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library'
import { createRemoteJWKSet, importPKCS8, jwtVerify, SignJWT } from 'jose'
import { afterEach, expect, test } from 'vitest'
import { type GoogleOptions, type GoogleSimulator, startGoogle } from '../src/index.ts'

const REDIRECT = 'http://localhost:9999/callback'
const MAIL = 'https://www.googleapis.com/auth/gmail.modify'
const CALENDAR = 'https://www.googleapis.com/auth/calendar'

const running: GoogleSimulator[] = []
afterEach(async () => {
  for (const google of running.splice(0)) await google[Symbol.asyncDispose]()
})

async function start(options: GoogleOptions = {}): Promise<GoogleSimulator> {
  const google = await startGoogle(options)
  running.push(google)
  google.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace', aliases: ['countess@example.com'] })
  google.addAccount({ email: 'bob@gmail.com' })
  return google
}

function clientOf(google: GoogleSimulator): OAuth2Client {
  return new OAuth2Client({
    clientId: google.client.id,
    clientSecret: google.client.secret,
    redirectUri: REDIRECT,
    endpoints: {
      oauth2AuthBaseUrl: `${google.url}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${google.url}/token`,
      oauth2RevokeUrl: `${google.url}/revoke`,
      tokenInfoUrl: `${google.url}/tokeninfo`,
    },
  })
}

async function signIn(google: GoogleSimulator, options: Record<string, unknown> = {}, refuse: string[] = []) {
  const client = clientOf(google)
  const url = client.generateAuthUrl({ access_type: 'offline', scope: ['openid', 'email', MAIL], ...options })
  const target = await google.consent(url, { email: 'ada@example.com', refuse })
  const { tokens } = await client.getToken(target.searchParams.get('code') ?? '')
  client.setCredentials(tokens)
  return { client, target, tokens }
}

async function postToken(google: GoogleSimulator, fields: Record<string, string>) {
  const { id, secret } = google.client
  const body = new URLSearchParams({ client_id: id, client_secret: secret, ...fields })
  const response = await fetch(`${google.url}/token`, { method: 'POST', body })
  return { status: response.status, json: (await response.json()) as Record<string, string> }
}

test('the consent page offers every account and a checkbox for every scope', async () => {
  const google = await start()
  const url = clientOf(google).generateAuthUrl({ scope: ['openid', MAIL, CALENDAR], login_hint: 'bob@gmail.com' })
  const page = await (await fetch(url)).text()
  expect(page).toContain('value="ada@example.com"')
  expect(page).toMatch(/value="bob@gmail.com" checked/)
  expect(page.match(/type="checkbox"/g)).toHaveLength(2)
})

test('a code is exchanged for an access token, a refresh token and an ID token that is signed with the published key', async () => {
  const google = await start()
  const { client, target, tokens } = await signIn(google, { state: 'xyz', nonce: 'n-1' })
  expect(target.origin + target.pathname).toBe(REDIRECT)
  expect(target.searchParams.get('state')).toBe('xyz')
  expect(target.searchParams.get('hd')).toBe('example.com')
  expect(tokens.refresh_token).toMatch(/^1\/\//)
  expect(tokens.scope).toBe(`openid https://www.googleapis.com/auth/userinfo.email ${MAIL}`)
  const keys = createRemoteJWKSet(new URL(`${google.url}/oauth2/v3/certs`))
  const { payload } = await jwtVerify(tokens.id_token ?? '', keys, {
    issuer: 'https://accounts.google.com',
    audience: google.client.id,
  })
  expect(payload).toMatchObject({ email: 'ada@example.com', email_verified: true, nonce: 'n-1' })
  expect(payload.sub).toBe(google.account('ada@example.com').sub)
  const info = await client.getTokenInfo(tokens.access_token ?? '')
  expect(info).toMatchObject({ email: 'ada@example.com', aud: google.client.id })
  const user = await fetch(`${google.url}/v1/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
  expect(await user.json()).toMatchObject({ sub: payload.sub, email: 'ada@example.com' })
})

test('a user who clicks Cancel is redirected with access_denied', async () => {
  const google = await start()
  const url = clientOf(google).generateAuthUrl({ scope: [MAIL], state: 's' })
  const target = await google.consent(url, { email: 'ada@example.com', deny: true })
  expect(Object.fromEntries(target.searchParams)).toMatchObject({ error: 'access_denied', state: 's' })
})

test('a scope whose box is unchecked is not in the token', async () => {
  const google = await start()
  const { tokens } = await signIn(google, { scope: ['openid', MAIL, CALENDAR] }, [CALENDAR])
  expect(tokens.scope).toBe(`openid ${MAIL}`)
})

test('a refresh token is issued only with the first consent and with prompt=consent', async () => {
  const google = await start()
  expect((await signIn(google)).tokens.refresh_token).toBeDefined()
  expect((await signIn(google)).tokens.refresh_token).toBeUndefined()
  expect((await signIn(google, { prompt: 'consent' })).tokens.refresh_token).toBeDefined()
  expect((await signIn(google, { scope: [CALENDAR] })).tokens.refresh_token).toBeDefined()
  const online = await signIn(google, { scope: ['contacts'], access_type: 'online' })
  expect(online.tokens.refresh_token).toBeUndefined()
})

test('include_granted_scopes adds the scopes granted before', async () => {
  const google = await start()
  await signIn(google)
  const { tokens } = await signIn(google, { scope: [CALENDAR], include_granted_scopes: true })
  expect(tokens.scope?.split(' ')).toEqual(expect.arrayContaining([CALENDAR, MAIL]))
})

test('a user with consent is redirected at once if login_hint names them', async () => {
  const google = await start()
  const client = clientOf(google)
  const hinted = { access_type: 'offline', scope: [MAIL], login_hint: 'ada@example.com' }
  const first = await fetch(client.generateAuthUrl({ ...hinted, prompt: 'none' }), { redirect: 'manual' })
  expect(first.headers.get('location')).toContain('error=interaction_required')
  await google.consent(client.generateAuthUrl(hinted), { email: 'ada@example.com' })
  const early = await fetch(client.generateAuthUrl(hinted), { redirect: 'manual' })
  expect(early.status).toBe(200)
  await signIn(google, { scope: [MAIL] })
  const second = await fetch(client.generateAuthUrl(hinted), { redirect: 'manual' })
  expect(second.headers.get('location')).toContain('code=')
})

test('client errors are shown and not redirected', async () => {
  const google = await start()
  google.addClient({ id: 'strict', secret: 's', redirectUris: ['https://app.example/cb'] })
  const query = { response_type: 'code', scope: MAIL, client_id: 'strict', redirect_uri: 'https://app.example/other' }
  const mismatch = await fetch(`${google.url}/o/oauth2/v2/auth?${new URLSearchParams(query)}`, { redirect: 'manual' })
  expect(mismatch.status).toBe(400)
  expect(await mismatch.text()).toContain('redirect_uri_mismatch')
  const unknown = new URLSearchParams({ ...query, client_id: 'nobody' })
  expect((await fetch(`${google.url}/o/oauth2/v2/auth?${unknown}`)).status).toBe(401)
})

test('a code works once, for its client, its redirect URI and its verifier', async () => {
  const google = await start()
  const client = clientOf(google)
  const challenge = createHash('sha256').update('verifier').digest('base64url')
  const issue = async () => {
    const url = client.generateAuthUrl({
      scope: [MAIL],
      code_challenge: challenge,
      code_challenge_method: CodeChallengeMethod.S256,
    })
    const target = await google.consent(url, { email: 'ada@example.com' })
    return { grant_type: 'authorization_code', redirect_uri: REDIRECT, code: target.searchParams.get('code') ?? '' }
  }
  expect((await postToken(google, await issue())).json).toMatchObject({ error: 'invalid_grant' })
  expect((await postToken(google, { ...(await issue()), code_verifier: 'other' })).json).toMatchObject({
    error: 'invalid_grant',
    error_description: 'Invalid code verifier.',
  })
  expect((await postToken(google, { ...(await issue()), redirect_uri: 'https://x.example/' })).json).toMatchObject({
    error: 'redirect_uri_mismatch',
  })
  const good = { ...(await issue()), code_verifier: 'verifier' }
  expect((await postToken(google, good)).status).toBe(200)
  expect(await postToken(google, good)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
  expect(await postToken(google, { ...good, client_secret: 'wrong' })).toMatchObject({
    status: 401,
    json: { error: 'invalid_client' },
  })
})

test("Google's client refreshes an expired access token", async () => {
  let now = Date.now()
  const google = await start({ now: () => now })
  const { client, tokens } = await signIn(google)
  now += 3_600_000
  const old = await fetch(`${google.url}/v1/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
  expect(old.status).toBe(401)
  expect(old.headers.get('www-authenticate')).toContain('invalid_token')
  client.setCredentials({ refresh_token: tokens.refresh_token ?? null })
  const fresh = await client.request<{ email: string }>({ url: `${google.url}/v1/userinfo` })
  expect(fresh.data.email).toBe('ada@example.com')
  expect(client.credentials.refresh_token).toBe(tokens.refresh_token)
})

test('revoking a token ends the consent and all its tokens', async () => {
  const google = await start()
  const { client, tokens } = await signIn(google)
  await client.revokeToken(tokens.access_token ?? '')
  const refreshed = await postToken(google, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' })
  expect(refreshed).toEqual({
    status: 400,
    json: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
  })
  await expect(client.revokeToken(tokens.access_token ?? '')).rejects.toThrow()
  expect((await signIn(google)).tokens.refresh_token).toBeDefined()
})

test('revoking the consent and changing the password end refresh tokens', async () => {
  const google = await start()
  const mail = google.grantToken('ada@example.com', ['gmail.modify'])
  const calendar = google.grantToken('ada@example.com', ['calendar'])
  const statusOf = async (refresh_token: string) =>
    (await postToken(google, { grant_type: 'refresh_token', refresh_token })).status
  google.account('ada@example.com').changePassword()
  expect(await statusOf(mail.refreshToken)).toBe(400)
  expect(await statusOf(calendar.refreshToken)).toBe(200)
  google.account('ada@example.com').revokeConsent()
  expect(await statusOf(calendar.refreshToken)).toBe(400)
})

test('with strict rotation, using a replaced refresh token ends the family', async () => {
  const google = await start({ rotateRefreshTokens: true })
  const { refreshToken } = google.grantToken('ada@example.com', ['calendar'])
  const refresh = (refresh_token: string) => postToken(google, { grant_type: 'refresh_token', refresh_token })
  const second = await refresh(refreshToken)
  expect(second.json.refresh_token).not.toBe(refreshToken)
  expect((await refresh(refreshToken)).json.error).toBe('invalid_grant')
  expect((await refresh(second.json.refresh_token ?? '')).json.error).toBe('invalid_grant')
})

test('a service account acts for a user', async () => {
  const google = await start()
  const key = google.addServiceAccount()
  const assertion = await signed(key.private_key, key.client_email, key.token_uri, 'ada@example.com')
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const granted = await postToken(google, { grant_type, assertion })
  expect(granted.status).toBe(200)
  const headers = { authorization: `Bearer ${granted.json.access_token}` }
  expect(await (await fetch(`${google.url}/v1/userinfo`, { headers })).json()).toMatchObject({
    email: 'ada@example.com',
  })
  const stranger = await signed(key.private_key, key.client_email, key.token_uri, 'nobody@example.com')
  expect((await postToken(google, { grant_type, assertion: stranger })).json.error).toBe('invalid_grant')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const forged = await signed(
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    key.client_email,
    key.token_uri,
    'ada@example.com',
  )
  expect((await postToken(google, { grant_type, assertion: forged })).json.error).toBe('invalid_grant')
})

async function signed(pem: string, email: string, audience: string, subject: string): Promise<string> {
  return new SignJWT({ scope: 'openid email' })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(email)
    .setSubject(subject)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importPKCS8(pem, 'RS256'))
}

test('requested failures occur, then the call works again', async () => {
  const google = await start()
  const { refreshToken } = google.grantToken('ada@example.com', ['calendar'])
  google.fail({ path: '/token' }, { status: 503, json: { error: 'internal_failure' } })
  google.fail({ path: '/token' }, { drop: 'after' })
  const fields = { grant_type: 'refresh_token', refresh_token: refreshToken }
  expect((await postToken(google, fields)).status).toBe(503)
  await expect(postToken(google, fields)).rejects.toThrow()
  expect((await postToken(google, fields)).status).toBe(200)
  expect(google.calls.map(({ status }) => status)).toEqual([503, 0, 200])
  google.fail({ path: '/token' }, { hang: true })
  const hung = fetch(`${google.url}/token`, { method: 'POST', signal: AbortSignal.timeout(200) })
  await expect(hung).rejects.toThrow()
})
