/** The authorization server of agents without user interaction: metadata, registration and refusals. */

import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../harness.ts'
import { storeAgent } from './stored-agent.ts'

let clock: TestClock
let service: TestService
let base: string
let application: { id: string; key: string }
let grantId: string
beforeAll(async () => {
  clock = testClock()
  service = await openService({ env: { WAYPOST_RATE_LIMITS: 'on' }, overrides: { clock } })
  base = service.services.config.baseUrl
  application = await service.createApplication('Agents')
  await service.call('PATCH', '/v3/applications', { key: application.key, body: { mcp_enabled: true } })
  grantId = (await service.createGrant('ada@one.test', application.key)).id
})
afterAll(() => service[Symbol.asyncDispose]())

const send = async (path: string, init?: RequestInit) => {
  const response = await service.app.request(path, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}
const json = (path: string, body: unknown) =>
  send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: String(new URLSearchParams(fields)),
  })
const redirect = 'https://client.test/callback'

describe('metadata', () => {
  test('the server describes its endpoints and features, to scripts of any origin', async () => {
    for (const path of ['', '/mcp', `/mcp/${application.id}`]) {
      const { status, headers, body } = await send(`/.well-known/oauth-authorization-server${path}`)
      expect(status).toBe(200)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(body).toMatchObject({
        issuer: base,
        authorization_endpoint: `${base}/oauth/authorize`,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
      })
    }
    expect((await send('/.well-known/jwks.json')).body.keys.length).toBeGreaterThan(0)
  })

  test('each endpoint is its own resource; an application without an endpoint has no metadata', async () => {
    const at = '/.well-known/oauth-protected-resource'
    for (const [path, resource] of [
      [at, `${base}/mcp`],
      [`${at}/mcp`, `${base}/mcp`],
      [`${at}/mcp/${application.id}`, `${base}/mcp/${application.id}`],
    ] as const) {
      expect((await send(path)).body).toMatchObject({ resource, authorization_servers: [base] })
    }
    const off = await service.createApplication('Off')
    for (const id of [off.id, 'x', '00000000-0000-4000-8000-000000000000']) {
      expect((await send(`${at}/mcp/${id}`)).status).toBe(404)
    }
  })

  test('browsers may send a preflight request with the header of the protocol', async () => {
    const headers = {
      origin: 'https://web.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, mcp-protocol-version',
    }
    for (const path of ['/oauth/token', '/oauth/register', '/.well-known/oauth-protected-resource/mcp']) {
      const answer = await send(path, { method: 'OPTIONS', headers })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
    }
    expect((await send('/oauth/authorize', { method: 'OPTIONS', headers })).status).toBe(404)
  })
})

describe('registration', () => {
  test('a client gets an id, no secret, and the fields that count', async () => {
    const { status, body } = await json('/oauth/register', {
      redirect_uris: [redirect, 'http://127.0.0.1/callback', 'com.example.assistant:/callback'],
      client_name: ' My\u202e  Assistant\n',
      client_uri: 'javascript:alert(1)',
      token_endpoint_auth_method: 'client_secret_post',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ client_name: 'My Assistant', token_endpoint_auth_method: 'none' })
    expect(body.client_id).toMatch(/^wpac_/)
    expect(body).not.toHaveProperty('client_secret')
    expect(body).not.toHaveProperty('client_uri')
    clock.advance(60_000)
  })

  test('invalid metadata is refused with the field', async () => {
    const refused: [object, string][] = [
      [{}, 'redirect_uris'],
      [{ redirect_uris: [] }, 'redirect_uris'],
      [{ redirect_uris: ['http://client.test/cb'] }, 'https'],
      [{ redirect_uris: ['javascript:alert(1)'] }, 'scheme'],
      [{ redirect_uris: [redirect, 'assistant://callback'] }, 'with a dot'],
      [{ redirect_uris: ['data:text/html,x'] }, 'scheme'],
      [{ redirect_uris: ['https://client.test/cb#x'] }, 'fragment'],
      [{ redirect_uris: ['https://user@client.test/cb'] }, 'user name'],
      [{ redirect_uris: [redirect], grant_types: ['implicit'] }, 'grant_types'],
      [{ redirect_uris: [redirect], response_types: ['token'] }, 'response_types'],
      [{ redirect_uris: Array.from({ length: 21 }, (_, at) => `${redirect}/${at}`) }, 'redirect_uris'],
    ]
    for (const [body, words] of refused) {
      const answer = await json('/oauth/register', body)
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^invalid_/) } })
      expect(answer.body.error_description).toContain(words)
      clock.advance(60_000)
    }
    expect((await form('/oauth/register', {})).body.error).toBe('invalid_client_metadata')
    expect((await send('/oauth/register', { method: 'POST', body: 'x'.repeat(20_000) })).status).toBe(413)
    clock.advance(60_000)
  })

  test('an address that registers many clients has to wait', async () => {
    const answers = []
    for (let count = 0; count < 12; count++) answers.push(await json('/oauth/register', { redirect_uris: [redirect] }))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(201), 429, 429])
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
    clock.advance(60_000)
  })
})

describe('tokens', () => {
  test('other credentials, methods and forms are refused in the form of OAuth', async () => {
    const agent = await storeAgent(service, { applicationId: application.id, grantIds: [grantId] })
    const fields = { grant_type: 'refresh_token', refresh_token: agent.refreshToken, client_id: 'client' }
    const refused: [Promise<{ status: number; body: { error: string } }>, number, string][] = [
      [form('/oauth/token', fields, { authorization: `Bearer ${application.key}` }), 401, 'invalid_client'],
      [form('/oauth/token', { ...fields, client_secret: 'x' }), 401, 'invalid_client'],
      [form('/oauth/token', { ...fields, client_id: 'another' }), 400, 'invalid_grant'],
      [form('/oauth/token', { ...fields, refresh_token: agent.accessToken }), 400, 'invalid_grant'],
      [form('/oauth/token', { ...fields, refresh_token: application.key }), 400, 'invalid_grant'],
      [form('/oauth/token', { ...fields, resource: 'https://other.test/mcp' }), 400, 'invalid_target'],
      [form('/oauth/token', { ...fields, resource: `${base}/mcp/${application.id}` }), 400, 'invalid_target'],
      [form('/oauth/token', { grant_type: 'password' }), 400, 'unsupported_grant_type'],
      [form('/oauth/token', {}), 400, 'invalid_request'],
      [json('/oauth/token', fields), 400, 'invalid_request'],
    ]
    for (const [answer, status, error] of refused) expect(await answer).toMatchObject({ status, body: { error } })
    // None of these attempts used up the token.
    const renewed = await form('/oauth/token', { ...fields, resource: `${base}/mcp` })
    expect(renewed).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600, scope: 'mail.read' } })
    expect(renewed.headers.get('cache-control')).toBe('no-store')
  })

  test('a refresh token that is used twice revokes its whole family', async () => {
    const agent = await storeAgent(service, { applicationId: application.id, grantIds: [grantId] })
    const fields = { grant_type: 'refresh_token', client_id: 'client' }
    const second = await form('/oauth/token', { ...fields, refresh_token: agent.refreshToken })
    expect(second.status).toBe(200)
    expect((await form('/oauth/token', { ...fields, refresh_token: agent.refreshToken })).body.error).toBe(
      'invalid_grant',
    )
    const late = await form('/oauth/token', { ...fields, refresh_token: second.body.refresh_token })
    expect(late).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('the revocation of a refresh token disconnects the agent; an unknown token is not an error', async () => {
    const agent = await storeAgent(service, { applicationId: application.id, grantIds: [grantId] })
    expect((await form('/oauth/revoke', { token: 'x' })).status).toBe(200)
    expect((await form('/oauth/revoke', { token: agent.refreshToken, client_id: 'another' })).status).toBe(200)
    const shown = async () => (await service.call('GET', `/v3/agents/${agent.id}`, { key: application.key })).body.data
    expect(await shown()).toMatchObject({ status: 'active' })
    expect((await form('/oauth/revoke', { token: agent.refreshToken, client_id: 'client' })).status).toBe(200)
    expect(await shown()).toMatchObject({ status: 'disconnected' })
  })

  test('an agent token gives access only to the endpoint of its own application', async () => {
    const own = `${base}/mcp/${application.id}`
    const agent = await storeAgent(service, { applicationId: application.id, grantIds: [grantId], resource: own })
    const call = (path: string) =>
      send(path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${agent.accessToken}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
        }),
      })
    expect((await call(`/mcp/${application.id}`)).status).toBe(200)
    const elsewhere = await call('/mcp')
    expect(elsewhere.status).toBe(401)
    expect(elsewhere.headers.get('www-authenticate')).toContain('resource_metadata=')
    const other = await service.createApplication('Other')
    await service.call('PATCH', '/v3/applications', { key: other.key, body: { mcp_enabled: true } })
    expect((await call(`/mcp/${other.id}`)).status).toBe(401)
  })
})
