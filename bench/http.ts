/**
 * What a request costs: one grant and pages of 50 (about 60 KB), on SQLite and on PostgreSQL, against the floor of a bare
 * `node:http` server that answers the same bytes. The service holds 10,000 grants of four applications with two keys each.
 * Requests name applications, keys, grants and pages at random, and one in a hundred changes a grant. Connections carry
 * requests of all applications, as behind a proxy. Floor and service are measured in turns in one run, by the processor
 * time that each spends on a request. Read the ratio; the times depend on the machine.
 *
 *   npm run bench                          a few minutes
 *   npm run bench -- --quick               short rounds
 *   npm run bench -- --store=sqlite        one store (sqlite, postgresql)
 *   npm run bench -- --only=grant          one kind of request (grant, page, same)
 *   npm run bench -- --cpu-prof=<folder>   a processor profile of each service
 *   npm run bench -- --json                for programs
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@waypost/testing/peers/postgres'
import { type FigureRow, median, quick, report, rowOf } from './figures.ts'
import type { Load, Loaded } from './http/load-client.ts'
import { fill, requestsOf } from './http/tenants.ts'
import { cpuOf, startServiceProcess } from './service-process.ts'

const rounds = quick ? 3 : 5
const requestsPerRound = quick ? 6_000 : 20_000
const connections = 32

/** The kinds of requests, and the minimum ratio of the floor's processor time to the service's. */
const kinds = {
  grant: { what: 'one of 10,000 grants', aims: { SQLite: '>= 0.35', PostgreSQL: '>= 0.30' } },
  page: { what: 'a page of 50 of 10,000 grants', aims: { SQLite: '>= 0.45', PostgreSQL: '>= 0.35' } },
  same: { what: 'the same grant always, no writes', aims: { SQLite: '', PostgreSQL: '' } },
} as const
type Kind = keyof typeof kinds
type StoreName = 'SQLite' | 'PostgreSQL'

const flag = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)

interface Target {
  pid: number
  port: number
}

interface Measured {
  rate: number
  p99: number
  cpu: number
}

async function measure({ pid, port }: Target, requests: string[]): Promise<Measured> {
  const client = spawn(process.execPath, [fileURLToPath(new URL('./http/load-client.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const before = cpuOf(pid)
  const load: Load = { port, requests, count: requestsPerRound, connections }
  client.stdin.end(JSON.stringify(load))
  const { seconds, p99 } = (await json(client.stdout)) as Loaded
  return { rate: requestsPerRound / seconds, p99, cpu: (cpuOf(pid) - before) / requestsPerRound }
}

/** The floor is a separate process, like the service. */
function serveFloor(body: string): void {
  const bytes = Buffer.from(body)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
}

async function startFloor(body: string): Promise<{ child: ChildProcess } & Target> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--floor'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.send({ body })
  const [message] = (await once(child, 'message')) as [{ port: number }]
  return { child, pid: child.pid ?? 0, port: message.port }
}

/** The service's response body to the first request. */
async function bodyOf({ port }: Target, [request = '']: readonly string[]): Promise<string> {
  const [, target, authorization = ''] = /^GET (\S+).*?\r\nAuthorization: (.*?)\r\n/s.exec(request) ?? []
  const headers = { authorization, 'accept-encoding': 'identity' }
  return (await fetch(`http://127.0.0.1:${port}${target}`, { headers })).text()
}

interface Compared {
  store: StoreName
  kind: Kind
  requests: string[]
}

async function compare(service: Target, { store, kind, requests }: Compared): Promise<FigureRow[]> {
  const floor = await startFloor(await bodyOf(service, requests))
  const pairs: { floor: Measured; service: Measured }[] = []
  try {
    await measure(floor, requests)
    await measure(service, requests)
    for (let done = 0; done < rounds; done++) {
      pairs.push({ floor: await measure(floor, requests), service: await measure(service, requests) })
    }
  } finally {
    floor.child.kill()
  }
  const middle = (of: (pair: (typeof pairs)[number]) => number): number => median(pairs.map(of))
  const { what, aims } = kinds[kind]
  return [
    rowOf(`${what}: processor time`, {
      store,
      figure: middle((pair) => pair.service.cpu),
      floor: middle((pair) => pair.floor.cpu),
      unit: 'µs/request',
      ratio: middle((pair) => pair.floor.cpu / pair.service.cpu),
      aim: aims[store],
    }),
    rowOf(`${what}: rate`, {
      store,
      figure: middle((pair) => pair.service.rate),
      floor: middle((pair) => pair.floor.rate),
      unit: 'requests/s',
      ratio: middle((pair) => pair.service.rate / pair.floor.rate),
    }),
    rowOf(`${what}: 99 of 100 within`, {
      store,
      figure: middle((pair) => pair.service.p99),
      floor: middle((pair) => pair.floor.p99),
      unit: 'ms',
    }),
  ]
}

async function benchmarkOn(store: StoreName, databaseUrl: string | undefined): Promise<FigureRow[]> {
  const profile = flag('cpu-prof')
  const execArgv = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  await using service = await startServiceProcess(databaseUrl, { execArgv })
  const target: Target = { pid: service.pid, port: Number(new URL(service.base).port) }
  const tenants = await fill(service, databaseUrl)
  const figures: FigureRow[] = []
  for (const kind of Object.keys(kinds) as Kind[]) {
    if ((flag('only') ?? kind) !== kind) continue
    figures.push(...(await compare(target, { store, kind, requests: requestsOf(tenants, kind) })))
  }
  return figures
}

async function benchmark(): Promise<void> {
  const figures: FigureRow[] = []
  const wants = (store: StoreName): boolean => (flag('store') ?? store).toLowerCase() === store.toLowerCase()
  if (wants('SQLite')) figures.push(...(await benchmarkOn('SQLite', undefined)))
  if (wants('PostgreSQL')) {
    await using postgres = await startPostgres()
    figures.push(...(await benchmarkOn('PostgreSQL', await postgres.createDatabase())))
  }
  report(figures)
}

if (process.argv.includes('--floor')) {
  process.once('message', (message: { body: string }) => serveFloor(message.body))
  process.on('disconnect', () => process.exit())
} else {
  await benchmark()
}
