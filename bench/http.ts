/**
 * What the edge costs: GET one grant and a list of 50 (about 60 KB), on SQLite and on PostgreSQL, against the floor of a
 * bare `node:http` server that answers the same bytes. Floor and service are measured in turns in one run, by the processor
 * time that each spends on a request, and only their ratio is meant to be read.
 *
 *   npm run bench            a few minutes
 *   npm run bench -- --quick a short look
 *   npm run bench -- --json  for programs
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { startPostgres } from '../packages/server/test/peers/postgres.ts'
import { type FigureRow, median, quick, report, rowOf } from './figures.ts'
import { cpuOf, type ServiceProcess, startServiceProcess } from './service-process.ts'

const rounds = quick ? 2 : 5
const seconds = quick ? 2 : 4
const connections = 32

interface Target {
  pid: number
  url: string
  headers: Record<string, string>
}

/** What the service should spend at most: of its own processor time, the floor's is this part. */
const aims = { 'GET one grant': '>= 0.50', 'list of 50 grants': '>= 0.60' } as const

interface Measured {
  rate: number
  p99: number
  cpu: number
}

async function measure({ pid, url, headers }: Target): Promise<Measured> {
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

/** One application with 200 grants of about 1.2 KB each. */
async function fill({ key, call }: ServiceProcess): Promise<{ headers: Record<string, string>; grantId: string }> {
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

async function compare(store: string, answer: keyof typeof aims, target: Target): Promise<FigureRow[]> {
  const body = await (await fetch(target.url, { headers: { ...target.headers, 'accept-encoding': 'identity' } })).text()
  const bare = await startFloor(body)
  const pairs: { floor: Measured; service: Measured }[] = []
  try {
    await measure(target)
    for (let done = 0; done < rounds; done++) {
      pairs.push({
        floor: await measure({ pid: bare.child.pid ?? 0, url: bare.url, headers: {} }),
        service: await measure(target),
      })
    }
  } finally {
    bare.child.kill()
  }
  const middle = (of: (pair: (typeof pairs)[number]) => number): number => median(pairs.map(of))
  return [
    rowOf(`${answer}, processor time`, {
      store,
      figure: middle(({ service }) => service.cpu),
      floor: middle(({ floor }) => floor.cpu),
      unit: 'µs/request',
      ratio: middle(({ floor, service }) => floor.cpu / service.cpu),
      aim: aims[answer],
    }),
    rowOf(`${answer}, rate`, {
      store,
      figure: middle(({ service }) => service.rate),
      floor: middle(({ floor }) => floor.rate),
      unit: 'requests/s',
      ratio: middle(({ floor, service }) => service.rate / floor.rate),
    }),
    rowOf(`${answer}, 99 of 100 within`, {
      store,
      figure: middle(({ service }) => service.p99),
      floor: middle(({ floor }) => floor.p99),
      unit: 'ms',
    }),
  ]
}

async function benchmark(): Promise<void> {
  const figures: FigureRow[] = []
  await using postgres = await startPostgres()
  for (const store of ['SQLite', 'PostgreSQL']) {
    await using service = await startServiceProcess(
      store === 'PostgreSQL' ? await postgres.createDatabase() : undefined,
    )
    const { pid, base } = service
    const { headers, grantId } = await fill(service)
    figures.push(...(await compare(store, 'GET one grant', { pid, url: `${base}/v3/grants/${grantId}`, headers })))
    figures.push(...(await compare(store, 'list of 50 grants', { pid, url: `${base}/v3/grants?limit=50`, headers })))
  }
  report(figures)
}

if (process.argv.includes('--floor')) {
  process.once('message', (message: { body: string }) => serveFloor(message.body))
  process.on('disconnect', () => process.exit())
} else {
  await benchmark()
}
