/** The health of an application, and the history of each of its grants. */

import { ApiError } from '@waypost/platform/api-error'
import { providers } from '@waypost/providers/registry'
import { beatNode } from '@waypost/store/tables/applications/nodes'
import { oneEngineFor } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { beat } from '../../../src/node.ts'
import { createTraffic } from '../../../src/telemetry/traffic.ts'
import { openService, type TestService } from '../../harness.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

interface Entry {
  at: number
  kind: string
  [field: string]: unknown
}

describe.each(oneEngineFor(import.meta.url))('an application on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let fails: ApiError | undefined
  let owner: { id: string; key: string }
  const failing = {
    ...providers['virtual-calendar'],
    calendars: {
      ...providers['virtual-calendar'].calendars,
      get: async () => {
        throw fails ?? new ApiError('not_found')
      },
    },
  }

  beforeAll(async () => {
    clock = testClock(Math.floor(Date.now() / hour) * hour + 20 * minute)
    const overrides = { clock, providers: { ...providers, 'virtual-calendar': failing } }
    service = await openService({ engine, overrides })
    await beat(service.services)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const fresh = async (): Promise<void> => {
    owner = await service.createApplication('Overview')
    fails = undefined
  }
  const base = (): string => `/v3/admin/applications/${owner.id}`
  const overview = async (query = '') =>
    (await service.call('GET', `${base()}/overview${query}`, { admin: true })).body.data
  const timeline = async (id: string, query = '') =>
    (await service.call('GET', `${base()}/grants/${id}/timeline${query}`, { admin: true })).body
  const kinds = async (id: string, query = ''): Promise<string[]> =>
    (await timeline(id, query)).data.map(({ kind }: Entry) => kind)
  const flush = async (): Promise<void> => {
    await service.services.accounts.activity.flush()
    await service.services.telemetry.traffic.flush()
  }
  const ask = (id: string, path = 'calendars') => service.call('GET', `/v3/grants/${id}/${path}`, { key: owner.key })

  test('that is new has no problems and an empty day', async () => {
    await fresh()
    const found = await overview()
    expect(found).toMatchObject({
      status: 'well',
      problems: [],
      grants: { invalid: 0, not_fetched: 0 },
      step_seconds: 900,
      providers: [],
      expired: [],
      destinations: [],
      recent: [],
    })
    expect(found.traffic).toHaveLength(96)
    expect(found.traffic.every(({ requests }: { requests: number }) => requests === 0)).toBe(true)
    expect((await overview('?hours=1')).traffic).toHaveLength(12)
    expect((await service.call('GET', '/v3/admin/applications/nothing/overview', { admin: true })).status).toBe(404)
    expect((await service.call('GET', `${base()}/overview?hours=49`, { admin: true })).status).toBe(400)
  })

  test('counts only its own calls, by provider', async () => {
    await fresh()
    const { id } = await service.createGrant('traffic@overview.test', owner.key)
    for (let turn = 0; turn < 3; turn++) await ask(id)
    await ask(id, 'events?calendar_id=nowhere')
    await service.call('GET', `/v3/grants/${id}/calendars`, { admin: true, headers: { 'x-application-id': owner.id } })
    fails = new ApiError('provider_unavailable')
    for (let turn = 0; turn < 6; turn++) await ask(id, 'calendars/x')
    await flush()
    const found = await overview('?hours=1')
    const last = found.traffic.at(-1)
    // Two calls were not about an account: creating the connector and the grant.
    expect(last).toMatchObject({ requests: 12, refused: 1, errors: 6, provider_errors: 6 })
    expect(last.latency_p50_ms).toBeGreaterThan(0)
    expect(found.providers).toMatchObject([
      {
        provider: 'virtual-calendar',
        requests: 10,
        errors: 6,
        last_error: { operation: 'calendars.get', grant_id: id, request_id: expect.any(String) },
      },
    ])
    expect(found.status).toBe('trouble')
    expect(found.problems.map(({ code }: { code: string }) => code)).toEqual(['service_errors', 'provider_errors'])
    await flush()
    expect((await overview('?hours=1')).traffic.at(-1)).toMatchObject({ requests: 12 })
    const other = await service.createApplication('Another')
    const foreign = await service.call('GET', `/v3/admin/applications/${other.id}/overview`, { admin: true })
    expect(foreign.body.data.providers).toEqual([])
  })

  test('sums over all nodes, and deletes figures after two days', async () => {
    await fresh()
    const options = { clock, log: service.services.storage.log, nodeId: 'another' }
    const call = { caller: { id: owner.id }, route: 'grants.list', status: 200, milliseconds: 40, requestId: 'r' }
    await using traffic = createTraffic(service.services.storage.database, options)
    traffic.answered(call)
    await service.call('GET', '/v3/grants', { key: owner.key })
    await flush()
    await traffic.flush()
    traffic.answered(call)
    await traffic.flush()
    expect((await overview('?hours=1')).traffic.at(-1)).toMatchObject({ requests: 3, refused: 0, errors: 0 })
    traffic.answered({ ...call, caller: { id: 'gone' } })
    clock.advance(5 * minute)
    traffic.answered(call)
    await traffic.flush()
    expect((await overview('?hours=1')).traffic.slice(-2)).toMatchObject([{ requests: 3 }, { requests: 1 }])
    clock.advance(50 * hour)
    await beat(service.services)
    await purgeExpired(service.services)
    clock.advance(-3 * hour)
    expect((await overview('?hours=48')).traffic.every(({ requests }: Entry) => requests === 0)).toBe(true)
    clock.advance(3 * hour)
  })

  test('lists expired grants with the reason, until they are authenticated again', async () => {
    await fresh()
    const { id } = await service.createGrant('expired@overview.test', owner.key)
    fails = new ApiError('grant_invalid', 'the account takes its password no more', {
      providerError: { error_description: 'Token has been expired or revoked.' },
    })
    clock.advance(1000)
    const refused = await ask(id, 'calendars/x')
    expect(refused.status).toBe(401)
    const revoked = await service.createGrant('revoked@overview.test', owner.key)
    clock.advance(1000)
    const answer = await service.call('POST', `${base()}/grants/${revoked.id}/revoke`, { admin: true })
    let found = await overview()
    expect(found.expired).toMatchObject([
      {
        grant_id: revoked.id,
        email: 'revoked@overview.test',
        reason: 'revoked',
        message: null,
        request_id: answer.body.request_id,
        grant_status: 'invalid',
      },
      {
        grant_id: id,
        provider: 'virtual-calendar',
        reason: 'credentials_refused',
        message: 'the account takes its password no more (the provider said: Token has been expired or revoked.)',
        request_id: refused.body.request_id,
      },
    ])
    expect(found).toMatchObject({ status: 'attention', grants: { invalid: 2 } })
    expect(found.problems).toMatchObject([{ code: 'grants_expired', message: expect.stringContaining('2 grants') }])
    expect(found.recent.map(({ kind }: Entry) => kind)).toEqual(['expired', 'created', 'expired', 'created'])
    clock.advance(1000)
    await service.createGrant('expired@overview.test', owner.key)
    await service.createGrant('revoked@overview.test', owner.key)
    found = await overview()
    expect(found).toMatchObject({ status: 'well', problems: [], grants: { invalid: 0 } })
    expect(found.expired.map(({ grant_status }: Entry) => grant_status)).toEqual(['valid', 'valid'])
    clock.advance(8 * day)
    await beat(service.services)
    expect((await overview()).expired).toEqual([])
  })

  test('reports that no node runs background jobs', async () => {
    await fresh()
    clock.advance(hour)
    expect((await overview()).problems).toMatchObject([{ code: 'no_worker', severity: 'trouble' }])
    await beat(service.services)
    expect((await overview()).problems).toEqual([])
  })

  test('has grants with a timeline, including request ids', async () => {
    await fresh()
    const { id } = await service.createGrant('life@overview.test', owner.key)
    const steps: string[] = []
    const step = async (method: string, path: string, body?: unknown): Promise<void> => {
      clock.advance(1000)
      steps.unshift(
        (await service.call(method, `${base()}/grants/${id}${path}`, { admin: true, body })).body.request_id,
      )
    }
    await step('PATCH', '', { blocked: true })
    await step('PATCH', '', { blocked: true })
    await step('PATCH', '', { blocked: false })
    await step('POST', '/revoke')
    await step('POST', '/revoke')
    clock.advance(1000)
    await service.createGrant('life@overview.test', owner.key)
    const { data } = await timeline(id, '?kinds=grant')
    expect(data.map(({ kind }: Entry) => kind)).toEqual(['authenticated', 'expired', 'unblocked', 'blocked', 'created'])
    // Requests that changed nothing are not listed.
    expect(data.slice(1, 4).map(({ request_id }: Entry) => request_id)).toEqual([steps[1], steps[2], steps[4]])
    expect(data[1]).toMatchObject({ reason: 'revoked', at: Math.floor(clock.now() / 1000) - 2 })
    clock.advance(91 * day)
    await beat(service.services)
    await purgeExpired(service.services)
    expect(await kinds(id, '?kinds=grant')).toEqual(['created'])
  })

  test('has grants with calls summed by hour and route, and single errors', async () => {
    await fresh()
    const { id } = await service.createGrant('calls@overview.test', owner.key)
    for (let turn = 0; turn < 3; turn++) await ask(id)
    const missing = await ask(id, 'calendars/x')
    fails = new ApiError('provider_unavailable', 'the provider is away')
    const failed = await ask(id, 'calendars/x')
    await flush()
    const { data } = await timeline(id, '?kinds=calls,errors')
    expect(data.filter(({ kind }: Entry) => kind !== 'calls')).toMatchObject([
      {
        kind: 'error',
        operation: 'calendars.get',
        message: 'the provider is away',
        request_id: failed.body.request_id,
      },
      { kind: 'refusal', type: 'not_found_error', request_id: missing.body.request_id },
    ])
    const calls = data.filter(({ kind }: Entry) => kind === 'calls')
    expect(calls).toMatchObject([
      { operation: 'calendars.list', calls: { requests: 3, refused: 0, errors: 0 } },
      {
        operation: 'calendars.get',
        request_id: failed.body.request_id,
        at: Math.floor(clock.now() / hour) * 3600,
        calls: { requests: 2, refused: 1, errors: 1, last_at: Math.floor(clock.now() / 1000) },
      },
    ])
    // Sums grow, and another hour has its own.
    await ask(id)
    clock.advance(minute)
    await flush()
    clock.advance(hour)
    await ask(id)
    await flush()
    const sums = (await timeline(id, '?kinds=calls')).data.filter(
      ({ operation }: Entry) => operation === 'calendars.list',
    )
    expect(sums.map((entry: { calls: { requests: number } }) => entry.calls.requests)).toEqual([1, 4])
    clock.advance(8 * day)
    await beat(service.services)
    await purgeExpired(service.services)
    expect(await kinds(id, '?kinds=calls')).toEqual([])
    expect(await kinds(id, '?kinds=errors')).toEqual(['error', 'refusal'])
  })

  test('has grants whose timeline is paged, filtered by kind, and hidden from others', async () => {
    await fresh()
    await service.call('PATCH', '/v3/applications', { key: owner.key, body: { notification_stream: true } })
    const { id } = await service.createGrant('pages@overview.test', owner.key)
    for (let turn = 0; turn < 4; turn++) {
      clock.advance(1000)
      await service.call('POST', `/v3/grants/${id}/calendars`, { key: owner.key, body: { name: `c${turn}` } })
      await ask(id, 'calendars/x')
    }
    await flush()
    const whole: Entry[] = (await timeline(id)).data
    expect(whole.map(({ at }) => at)).toEqual(whole.map(({ at }) => at).sort((a, b) => b - a))
    const paged: Entry[] = []
    for (let token: string | undefined, first = true; first || token; first = false) {
      const page: { data: Entry[]; next_cursor?: string } = await timeline(
        id,
        `?limit=3${token ? `&page_token=${token}` : ''}`,
      )
      paged.push(...page.data)
      token = page.next_cursor
    }
    expect(paged).toEqual(whole)
    expect(new Set(whole.map((entry) => entry.id)).size).toBe(whole.length)
    const reported = whole.filter(({ kind }) => kind === 'notification')
    expect(reported.map(({ type }) => type)).toEqual([...Array(4).fill('calendar.created'), 'grant.created'])
    const retained = await service.call('GET', `/v3/notifications/${reported[0]?.notification_id}`, { key: owner.key })
    expect(retained.body.data.type).toBe('calendar.created')
    expect(await kinds(id, '?kinds=notifications')).toEqual(reported.map(({ kind }) => kind))
    const wrong = await service.call('GET', `${base()}/grants/${id}/timeline?kinds=mail`, { admin: true })
    expect(wrong.status).toBe(400)
    const other = await service.createApplication('Another')
    const path = `/v3/admin/applications/${other.id}/grants/${id}/timeline`
    expect((await service.call('GET', path, { admin: true })).status).toBe(404)
  })

  test('has nodes with their identity, and shows one that died as such', async () => {
    const { database } = service.services.storage
    const { node } = service.services.runtime
    await beatNode(
      database,
      { id: 'dead', startedAt: 0, roles: ['worker'], version: '0.0.1', host: 'old' },
      clock.now(),
    )
    clock.advance(minute)
    await beat(service.services)
    const health = async () => (await service.call('GET', '/v3/admin/health', { admin: true })).body.data.nodes
    expect(await health()).toMatchObject([
      { id: 'dead', stale: true, version: '0.0.1', host: 'old' },
      { id: node.id, stale: false, version: expect.stringMatching(/^\d/), host: expect.stringMatching(/./) },
    ])
    const series = async (id: string) =>
      (await service.call('GET', `/v3/admin/health/series?hours=1&node_id=${id}`, { admin: true })).body.data.at(-1)
    expect((await series(node.id)).memory_bytes).toBeGreaterThan(1_000_000)
    expect(await series('dead')).toMatchObject({ memory_bytes: 0, requests: 0 })
    clock.advance(5 * minute)
    await purgeExpired(service.services)
    await beat(service.services)
    expect(await health()).toHaveLength(1)
  })
})
