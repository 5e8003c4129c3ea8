/**
 * The addresses that the service may connect to by default: private ones only while no other machine can reach the
 * service. Other machines learn nothing about private servers, and do not get the metrics.
 */

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { createEgress } from '@waypost/platform/egress/egress'
import { signOfForwarding } from '@waypost/platform/forwarding'
import { enginesFor } from '@waypost/testing/engines'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examine } from '../../../src/cli/doctor/doctor.ts'
import { readConfig } from '../../../src/config.ts'
import { beat } from '../../../src/node.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'

const token = 'a-token-for-prometheus-0123'
/** A private server. */
let inside: Server
let url = ''
let hits = 0
beforeAll(async () => {
  inside = createServer((_, response) => {
    hits++
    response.writeHead(418).end('INSIDE-SECRET')
  })
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`
})
afterAll(() => {
  inside.closeAllConnections()
  inside.close()
})

const draft = () => ({ webhook_url: url, trigger_types: ['event.created'] })
const make = (service: TestService, headers: Record<string, string> = {}): Promise<Answer> =>
  service.call('POST', '/v3/webhooks', { body: draft(), headers })

describe('signs of a proxy in a request', () => {
  const signOf = (headers: Record<string, string>, httpVersion = '1.1'): string | undefined =>
    signOfForwarding({ header: (name) => headers[name], names: Object.keys(headers), httpVersion })

  test.each([
    [{ 'x-forwarded-for': '192.0.2.1' }],
    [{ forwarded: 'for=192.0.2.1' }],
    [{ via: '1.1 proxy' }],
    [{ 'x-real-ip': '192.0.2.1' }],
    [{ 'x-forwarded-proto': 'https' }],
    [{ 'x-forwarded-host': '' }],
    [{ 'cf-ray': '1' }],
    [{ host: 'api.example.com' }],
    [{ host: '192.168.1.7:3000' }],
    [{ host: 'localhost.example.com' }],
    [{ host: '127.0.0.1.example.com:3000' }],
    [{ host: '[2001:db8::1]:3000' }],
    [{ host: '' }],
  ])('%o does', (headers) => {
    expect(signOf(headers)).toBeTypeOf('string')
  })

  test('HTTP/1.0 is one, because nginx uses it by default', () => {
    expect(signOf({ host: '127.0.0.1:3000', connection: 'close' }, '1.0')).toBe('HTTP/1.0')
  })

  test.each([
    [{}],
    [{ host: '127.0.0.1:3000', 'user-agent': 'curl' }],
    [{ host: 'localhost' }],
    [{ host: 'LOCALHOST:8080', origin: 'http://localhost:8080' }],
    [{ host: '[::1]:3000' }],
    [{ host: '127.0.0.1:3000', origin: 'null' }],
    [{ host: '127.0.0.1:3000', origin: 'https://any-page.example.com' }],
  ])('%o does not', (headers) => {
    expect(signOf(headers)).toBeUndefined()
  })
})

describe.each(enginesFor(import.meta.url))('a service that listens only on loopback, on %s', (engine) => {
  test('reaches private addresses until a request arrives through a proxy, and never again', async () => {
    const databaseUrl = engine === 'postgresql' ? await freshDatabaseUrl() : undefined
    const dataDir = await mkdtemp(path.join(tmpdir(), 'waypost-test-'))
    const service = await openService({ databaseUrl, dataDir })
    await using other = databaseUrl ? await openService({ databaseUrl, dataDir }) : undefined
    const again = (): Promise<TestService> => openService({ dataDir, databaseUrl })
    {
      await using _ = service
      expect((await make(service)).body.error.message).toContain('got 418')
      // The request that reveals the proxy is refused already.
      const before = hits
      const refused = await make(service, { 'x-forwarded-for': '192.0.2.1' })
      expect([refused.status, Object.keys(refused.body.error.validation_errors)]).toEqual([400, ['webhook_url']])
      expect((await make(service)).status).toBe(400)
      expect(hits).toBe(before)
      expect(service.logs().match(/a request came through a proxy/g)).toHaveLength(1)
      await beat(service.services)
      if (other) {
        await beat(other.services)
        expect((await make(other)).body.error.message).not.toContain('got 418')
      }
    }
    await using restarted = await again()
    expect((await make(restarted)).body.error.validation_errors).toHaveProperty('webhook_url')
    expect(restarted.services.network.addressMode()).toBe('public')
    await rm(dataDir, { recursive: true })
  })
})

test('through a port, a plain HTTP/1.0 request is enough', async () => {
  await using service = await openService()
  const { port } = new URL(await service.listen())
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(`GET /health HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
  expect(await text(socket)).toContain('200 OK')
  expect(service.services.network.addressMode()).toBe('public')
})

test.each([
  ['listens beyond loopback', { WAYPOST_HOST: '0.0.0.0', WAYPOST_BASE_URL: 'http://127.0.0.1:3000' }],
  ['has a base address elsewhere', { WAYPOST_BASE_URL: 'https://api.example.com' }],
  ['trusts a proxy', { WAYPOST_TRUSTED_PROXIES: '127.0.0.1' }],
])('a service that %s reaches no private address', async (_, env) => {
  await using service = await openService({
    env: { ...env, WAYPOST_API_KEY: 'wpk_test_CANARY-API-KEY-0123456789abcdef' },
  })
  expect(service.services.network.addressMode()).toBe('public')
  expect((await make(service)).body.error.type).toBe('invalid_request_error')
})

describe('a public service that may connect to private addresses', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService({ env: { WAYPOST_EGRESS: 'private', WAYPOST_TRUSTED_PROXIES: '127.0.0.1' } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('a failed challenge or test event reveals nothing about the server that answered, except in the log', async () => {
    const closed = 'http://127.0.0.1:1/'
    const ask = async (webhook_url: string): Promise<string[]> => {
      const made = await service.call('POST', '/v3/webhooks', { body: { ...draft(), webhook_url } })
      const body = { webhook_url, trigger_type: 'event.created' }
      const sent = await service.call('POST', '/v3/webhooks/send-test-event', { body })
      expect([made.status, sent.status]).toEqual([400, 400])
      return [made.body.error.message, sent.body.error.message]
    }
    // The error is the same whether the port is open or closed, and whatever the server responds.
    const open = await ask(url)
    expect(open).toEqual(await ask(closed))
    expect(open.join()).not.toMatch(/418|INSIDE|\d ms|connect/)
    expect(service.logs()).toContain('got 418 after')
  })
})

test('a name with a private address and one without an address are answered alike', async () => {
  await using egress = createEgress({
    mode: 'public',
    resolve: async (host) => {
      if (host.startsWith('none')) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return host.startsWith('empty') ? [] : [{ address: '10.1.2.3', family: 4 }]
    },
  })
  const said = async (name: string): Promise<unknown> =>
    egress.request({ url: `https://${name}.example.com/`, method: 'GET' }).then(
      () => 'an answer',
      ({ reason, message }) => [reason, message.replaceAll(name, 'NAME')],
    )
  expect(await said('none')).toEqual(await said('database'))
  expect(await said('empty')).toEqual(await said('database'))
})

describe('the figures of the service', () => {
  const metrics = (service: TestService, headers: Record<string, string> = {}): Promise<Answer> =>
    service.call('GET', '/metrics', { key: null, headers })
  const basic = (password: string): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
  })

  test('are open to this machine, and need a credential once other machines reach the service', async () => {
    await using service = await openService()
    expect((await metrics(service)).status).toBe(200)
    const refused = await metrics(service, { 'x-forwarded-for': '192.0.2.1' })
    expect([refused.status, refused.body.error.message]).toEqual([
      401,
      expect.stringContaining('WAYPOST_METRICS_TOKEN'),
    ])
    expect((await metrics(service)).status).toBe(401)
    expect((await metrics(service, { authorization: `Bearer ${service.apiKey}` })).status).toBe(401)
    expect((await metrics(service, basic('wrong'))).status).toBe(401)
    const answer = await metrics(service, basic(service.adminPassword))
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('waypost_http_requests_total')])
  })

  test('require the token of the settings if there is one', async () => {
    await using service = await openService({ env: { WAYPOST_METRICS_TOKEN: token } })
    expect((await metrics(service)).status).toBe(401)
    for (const wrong of [`${token}x`, token.slice(1), '', 'x'.repeat(10_000)]) {
      expect((await metrics(service, { authorization: `Bearer ${wrong}` })).status).toBe(401)
    }
    expect((await metrics(service, { authorization: `Bearer ${token}` })).status).toBe(200)
    // The token gives no other access.
    expect((await service.call('GET', '/v3/admin/applications', { key: token })).status).toBe(401)
    expect(service.logs()).not.toContain(token)
  })

  test('count a wrong password as a sign-in does', async () => {
    await using service = await openService()
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await metrics(service, basic('x'.repeat(2000)))).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  })
})

test('doctor reports what is open', async () => {
  await using service = await openService()
  const { dataDir } = service.services.config
  const findings = async (env: Record<string, string> = {}): Promise<string[]> => {
    const { config, secrets } = readConfig({ WAYPOST_DATA_DIR: dataDir, ...env })
    const shown = ['exposure', 'egress', 'metrics']
    return (await examine(config, secrets))
      .filter(({ check, message }) => shown.includes(check) && !message.includes('WAYPOST_EGRESS_ALLOW'))
      .map(({ state, message }) => `${state} ${message}`)
  }
  expect((await findings()).join('\n')).toMatch(
    /ok only this machine.*\nok the service can connect to private addresses until.*\nok \/metrics is open to this machine/,
  )
  await make(service, { via: '1.1 proxy' })
  await beat(service.services)
  expect((await findings()).join('\n')).toMatch(
    /warning .*through a proxy \(via\)\nok the service does not connect to private addresses\nok \/metrics accepts only the administrator/,
  )
  const open = await findings({ WAYPOST_EGRESS: 'private', WAYPOST_METRICS_TOKEN: token })
  expect(open.join('\n')).toMatch(
    /warning WAYPOST_EGRESS=private: anyone with an API key.*\nok \/metrics accepts the token/,
  )
})
