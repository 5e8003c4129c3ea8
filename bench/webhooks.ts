/**
 * What deliveries cost, on SQLite and on PostgreSQL:
 * (a) notifications of 2 KB to 20 destinations on this machine, signed, each attempt recorded, against the floor of a bare
 *     undici loop that posts the same bytes to the same listeners with as many requests under way;
 * (b) whether memory grows from the first round to the last;
 * (c) looking for work and reading it, with a thousand and with a million rows waiting;
 * (d) the time from an API call to the arrival of its notification when little happens.
 * Rates are printed as ratios; only they are meant to be read.
 *
 *   npm run bench:webhooks [-- --quick] [-- --json]
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { triggerNames } from '@waypost/contract'
import type { Hono } from 'hono'
import { Pool } from 'undici'
import { readConfig } from '../packages/server/src/config.ts'
import { createServerApp } from '../packages/server/src/create-app.ts'
import { createServices } from '../packages/server/src/services/index.ts'
import type { BuiltServices } from '../packages/server/src/services/services.ts'
import { sql } from '../packages/server/src/store/database.ts'
import { dueDeliveries } from '../packages/server/src/store/deliveries.ts'
import { dueDestinations } from '../packages/server/src/store/delivery-leases.ts'
import { createWebhook, eraseWebhook } from '../packages/server/src/webhooks/destinations.ts'
import { startPostgres } from '../packages/server/test/peers/postgres.ts'

const quick = process.argv.includes('--quick')
const json = process.argv.includes('--json')
const isSink = process.argv.includes('--sink')

const destinations = 20
const notifications = quick ? 5_000 : 50_000
const rounds = quick ? 2 : 5
const underWay = 64
const adminPassword = 'only-for-the-benchmark'

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const ratio = (part: number, whole: number): number => Math.round((part / whole) * 100) / 100

/** The listeners, in a process of their own: they read the body, answer, and say when the last one came. */
async function runSink(): Promise<void> {
  let received = 0
  let wanted = Number.POSITIVE_INFINITY
  const listen = async (): Promise<number> => {
    const server: Server = createServer((request, response) => {
      const challenge = new URL(request.url ?? '', 'http://sink').searchParams.get('challenge')
      request.resume()
      request.on('end', () => {
        response.setHeader('content-length', challenge?.length ?? 2)
        response.end(challenge ?? 'ok')
        if (challenge === null && ++received === wanted) process.send?.({ received })
      })
    })
    server.keepAliveTimeout = 60_000
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }
  const ports = []
  for (let index = 0; index < destinations; index++) ports.push(await listen())
  process.on('message', (message: { wanted: number }) => {
    received = 0
    wanted = message.wanted
    process.send?.({ ready: true })
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ ports })
}

async function startSink(): Promise<{ process: ChildProcess; ports: number[] }> {
  const child = fork(fileURLToPath(import.meta.url), ['--sink'])
  const [{ ports }] = await once(child, 'message')
  return { process: child, ports }
}

/** Makes the listeners count anew; `done` resolves when so many requests have come. */
async function expectRequests(sink: ChildProcess, count: number): Promise<{ done: Promise<unknown> }> {
  sink.send({ wanted: count })
  await once(sink, 'message')
  return { done: once(sink, 'message') }
}

interface Service {
  services: BuiltServices
  app: Hono
  key: string
  applicationId: string
  grantId: string
  stop(): Promise<void>
}

interface Answered {
  id: string
  api_key: string
  application_id: string
}

async function call(service: Service, at: string, body: unknown, admin = false): Promise<Answered> {
  const authorization = admin ? `Basic ${btoa(`admin:${adminPassword}`)}` : `Bearer ${service.key}`
  const response = await service.app.request(at, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST ${at}: ${await response.text()}`)
  return ((await response.json()) as { data: Answered }).data
}

async function openService(databaseUrl: string | undefined): Promise<Service> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  const { config, secrets } = readConfig({
    WAYPOST_DATA_DIR: dataDir,
    WAYPOST_API_KEY: 'only-for-the-benchmark-key',
    WAYPOST_ADMIN_PASSWORD: adminPassword,
    WAYPOST_RATE_LIMITS: 'off',
    WAYPOST_EGRESS: 'private',
    WAYPOST_LOG_LEVEL: 'silent',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  })
  const services = await createServices(config, secrets)
  const stop = async (): Promise<void> => {
    await services[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const service = { services, app: createServerApp(services), key: '', applicationId: '', grantId: '', stop }
  const made = await call(service, '/v3/admin/applications', { name: 'Benchmark' }, true)
  service.applicationId = made.application_id
  service.key = (
    await call(service, `/v3/admin/applications/${made.application_id}/api-keys`, { name: 'k' }, true)
  ).api_key
  await call(service, '/v3/connectors', { provider: 'virtual-calendar' })
  const settings = { email: 'bench' }
  service.grantId = (await call(service, '/v3/connect/custom', { provider: 'virtual-calendar', settings })).id
  return service
}

/** A trigger of its own for each destination, so that every notification goes to one of them. */
const triggerOf = (index: number) => triggerNames[index % destinations] ?? 'event.created'

async function subscribe({ services, applicationId }: Service, ports: readonly number[]): Promise<void> {
  const { database, clock, secrets } = services
  await database.transaction(async (tx) => {
    for (const [index, port] of ports.entries()) {
      const draft = { webhook_url: `http://127.0.0.1:${port}/hook`, trigger_types: [triggerOf(index)] }
      await createWebhook(tx, applicationId, draft, { secrets, now: clock.now() })
    }
  })
}

/** An object that makes a body of about 2 KB. */
const object = { id: 'x'.repeat(36), object: 'event', title: 'Weekly review', description: 'd'.repeat(1700) }

async function queue({ services, applicationId, grantId }: Service, count: number): Promise<void> {
  for (let done = 0; done < count; done += 500) {
    await services.database.transaction(async (tx) => {
      for (let index = done; index < Math.min(count, done + 500); index++) {
        const trigger = triggerOf(index)
        await services.notify(tx, { applicationId, grantId, provider: 'virtual-calendar', trigger, object })
      }
    })
  }
}

const remaining = sql<{ n: number }>('bench.remaining', 'select count(*) as n from deliveries')

/** Delivers everything that waits; answers how long it took until the last result was kept. */
async function deliver(service: Service, sink: ChildProcess, count: number): Promise<number> {
  const { database, deliverer } = service.services
  const { done } = await expectRequests(sink, count)
  const stopper = new AbortController()
  const started = performance.now()
  const run = deliverer.run(stopper.signal)
  await done
  while (((await database.get(remaining))?.n ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 2))
  const took = performance.now() - started
  stopper.abort()
  await run
  return took
}

/** The same bytes to the same listeners, as many under way, and nothing else. */
async function floor(sink: ChildProcess, ports: readonly number[], count: number): Promise<number> {
  const body = Buffer.from(JSON.stringify({ specversion: '1.0', type: 'event.created', data: { object } }))
  const each = Math.ceil(underWay / ports.length)
  const pools = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, { connections: each }))
  const { done } = await expectRequests(sink, count)
  const started = performance.now()
  let next = 0
  const worker = async (pool: Pool): Promise<void> => {
    while (next < count) {
      next++
      const answer = await pool.request({
        path: '/hook',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      await answer.body.dump()
    }
  }
  const workers = pools.flatMap((pool) => Array.from({ length: each }, () => worker(pool)))
  await Promise.all(workers)
  await done
  const took = performance.now() - started
  await Promise.all(pools.map((pool) => pool.close()))
  return took
}

/** Fewer than wait for each destination when a thousand wait for all: as many are read however long the queues are. */
const readAtOnce = 40

/** Milliseconds for a look for work and a read of it. */
async function claimTime({ services, applicationId }: Service): Promise<number> {
  const { database, clock } = services
  const times = []
  for (let round = 0; round < 25; round++) {
    const started = performance.now()
    const lanes = await dueDestinations(database, clock.now())
    for (const { webhook_id: webhookId } of lanes.slice(0, 2)) {
      await dueDeliveries(database, { applicationId, webhookId }, { now: clock.now(), limit: readAtOnce })
    }
    times.push(performance.now() - started)
  }
  return median(times)
}

const copyQueue = sql(
  'bench.copyQueue',
  `insert into deliveries (webhook_id, application_id, notification, state, attempts, tries, due_at, bytes)
   select webhook_id, application_id, notification + $1, state, attempts, tries, due_at, bytes from deliveries
   where notification <= $2`,
)
const largest = sql<{ top: number; n: number }>(
  'bench.largest',
  'select max(notification) as top, count(*) as n from deliveries',
)

/** Doubles what waits until it is so much. */
async function waitingRows({ services }: Service, count: number): Promise<void> {
  for (;;) {
    const { top = 0, n = 0 } = (await services.database.get(largest)) ?? {}
    if (n >= count) return
    await services.database.run(copyQueue, [top, top])
  }
}

/** From the call of the API to the arrival of its notification, with nothing else to do. */
async function lowLoad(service: Service): Promise<{ p50: number; p99: number }> {
  const times: number[] = []
  let arrived: () => void = () => undefined
  const listener = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.end(new URL(request.url ?? '', 'http://x').searchParams.get('challenge') ?? '')
      if (request.method === 'POST') arrived()
    })
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const draft = { webhook_url: `http://127.0.0.1:${port}/low`, trigger_types: ['event.created'] }
  const { id: webhook } = await call(service, '/v3/webhooks', draft)
  const { id: calendar } = await call(service, `/v3/grants/${service.grantId}/calendars`, { name: 'Low load' })
  const stopper = new AbortController()
  const run = service.services.deliverer.run(stopper.signal)
  for (let round = 0; round < (quick ? 50 : 300); round++) {
    const came = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const started = performance.now()
    const when = { start_time: 1_800_000_000, end_time: 1_800_003_600 }
    await call(service, `/v3/grants/${service.grantId}/events?calendar_id=${calendar}`, { title: 'x', when })
    await came
    times.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  stopper.abort()
  await run
  listener.close()
  listener.closeAllConnections()
  await service.services.database.transaction((tx) => eraseWebhook(tx, service.applicationId, webhook, Date.now()))
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  return { p50: at(0.5), p99: at(0.99) }
}

const megabytes = (): number => Math.round(process.memoryUsage().rss / 1_048_576)

async function measure(store: string, databaseUrl: string | undefined): Promise<Record<string, number>> {
  const sink = await startSink()
  const service = await openService(databaseUrl)
  try {
    const low = await lowLoad(service)
    await subscribe(service, sink.ports)
    await queue(service, 1_000)
    await deliver(service, sink.process, 1_000)
    const shares: number[] = []
    const memory: number[] = []
    for (let round = 0; round < rounds; round++) {
      await queue(service, notifications)
      const ours = await deliver(service, sink.process, notifications)
      memory.push(megabytes())
      shares.push((await floor(sink.process, sink.ports, notifications)) / ours)
      if (!json)
        console.error(`${store}: round ${round + 1} of ${rounds}: ${ratio(shares.at(-1) ?? 0, 1)} of the floor`)
    }
    await queue(service, 1_000)
    const few = await claimTime(service)
    await waitingRows(service, quick ? 100_000 : 1_000_000)
    return {
      'deliveries: service / floor': ratio(median(shares), 1),
      'memory after the last round / the first': ratio(memory.at(-1) ?? 0, memory[0] ?? 1),
      [quick ? 'claim: 100,000 waiting / 1,000' : 'claim: 1,000,000 waiting / 1,000']: ratio(
        await claimTime(service),
        few,
      ),
      'call to arrival, ms (p50)': low.p50,
      'call to arrival, ms (p99)': low.p99,
    }
  } finally {
    sink.process.disconnect()
    await service.stop()
  }
}

if (isSink) {
  await runSink()
} else {
  await using postgres = await startPostgres()
  const figures: Record<string, Record<string, number>> = {
    SQLite: await measure('SQLite', undefined),
    PostgreSQL: await measure('PostgreSQL', await postgres.createDatabase()),
  }
  if (json) console.log(JSON.stringify(figures))
  else
    console.table(
      Object.fromEntries(
        Object.keys(figures.SQLite ?? {}).map((name) => [
          name,
          Object.fromEntries(Object.entries(figures).map(([store, values]) => [store, values[name]])),
        ]),
      ),
    )
}
