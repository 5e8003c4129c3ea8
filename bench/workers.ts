/**
 * Several processes behind one port (WAYPOST_WORKERS) on one PostgreSQL: requests per second, processor time of all
 * processes for one request, new connections per second, and memory, with one process (no supervisor) and with two.
 * One and two alternate, and the median of the pairs counts, because the speed of the machine varies. The client
 * and PostgreSQL run on the same processors.
 *
 *   npm run bench:workers [-- --quick] [-- --json]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type PostgresPeer, startPostgres } from '@waypost/testing/peers/postgres'
import { Agent, Pool, request } from 'undici'
import { startNode } from '../packages/server/test/faults/node.ts'
import { adminPassword, type Client, newClient } from './client.ts'
import { type FigureRow, median, quick, report, round, rowOf } from './figures.ts'

const sizes = [1, 2]
const rounds = quick ? 3 : 5
const connections = 16
const secondsEach = quick ? 4 : 10
const warmUp = quick ? 1_500 : 4_000

interface Measured {
  perSecond: number
  /** Lists of 50 events, which cost the process several times as much as PostgreSQL and the client. */
  listsPerSecond: number
  /** Processor time of all processes for one request, in microseconds. */
  cpu: number
  connectionsPerSecond: number
  residentMb: number
}

/** A process and its children. */
function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return (
          Number(
            readFileSync(`/proc/${name}/stat`, 'utf8')
              .replace(/^.*\) /, '')
              .split(' ')[1],
          ) === pid
        )
      } catch {
        return false
      }
    })
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
}

/** Processor time in milliseconds; ticks are hundredths of a second. */
function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) * 10
  }, 0)
}

const residentOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
    return sum + Number(resident) / 1024
  }, 0)

interface Target {
  base: string
  path: string
  headers: Record<string, string>
}

/** Requests on open connections, until `isOver`; returns their number. */
async function askAll(
  { base, path: target, headers }: Target,
  isOver: (requested: number) => boolean,
): Promise<number> {
  const pool = new Pool(base, { connections })
  let requested = 0
  const one = async (): Promise<void> => {
    while (!isOver(requested)) {
      requested++
      const answer = await pool.request({ path: target, method: 'GET', headers })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, one)).finally(() => pool.close())
  return requested
}

/** The same with a new connection for each request. */
async function connectAll({ base, path: target, headers }: Target, isOver: () => boolean): Promise<number> {
  let requested = 0
  const dispatcher = new Agent({ pipelining: 0 })
  const one = async (): Promise<void> => {
    while (!isOver()) {
      requested++
      const answer = await request(`${base}${target}`, { headers, dispatcher })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: connections }, one)).finally(() => dispatcher.close())
  return requested
}

const within = (milliseconds: number): (() => boolean) => {
  const end = performance.now() + milliseconds
  return () => performance.now() > end
}

/** Creates 50 events; returns the path of their list. */
async function fillCalendar(client: Client, grantId: string): Promise<string> {
  const calendar = await client.call('POST', `/v3/grants/${grantId}/calendars`, { name: 'Benchmark' })
  const target = `/v3/grants/${grantId}/events?calendar_id=${calendar.data.id}`
  for (let index = 0; index < 50; index++) {
    const start = 1_800_000_000 + index * 3_600
    await client.call('POST', target, { title: 'Review', when: { start_time: start, end_time: start + 1_800 } })
  }
  return `${target}&limit=50`
}

async function measure(postgres: PostgresPeer, workers: number): Promise<Measured> {
  await using stack = new AsyncDisposableStack()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const node = stack.use(
    await startNode(['api', 'worker'], {
      ...{ DATABASE_URL: await postgres.createDatabase(), WAYPOST_DATA_DIR: dataDir },
      ...{ WAYPOST_ADMIN_PASSWORD: adminPassword, WAYPOST_API_KEY: 'only-for-the-benchmark-key' },
      WAYPOST_WORKERS: String(workers),
    }),
  )
  const client = await newClient((target, init) => fetch(node.base + target, init))
  await client.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const grant = await client.call('POST', '/v3/connect/custom', {
    ...{ provider: 'virtual-calendar', settings: { email: 'workers@example.com' } },
  })
  const target = {
    base: node.base,
    path: `/v3/grants/${grant.data.id}`,
    headers: { authorization: `Bearer ${client.key}` },
  }
  const events = await fillCalendar(client, grant.data.id)
  const pids = familyOf(node.pid)
  await askAll(target, (requested) => requested >= warmUp * workers)
  const before = cpuOf(pids)
  const began = performance.now()
  const requested = await askAll(target, within(secondsEach * 1_000))
  const took = (performance.now() - began) / 1_000
  const cpu = ((cpuOf(pids) - before) / requested) * 1_000
  const listed = await askAll({ ...target, path: events }, within(secondsEach * 1_000))
  const connected = await connectAll(target, within(secondsEach * 500))
  return {
    ...{ perSecond: requested / took, listsPerSecond: listed / secondsEach, cpu },
    ...{ connectionsPerSecond: connected / (secondsEach / 2) },
    residentMb: residentOf(pids),
  }
}

const found = new Map<number, Measured[]>(sizes.map((size) => [size, []]))
{
  await using postgres = await startPostgres()
  for (let turn = 0; turn < rounds; turn++) {
    for (const size of sizes) found.get(size)?.push(await measure(postgres, size))
  }
}

const of = (size: number, what: keyof Measured): number => median((found.get(size) ?? []).map((each) => each[what]))
const timesOne = (what: keyof Measured): number =>
  round(median((found.get(2) ?? []).map((each, index) => each[what] / (found.get(1)?.[index]?.[what] ?? Number.NaN))))
const row = (what: keyof Measured, title: string, unit: string): FigureRow =>
  rowOf(`2 processes: ${title}`, {
    ...{ store: 'postgresql', unit, ratio: timesOne(what), figure: of(2, what), floor: of(1, what) },
  })
report([
  row('perSecond', 'requests on open connections', '/s'),
  row('listsPerSecond', 'lists of 50 events', '/s'),
  row('cpu', 'processor time of a request', 'µs'),
  row('connectionsPerSecond', 'requests with a connection each', '/s'),
  row('residentMb', 'resident memory, with the supervisor', 'MB'),
])
