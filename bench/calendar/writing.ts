/**
 * Creates and changes events with their notifications, with one client and with sixteen. There are two floors: a bare
 * server that runs the bare statements for requests of the same size, and the same statements without HTTP. All three
 * are separate processes and write to the same store in turns. The application reads its stream, so that every
 * notification is stored. Processor times are those of the responding process, without PostgreSQL's own.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { type FigureRow, median, quick, rowOf } from '../figures.ts'
import { cpuOf, type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { together } from '../together.ts'
import type { Draft } from './bare-statements.ts'
import type { Round } from './floor-process.ts'

const rounds = quick ? 2 : 7
/** 2026-06-01T00:00Z. */
const june = 1_780_272_000
const writers = 16
const aim = '>= 0.55'

interface Cost {
  /** Changes per second. */
  rate: number
  /** Processor time per change, in microseconds. */
  cpu: number
}

/** The service or a floor: makes a number of changes and reports their cost. */
interface Contender {
  pid: number
  /** Returns the ids, and the elapsed milliseconds. */
  run(drafts: Draft[], inFlight: number, ids?: string[]): Promise<{ ids: string[]; ms: number }>
}

/** Sends changes over HTTP; `at` returns the path of a grant's events. */
function client(base: string, service: ServiceProcess, grants: string[], at: (grant: string, id?: string) => string) {
  const pool = new Pool(base, { connections: writers, pipelining: 1 })
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
  const change = async (draft: Draft, grant: string, id: string | undefined): Promise<string> => {
    const method = id === undefined ? 'POST' : 'PUT'
    const request = { path: at(grant, id), method, headers, body: JSON.stringify(draft) } as const
    const { statusCode, body } = await pool.request(request)
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${method} ${base}: ${statusCode} ${text}`)
    return JSON.parse(text).data.id
  }
  const run: Contender['run'] = async (drafts, inFlight, ids) => {
    const made: string[] = []
    const began = performance.now()
    await together(drafts.length, inFlight, async (index) => {
      made[index] = await change(drafts[index] ?? { title: '' }, grants[index % grants.length] ?? '', ids?.[index])
    })
    return { ids: made, ms: performance.now() - began }
  }
  return { run, close: () => pool.close() }
}

async function startFloor(store: string): Promise<{ child: ChildProcess; base: string }> {
  const child = fork(fileURLToPath(new URL('./floor-process.ts', import.meta.url)))
  child.send({ store })
  const [{ port }] = await once(child, 'message')
  return { child, base: `http://127.0.0.1:${port}` }
}

async function runInFloor(child: ChildProcess, round: Round): Promise<{ ids: string[]; ms: number }> {
  child.send(round)
  const [answer] = await once(child, 'message')
  return answer
}

async function accounts({ call }: ServiceProcess): Promise<string[]> {
  await call('PATCH', '/v3/applications', { notification_stream: true })
  await call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const grants: string[] = []
  for (let index = 0; index < writers; index++) {
    const settings = { email: `writer-${index}` }
    const { data } = await call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings })
    await call('POST', `/v3/grants/${data.id}/calendars`, { name: 'Main', timezone: 'America/New_York' })
    grants.push(data.id)
  }
  return grants
}

const contenders = ['service', 'server', 'statements'] as const
type Name = (typeof contenders)[number]
const kinds = ['create', 'update'] as const

let number = 0
const draftsOf = (kind: (typeof kinds)[number], count: number): Draft[] =>
  Array.from({ length: count }, () => {
    const title = `Number ${++number}`
    return kind === 'update'
      ? { title }
      : { title, description: 'x'.repeat(200), when: { start_time: june, end_time: june + 1800 } }
  })

/**
 * The costs of every kind and contender, per round. Contenders alternate, so that all run under the same conditions.
 */
async function measure(by: Record<Name, Contender>, inFlight: number, count: number) {
  const costs: Record<string, Cost[]> = {}
  for (let round = -1; round < rounds; round++) {
    for (const name of contenders) {
      let ids: string[] | undefined
      for (const kind of kinds) {
        const before = cpuOf(by[name].pid)
        const made = await by[name].run(draftsOf(kind, count), inFlight, ids)
        ids = made.ids
        const cost = { rate: (count / made.ms) * 1000, cpu: (cpuOf(by[name].pid) - before) / count }
        const known = costs[`${kind} ${name}`] ?? []
        costs[`${kind} ${name}`] = known
        // The first round warms up compilers and caches on all sides.
        if (round >= 0) known.push(cost)
      }
    }
  }
  return (kind: string, name: Name): Cost[] => costs[`${kind} ${name}`] ?? []
}

type Costs = Awaited<ReturnType<typeof measure>>

const middle = (costs: readonly Cost[], of: keyof Cost): number => median(costs.map((cost) => cost[of]))

function rowsOf(store: string, inFlight: number, costs: Costs): FigureRow[] {
  const clients = inFlight === 1 ? 'one client' : `${inFlight} clients`
  const against = { server: 'a bare server with the same statements', statements: 'the bare statements, no HTTP' }
  return kinds.flatMap((kind) => {
    const ours = costs(kind, 'service')
    return (['server', 'statements'] as const).flatMap((floor) => {
      const theirs = costs(kind, floor)
      const what = `${kind} an event, ${clients}, against ${against[floor]}`
      const pairs = (of: (ours: Cost, theirs: Cost) => number): number =>
        median(ours.flatMap((cost, index) => (theirs[index] ? of(cost, theirs[index]) : [])))
      const rate = rowOf(what, {
        ...{ store, aim, unit: '/s', figure: middle(ours, 'rate'), floor: middle(theirs, 'rate') },
        ratio: pairs((one, other) => one.rate / other.rate),
      })
      const cpu = rowOf(`${what}: processor time`, {
        ...{ store, aim, unit: 'µs', figure: middle(ours, 'cpu'), floor: middle(theirs, 'cpu') },
        ratio: pairs((one, other) => other.cpu / one.cpu),
      })
      return [rate, cpu]
    })
  })
}

/** Uses the store at `databaseUrl`, or SQLite. */
export async function measureWriting(store: string, databaseUrl: string | undefined): Promise<FigureRow[]> {
  await using service = await startServiceProcess(databaseUrl)
  const grants = await accounts(service)
  const floor = await startFloor(databaseUrl ?? path.join(service.dataDir, 'waypost.db'))
  const pid = floor.child.pid ?? 0
  const calendar = 'calendar_id=primary'
  const ours = client(service.base, service, grants, (grant, id) =>
    id === undefined ? `/v3/grants/${grant}/events?${calendar}` : `/v3/grants/${grant}/events/${id}?${calendar}`,
  )
  const bare = client(floor.base, service, grants, (grant, id = '') => `/${grant}/${id}`)
  const { key } = service
  try {
    const by: Record<Name, Contender> = {
      service: { pid: service.pid, run: ours.run },
      server: { pid, run: bare.run },
      statements: {
        pid,
        run: (drafts, inFlight, ids) =>
          runInFloor(floor.child, { key, grants, inFlight, drafts, ...(ids ? { ids } : {}) }),
      },
    }
    // The concurrent run comes first: it warms up all sides.
    const many = await measure(by, writers, quick ? 500 : 2400)
    const alone = await measure(by, 1, quick ? 150 : 600)
    return [...rowsOf(store, 1, alone), ...rowsOf(store, writers, many)]
  } finally {
    await Promise.all([ours.close(), bare.close()])
    floor.child.kill()
  }
}
