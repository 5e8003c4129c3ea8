/** Health of the service: now, by minute, and by destination; and notifications, newest first. */

import { ApiError } from '@waypost/platform/api-error'
import { tallyDestinations } from '@waypost/store/tables/figures/health-figures'
import { tallyAttempts } from '@waypost/store/tables/notifications/attempt-log'
import { enginesFor } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { beat } from '../../../src/node.ts'
import { createHealthCounters } from '../../../src/telemetry/health-counters.ts'
import { percentile } from '../../../src/telemetry/latency-histogram.ts'
import { openService, type TestService } from '../../harness.ts'
import { openReceiver, openWebhookSetup, status, until, type WebhookSetup } from '../../webhooks/webhook-setup.ts'

const minute = 60_000
const hour = 3_600_000

interface HealthCounters {
  at: number
  requests: number
  errors: number
  latency_p50_ms: number | null
  latency_p95_ms: number | null
  provider_errors: number
}

test('percentiles of a histogram are accurate to within 20 %', () => {
  expect(percentile([], 0.5)).toBeNull()
  // One request of 8 ms: its bucket ends at 8 ms, and starts at 5.7 ms.
  const histogram = Array.from({ length: 40 }, (_, bucket) => (bucket === 8 ? 1 : 0))
  expect(percentile(histogram, 0.5)).toBeCloseTo(6.7, 1)
  expect(percentile(histogram, 0.95)).toBeCloseTo(6.7, 1)
  const two = Array.from({ length: 40 }, (_, bucket) => (bucket === 8 ? 90 : bucket === 20 ? 10 : 0))
  expect(percentile(two, 0.5)).toBeCloseTo(6.7, 1)
  expect(percentile(two, 0.95)).toBeCloseTo(430, -1)
})

describe.each(enginesFor(import.meta.url))('health on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  beforeAll(async () => {
    clock = testClock(Math.floor(Date.now() / (10 * minute)) * 10 * minute + minute / 2)
    service = await openService({ engine, overrides: { clock } })
    await beat(service.services)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const series = async (query = ''): Promise<HealthCounters[]> =>
    (await service.call('GET', `/v3/admin/health/series${query}`, { admin: true })).body.data

  test('has nodes, queues, grants and destinations as of now', async () => {
    await service.createGrant('one@health.test')
    const { body } = await service.call('GET', '/v3/admin/health', { admin: true })
    const now = Math.floor(clock.now() / 1000)
    expect(body.data).toEqual({
      nodes: [
        {
          ...{
            id: service.services.runtime.node.id,
            started_at: now,
            seen_at: now,
            roles: ['api', 'worker'],
            watched_grants: 0,
          },
          ...{ version: service.services.runtime.node.version, host: service.services.runtime.node.host, stale: false },
        },
      ],
      outbox_jobs: 0,
      failed_jobs: 0,
      deliveries_waiting: 0,
      sends_waiting: 0,
      grants: { valid: 1, invalid: 0 },
      destinations: { active: 0, failing: 0, failed: 0, pause: 0 },
    })
  })

  test('has figures for every minute, summed over all nodes', async () => {
    const before = (await series()).at(-1)?.requests ?? 0
    for (let turn = 0; turn < 5; turn++) await service.call('GET', '/v3/applications')
    service.services.telemetry.figures.answered(503, 3000)
    service.services.telemetry.figures.attempted(true, 40)
    service.services.telemetry.figures.attempted(false, 40)
    service.services.accounts.activity.failed('nobody', { operation: 'x', error: new ApiError('provider_unavailable') })
    await service.services.telemetry.figures.flush()
    const all = await series()
    expect(all).toHaveLength(6 * 60)
    expect(all.map(({ at }) => at)).toEqual(all.map((_, index) => (all[0]?.at ?? 0) + 60 * index))
    const last = all.at(-1)
    expect(last).toMatchObject({
      at: Math.floor(clock.now() / minute) * 60,
      errors: 1,
      deliveries: 1,
      delivery_failures: 1,
      delivery_p50_ms: 38,
      provider_errors: 1,
    })
    expect(last?.requests).toBeGreaterThanOrEqual(before + 6)
    expect(last?.latency_p95_ms).toBeGreaterThan(0)
    const quiet = { requests: 0, errors: 0, latency_p50_ms: null, latency_p95_ms: null, provider_errors: 0 }
    expect(all[0]).toMatchObject(quiet)

    // Another node adds to them.
    const { database } = service.services.storage
    const node = createHealthCounters(database, { clock, nodeId: 'another', watchedGrants: () => 7 })
    for (let turn = 0; turn < 100; turn++) node.answered(200, 900)
    await node.flush()
    const sum = (await series()).at(-1)
    expect(sum?.requests).toBeGreaterThanOrEqual((last?.requests ?? 0) + 100)
    expect(sum).toMatchObject({ latency_p50_ms: 860, watched_grants: 7 })
  })

  test('retains figures of past minutes for two days', async () => {
    service.services.telemetry.figures.answered(200, 5)
    clock.advance(minute)
    service.services.telemetry.figures.answered(200, 5)
    await service.services.telemetry.figures.flush()
    const [former, last] = (await series('?hours=1')).slice(-2)
    expect(former?.requests).toBeGreaterThan(0)
    expect(last?.requests).toBeGreaterThan(0)
    clock.advance(40 * hour)
    const long = await series('?hours=48')
    expect(long).toHaveLength(48 * 12)
    expect(long.some(({ requests }) => requests > 0)).toBe(true)
    clock.advance(10 * hour)
    await purgeExpired(service.services)
    expect((await series('?hours=48')).every(({ requests }) => requests === 0)).toBe(true)
    expect((await service.call('GET', '/v3/admin/health/series?hours=49', { admin: true })).status).toBe(400)
  })
})

describe.each(enginesFor(import.meta.url))('destinations and notifications on %s', (engine) => {
  let setup: WebhookSetup
  beforeAll(async () => {
    setup = await openWebhookSetup({ engine })
  })
  afterAll(() => setup[Symbol.asyncDispose]())

  test('deliveries are summed by hour or quarter hour, without gaps', async () => {
    await using receiver = await openReceiver(status(500))
    const tenant = await setup.newTenant()
    const { id } = await tenant.subscribe(receiver)
    await tenant.tell()
    await until(async () => expect(await tenant.queue(id)).toMatchObject([{ attempts: 1 }]))
    receiver.reply = status(204)
    setup.pass(7000)
    await until(async () => expect(await tenant.queue(id)).toEqual([]))
    const health = async (query: string) => (await tenant.call('GET', `/v3/webhooks/${id}/health${query}`)).body.data
    const day = await health('')
    expect(day).toHaveLength(24)
    expect(day.map(({ at }: HealthCounters) => at % 3600)).toEqual(day.map(() => 0))
    const sum = (rows: { delivered: number; failed: number }[]) =>
      rows.reduce((all, row) => ({ delivered: all.delivered + row.delivered, failed: all.failed + row.failed }))
    expect(sum(day)).toMatchObject({ delivered: 1, failed: 1 })
    const quarters = await health('?hours=2')
    expect(quarters).toHaveLength(8)
    expect(sum(quarters)).toMatchObject({ delivered: 1, failed: 1 })
    expect(quarters[0]).toMatchObject({ delivered: 0, failed: 0 })
    expect((await tenant.call('GET', '/v3/webhooks/nothing/health')).status).toBe(404)
  })

  test('deliveries are counted up to a maximum', async () => {
    await using receiver = await openReceiver()
    const tenant = await setup.newTenant()
    const [first] = [
      await tenant.subscribe(receiver),
      await tenant.subscribe(receiver, { webhook_url: `${receiver.url}/2` }),
    ]
    await tenant.tellMany(3)
    await until(async () => expect(await tenant.attempts(first.id)).toHaveLength(3))
    const { database } = setup.service.services.storage
    const of = { applicationId: tenant.applicationId, webhookId: first.id }
    const counted = (max: number) => tallyAttempts(database, of, { from: 0, to: Number.MAX_SAFE_INTEGER, max })
    expect([await counted(2), await counted(100)]).toEqual([
      { delivered: 2, failed: 0 },
      { delivered: 3, failed: 0 },
    ])
    expect((await tallyDestinations(database, 1)).active).toBe(1)
    expect((await tallyDestinations(database)).active).toBeGreaterThan(1)
  })

  test('notifications can be read newest first', async () => {
    const tenant = await setup.newTenant()
    for (let turn = 0; turn < 5; turn++) await tenant.tell()
    const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id)
    const whole = await tenant.call('GET', '/v3/notifications?order=desc&limit=200&wait=30')
    expect(whole.body.data.length).toBeGreaterThanOrEqual(5)
    // The stream ends before open transactions, and another one may be open for a moment.
    const oldest = await until(async () => {
      const answer = await tenant.call('GET', '/v3/notifications')
      expect(answer.body.data).toHaveLength(whole.body.data.length)
      return ids(answer)
    })
    const first = await tenant.call('GET', '/v3/notifications?order=desc&limit=3')
    const second = await tenant.call('GET', `/v3/notifications?order=desc&limit=3&page_token=${first.body.next_cursor}`)
    expect([...ids(first), ...ids(second)]).toEqual(
      oldest.toReversed().slice(0, ids(first).length + ids(second).length),
    )
    expect(ids(whole)).toEqual(oldest.toReversed())
    expect(whole.body.next_cursor).toBeUndefined()
    const foreign = await tenant.call('GET', `/v3/notifications?page_token=${first.body.next_cursor}`)
    expect(foreign.status).toBe(400)
  })
})
