/**
 * How much of the peak remains under ten times its load, on SQLite and on PostgreSQL, for reads and for changes. The
 * generator is a separate process and an open loop (`overload/generator.ts`): requests leave at their planned times,
 * whatever happened to earlier ones. Each round first finds the peak with the same generator: in a closed loop, and
 * in open loops around that rate. Then a greedy application sends ten times the peak on a thousand connections.
 * Concurrently, a modest one in another process sends a few requests at a steady rate.
 *
 * Read the ratios: goodput itself, and goodput per second of processor time that the node received. The second is
 * more stable on a shared machine. `processor waited for` shows the processor time that the node did not receive.
 *
 *   npm run bench:overload            five minutes
 *   npm run bench:overload -- --quick one round of each
 *   npm run bench:overload -- --only=sqlite, or --only=postgresql
 *   npm run bench:overload -- --json  for programs
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@waypost/testing/peers/postgres'
import { type Node, startNode } from '../packages/server/test/faults/node.ts'
import { adminPassword, type Client, newClient } from './client.ts'
import { type FigureRow, median, quick, ratio, report, rowOf } from './figures.ts'
import type { Hit, Shot } from './overload/generator.ts'

const rounds = quick ? 1 : 3
const seconds = quick ? 1.5 : 4
const warmUpSeconds = quick ? 0.75 : 1.5
const times = 10
const modestPerSecond = 40
/**
 * The remaining share of the peak, and the wait of an application with few requests while another sends ten times the
 * peak.
 */
const aims = { goodput: '>= 0.75', modestP99: '<= 500' } as const
const generator = fileURLToPath(new URL('./overload/generator.ts', import.meta.url))

type Asking = Pick<Shot, 'requests' | 'rate' | 'connections'>

async function shoot(node: Node, requesting: Asking): Promise<Hit> {
  const port = Number(new URL(node.base).port)
  const shot: Shot = { port, seconds, warmUpSeconds, timeoutMs: 10_000, ...requesting }
  const child = spawn(process.execPath, [generator, JSON.stringify(shot)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await text(child.stdout))
}

/** A request as bytes. */
function requestOf(key: string, target: string, body?: object): string {
  const json = body === undefined ? '' : JSON.stringify(body)
  const head = [`${body ? 'POST' : 'GET'} ${target} HTTP/1.1`, 'host: waypost', `authorization: Bearer ${key}`]
  if (body) head.push('content-type: application/json', `content-length: ${Buffer.byteLength(json)}`)
  return `${head.join('\r\n')}\r\n\r\n${json}`
}

/** An application with ten grants, and its requests. */
async function open(node: Node): Promise<{ read: string[]; change: string[] }> {
  const client: Client = await newClient((target, request) => fetch(`${node.base}${target}`, request))
  await client.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const change: string[] = []
  const event = { title: 'Review', when: { start_time: 1_798_790_400, end_time: 1_798_794_000 } }
  for (let count = 0; count < 10; count++) {
    const settings = { email: `resource-${count}@rooms.example` }
    const { id } = (await client.call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings })).data
    await client.call('POST', `/v3/grants/${id}/calendars`, { name: 'Bookings' })
    change.push(requestOf(client.key, `/v3/grants/${id}/events?calendar_id=primary`, event))
  }
  return { read: [requestOf(client.key, '/v3/grants?limit=10')], change }
}

interface Load extends Hit {
  /** Responses per millisecond of the node's processor time. */
  perCpuMs: number
  waitedFor: number
}

async function measured(node: Node, requesting: Asking): Promise<Load> {
  const before = node.usage()
  const from = performance.now()
  const hit = await shoot(node, requesting)
  const after = node.usage()
  const elapsed = performance.now() - from
  const cpuMs = after.cpuMs - before.cpuMs
  return {
    ...hit,
    perCpuMs: (hit.goodput * (elapsed / 1_000)) / cpuMs,
    waitedFor: (after.queuedMs - before.queuedMs) / elapsed,
  }
}

/** The maximum throughput of the node, over all tried loads. */
async function peakOf(node: Node, requests: string[]): Promise<Load> {
  const loads = [await measured(node, { requests, rate: 0, connections: 256 })]
  const carried = loads[0]?.goodput ?? 0
  for (const part of [0.8, 1.1]) {
    loads.push(await measured(node, { requests, rate: carried * part, connections: 512 }))
  }
  return loads.reduce((best, each) => (each.goodput > best.goodput ? each : best))
}

async function round10(node: Node, greedy: string[], modest: string[]) {
  const quiet = await shoot(node, { requests: modest, rate: modestPerSecond, connections: 64 })
  const peak = await peakOf(node, greedy)
  const before = node.usage().residentMb
  const [flood, beside] = await Promise.all([
    measured(node, { requests: greedy, rate: peak.goodput * times, connections: 1_000 }),
    shoot(node, { requests: modest, rate: modestPerSecond, connections: 64 }),
  ])
  return { quiet, peak, flood, beside, grew: node.usage().residentMb - before }
}

async function benchmark(store: string, settings: Record<string, string>): Promise<FigureRow[]> {
  await using node = await startNode(['api'], { WAYPOST_ADMIN_PASSWORD: adminPassword, ...settings })
  const greedy = await open(node)
  const modest = await open(node)
  const rows: FigureRow[] = []
  for (const kind of ['read', 'change'] as const) {
    await shoot(node, { requests: greedy[kind], rate: 0, connections: 64 })
    const done: Awaited<ReturnType<typeof round10>>[] = []
    for (let count = 0; count < rounds; count++) done.push(await round10(node, greedy[kind], modest.read))
    const of = (value: (each: (typeof done)[number]) => number): number => median(done.map(value))
    const row = (what: string, parts: Omit<Parameters<typeof rowOf>[1], 'store'>): void => {
      rows.push(rowOf(`${kind}: ${what}`, { store, ...parts }))
    }
    const [peak, retained] = [of((each) => each.peak.goodput), of(({ flood }) => flood.goodput)]
    row('goodput at ten times the peak', { figure: retained, floor: peak, unit: 'per s', aim: aims.goodput })
    const [cheap, dear] = [of((each) => each.peak.perCpuMs), of(({ flood }) => flood.perCpuMs)]
    row('the same by processor', { figure: dear, floor: cheap, unit: 'per ms of processor', aim: aims.goodput })
    row('refused', { figure: of(({ flood }) => flood.refused / seconds), unit: 'per s' })
    row('refused after', { figure: of(({ flood }) => flood.refusedP50), unit: 'ms' })
    row('of the refused, told when to try again', {
      figure: of(({ flood }) => (flood.refused === 0 ? 1 : ratio(flood.withRetryAfter, flood.refused))),
      unit: 'part',
      aim: '>= 1',
    })
    row('other failures', {
      figure: of(({ flood }) => flood.otherStatus + flood.broken + flood.gaveUp),
      unit: 'requests',
      aim: '<= 0',
    })
    row('of a modest application, answered', {
      figure: of(({ beside }) =>
        ratio(beside.ok, beside.ok + beside.refused + beside.otherStatus + beside.broken + beside.gaveUp),
      ),
      unit: 'part',
      aim: '>= 0.95',
    })
    row('a modest application, p50', { figure: of(({ beside }) => beside.p50), unit: 'ms' })
    row('a modest application, p99', {
      figure: of(({ beside }) => beside.p99),
      floor: of(({ quiet }) => quiet.p99),
      unit: 'ms',
      aim: aims.modestP99,
      isAbsolute: true,
    })
    row('memory grew', { figure: of(({ grew }) => grew), unit: 'MB', aim: '<= 150' })
    row('processor waited for', { figure: of(({ flood }) => flood.waitedFor), unit: 'part' })
  }
  return rows
}

async function benchmarkSqlite(): Promise<FigureRow[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  try {
    return await benchmark('SQLite', { WAYPOST_DATA_DIR: dataDir })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function benchmarkPostgresql(): Promise<FigureRow[]> {
  await using postgres = await startPostgres()
  return await benchmark('PostgreSQL', { DATABASE_URL: await postgres.createDatabase() })
}

const only = /--only=(\w+)/.exec(process.argv.join(' '))?.[1]
report([
  ...(only === 'postgresql' ? [] : await benchmarkSqlite()),
  ...(only === 'sqlite' ? [] : await benchmarkPostgresql()),
])
