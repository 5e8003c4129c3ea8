/**
 * The cost of operations in a store of a certain size against one of a tenth or a hundredth of it. Both alternate in
 * one run; a ratio near 1 means no growth. Everything grows together: grants (one in twenty is watched, as rows
 * without a server), destinations (each waits for a later attempt), stored notifications, events and applications.
 *
 *   npm run bench:growth
 *   npm run bench:growth -- --quick
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { writeFact } from '@waypost/store/tables/applications/installation'
import { startPostgres } from '@waypost/testing/peers/postgres'
import { readConfig } from '../packages/server/src/config.ts'
import { startNode } from '../packages/server/src/node.ts'
import { createServices } from '../packages/server/src/services/index.ts'
import { purgeRetained } from '../packages/server/src/webhooks/retention.ts'
import { type FigureRow, median, percentile, quick, report, rowOf } from './figures.ts'
import { eventAt } from './growth/event.ts'
import { type Place, type Sizes, seedOld } from './growth/seed.ts'
import { openSubject, type Subject } from './growth/subject.ts'

const small: Sizes = quick
  ? { grants: 100, destinations: 10, notifications: 1_000, events: 500, applications: 50 }
  : { grants: 1_000, destinations: 10, notifications: 100_000, events: 10_000, applications: 100 }
const large: Sizes = quick
  ? { grants: 5_000, destinations: 200, notifications: 50_000, events: 10_000, applications: 1_000 }
  : { grants: 100_000, destinations: 1_000, notifications: 5_000_000, events: 1_000_000, applications: 10_000 }
const rounds = quick ? 8 : 40
const removed = quick ? 500 : 5_000
/** The number of rows to remove while requests are measured. */
const removedBeside = quick ? 2_000 : 50_000

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
  'applications, found by name': reading(() => '/v3/admin/applications?limit=20&search=bench-0'),
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

/** Removes rows older than a week: the same number in both stores, so that only the other rows differ. */
async function prune({ node, place }: Subject): Promise<void> {
  const { database } = node.services.storage
  await writeFact(database, 'notifications_purged_day', '')
  await purgeRetained(database, { days: 7, now: place.now, stopping: new AbortController().signal })
}

/** The cost of the daily removal, for each store. */
async function pruned(pair: Pair): Promise<readonly [number, number]> {
  const times: number[] = []
  for (const subject of pair) {
    await seedOld(subject.node.services.storage.database, subject.place, removed)
    const started = performance.now()
    await prune(subject)
    times.push(performance.now() - started)
  }
  return [times[0] ?? 0, times[1] ?? 0]
}

/** The 99th percentile of request times while many rows are removed, and while none are. */
async function besidePruning(subject: Subject): Promise<readonly [number, number]> {
  const slowest = async (isOver: () => boolean): Promise<number> => {
    const times: number[] = []
    while (!isOver() || times.length < 100) {
      const started = performance.now()
      await operations['one grant']?.(subject, 0)
      times.push(performance.now() - started)
      await sleep(2)
    }
    return percentile(times, 0.99)
  }
  const quiet = await slowest(() => true)
  await seedOld(subject.node.services.storage.database, subject.place, removedBeside)
  let isOver = false
  const pruning = prune(subject).finally(() => {
    isOver = true
  })
  const beside = await slowest(() => isOver)
  await pruning
  return [quiet, beside]
}

/** Starts another node on the store of a subject. */
async function startOn({ env }: Subject): Promise<AsyncDisposable> {
  const { config, secrets } = readConfig({ ...env, WAYPOST_PORT: '0', WAYPOST_LOG_LEVEL: 'silent' })
  return startNode(await createServices(config, secrets))
}

/** Starts a node, from its first access to the store until it is ready, and stops it. */
const begin: Operation = async (subject) => void (await (await startOn(subject))[Symbol.asyncDispose]())

/** Processor time of this process during one second without requests to its one node, in milliseconds. */
async function idleOf(subject: Subject): Promise<number> {
  await using _node = await startOn(subject)
  // By then the start-up work is done and the node is idle.
  await sleep(12_000)
  const seconds = quick ? 2 : 6
  const before = process.cpuUsage()
  await sleep(seconds * 1000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / seconds
}

/** Deliveries while the node runs: creates events, and waits until the receiver has all their notifications. */
const deliver: Operation = async ({ node, place, receiver }, turn) => {
  const count = 20
  const heard = receiver.hear(count)
  for (let n = 0; n < count; n++) {
    await node.call('POST', `/v3/grants/${place.grantId}/events?calendar_id=primary`, eventAt(100 + turn * count + n))
  }
  await heard
}

const rows: FigureRow[] = []

async function measure(store: string, urlOf: () => Promise<string | undefined>): Promise<void> {
  const row = (what: string, [floor, figure]: readonly [number, number], aim: string, isAbsolute = false): void => {
    rows.push(rowOf(what, { store, floor, figure, unit: 'ms', aim, isAbsolute }))
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
  row(`${removed} old notifications removed`, await pruned(pair), '<= 1.50')
  row(
    `one grant, p99 while ${removedBeside} old notifications are removed`,
    await besidePruning(second),
    '<= 25.00',
    true,
  )
  row('a node begins to work, and ends', await inTurns(pair, begin, quick ? 2 : 5), '<= 1.50')
  row('a node idle, processor time in a second', [await idleOf(first), await idleOf(second)], '<= 1.50')
  for (const { node } of pair) await node.listen()
  row('20 events made and delivered', await inTurns(pair, deliver, quick ? 3 : 10), '<= 1.50')
}

// On SIGTERM, prints the results so far.
process.once('SIGTERM', () => {
  report(rows)
  process.exit(1)
})
await measure('SQLite', async () => undefined)
// Memory settings of a machine with such a store. Filling it is not measured.
const settings = { shared_buffers: '1GB', max_wal_size: '8GB' }
await using postgres = await startPostgres({ settings })
await measure('PostgreSQL', () => postgres.createDatabase())
report(rows)
