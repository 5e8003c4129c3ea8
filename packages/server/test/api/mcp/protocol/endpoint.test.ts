/** The MCP endpoint with the official clients of both generations, and who may use it. */

import { isCheck } from '@waypost/testing/level'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tools } from '../../../../src/api/mcp/catalog.ts'
import { openService, type TestService } from '../../../harness.ts'
import { fetchOf, modern, modernClient, olderClient, post } from './clients.ts'

let service: TestService
let key: string
let restricted: (operations: string[], more?: object) => Promise<string>
let applicationId: string

beforeAll(async () => {
  service = await openService()
  key = service.apiKey
  const application = await service.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
  expect(application.body.data.mcp_enabled).toBe(true)
  applicationId = application.body.data.application_id
  restricted = async (operations, more = {}) => {
    const made = await service.call('POST', `/v3/admin/applications/${applicationId}/api-keys`, {
      admin: true,
      body: { name: 'agent', rights: { operations, ...more } },
    })
    return made.body.data.api_key
  }
})
afterAll(() => service[Symbol.asyncDispose]())

test('a client of 2026-07-28 discovers, lists and calls tools', async () => {
  const client = await modernClient({ fetch: fetchOf(service.app), key })
  expect(client.getServerVersion()).toMatchObject({ name: 'waypost' })
  expect(client.getInstructions()).toContain('untrusted-content')
  const listed = await client.listTools()
  expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  const { structuredContent, isError } = await client.callTool({ name: 'current_time', arguments: {} })
  expect(isError).toBeFalsy()
  expect(structuredContent).toBeTypeOf('object')
  await client.close()
})

test('a client of 2025-11-25 initializes, lists and calls tools, and pings', async () => {
  const client = await olderClient({ fetch: fetchOf(service.app), key })
  expect(client.getServerVersion()).toMatchObject({ name: 'waypost' })
  const listed = await client.listTools()
  expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  const { structuredContent } = await client.callTool({ name: 'current_time', arguments: {} })
  expect(structuredContent).toBeTypeOf('object')
  await client.ping()
  await client.close()
})

test.runIf(isCheck)('a session token of one node works at another, and not for another credential', async () => {
  await using database = await migratedDatabase()
  await using first = await openService({ databaseUrl: database.url })
  await using second = await openService({ databaseUrl: database.url, dataDir: first.services.config.dataDir })
  await first.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
  const begun = await post(
    first.app,
    {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    },
    { key },
  )
  expect(begun.body.result.protocolVersion).toBe('2025-06-18')
  const session = begun.headers.get('mcp-session-id') ?? ''
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' }
  expect(await post(second.app, list, { key, headers })).toMatchObject({ status: 200, body: { id: 2 } })
  const { application_id: id } = (await first.call('GET', '/v3/applications')).body.data
  const body = { name: 'other', rights: { operations: ['mcp'] } }
  const made = await first.call('POST', `/v3/admin/applications/${id}/api-keys`, { admin: true, body })
  const foreign: string = made.body.data.api_key
  expect((await post(second.app, list, { key: foreign, headers })).status).toBe(404)
  expect((await post(second.app, list, { key, headers: { ...headers, 'mcp-session-id': `${session}x` } })).status).toBe(
    404,
  )
})

test('only tools that the credential may call are listed, and others are refused with a challenge', async () => {
  const own = await restricted(['mcp', 'calendar.read'])
  const { body, headers } = modern('tools/list')
  const listed = await post(service.app, body, { key: own, headers })
  expect(listed.body.result).toMatchObject({ resultType: 'complete', cacheScope: 'private' })
  expect(listed.body.result.ttlMs).toBeGreaterThan(0)
  const names = listed.body.result.tools.map(({ name }: { name: string }) => name)
  expect(names).not.toContain('find_messages')
  expect(names).toContain('current_time')
  const call = modern('tools/call', { name: 'find_messages', arguments: {} })
  const refused = await post(service.app, call.body, { key: own, headers: call.headers })
  expect(refused).toMatchObject({
    status: 403,
    body: { id: 7, error: { code: 403, data: { missing: ['mail.read'] } } },
  })
  expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  expect(refused.headers.get('www-authenticate')).toContain('scope="mcp mail.read"')
})

test('a request without a credential gets 401 with the address of the metadata', async () => {
  const { body, headers } = modern('tools/list')
  for (const wrong of [null, 'wpk_nobody', 'wprk_sandbox_nobody']) {
    const answer = await post(service.app, body, { key: wrong, headers })
    expect(answer.status).toBe(401)
    const challenge = answer.headers.get('www-authenticate')
    expect(challenge).toMatch(/^Bearer .*resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/)
    expect(challenge).toContain('scope="mcp"')
  }
  const named = await post(service.app, body, { key: null, headers, path: `/mcp/${applicationId}` })
  expect(named.headers.get('www-authenticate')).toContain(`/oauth-protected-resource/mcp/${applicationId}"`)
})

test('a key without the right, from another application, or for one that has not enabled MCP is refused', async () => {
  const { body, headers } = modern('tools/list')
  const without = await restricted(['mail.read'])
  expect(await post(service.app, body, { key: without, headers })).toMatchObject({
    status: 403,
    body: { error: { data: { type: 'missing_right', missing: ['mcp'] } } },
  })
  const other = await service.createApplication()
  expect(await post(service.app, body, { key: other.key, headers })).toMatchObject({
    status: 403,
    body: { error: { data: { type: 'mcp_disabled' } } },
  })
  expect((await post(service.app, body, { key, headers, path: `/mcp/${other.id}` })).status).toBe(401)
  expect((await post(service.app, body, { key, headers, path: `/mcp/${applicationId}` })).status).toBe(200)
  const elsewhere = await restricted(['mcp'], { networks: ['203.0.113.0/24'] })
  expect((await post(service.app, body, { key: elsewhere, headers })).status).toBe(403)
})

test('neither the password of the administrator nor another method opens the endpoint', async () => {
  const { body, headers } = modern('tools/list')
  const basic = `Basic ${Buffer.from(`admin:${service.adminPassword}`).toString('base64')}`
  expect((await post(service.app, body, { headers: { ...headers, authorization: basic } })).status).toBe(401)
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await service.call(method, '/mcp', {})
    expect({ method, status: answer.status, allow: answer.headers.get('allow') }).toEqual({
      ...{ method, status: 405, allow: 'POST' },
    })
  }
})

test('the requests of a credential are limited', async () => {
  await using limited = await openService({ env: { WAYPOST_RATE_LIMITS: 'on' } })
  await limited.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  let answer = await post(limited.app, ping, { key: limited.apiKey })
  expect(answer.headers.get('ratelimit-limit')).toBe('300')
  for (let n = 0; n < 700 && answer.status === 200; n++) answer = await post(limited.app, ping, { key: limited.apiKey })
  expect(answer).toMatchObject({ status: 429, body: { error: { code: 429, data: { type: 'rate_limited' } } } })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
})
