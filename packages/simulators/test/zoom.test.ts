import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { startZoom, type ZoomOptions, type ZoomSimulator } from '../src/index.ts'

const REDIRECT = 'http://localhost:9999/callback'
const ada = 'ada@example.com'

const running: ZoomSimulator[] = []
afterEach(async () => {
  for (const zoom of running.splice(0)) await zoom[Symbol.asyncDispose]()
})

async function start(options: ZoomOptions = {}): Promise<ZoomSimulator> {
  const zoom = await startZoom(options)
  running.push(zoom)
  zoom.addAccount({ email: ada, name: 'Ada Lovelace' })
  zoom.addAccount({ email: 'grace@example.com' })
  return zoom
}

const authorizeUrl = ({ url, client }: ZoomSimulator, more: Record<string, string> = {}): string =>
  `${url}/oauth/authorize?${new URLSearchParams({ client_id: client.id, response_type: 'code', redirect_uri: REDIRECT, ...more })}`

async function post(zoom: ZoomSimulator, path: string, fields: Record<string, string>, client = zoom.client) {
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
  const body = new URLSearchParams(fields)
  const response = await fetch(`${zoom.url}${path}`, { method: 'POST', headers: { authorization }, body })
  return { status: response.status, json: (await response.json()) as Record<string, string> }
}
const refresh = (zoom: ZoomSimulator, token = '') =>
  post(zoom, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token })

async function api(zoom: ZoomSimulator, token: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${zoom.url}/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text), headers: response.headers }
}

test('a code is exchanged once, with the redirect URI, the verifier and the secret of its app', async () => {
  const zoom = await start()
  const verifier = 'v'.repeat(43)
  const challenge = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const code = async () =>
    (await zoom.consent(authorizeUrl(zoom, { state: 's', ...challenge }), { email: ada })).searchParams.get('code') ??
    ''
  const redeem = async (more: object = {}, client = zoom.client) => {
    const fields = { grant_type: 'authorization_code', redirect_uri: REDIRECT, code_verifier: verifier, ...more }
    return post(zoom, '/oauth/token', { code: await code(), ...fields }, client)
  }
  const { status, json } = await redeem()
  expect(status).toBe(200)
  expect(json).toMatchObject({
    token_type: 'bearer',
    expires_in: 3600,
    scope: expect.stringContaining('user:read:user'),
  })
  expect((await redeem({ redirect_uri: 'https://other.example' })).json).toMatchObject({ error: 'invalid_request' })
  expect((await redeem({ code_verifier: 'x' })).json.error).toBe('invalid_grant')
  expect((await redeem({ code: 'x' })).json).toEqual({ reason: 'Invalid authorization code', error: 'invalid_grant' })
  expect((await redeem({}, { ...zoom.client, secret: 'x' })).status).toBe(401)
  const refused = await zoom.consent(authorizeUrl(zoom), { email: ada, deny: true })
  expect(refused.searchParams.get('error')).toBe('access_denied')
  expect(await (await fetch(authorizeUrl(zoom))).text()).toContain('meeting:write:meeting')
  expect((await fetch(authorizeUrl(zoom, { client_id: 'x' }))).status).toBe(400)
})

test('each refresh replaces the refresh token, and a used one is refused', async () => {
  const zoom = await start()
  const { refreshToken } = zoom.grantToken(ada)
  const first = (await refresh(zoom, refreshToken)).json
  expect(first.refresh_token).not.toBe(refreshToken)
  expect(await refresh(zoom, refreshToken)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
  const second = (await refresh(zoom, first.refresh_token)).json
  expect((await api(zoom, second.access_token ?? '', 'GET', '/users/me')).json).toMatchObject({
    email: ada,
    verified: 1,
  })
  expect((await post(zoom, '/oauth/revoke', { token: second.access_token ?? '' })).json).toEqual({ status: 'success' })
  expect((await refresh(zoom, second.refresh_token)).status).toBe(400)
})

test('access tokens expire after an hour, and a removed app loses its tokens', async () => {
  let now = Date.now()
  const zoom = await start({ now: () => now })
  const { accessToken } = zoom.grantToken(ada)
  now += 3_599_000
  expect((await api(zoom, accessToken, 'GET', '/users/me')).status).toBe(200)
  now += 2_000
  expect(await api(zoom, accessToken, 'GET', '/users/me')).toMatchObject({ status: 401, json: { code: 124 } })
  const other = zoom.grantToken(ada)
  zoom.account(ada).revokeConsent()
  expect((await refresh(zoom, other.refreshToken)).json.error).toBe('invalid_grant')
})

test('meetings are created, changed and deleted by their host', async () => {
  const zoom = await start()
  const { accessToken: token } = zoom.grantToken(ada)
  const draft = {
    topic: 'Notes',
    type: 2,
    start_time: '2030-01-01T10:00:00Z',
    duration: 30,
    settings: { mute_upon_entry: true },
  }
  const made = await api(zoom, token, 'POST', '/users/me/meetings', draft)
  expect(made).toMatchObject({
    status: 201,
    json: { ...draft, settings: { mute_upon_entry: true, waiting_room: true } },
  })
  const { id, join_url, password } = made.json
  expect(join_url).toContain(`/j/${id}?pwd=${password}`)
  expect((await api(zoom, token, 'PATCH', `/meetings/${id}`, { topic: 'New' })).status).toBe(204)
  expect(zoom.meetings()).toMatchObject([{ id, topic: 'New', duration: 30 }])
  const foreign = zoom.grantToken('grace@example.com').accessToken
  expect(await api(zoom, foreign, 'DELETE', `/meetings/${id}`)).toMatchObject({ status: 404, json: { code: 3001 } })
  expect((await api(zoom, token, 'DELETE', `/meetings/${id}`)).status).toBe(204)
  expect(zoom.meetings()).toEqual([])
})

test('errors have the codes of Zoom', async () => {
  const zoom = await start()
  zoom.addClient({ id: 'reader', secret: 's', scopes: ['user:read:user'] })
  const { accessToken: reader } = zoom.grantToken(ada, { clientId: 'reader' })
  const { accessToken: token } = zoom.grantToken(ada)
  expect(await api(zoom, reader, 'POST', '/users/me/meetings', {})).toMatchObject({ status: 400, json: { code: 4711 } })
  const long = await api(zoom, token, 'POST', '/users/me/meetings', { topic: 'x'.repeat(201) })
  expect(long).toMatchObject({ status: 400, json: { code: 300, errors: [{ field: 'topic' }] } })
  expect((await api(zoom, 'x', 'GET', '/users/me')).json).toEqual({ code: 124, message: 'Invalid access token.' })
  zoom.fail({ path: '/v2/users/me' }, { status: 429, code: 429, retryAfter: 2 })
  const limited = await api(zoom, token, 'GET', '/users/me')
  expect(limited.status).toBe(429)
  expect(limited.headers.get('retry-after')).toBe('2')
  expect((await fetch(zoom.url)).status).toBe(200)
})
