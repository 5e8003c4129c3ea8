/**
 * Rate limits: fixed windows for each application, reported in headers. `rate-limit-nodes.check.ts` has several nodes.
 */
import { rates } from '@waypost/contract'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, type CallOptions, openService, type TestService } from '../../harness.ts'
import { patientLoad } from '../../patient-load.ts'
import { expectSound } from '../pipeline/requests.ts'

const { limit } = rates.application
const on = { WAYPOST_RATE_LIMITS: 'on' }
const clock = testClock()

/** The start of an unused window. */
const toNextWindow = (seconds: number): void => clock.advance(seconds * 1000 - (clock.now() % (seconds * 1000)))

/** Sends requests concurrently, and returns their statuses in order. */
async function burst(service: TestService, count: number, options: CallOptions = {}): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => service.call('GET', '/v3/connectors', options)))
  return answers.map((answer) => answer.status)
}
const passed = (statuses: number[]): number => statuses.filter((status) => status === 200).length

const expectLimited = (answer: Answer, budget: number, reset: number): void => {
  expectSound(answer)
  expect([answer.status, answer.body.error.type]).toEqual([429, 'rate_limit_error'])
  expect(answer.headers.get('retry-after')).toBe(String(reset))
  expect(answer.headers.get('ratelimit-limit')).toBe(String(budget))
  expect(answer.headers.get('ratelimit-remaining')).toBe('0')
  expect(answer.headers.get('ratelimit-reset')).toBe(String(reset))
}

describe('with limits on', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService({
      env: on,
      overrides: { clock, load: patientLoad(), findMailExchangers: async () => [] },
    })
  })
  afterAll(() => service[Symbol.asyncDispose]())
  beforeEach(() => toNextWindow(60))

  test('an application has fifty calls a second, and each answer says how many are left', async () => {
    expect(limit).toBe(50)
    for (let left = limit - 1; left >= 0; left--) {
      const answer = await service.call('GET', '/v3/connectors')
      expect(answer.status).toBe(200)
      expect(answer.headers.get('ratelimit-limit')).toBe('50')
      expect(answer.headers.get('ratelimit-remaining')).toBe(String(left))
      expect(answer.headers.get('ratelimit-reset')).toBe('1')
      expect(answer.headers.has('retry-after')).toBe(false)
    }
    expectLimited(await service.call('GET', '/v3/connectors'), limit, 1)
    clock.advance(999)
    expectLimited(await service.call('GET', '/v3/connectors'), limit, 1)
    clock.advance(1)
    expect(passed(await burst(service, 60))).toBe(limit)
  })

  test('of ten times too many concurrent calls, all beyond the limit are refused', async () => {
    expect(passed(await burst(service, 10 * limit))).toBe(limit)
  })

  test('all application routes share the limit, bad requests count, and refused ones do not', async () => {
    await burst(service, limit - 2)
    expect((await service.call('GET', '/v3/grants?limit=0')).headers.get('ratelimit-remaining')).toBe('1')
    expect((await service.call('GET', '/v3/grants/nobody')).headers.get('ratelimit-remaining')).toBe('0')
    const body = { url: 'https://late.test/' }
    expectLimited(await service.call('POST', '/v3/applications/redirect-uris', { body }), limit, 1)
    clock.advance(1000)
    expect((await service.call('GET', '/v3/applications/redirect-uris')).body.data).toEqual([])
  })

  test('applications do not share a limit', async () => {
    const { key } = await service.createApplication()
    expect(passed(await burst(service, limit + 10))).toBe(limit)
    expect(passed(await burst(service, limit + 10, { key }))).toBe(limit)
  })

  test('two keys of one application share a limit', async () => {
    const { id, key } = await service.createApplication()
    const made = await service.call('POST', `/v3/admin/applications/${id}/api-keys`, {
      admin: true,
      body: { name: 'two' },
    })
    await burst(service, limit, { key })
    expectLimited(await service.call('GET', '/v3/grants', { key: made.body.data.api_key }), limit, 1)
  })

  test('an administrator acting for an application uses its limit, and administrator routes have none', async () => {
    const { id, key } = await service.createApplication()
    await burst(service, limit, { key })
    const headers = { 'x-waypost-application': id }
    expectLimited(await service.call('GET', '/v3/connectors', { admin: true, headers }), limit, 1)
    for (let n = 0; n < limit + 5; n++) {
      expect((await service.call('GET', `/v3/admin/applications/${id}`, { admin: true })).status).toBe(200)
    }
  })

  test('a wrong key uses no limit', async () => {
    expect(await burst(service, limit + 5, { key: 'wrong' })).toEqual(Array(limit + 5).fill(401))
    expect(passed(await burst(service, limit))).toBe(limit)
  })

  test('detection has its own limit of twenty calls a minute', async () => {
    const detect = () => service.call('POST', '/v3/providers/detect?email=a@gmail.com')
    for (let left = 19; left >= 0; left--) {
      const answer = await detect()
      expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([200, String(left)])
    }
    expectLimited(await detect(), 20, 60)
    expect(passed(await burst(service, limit))).toBe(limit)
    clock.advance(59_000)
    expectLimited(await detect(), 20, 1)
    clock.advance(1000)
    expect((await detect()).status).toBe(200)
  })

  test('health, readiness and pages are not counted', async () => {
    const etag = (await service.call('GET', '/openapi.json', { key: null })).headers.get('etag') ?? ''
    for (const [path, status] of [
      ['/health', 200],
      ['/ready', 200],
      ['/openapi.json', 304],
    ] as const) {
      for (let n = 0; n < limit + 5; n++) {
        const answer = await service.call('GET', path, { key: null, headers: { 'if-none-match': etag } })
        expect([answer.status, answer.headers.has('ratelimit-limit')]).toEqual([status, false])
      }
    }
  })

  test('each of two nodes allows half, and with more nodes than calls each allows one', async () => {
    service.services.telemetry.limiter.setNodes(2)
    expect(passed(await burst(service, limit))).toBe(limit / 2)
    clock.advance(1000)
    service.services.telemetry.limiter.setNodes(1000)
    expect(passed(await burst(service, limit))).toBe(1)
    clock.advance(1000)
    service.services.telemetry.limiter.setNodes(1)
    expect(passed(await burst(service, limit))).toBe(limit)
  })

  test('an Idempotency-Key stays free after its request was refused', async () => {
    await burst(service, limit)
    const ask = () =>
      service.call('POST', '/v3/applications/redirect-uris', {
        body: { url: 'https://once.test/' },
        headers: { 'idempotency-key': 'limited' },
      })
    expectLimited(await ask(), limit, 1)
    clock.advance(1000)
    const second = await ask()
    expect([second.status, second.headers.has('idempotent-response')]).toEqual([200, false])
    expect((await ask()).headers.get('ratelimit-remaining')).toBe('48')
  })
})

describe('an address in X-Forwarded-For', () => {
  const wrong = `Basic ${Buffer.from('admin:wrong').toString('base64')}`
  /** Sends wrong passwords, each with a different forwarded address, and returns the statuses. */
  async function guess(address: string, forwarded: (n: number) => string): Promise<number[]> {
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      const headers = { authorization: wrong, 'x-forwarded-for': forwarded(n) }
      statuses.push((await fetch(`${address}/v3/admin/applications`, { headers })).status)
    }
    return statuses
  }
  const limited = [...Array(10).fill(401), 429, 429]

  test('resets neither the count of wrong passwords nor the limit of an application', async () => {
    await using service = await openService({ env: on, overrides: { clock, load: patientLoad() } })
    const address = await service.listen()
    expect(await guess(address, (n) => `10.0.0.${n}`)).toEqual(limited)
    toNextWindow(60)
    const statuses: number[] = []
    for (let n = 0; n <= limit; n++) {
      statuses.push(
        (await service.call('GET', '/v3/connectors', { headers: { 'x-forwarded-for': `10.0.0.${n}` } })).status,
      )
    }
    expect(passed(statuses)).toBe(limit)
  })

  test('counts behind a trusted proxy, and only the part that the proxy wrote', async () => {
    const env = { ...on, WAYPOST_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' }
    await using service = await openService({ env, overrides: { clock, load: patientLoad() } })
    const address = await service.listen()
    expect(await guess(address, (n) => `192.0.2.${n}`)).toEqual(Array(12).fill(401))
    expect(await guess(address, (n) => `192.0.2.${n}, 198.51.100.7, 10.1.2.3`)).toEqual(limited)
  })
})

test('disabled limits refuse nothing and send no headers, but wrong passwords are still counted', async () => {
  await using service = await openService({
    env: { WAYPOST_RATE_LIMITS: 'off' },
    overrides: { clock, load: patientLoad(), findMailExchangers: async () => [] },
  })
  toNextWindow(60)
  expect(passed(await burst(service, 3 * limit))).toBe(3 * limit)
  for (let n = 0; n < 25; n++) {
    const answer = await service.call('POST', '/v3/providers/detect?email=a@gmail.com')
    expect([answer.status, answer.headers.has('ratelimit-limit')]).toEqual([200, false])
  }
  const headers = { authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` }
  const statuses: number[] = []
  for (let n = 0; n < 11; n++)
    statuses.push((await service.call('GET', '/v3/admin/usage', { key: null, headers })).status)
  expect(statuses).toEqual([...Array(10).fill(401), 429])
})
