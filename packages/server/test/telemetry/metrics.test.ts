/** The metrics of a working service: requests, providers, deliveries, watches, sends, the store and the process. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '@waypost/platform/api-error'
import { version } from '@waypost/platform/versions'
import type { Provider } from '@waypost/providers/provider'
import { providers } from '@waypost/providers/registry'
import { writeFact } from '@waypost/store/tables/applications/installation'
import { enginesFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Metric, metricTable } from '../../src/telemetry/metric-table.ts'
import { openService, type TestService } from '../harness.ts'
import { readScrape, type Scraped, valueIn } from './scrape.ts'

/** Virtual calendars with one operation that sends an HTTP request, and fails as a provider would. */
function failing(ask: () => Promise<unknown>): Provider {
  const virtual = providers['virtual-calendar']
  return Object.assign(Object.create(null), virtual, {
    calendars: {
      ...virtual.calendars,
      get: async () => {
        await ask()
        throw new ApiError('provider_unavailable')
      },
    },
  })
}

/** Metrics without samples in a service that has sent no mail, watched nothing and requested no tokens. */
const notHere = [
  'waypost_token_refreshes_total',
  'waypost_watch_looks_total',
  'waypost_watch_look_seconds',
  'waypost_last_backup_timestamp_seconds',
  'waypost_trace_spans_total',
  'waypost_failed_jobs',
  // No backfill is under way.
  'waypost_schema_backfill_rows',
  'waypost_approvals_total',
  'waypost_mcp_calls_total',
  'waypost_jobs_failed_total',
  // Metrics of the supervisor of several processes.
  'waypost_processes',
  'waypost_processes_replaced_total',
  'waypost_supervisor_resident_memory_bytes',
]

describe.each(enginesFor(import.meta.url))('the metrics of a service on %s', (engine) => {
  let service: TestService
  let base: string
  let receiver: Server
  const scrape = async (): Promise<Map<string, Scraped>> =>
    readScrape(String((await service.call('GET', '/metrics', { admin: true })).body))
  const value = async (name: string, labels?: Record<string, string>) => valueIn(await scrape(), name, labels)

  const ask = () =>
    service.services.accounts
      .ioFor('virtual-calendar', AbortSignal.timeout(10_000))
      .request({ url: `${base}/health`, method: 'GET', maxBytes: 100_000 })

  beforeAll(async () => {
    service = await openService({
      engine,
      overrides: { providers: { ...providers, 'virtual-calendar': failing(ask) } },
    })
    base = await service.listen()
    const grant = await service.createGrant('room@metrics.test')
    const at = `/v3/grants/${grant.id}`
    const made = await service.call('POST', `${at}/calendars`, { body: { name: 'One' } })
    await service.call('GET', `${at}/calendars`)
    await service.call('GET', `${at}/calendars/${made.body.data.id}`)
    await service.call('GET', '/v3/grants', { key: 'wpk_wrong' })
    await service.call('GET', '/v3/nowhere')
    receiver = createServer((request, response) => {
      response.end(new URL(request.url ?? '', 'http://receiver').searchParams.get('challenge') ?? '')
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const { port } = receiver.address() as AddressInfo
    const hook = { webhook_url: `http://127.0.0.1:${port}/`, trigger_types: ['event.created'] }
    expect(await service.call('POST', '/v3/webhooks', { body: hook })).toMatchObject({ status: 200 })
    const event = { title: 'Told', when: { start_time: 1_798_790_400, end_time: 1_798_794_000 } }
    await service.call('POST', `${at}/events?calendar_id=primary`, { body: event })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    receiver.close()
  })

  test('count operations at providers by outcome, and the requests that they make', async () => {
    const virtual = { provider: 'virtual-calendar' }
    const of = (operation: string, outcome: string) => ({ ...virtual, operation, outcome })
    expect(await value('waypost_provider_operations_total', of('calendars.create', 'ok'))).toBe(1)
    expect(await value('waypost_provider_operations_total', of('calendars.list', 'ok'))).toBe(1)
    expect(await value('waypost_provider_operations_total', of('events.create', 'ok'))).toBe(1)
    expect(await value('waypost_provider_operations_total', of('calendars.get', 'provider_unavailable'))).toBe(1)
    expect(await value('waypost_provider_operation_seconds_count', virtual)).toBe(4)
    expect(await value('waypost_provider_requests_total', { ...virtual, status: '2xx' })).toBe(1)
    expect(await value('waypost_provider_request_seconds_count', virtual)).toBe(1)
  })

  test('count delivery attempts and their duration', async () => {
    await expect.poll(() => value('waypost_delivery_attempts_total', { outcome: 'delivered' })).toBe(1)
    expect(await value('waypost_delivery_attempt_seconds_count', { outcome: 'delivered' })).toBe(1)
  })

  test('have the type, help and labels of the table, and one source each', async () => {
    const families = await scrape()
    for (const [name, metric] of Object.entries<Metric>(metricTable)) {
      const scraped = families.get(name)
      expect(scraped, name).toMatchObject({ type: metric.type, help: metric.help })
      for (const label of scraped?.labels ?? []) expect(metric.labels, name).toContain(label)
    }
    // Events that do not occur here are covered by other tests.
    const unseen = Object.keys(metricTable).filter((name) => families.get(name)?.samples.length === 0)
    const postgresAlone = ['waypost_store_connections', 'waypost_store_connections_waiting']
    expect(new Set(unseen)).toEqual(new Set([...notHere, ...(engine === 'sqlite' ? postgresAlone : [])]))
    const unnamed = [...families.keys()].filter((name) => !/^waypost_/.test(name))
    expect(unnamed).toEqual([])
  })

  test('count refusals by the name of the error', async () => {
    expect(await value('waypost_http_errors_total', { error: 'unauthorized' })).toBe(1)
    expect(await value('waypost_http_errors_total', { error: 'not_found' })).toBe(1)
    expect(await value('waypost_http_requests_total', { route: 'grants.list', status: '401' })).toBe(1)
  })

  test('count the statements of the store by name, their time by kind, and its connections', async () => {
    const families = await scrape()
    const reads = valueIn(families, 'waypost_store_statements_total', { statement: 'api_keys.holderAndGrant' }) ?? 0
    // On SQLite a row that was read is kept until its tables are written to.
    expect(reads).toBeGreaterThanOrEqual(1)
    for (const kind of ['read', 'write', 'transaction']) {
      expect(valueIn(families, 'waypost_store_seconds_count', { kind }), kind).toBeGreaterThan(0)
      expect(valueIn(families, 'waypost_store_seconds_bucket', { kind, le: '+Inf' })).toBe(
        valueIn(families, 'waypost_store_seconds_count', { kind }),
      )
    }
    const statements = families.get('waypost_store_statements_total')?.samples ?? []
    expect(statements.filter(({ labels }) => /\.\d+$/.test(labels.statement ?? ''))).toEqual([])
    const used = valueIn(families, 'waypost_store_connections', { state: 'idle' })
    if (engine === 'postgresql') expect(used).toBeGreaterThanOrEqual(0)
    else expect(used).toBeUndefined()
  })

  test('count grants and destinations by state, from the store', async () => {
    await expect.poll(() => value('waypost_grants', { provider: 'virtual-calendar', state: 'valid' })).toBe(1)
    expect(await value('waypost_destinations', { state: 'active' })).toBe(1)
    const { id } = await service.createGrant('blocked@metrics.test')
    const { application_id: application } = (await service.call('GET', '/v3/applications')).body.data
    const at = `/v3/admin/applications/${application}/grants/${id}`
    expect(await service.call('PATCH', at, { admin: true, body: { blocked: true } })).toMatchObject({ status: 200 })
    await writeFact(service.services.storage.database, 'last_backup_at', '1794859479000')
    await expect.poll(() => value('waypost_last_backup_timestamp_seconds')).toBe(1_794_859_479)
    expect(await value('waypost_grants', { provider: 'virtual-calendar', state: 'blocked' })).toBe(1)
  })

  test('report for how long due work has been waiting', async () => {
    const { database, clock } = service.services.storage
    await database.execute(
      `insert into outbox (id, application_id, grant_id, kind, payload, attempts, due_at, owner, lease_until, created_at)
       values ('metrics-1', '', '', 'mail.send', '{}', 0, ${clock.now() - 100_000}, null, ${clock.now() + 900_000}, 0)`,
    )
    await expect.poll(() => value('waypost_queue_oldest_seconds', { kind: 'mail.send' })).toBeGreaterThanOrEqual(100)
    expect(await value('waypost_queue_due', { kind: 'mail.send' })).toBe(1)
    expect(await value('waypost_queue_due', { kind: 'message.send' })).toBe(0)
    await database.execute(`delete from outbox where id = 'metrics-1'`)
  })

  test('describe the build, the threads and the work of the node', async () => {
    const families = await scrape()
    expect(valueIn(families, 'waypost_build_info', { version, store: engine })).toBe(1)
    expect(valueIn(families, 'waypost_threads', { pool: 'parse', state: 'busy' })).toBe(0)
    expect(valueIn(families, 'waypost_watches', { state: 'waiting' })).toBe(0)
    expect(valueIn(families, 'waypost_load_refusals_total', { reason: 'overloaded' })).toBe(0)
    expect(valueIn(families, 'waypost_nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
    expect(valueIn(families, 'waypost_process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(valueIn(families, 'waypost_nodejs_heap_space_size_used_bytes', { space: 'old' })).toBeGreaterThan(0)
  })

  test('read the store once for concurrent scrapes', async () => {
    await nextTurn()
    const requested = () =>
      service.services.storage.database.figures.statements().get('application_counts.readAll')?.count ?? 0
    const before = requested()
    await Promise.all(Array.from({ length: 20 }, scrape))
    expect(requested() - before).toBeLessThanOrEqual(1)
  })
})
