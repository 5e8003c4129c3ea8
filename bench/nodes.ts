/**
 * The cost of additional nodes on one PostgreSQL: processor time of all nodes per request and per delivery, with one,
 * two and four nodes in separate processes; and the queries per minute of an idle node. The floor is the same work on
 * one node. Each node gets the same number of requests, after as many for warm-up, so that its start is not measured.
 * One node and several alternate three times, and the median counts.
 *
 *   npm run bench:nodes [-- --quick] [-- --json]
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresPeer, startPostgres } from '@waypost/testing/peers/postgres'
import { Pool } from 'undici'
import { type Node, startNode } from '../packages/server/test/faults/node.ts'
import { adminPassword, type Client, newClient } from './client.ts'
import { type FigureRow, median, quick, report, round, rowOf } from './figures.ts'

const sizes = [1, 2, 4]
const largest = 4
const rounds = 3
const requests = quick ? 500 : 2_000
const events = quick ? 100 : 250
const destinations = 8
const atOnce = 4
const idleSeconds = 30
/** Destinations are released ten seconds after their last delivery, and nodes poll for ten more after a write. */
const calmSeconds = 25

interface Receiver extends AsyncDisposable {
  url: string
  /** Resolves after `count` deliveries. */
  expect(count: number): Promise<void>
}

/** Answers challenges and counts deliveries. */
async function openReceiver(): Promise<Receiver> {
  let left = 0
  let done: () => void = () => undefined
  const server = createServer((request, response) => {
    const challenge = new URL(request.url ?? '', 'http://receiver').searchParams.get('challenge')
    request.resume()
    request.on('end', () => {
      response.end(challenge ?? 'ok')
      if (challenge === null && --left === 0) done()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    expect: (count) =>
      new Promise((resolve) => {
        left = count
        done = resolve
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Site {
  client: Client
  grantId: string
  calendarId: string
}

async function settle(base: string, receiver: Receiver): Promise<Site> {
  const client = await newClient((target, request) => fetch(base + target, request))
  await client.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const settings = { email: 'nodes@example.com' }
  const grant = await client.call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings })
  const calendar = await client.call('POST', `/v3/grants/${grant.data.id}/calendars`, { name: 'Benchmark' })
  for (let index = 0; index < destinations; index++) {
    const draft = { webhook_url: `${receiver.url}/${index}`, trigger_types: ['event.created'] }
    await client.call('POST', '/v3/webhooks', draft)
  }
  return { client, grantId: grant.data.id, calendarId: calendar.data.id }
}

/** Sends `count` requests to every node, a few concurrently to each. */
async function ask(nodes: readonly Node[], site: Site, count: number, body?: string): Promise<void> {
  const headers = { authorization: `Bearer ${site.client.key}`, 'content-type': 'application/json' }
  const target = body === undefined ? '' : `/events?calendar_id=${site.calendarId}`
  const request = { path: `/v3/grants/${site.grantId}${target}`, headers, ...(body === undefined ? {} : { body }) }
  await Promise.all(
    nodes.map(async ({ base }) => {
      const pool = new Pool(base, { connections: atOnce })
      let left = count
      const one = async (): Promise<void> => {
        while (left-- > 0) {
          const answer = await pool.request({ ...request, method: body === undefined ? 'GET' : 'POST' })
          await answer.body.dump()
          if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, one)).finally(() => pool.close())
    }),
  )
}

const cpuOf = (nodes: readonly Node[]): number => nodes.reduce((sum, node) => sum + node.usage().cpuMs, 0)

/** Processor time of all nodes in milliseconds, divided by `count`. */
async function cost(nodes: readonly Node[], count: number, work: () => Promise<void>): Promise<number> {
  const before = cpuOf(nodes)
  await work()
  return (cpuOf(nodes) - before) / count
}

const event = JSON.stringify({ title: 'Review', when: { start_time: 1_800_000_000, end_time: 1_800_003_600 } })

async function tell(nodes: readonly Node[], site: Site, receiver: Receiver, count: number): Promise<void> {
  const reported = receiver.expect(count * nodes.length * destinations)
  await ask(nodes, site, count, event)
  await reported
}

/** The number of PostgreSQL queries in a database so far, by its own statistics. */
async function requested(postgres: PostgresPeer, database: string): Promise<number> {
  const [row] = await postgres.query(
    `select xact_commit + xact_rollback as n from pg_stat_database where datname = '${database}'`,
  )
  return Number(row?.n)
}

interface Measured {
  request: number
  delivery: number
  /** Statements per minute of one node. */
  idle: number
}

async function measure(postgres: PostgresPeer, count: number, withIdle: boolean): Promise<Measured> {
  await using stack = new AsyncDisposableStack()
  const databaseUrl = await postgres.createDatabase()
  const receiver = stack.use(await openReceiver())
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const settings = {
    ...{ DATABASE_URL: databaseUrl, WAYPOST_DATA_DIR: dataDir, WAYPOST_ADMIN_PASSWORD: adminPassword },
    WAYPOST_API_KEY: 'only-for-the-benchmark-key',
  }
  const nodes: Node[] = []
  for (let index = 0; index < count; index++) nodes.push(stack.use(await startNode(['api', 'worker'], settings)))
  const site = await settle(nodes[0]?.base ?? '', receiver)
  await ask(nodes, site, requests)
  await tell(nodes, site, receiver, events)
  const request = await cost(nodes, requests * count, () => ask(nodes, site, requests))
  const delivery = await cost(nodes, events * count * destinations, () => tell(nodes, site, receiver, events))
  if (!withIdle) return { request, delivery, idle: Number.NaN }
  await sleep(calmSeconds * 1000)
  const name = new URL(databaseUrl).pathname.slice(1)
  const before = await requested(postgres, name)
  await sleep(idleSeconds * 1000)
  const idle = ((await requested(postgres, name)) - before) / count / (idleSeconds / 60)
  return { request, delivery, idle }
}

const found = new Map<number, Measured[]>(sizes.map((size) => [size, []]))
{
  await using postgres = await startPostgres({ settings: { max_connections: '100' } })
  for (let round = 0; round < rounds; round++) {
    const isLast = round === rounds - 1
    for (const size of sizes) found.get(size)?.push(await measure(postgres, size, isLast && size === largest))
  }
}

const of = (size: number, what: keyof Measured): number =>
  median((found.get(size) ?? []).map((each) => each[what]).filter((value) => !Number.isNaN(value)))
/** Uses pairs of consecutive measurements, because the speed of the machine varies. */
const timesOne = (size: number, what: keyof Measured): number =>
  median((found.get(size) ?? []).map((each, index) => each[what] / (found.get(1)?.[index]?.[what] ?? Number.NaN)))

const rows: FigureRow[] = sizes.slice(1).flatMap((size) =>
  (['request', 'delivery'] as const).map((what) =>
    rowOf(`${size} nodes: CPU of a ${what}`, {
      ...{ store: 'postgresql', unit: 'µs', aim: '<= 1.10', ratio: round(timesOne(size, what)) },
      ...{ figure: of(size, what) * 1000, floor: of(1, what) * 1000 },
    }),
  ),
)
rows.push(
  rowOf(`${largest} nodes: statements of each with nothing to do`, {
    ...{ store: 'postgresql', unit: '/min', aim: '<= 180', figure: of(largest, 'idle') },
  }),
)
report(rows)
