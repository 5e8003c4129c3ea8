/**
 * What the edge costs: GET one grant and a list of 50 (about 60 KB), on SQLite and on PostgreSQL, against the floor of a
 * bare `node:http` server that answers the same bytes. Floor and service are measured in turns in one run, and only their
 * ratio is meant to be read.
 *
 *   npm run bench            a few minutes
 *   npm run bench -- --quick a short look
 *   npm run bench -- --json  for programs
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { startPostgres } from '../packages/server/test/peers/postgres.ts'
import { adminPassword, newClient } from './client.ts'
import { median, quick, report, round } from './figures.ts'

const rounds = quick ? 2 : 5
const seconds = quick ? 2 : 4
const connections = 32

interface Target {
  pid: number
  url: string
  headers: Record<string, string>
}
interface Figure {
  store: string
  answer: string
  bytes: number
  floor: number
  service: number
  ratio: number
  p99Floor: number
  p99Service: number
  /** Processor time per request in microseconds: steadier than rates on a busy machine. */
  cpuFloor: number
  cpuService: number
  cpuRatio: number
}

/** Processor time of a process so far, in microseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

async function measure({ pid, url, headers }: Target): Promise<{ rate: number; p99: number; cpu: number }> {
  const before = cpuOf(pid)
  const result = await autocannon({ url, headers, connections, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers were not 2xx`)
  return { rate: result.requests.average, p99: result.latency.p99, cpu: (cpuOf(pid) - before) / result.requests.total }
}

/** The floor: as its own process, so that both sides have the machine to themselves alike. */
function serveFloor(body: string): void {
  const bytes = Buffer.from(body)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
}

async function startFloor(body: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--floor'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.send({ body })
  const [message] = (await once(child, 'message')) as [{ port: number }]
  return { url: `http://127.0.0.1:${message.port}/`, child }
}

interface Service {
  pid: number
  base: string
  headers: Record<string, string>
  grantId: string
  stop(): Promise<void>
}

async function startService(databaseUrl: string | undefined): Promise<Service> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  const main = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      WAYPOST_PORT: '0',
      WAYPOST_DATA_DIR: dataDir,
      WAYPOST_ADMIN_PASSWORD: adminPassword,
      WAYPOST_RATE_LIMITS: 'off',
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    },
  })
  const base = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const found = /API +(http:\S+)/.exec(text)
      if (found?.[1]) resolve(found[1])
    })
    child.once('exit', () => reject(new Error('the service ended before it listened')))
  })
  const { headers, grantId } = await fill(base)
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await once(child, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { pid: child.pid ?? 0, base, headers, grantId, stop }
}

/** One application with 200 grants of about 1.2 KB each. */
async function fill(base: string): Promise<{ headers: Record<string, string>; grantId: string }> {
  const { key, call } = await newClient((target, request) => fetch(`${base}${target}`, request))
  await call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const metadata = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`key${n}`, 'x'.repeat(130)]))
  let grantId = ''
  for (let n = 0; n < 200; n++) {
    const draft = { provider: 'virtual-calendar', settings: { email: `resource-${n}@rooms.example` } }
    grantId = (await call('POST', '/v3/connect/custom', draft)).data.id
    await call('PATCH', `/v3/grants/${grantId}`, { metadata })
  }
  return { headers: { authorization: `Bearer ${key}` }, grantId }
}

async function compare(store: string, answer: string, target: Target): Promise<Figure> {
  const body = await (await fetch(target.url, { headers: { ...target.headers, 'accept-encoding': 'identity' } })).text()
  const floor = await startFloor(body)
  const pairs = []
  try {
    await measure(target)
    for (let done = 0; done < rounds; done++) {
      pairs.push({
        floor: await measure({ pid: floor.child.pid ?? 0, url: floor.url, headers: {} }),
        service: await measure(target),
      })
    }
  } finally {
    floor.child.kill()
  }
  return {
    store,
    answer,
    bytes: Buffer.byteLength(body),
    floor: Math.round(median(pairs.map((pair) => pair.floor.rate))),
    service: Math.round(median(pairs.map((pair) => pair.service.rate))),
    ratio: round(median(pairs.map((pair) => pair.service.rate / pair.floor.rate))),
    p99Floor: median(pairs.map((pair) => pair.floor.p99)),
    p99Service: median(pairs.map((pair) => pair.service.p99)),
    cpuFloor: Math.round(median(pairs.map((pair) => pair.floor.cpu))),
    cpuService: Math.round(median(pairs.map((pair) => pair.service.cpu))),
    cpuRatio: round(median(pairs.map((pair) => pair.floor.cpu / pair.service.cpu))),
  }
}

async function benchmark(): Promise<void> {
  const figures: Figure[] = []
  await using postgres = await startPostgres()
  for (const store of ['SQLite', 'PostgreSQL']) {
    const service = await startService(store === 'PostgreSQL' ? await postgres.createDatabase() : undefined)
    try {
      const { pid, base, headers, grantId } = service
      figures.push(await compare(store, 'one grant', { pid, url: `${base}/v3/grants/${grantId}`, headers }))
      figures.push(await compare(store, 'list of 50', { pid, url: `${base}/v3/grants?limit=50`, headers }))
    } finally {
      await service.stop()
    }
  }
  report(figures)
}

if (process.argv.includes('--floor')) {
  process.once('message', (message: { body: string }) => serveFloor(message.body))
  process.on('disconnect', () => process.exit())
} else {
  await benchmark()
}
