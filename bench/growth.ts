/**
 * What things cost in a store of a certain size against one of a tenth, or a hundredth, in one run and in turns: a ratio
 * near 1 is flat. All grows at once: grants, destinations, kept notifications, events and applications.
 *
 *   npm run bench:growth
 *   npm run bench:growth -- --quick
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServerApp } from '../packages/server/src/create-app.ts'
import { addUpCounts } from '../packages/server/src/store/application-counts.ts'
import { purgeKept } from '../packages/server/src/webhooks/retention.ts'
import { startPostgres } from '../packages/server/test/peers/postgres.ts'
import { adminPassword } from './client.ts'
import { type FigureRow, median, quick, report, rowOf } from './figures.ts'
import { type Place, type Sizes, seed, seedOld } from './growth/seed.ts'
import { type Node, openNode } from './node.ts'

const small: Sizes = quick
  ? { grants: 100, destinations: 10, notifications: 1_000, events: 500, applications: 50 }
  : { grants: 1_000, destinations: 10, notifications: 100_000, events: 10_000, applications: 100 }
const large: Sizes = quick
  ? { grants: 5_000, destinations: 200, notifications: 50_000, events: 10_000, applications: 1_000 }
  : { grants: 100_000, destinations: 1_000, notifications: 5_000_000, events: 1_000_000, applications: 10_000 }
const rounds = quick ? 8 : 40
const removed = quick ? 500 : 5_000

/** Receives what is told, and answers challenges. */
function openReceiver() {
  let heard = () => {}
  const server = createServer((request, response) => {
    request.resume()
    response.end(new URL(request.url ?? '/', 'http://localhost').searchParams.get('challenge') ?? 'ok')
    if (request.method === 'POST') heard()
  })
  return {
    async listen(): Promise<string> {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    },
    /** Resolves after so many deliveries. */
    async hear(count: number): Promise<void> {
      const all = Promise.withResolvers<void>()
      let left = count
      heard = () => --left === 0 && all.resolve()
      await all.promise
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Subject extends AsyncDisposable {
  node: Node
  place: Place
  receiver: ReturnType<typeof openReceiver>
  read(target: string): Promise<unknown>
}

async function openSubject(env: Record<string, string>, sizes: Sizes): Promise<Subject> {
  await using stack = new AsyncDisposableStack()
  const receiver = openReceiver()
  stack.defer(() => receiver.close())
  const node = stack.use(await openNode({ WAYPOST_EGRESS: 'private', ...env }))
  const url = await receiver.listen()
  await node.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const custom = { provider: 'virtual-calendar', settings: { email: 'first@bench.example' } }
  const grantId = (await node.call('POST', '/v3/connect/custom', custom)).data.id
  await node.call('POST', `/v3/grants/${grantId}/calendars`, { name: 'Bench' })
  const wanted = { webhook_url: url, trigger_types: ['event.created'] }
  const webhookId = (await node.call('POST', '/v3/webhooks', wanted)).data.id
  const events = `/v3/grants/${grantId}/events?calendar_id=primary`
  const eventId = (await node.call('POST', events, eventAt(0))).data.id
  const place = { applicationId: node.applicationId, grantId, webhookId, eventId, now: Date.now() }
  const { database } = node.services
  await seed(database, place, sizes)
  await addUpCounts(database, new AbortController().signal)
  const app = createServerApp(node.services)
  const admin = {
    authorization: `Basic ${btoa(`admin:${adminPassword}`)}`,
    'x-waypost-application': node.applicationId,
  }
  const open = stack.move()
  return {
    node,
    place,
    receiver,
    async read(target) {
      const response = await app.request(target, { headers: admin })
      const text = await response.text()
      if (!response.ok) throw new Error(`${target}: ${text}`)
      return text
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

const firstHour = Math.floor(Date.now() / 3_600_000) * 3600
const eventAt = (hour: number) => ({
  title: 'Bench',
  when: { start_time: firstHour + hour * 3600, end_time: firstHour + hour * 3600 + 1800 },
})

type Operation = (subject: Subject, turn: number) => Promise<unknown>
const reading =
  (target: (place: Place) => string): Operation =>
  (subject) =>
    subject.read(target(subject.place))
const ofApplication = ({ applicationId }: Place): string => `/v3/admin/applications/${applicationId}`

const operations: Record<string, Operation> = {
  'one grant': reading(({ grantId }) => `/v3/grants/${grantId}`),
  'one grant, by its address': reading(() => '/v3/grants/person7@seeded.example'),
  'grants, a page': reading(() => '/v3/grants?limit=50'),
  'grants, a page past 90': reading(() => '/v3/grants?limit=10&offset=90'),
  'events, a page': reading(({ grantId }) => `/v3/grants/${grantId}/events?calendar_id=primary&limit=50`),
  'an event created, with its notification': (subject, turn) =>
    subject.node.call('POST', `/v3/grants/${subject.place.grantId}/events?calendar_id=primary`, eventAt(turn)),
  'attempts, a page': reading(({ webhookId }) => `/v3/webhooks/${webhookId}/attempts?limit=50`),
  'applications, a page': reading(() => '/v3/admin/applications?limit=50'),
  'applications, found by name': reading(() => '/v3/admin/applications?limit=20&search=bench-7'),
  'grants, found by a part of the address': reading(
    (place) => `${ofApplication(place)}/grants?limit=50&search=person1`,
  ),
  'grants, counted': reading((place) => `${ofApplication(place)}/grants/count`),
  'usage of an application': reading((place) => `${ofApplication(place)}/usage`),
  'usage, a page': reading(() => '/v3/admin/usage?limit=50'),
  overview: reading((place) => `${ofApplication(place)}/overview`),
  health: reading(() => '/v3/admin/health'),
}

type Pair = readonly [Subject, Subject]

/** The medians of both, measured in turns. */
async function inTurns(pair: Pair, work: Operation, count = rounds): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let turn = -3; turn < count; turn++) {
    for (const [index, subject] of pair.entries()) {
      const started = performance.now()
      await work(subject, turn + 5)
      if (turn >= 0) times[index as 0 | 1].push(performance.now() - started)
    }
  }
  return [median(times[0]), median(times[1])]
}

/** Deliveries while the node runs: so many events are made, and all have been heard of. */
const deliver: Operation = async ({ node, place, receiver }, turn) => {
  const count = 20
  const heard = receiver.hear(count)
  for (let n = 0; n < count; n++) {
    await node.call('POST', `/v3/grants/${place.grantId}/events?calendar_id=primary`, eventAt(100 + turn * count + n))
  }
  await heard
}

/** Removes what is older than a week: as much in both, so that only what lies beside it differs. */
const prune: Operation = async ({ node, place }) => {
  const { database } = node.services
  await database.execute(`delete from installation where name = 'notifications_purged_day'`)
  await purgeKept(database, { days: 7, now: place.now, stopping: new AbortController().signal })
}

/** What that costs each, once a day. */
async function pruned(pair: Pair): Promise<readonly [number, number]> {
  const times: number[] = []
  for (const subject of pair) {
    await seedOld(subject.node.services.database, subject.place, removed)
    const started = performance.now()
    await prune(subject, 0)
    times.push(performance.now() - started)
  }
  return [times[0] ?? 0, times[1] ?? 0]
}

/** Processor time of this process in a second in which nobody asks for anything, in milliseconds. */
async function idleOf(): Promise<number> {
  const seconds = quick ? 2 : 10
  const before = process.cpuUsage()
  await sleep(seconds * 1000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / seconds
}

async function measure(store: string, urlOf: () => Promise<string | undefined>): Promise<FigureRow[]> {
  const rows: FigureRow[] = []
  const row = (what: string, [floor, figure]: readonly [number, number], aim: string, unit = 'ms'): void => {
    rows.push(rowOf(what, { store, floor, figure, unit, aim }))
  }
  const envOf = async (): Promise<Record<string, string>> => {
    const url = await urlOf()
    return url === undefined ? {} : { DATABASE_URL: url }
  }
  await using stack = new AsyncDisposableStack()
  const first = stack.use(await openSubject(await envOf(), small))
  const second = stack.use(await openSubject(await envOf(), large))
  const pair = [first, second] as const
  for (const [what, work] of Object.entries(operations)) row(what, await inTurns(pair, work), '<= 1.50')
  row(`${removed} old notifications removed, with a look at every application`, await pruned(pair), '<= 1.50')
  const starts: number[] = []
  for (const { node } of pair) {
    const started = performance.now()
    await node.listen()
    starts.push(performance.now() - started)
    await sleep(500)
  }
  row('a node begins to work', [starts[0] ?? 0, starts[1] ?? 0], '')
  row('20 events made and delivered', await inTurns(pair, deliver, quick ? 3 : 10), '<= 1.50')
  await sleep(2_000)
  rows.push(rowOf('both nodes idle, processor time in a second', { store, figure: await idleOf(), unit: 'ms' }))
  return rows
}

const rows = await measure('SQLite', async () => undefined)
await using postgres = await startPostgres()
rows.push(...(await measure('PostgreSQL', () => postgres.createDatabase())))
report(rows)
