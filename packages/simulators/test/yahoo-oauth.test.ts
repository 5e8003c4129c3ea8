import { createHash } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, expect, test } from 'vitest'
import { startYahoo, type YahooOptions, type YahooSimulator } from '../src/index.ts'

const REDIRECT = 'http://localhost:9999/callback'
const SCOPE = 'openid email profile mail-w'

const running: YahooSimulator[] = []
afterEach(async () => {
  for (const yahoo of running.splice(0)) await yahoo[Symbol.asyncDispose]()
})

async function start(options: YahooOptions = {}): Promise<YahooSimulator> {
  const yahoo = await startYahoo(options)
  running.push(yahoo)
  yahoo.addAccount({ email: 'ada@yahoo.example', name: 'Ada Lovelace' })
  yahoo.addAccount({ email: 'grace@yahoo.example' })
  return yahoo
}

function authorizeUrl({ url, client }: YahooSimulator, fields: Record<string, string> = {}): string {
  const all = {
    client_id: client.id,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: SCOPE,
    state: 's',
    ...fields,
  }
  return `${url}/oauth2/request_auth?${new URLSearchParams(all)}`
}

const basic = ({ id, secret }: { id: string; secret: string }) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

async function post(yahoo: YahooSimulator, path: string, fields: Record<string, string>, client = yahoo.client) {
  const response = await fetch(`${yahoo.url}${path}`, {
    method: 'POST',
    headers: { authorization: basic(client) },
    body: new URLSearchParams(fields),
  })
  return { status: response.status, json: (await response.json()) as Record<string, string> }
}
const postToken = (yahoo: YahooSimulator, fields: Record<string, string>, client = yahoo.client) =>
  post(yahoo, '/oauth2/get_token', { redirect_uri: REDIRECT, ...fields }, client)

async function signIn(yahoo: YahooSimulator, fields: Record<string, string> = {}) {
  const target = await yahoo.consent(authorizeUrl(yahoo, fields), { email: 'ada@yahoo.example' })
  return target.searchParams.get('code') ?? ''
}
const redeem = (yahoo: YahooSimulator, code: string, more: Record<string, string> = {}) =>
  postToken(yahoo, { grant_type: 'authorization_code', code, ...more })
const refresh = (yahoo: YahooSimulator, token = '', more: Record<string, string> = {}) =>
  postToken(yahoo, { grant_type: 'refresh_token', refresh_token: token, ...more })
const refusal = ({ status, json }: { status: number; json: Record<string, string> }) => `${status} ${json.error}`

test('the page offers the accounts and lists the requested scopes; a user who declines is redirected', async () => {
  const yahoo = await start()
  const page = await (await fetch(authorizeUrl(yahoo, { login_hint: 'grace@yahoo.example' }))).text()
  expect(page).toContain('value="grace@yahoo.example" checked')
  expect(page).toContain('Read, write, send and delete your mail')
  const back = await yahoo.consent(authorizeUrl(yahoo), { email: 'ada@yahoo.example', deny: true })
  expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 's' })
})

test('errors in a request are shown to the user', async () => {
  const yahoo = await start()
  yahoo.addClient({ id: 'reader', secret: 'x', scopes: ['openid', 'mail-r'], redirectUris: [REDIRECT] })
  const reported = async (fields: Record<string, string>) => {
    const response = await fetch(authorizeUrl(yahoo, fields))
    return response.status === 400 ? await response.text() : response.status
  }
  expect(await reported({ client_id: 'nobody' })).toContain('valid client')
  expect(await reported({ client_id: 'reader' })).toContain('registered scopes')
  expect(await reported({ client_id: 'reader', scope: 'mail-r', redirect_uri: 'https://other.example' })).toContain(
    'redirect URI',
  )
  expect(await reported({ response_type: 'id_token' })).toContain('response type')
  expect(await reported({ client_id: 'reader', scope: 'mail-r' })).toBe(200)
})

test('a code is exchanged for tokens once, by its client, and identifies the user', async () => {
  const yahoo = await start()
  const code = await signIn(yahoo, { nonce: 'n' })
  expect(refusal(await redeem(yahoo, code, { redirect_uri: 'https://other.example' }))).toBe('400 INVALID_REDIRECT_URI')
  const { status, json } = await redeem(yahoo, await signIn(yahoo, { nonce: 'n' }))
  expect([status, json.token_type, json.expires_in]).toEqual([200, 'bearer', 3600])
  expect(json).not.toHaveProperty('scope')
  const keys = createRemoteJWKSet(new URL(`${yahoo.url}/openid/v1/certs`))
  const { payload } = await jwtVerify(json.id_token ?? '', keys, {
    issuer: 'https://api.login.yahoo.com',
    audience: yahoo.client.id,
  })
  expect(payload).toMatchObject({ sub: json.xoauth_yahoo_guid, email: 'ada@yahoo.example', nonce: 'n' })
  const userinfo = await fetch(`${yahoo.url}/openid/v1/userinfo`, {
    headers: { authorization: `Bearer ${json.access_token}` },
  })
  expect(await userinfo.json()).toMatchObject({
    sub: json.xoauth_yahoo_guid,
    email: 'ada@yahoo.example',
    name: 'Ada Lovelace',
  })
  expect(refusal(await redeem(yahoo, code))).toBe('401 INVALID_GRANT')
})

test('a code with a challenge requires its verifier', async () => {
  const yahoo = await start()
  const verifier = 'v'.repeat(43)
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const challenge = { code_challenge, code_challenge_method: 'S256' }
  expect(refusal(await redeem(yahoo, await signIn(yahoo, challenge)))).toBe('401 INVALID_GRANT')
  expect((await redeem(yahoo, await signIn(yahoo, challenge), { code_verifier: verifier })).status).toBe(200)
})

test('clients are identified by the header or the form, and refused by name', async () => {
  const yahoo = await start()
  const { refreshToken } = yahoo.grantToken('ada@yahoo.example', ['mail-r'])
  expect(refusal(await refresh(yahoo, refreshToken))).toBe('200 undefined')
  const requested = { grant_type: 'refresh_token', refresh_token: refreshToken }
  expect(refusal(await postToken(yahoo, requested, { ...yahoo.client, secret: 'wrong' }))).toBe(
    '401 INVALID_CLIENT_SECRET',
  )
  expect(refusal(await postToken(yahoo, requested, { id: 'nobody', secret: 'x' }))).toBe('400 INVALID_CLIENT')
  const { id: client_id, secret: client_secret } = yahoo.client
  const body = new URLSearchParams({ ...requested, client_id, client_secret })
  expect((await fetch(`${yahoo.url}/oauth2/get_token`, { method: 'POST', body })).status).toBe(200)
})

test('a refresh requires the redirect URI of the code, and each returns another token', async () => {
  const yahoo = await start()
  const { json: first } = await redeem(yahoo, await signIn(yahoo))
  expect(refusal(await refresh(yahoo, first.refresh_token, { redirect_uri: 'oob' }))).toBe('400 INVALID_REDIRECT_URI')
  const { json: second } = await refresh(yahoo, first.refresh_token)
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(refusal(await refresh(yahoo, second.refresh_token, { redirect_uri: 'oob' }))).toBe('400 INVALID_REDIRECT_URI')
  expect((await refresh(yahoo, first.refresh_token)).status).toBe(200)
  expect(refusal(await refresh(yahoo, 'nonsense'))).toBe('400 INVALID_REFRESH_TOKEN')
})

test('under strict rotation a used token ends the family', async () => {
  const yahoo = await start({ strictRotation: true })
  const { refreshToken } = yahoo.grantToken('ada@yahoo.example', ['mail-r'])
  const { json: second } = await refresh(yahoo, refreshToken)
  expect(refusal(await refresh(yahoo, refreshToken))).toBe('401 TOKEN_EXPIRED')
  expect(refusal(await refresh(yahoo, second.refresh_token))).toBe('400 INVALID_REFRESH_TOKEN')
})

test('users decline, and consent again', async () => {
  const yahoo = await start()
  const account = yahoo.account('ada@yahoo.example')
  const { refreshToken } = yahoo.grantToken(account.email, ['mail-r'])
  account.refuseRefresh('ACCOUNT_NOT_AUTHORIZED')
  expect(refusal(await refresh(yahoo, refreshToken))).toBe('403 ACCOUNT_NOT_AUTHORIZED')
  expect((await redeem(yahoo, await signIn(yahoo))).status).toBe(200)
  expect((await refresh(yahoo, refreshToken)).status).toBe(200)
  account.revokeConsent()
  expect(refusal(await refresh(yahoo, refreshToken))).toBe('400 INVALID_REFRESH_TOKEN')
  yahoo.fail({ path: '/oauth2/get_token' }, { status: 503, error: 'ERROR_HANDLING_REQUEST' })
  expect(refusal(await refresh(yahoo, refreshToken))).toBe('503 ERROR_HANDLING_REQUEST')
})

test('mail servers learn whose a token is, if it is for mail', async () => {
  let now = Date.now()
  const yahoo = await start({ now: () => now })
  const ask = (token: string, client = yahoo.mailServers) => post(yahoo, '/oauth2/introspect', { token }, client)
  const mail = yahoo.grantToken('ada@yahoo.example', ['openid', 'mail-r'])
  expect((await ask(mail.accessToken)).json).toMatchObject({
    active: true,
    username: 'ada@yahoo.example',
    scope: 'openid mail-r',
  })
  const other = yahoo.grantToken('ada@yahoo.example', ['openid'])
  expect((await ask(other.accessToken)).json).toEqual({ active: false })
  expect((await ask(other.accessToken, yahoo.client)).json).toMatchObject({ active: true, scope: 'openid' })
  expect(refusal(await ask(mail.accessToken, { id: 'stranger', secret: 'x' }))).toBe('400 INVALID_CLIENT')
  now += 3_601_000
  expect((await ask(mail.accessToken)).json).toEqual({ active: false })
  expect((await ask('nonsense')).json).toEqual({ active: false })
})
