/**
 * A store distributed with Citus: requests, writes and deliveries of one node, with one, two and three workers. The
 * floor is the same node on one plain PostgreSQL. Besides the rate, each row has the processor time of the node and of
 * all PostgreSQL servers together: they share this machine, so rates show little of what more machines gain.
 *
 *   WAYPOST_TEST_CITUS=/usr/lib/postgresql/15/bin npm run bench:citus [-- --quick] [-- --json]
 */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { citusMissing, copyCitus, prepareCitus, startCitus } from '@waypost/testing/peers/citus'
import { type PostgresPeer, startPostgres } from '@waypost/testing/peers/postgres'
import { Pool } from 'undici'
import { type Node, startNode } from '../packages/server/test/faults/node.ts'
import { adminPassword, type Client, newClient } from './client.ts'
import { type FigureRow, quick, report, rowOf } from './figures.ts'

const applications = 6
const reads = quick ? 1_000 : 6_000
const writes = quick ? 200 : 1_200
const atOnce = 16
const sizes = [1, 2, 3]

interface Tenant {
  client: Client
  grantId: string
  calendarId: string
}

interface Cost {
  perSecond: number
  /** Milliseconds of processor time for each. */
  node: number
  postgresql: number
}

interface Measured {
  requests: Cost
  writes: Cost
  deliveries: Cost
}

const ticksPerSecond = 100

/** The processor time of a server so far, in milliseconds: its processes, and those that have ended. */
function cpuOf({ folder }: PostgresPeer): number {
  const parent = readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
  const statOf = (pid: string): string[] => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    } catch {
      return []
    }
  }
  const sum = (values: readonly string[]): number => values.reduce((total, value) => total + Number(value), 0)
  // After the name: the state, the parent, and from the twelfth on the own times and those of ended children.
  const children = readdirSync('/proc')
    .map(statOf)
    .filter((stat) => stat[1] === parent)
  const ticks = sum(statOf(parent).slice(11, 15)) + sum(children.flatMap((stat) => stat.slice(11, 13)))
  return (ticks * 1_000) / ticksPerSecond
}

/** Answers challenges, and resolves after a number of deliveries. */
async function openReceiver(
  stack: AsyncDisposableStack,
): Promise<{ url: string; expect(count: number): Promise<void> }> {
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
  stack.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const expect = (count: number): Promise<void> =>
    new Promise((resolve) => {
      left = count
      done = resolve
    })
  return { url: `http://127.0.0.1:${port}`, expect }
}

async function settle(base: string): Promise<Tenant> {
  const client = await newClient((target, request) => fetch(base + target, request))
  await client.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const settings = { email: 'citus@example.com' }
  const grant = await client.call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings })
  const calendar = await client.call('POST', `/v3/grants/${grant.data.id}/calendars`, { name: 'Benchmark' })
  return { client, grantId: grant.data.id, calendarId: calendar.data.id }
}

const event = JSON.stringify({ title: 'Review', when: { start_time: 1_800_000_000, end_time: 1_800_003_600 } })

/** Sends `count` requests, spread over the applications. */
async function ask({ base }: Node, tenants: readonly Tenant[], count: number, body?: string): Promise<void> {
  const pool = new Pool(base, { connections: atOnce })
  let next = 0
  const one = async (): Promise<void> => {
    while (next < count) {
      const tenant = tenants[next++ % tenants.length]
      if (!tenant) return
      const target = body === undefined ? '' : `/events?calendar_id=${tenant.calendarId}`
      const answer = await pool.request({
        path: `/v3/grants/${tenant.grantId}${target}`,
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${tenant.client.key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one)).finally(() => pool.close())
}

/** The cost of each of `count` operations. */
async function costOf(
  { node, servers }: { node: Node; servers: readonly PostgresPeer[] },
  count: number,
  work: () => Promise<void>,
): Promise<Cost> {
  const all = (): number => servers.reduce((total, server) => total + cpuOf(server), 0)
  const [began, ours, theirs] = [performance.now(), node.usage().cpuMs, all()]
  await work()
  return {
    perSecond: (count * 1_000) / (performance.now() - began),
    node: (node.usage().cpuMs - ours) / count,
    postgresql: (all() - theirs) / count,
  }
}

async function measure(databaseUrl: string, servers: readonly PostgresPeer[]): Promise<Measured> {
  await using stack = new AsyncDisposableStack()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const receiver = await openReceiver(stack)
  const settings = {
    ...{ DATABASE_URL: databaseUrl, WAYPOST_DATA_DIR: dataDir, WAYPOST_ADMIN_PASSWORD: adminPassword },
    WAYPOST_API_KEY: 'only-for-the-benchmark-key',
  }
  const node = stack.use(await startNode(['api', 'worker'], settings))
  const tenants: Tenant[] = []
  for (let index = 0; index < applications; index++) tenants.push(await settle(node.base))
  await ask(node, tenants, reads / 2)
  await ask(node, tenants, writes / 2, event)
  const used = { node, servers }
  const requests = await costOf(used, reads, () => ask(node, tenants, reads))
  const written = await costOf(used, writes, () => ask(node, tenants, writes, event))
  for (const [index, { client }] of tenants.entries()) {
    await client.call('POST', '/v3/webhooks', {
      webhook_url: `${receiver.url}/${index}`,
      trigger_types: ['event.created'],
    })
  }
  const deliveries = await costOf(used, writes, async () => {
    const reported = receiver.expect(writes)
    await ask(node, tenants, writes, event)
    await reported
  })
  return { requests, writes: written, deliveries }
}

async function onPlain(): Promise<Measured> {
  await using postgres = await startPostgres()
  return await measure(await postgres.createDatabase(), [postgres])
}

async function onCitus(workers: number): Promise<Measured> {
  await using cluster = await startCitus({ workers, settings: { fsync: 'on' } })
  const folder = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  const prepared = await prepareCitus(cluster.servers, folder, 12)
  rmSync(folder, { recursive: true, force: true })
  await using store = await copyCitus(prepared)
  return await measure(store.url, [cluster.coordinator, ...cluster.workers])
}

const measured = [
  ['a grant is read', 'requests'],
  ['an event is created', 'writes'],
  ['an event is created and delivered', 'deliveries'],
] as const

function* rowsOf(store: string, found: Measured, floor: Measured): Generator<FigureRow> {
  for (const [what, key] of measured) {
    yield rowOf(what, { store, figure: found[key].perSecond, floor: floor[key].perSecond, unit: '/s' })
    yield rowOf(`${what}: node`, { store, figure: found[key].node, floor: floor[key].node, unit: 'ms' })
    const [figure, plain] = [found[key].postgresql, floor[key].postgresql]
    yield rowOf(`${what}: PostgreSQL`, { store, figure, floor: plain, unit: 'ms' })
  }
}

if (citusMissing) console.error(citusMissing)
else {
  const floor = await onPlain()
  const rows: FigureRow[] = []
  for (const workers of sizes) {
    rows.push(...rowsOf(`Citus, ${workers} worker${workers > 1 ? 's' : ''}`, await onCitus(workers), floor))
  }
  report(rows)
}
