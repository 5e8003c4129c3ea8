/** Requests that the protocol refuses. Each gets the required response, and changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../../harness.ts'
import { modern, modernMeta, post } from './clients.ts'

let service: TestService
let key: string
beforeAll(async () => {
  service = await openService()
  key = service.apiKey
  const origins = 'https://app.example.com'
  await service.call('PATCH', '/v3/applications', { body: { mcp_enabled: true, idp_settings: { origins } } })
})
afterAll(() => service[Symbol.asyncDispose]())

const send = (body: unknown, headers: Record<string, string> = {}) => post(service.app, body, { key, headers })
const list = modern('tools/list')
const call = modern('tools/call', { name: 'current_time', arguments: {} })

describe('a request of 2026-07-28', () => {
  test.each([
    ['Mcp-Method', list.body, { ...list.headers, 'mcp-method': 'tools/call' }],
    ['the case of Mcp-Method', list.body, { ...list.headers, 'mcp-method': 'Tools/List' }],
    ['MCP-Protocol-Version', list.body, { ...list.headers, 'mcp-protocol-version': '2025-11-25' }],
    ['Mcp-Name', call.body, { ...call.headers, 'mcp-name': 'find_messages' }],
    ['an encoded Mcp-Name', call.body, { ...call.headers, 'mcp-name': '=?base64?ZmluZF9tZXNzYWdlcw==?=' }],
    ['an unreadable Mcp-Name', call.body, { ...call.headers, 'mcp-name': '=?base64?***?=' }],
  ])('whose header %s differs from the body gets 400 and -32020', async (_name, body, headers) => {
    expect(await send(body, headers)).toMatchObject({ status: 400, body: { id: 7, error: { code: -32020 } } })
  })

  test.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])('without the header %s gets -32020', async (name) => {
    const headers = Object.fromEntries(Object.entries(call.headers).filter(([each]) => each !== name))
    expect(await send(call.body, headers)).toMatchObject({ status: 400, body: { id: 7, error: { code: -32020 } } })
  })

  test('is served with an encoded name and spaces around values', async () => {
    const encoded = `=?base64?${Buffer.from('current_time').toString('base64')}?=`
    expect((await send(call.body, { ...call.headers, 'mcp-name': encoded })).status).toBe(200)
    expect((await send(call.body, { ...call.headers, 'mcp-name': '  current_time  ' })).status).toBe(200)
  })

  test('with an unknown version gets -32022 with the supported ones', async () => {
    const body = structuredClone(list.body) as { params: { _meta: Record<string, unknown> } }
    body.params._meta['io.modelcontextprotocol/protocolVersion'] = '2099-01-01'
    const answer = await send(body, { ...list.headers, 'mcp-protocol-version': '2099-01-01' })
    const supported = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']
    expect(answer).toMatchObject({
      status: 400,
      body: { id: 7, error: { code: -32022, data: { requested: '2099-01-01', supported } } },
    })
  })

  test.each([
    ['_meta', { params: {} }],
    ['the version', { params: { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } } }],
    ['the capabilities', { params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } }],
  ])('without %s gets 400 and -32602', async (_name, params) => {
    const answer = await send({ ...list.body, ...params }, list.headers)
    expect(answer).toMatchObject({ status: 400, body: { id: 7, error: { code: -32602 } } })
  })

  test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'prompts/list', 'constructor', 'a/b'])(
    'for %s, which the version does not have, gets 404 and -32601',
    async (method) => {
      const { body, headers } = modern(method)
      expect(await send(body, headers)).toMatchObject({ status: 404, body: { id: 7, error: { code: -32601 } } })
    },
  )

  test.each([
    ['an unknown tool', { name: 'no_such_tool' }],
    ['no name', {}],
    ['arguments that are no object', { name: 'current_time', arguments: [] }],
    ['a forged requestState', { name: 'current_time', requestState: 'forged', inputResponses: {} }],
    ['a long requestState', { name: 'current_time', requestState: 'x'.repeat(5_000), inputResponses: {} }],
    ['an answer without requestState', { name: 'current_time', inputResponses: { approval: { action: 'accept' } } }],
  ])('for a tool with %s gets -32602', async (_name, params) => {
    const { body, headers } = modern('tools/call', params, { elicitation: {} })
    expect(await send(body, headers)).toMatchObject({ body: { id: 7, error: { code: -32602 } } })
  })

  test('with wrong arguments gets the error as a result, which the model can read', async () => {
    const { body, headers } = modern('tools/call', { name: 'current_time', arguments: { zone: 5, extra: 1 } })
    expect(await send(body, headers)).toMatchObject({ status: 200, body: { result: { isError: true } } })
  })
})

describe('any request', () => {
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`
  test.each([
    ['no JSON', '{', -32700],
    ['two keys of one name', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700],
    ['deep JSON', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`, -32700],
    ['a key that reaches the prototype', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}', -32700],
    ['nothing', '', -32700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['a text', '"ping"', -32600],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
  ])('with %s in the body gets 400', async (_name, body, code) => {
    expect(await send(body)).toMatchObject({ status: 400, body: { jsonrpc: '2.0', error: { code } } })
  })

  test('with another content type gets 415, with a body above the limit 413', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect((await send(ping, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send({ ...ping, params: { a: 'x'.repeat(1_100_000) } })).status).toBe(413)
  })

  test('with a foreign origin gets 403; registered and own ones are served and may read the answer', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    for (const origin of [
      'https://evil.example',
      'null',
      'http://app.example.com',
      'https://app.example.com.evil.example',
    ]) {
      expect({ origin, status: (await send(ping, { origin })).status }).toEqual({ origin, status: 403 })
      expect((await post(service.app, ping, { headers: { origin } })).status).toBe(403)
    }
    const served = await send(ping, { origin: 'https://app.example.com' })
    expect(served.status).toBe(200)
    expect(served.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect((await send(ping, { origin: new URL(service.services.config.baseUrl).origin })).status).toBe(200)
    const requested = await service.app.request('http://waypost.test/mcp', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    })
    expect(requested.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
  })

  test('with an origin of another application gets 403', async () => {
    const other = await service.createApplication()
    const origins = 'https://other.example.com'
    await service.call('PATCH', '/v3/applications', { key: other.key, body: { idp_settings: { origins } } })
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect((await send(ping, { origin: origins })).status).toBe(403)
  })
})

describe('a request of an earlier version', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  test('with an unknown version in its header gets 400', async () => {
    expect(await send(ping, { 'mcp-protocol-version': '2024-10-07' })).toMatchObject({
      status: 400,
      body: { error: { code: -32022 } },
    })
  })

  test('for an unknown method gets -32601', async () => {
    const answer = await send({ ...ping, method: 'nothing' })
    expect(answer).toMatchObject({ status: 200, body: { id: 1, error: { code: -32601 } } })
  })

  test('that names an unknown version in initialize gets the newest one with sessions', async () => {
    const params = { protocolVersion: '1.0', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
    const answer = await send({ ...ping, method: 'initialize', params })
    expect(answer.body.result.protocolVersion).toBe('2025-11-25')
    const wrong = await send({ ...ping, method: 'initialize', params: { protocolVersion: 5 } })
    expect(wrong.body.error.code).toBe(-32602)
  })

  test('that answers a question which nobody asked gets 400', async () => {
    const answer = { jsonrpc: '2.0', id: 'forged', result: { action: 'accept', content: { approve: true } } }
    expect(await send(answer)).toMatchObject({ status: 400, body: { error: { code: -32602 } } })
  })

  test('that is a notification gets 202 without a body', async () => {
    const answer = await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 202, body: '' })
    const { _meta } = { _meta: modernMeta() }
    const modernOne = await send(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta } },
      { 'mcp-protocol-version': '2026-07-28' },
    )
    expect(modernOne.status).toBe(202)
  })
})

test('refused requests change nothing', async () => {
  const { body } = await service.call('GET', '/v3/grants')
  expect(body.data).toEqual([])
})
