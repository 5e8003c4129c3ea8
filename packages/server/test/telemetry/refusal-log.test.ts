/** The log lines about refused requests, and their limit. */

import { createLog } from '@waypost/platform/log'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRefusalLog } from '../../src/telemetry/refusal-log.ts'
import { openService, type TestService } from '../harness.ts'

function openLog(level: 'info' | 'debug') {
  const lines: { level: string; msg: string; suppressed?: number }[] = []
  const suppressed = { value: 0 }
  let now = 0
  const refusals = createRefusalLog({
    log: createLog(level, { write: (line) => void lines.push(JSON.parse(line)) }),
    ...{ suppressed, now: () => now, perClient: 3, perStrangers: 5 },
  })
  const pass = (milliseconds: number): void => {
    now += milliseconds
  }
  return { lines, suppressed, refusals, pass }
}

test('the log has a limited number of lines for each client and for all strangers together, and the number of omitted lines', () => {
  const { lines, suppressed, refusals, pass } = openLog('info')
  for (let n = 0; n < 10; n++) refusals.note({ address: '192.0.2.1' }, () => ({}))
  expect([lines.length, suppressed.value]).toEqual([3, 7])
  for (let n = 0; n < 10; n++) refusals.note({ address: `192.0.2.${n + 2}` }, () => ({}))
  expect([lines.length, suppressed.value]).toEqual([5, 15])
  // Refusals of strangers do not use up the log lines of an application.
  for (let n = 0; n < 10; n++) refusals.note({ application: 'one' }, () => ({}))
  expect([lines.length, suppressed.value]).toEqual([8, 22])
  pass(60_000)
  refusals.note({ address: '192.0.2.1' }, () => ({}))
  expect(lines.slice(8)).toMatchObject([{ suppressed: 22 }, { msg: 'request refused' }])
  refusals[Symbol.dispose]()
})

test('omitted lines are in the log at the level debug', () => {
  const { lines, refusals } = openLog('debug')
  for (let n = 0; n < 5; n++) refusals.note({ address: '192.0.2.1' }, () => ({}))
  expect(lines.map(({ level }) => level)).toEqual(['info', 'info', 'info', 'debug', 'debug'])
  refusals[Symbol.dispose]()
  expect(lines.at(-1)).toMatchObject({ suppressed: 2 })
})

describe('a refused request', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService({ env: { WAYPOST_TRUSTED_PROXIES: '127.0.0.1' } })
  })
  afterAll(() => service[Symbol.asyncDispose]())
  const lineOf = (requestId: string | null) =>
    service
      .logs()
      .split('\n')
      .filter((line) => line.includes(String(requestId)))
      .map((line) => JSON.parse(line))

  test('is logged with method, route, client, error and reason, without its credential', async () => {
    const { headers } = await service.call('GET', '/v3/grants', { key: 'wpk_secret_of_nobody' })
    const [line] = lineOf(headers.get('x-request-id'))
    expect(line).toMatchObject({
      method: 'GET',
      route: 'grants.list',
      status: 401,
      refused: 'unauthorized',
      client: 'local',
    })
    expect(service.logs()).not.toContain('wpk_secret_of_nobody')
  })

  test('is logged with its invalid fields, by the names of the schema', async () => {
    const body = { provider: 'virtual-calendar', name: 5, settings: 'x' }
    const { headers } = await service.call('POST', '/v3/connectors', { body })
    const [line] = lineOf(headers.get('x-request-id'))
    expect(line).toMatchObject({ method: 'POST', route: 'connectors.create', refused: 'invalid_request' })
    expect(line.fields.length).toBeGreaterThan(0)
    for (const field of line.fields) expect(field).toMatch(/^(name|settings|provider|\*)/)
  })

  test('without a route is logged with stars for unknown parts of its path', async () => {
    const { headers } = await service.call('GET', '/v3/grants/ann@private.test/nosuch/thing')
    expect(lineOf(headers.get('x-request-id'))).toMatchObject([{ path: '/v3/grants/*/*/*', refused: 'not_found' }])
    expect(service.logs()).not.toContain('ann@private.test')
  })
})
