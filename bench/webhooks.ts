/**
 * The cost of deliveries, on SQLite and on PostgreSQL. Each part is a separate process; service and floors alternate:
 * - (a) notifications of 1 KB and of 200 KB to 20 local destinations, signed, with each attempt recorded. The floor
 * is a bare loop with the same durable steps (`webhooks/floor.ts`), which stores payloads sealed as the service does,
 * or in clear text;
 * - (b) memory growth from the first round to the last;
 * - (c) claiming and reading work, with a thousand and with a million waiting rows;
 * - (d) the time from an API call to the arrival of its notification under low load;
 * - (e) ten destinations and a thousand: the time until all are notified, and their idle cost;
 * - (f) channels: notifications of 1 KB published to NATS, AMQP, Pub/Sub and SNS (`webhooks/channels.ts`).
 *
 * Processor time is that of the delivering process, and of PostgreSQL if it is the store.
 *
 *   npm run bench:webhooks [-- --quick] [-- --json] [-- --only=webhooks|channels|nats|amqp|pubsub|sns]
 */

import { type PostgresPeer, startPostgres } from '@waypost/testing/peers/postgres'
import { type FigureRow, quick, ratio, report, rowOf } from './figures.ts'
import { arrivals } from './webhooks/arrivals.ts'
import { channels } from './webhooks/channels.ts'
import { type Child, type Spent, startChild } from './webhooks/child.ts'
import { costOfEach, type Each, rowsOfTurns } from './webhooks/cost.ts'
import { manyDestinations } from './webhooks/destinations.ts'

const destinations = 20
const rounds = quick ? 2 : 5
const sizes = [
  { name: '1 KB', bytes: 1_000, count: quick ? 5_000 : 20_000 },
  // With fewer, the start and the end would dominate: leases, connections, and the last results.
  { name: '200 KB', bytes: 200_000, count: quick ? 500 : 1_000 },
]
const aim = '>= 0.70'
const floors = { sealed: 'floor seals too', clear: 'floor in clear' } as const

interface Parts {
  store: string
  receivers: Child
  service: Child
  floor: Child
  postgres: PostgresPeer | undefined
}

async function serviceRound(parts: Parts, count: number, bytes: number): Promise<Each> {
  const { service, receivers } = parts
  await service.ask('queue', { count, bytes })
  await receivers.ask('expect', { count })
  return costOfEach(parts.postgres, count, async () => {
    await service.ask('start')
    await receivers.ask('all')
    return service.ask<Spent>('finish')
  })
}

async function floorRound(parts: Parts, { count, bytes, sealed }: { count: number; bytes: number; sealed: boolean }) {
  await parts.floor.ask('queue', { count, bytes, sealed })
  return costOfEach(parts.postgres, count, () => parts.floor.ask<Spent>('deliver'))
}

async function deliveries(parts: Parts, { name, bytes, count }: (typeof sizes)[number]): Promise<FigureRow[]> {
  const turns: Record<'service' | keyof typeof floors, Each>[] = []
  for (let round = 0; round <= rounds; round++) {
    const turn = {
      service: await serviceRound(parts, count, bytes),
      sealed: await floorRound(parts, { count, bytes, sealed: true }),
      clear: await floorRound(parts, { count, bytes, sealed: false }),
    }
    // The first round is warm-up.
    if (round > 0) turns.push(turn)
  }
  const { store } = parts
  return (Object.keys(floors) as (keyof typeof floors)[]).flatMap((floor) =>
    rowsOfTurns(
      turns.map((turn) => ({ service: turn.service, floor: turn[floor] })),
      { what: `deliveries of ${name}`, floor: floors[floor], store, aim },
    ),
  )
}

async function measure(store: string, postgres: PostgresPeer | undefined): Promise<FigureRow[]> {
  await using stack = new AsyncDisposableStack()
  const start = async (file: string): Promise<Child> =>
    stack.use(await startChild(file, { databaseUrl: await postgres?.createDatabase() }))
  const receivers = stack.use(await startChild('./receivers.ts', { count: destinations }))
  const parts: Parts = {
    store,
    receivers,
    service: await start('./service.ts'),
    floor: await start('./floor.ts'),
    postgres,
  }
  const ports = await receivers.ask<number[]>('ports')
  for (const part of [parts.service, parts.floor]) await part.ask('subscribe', { ports })
  const rows: FigureRow[] = []
  const memory: number[] = []
  for (const size of sizes) {
    rows.push(...(await deliveries(parts, size)))
    memory.push(await parts.service.ask<number>('megabytes'))
  }
  await parts.service.ask('queue', { count: 1_000, bytes: 1_000 })
  const few = await parts.service.ask<number>('claim')
  await parts.service.ask('waiting', { count: quick ? 100_000 : 1_000_000 })
  const many = await parts.service.ask<number>('claim')
  return [
    ...rows,
    rowOf('memory after deliveries of 200 KB / of 1 KB', {
      ...{ store, unit: 'times', aim: '<= 2' },
      figure: ratio(memory[1] ?? 0, memory[0] ?? 1),
    }),
    rowOf(`look for work and read it, ${quick ? '100,000' : '1,000,000'} waiting against 1,000`, {
      ...{ store, unit: 'ms', aim: '<= 2' },
      figure: many,
      floor: few,
    }),
  ]
}

const only = process.argv.find((word) => word.startsWith('--only='))?.slice(7)
await using postgres = await startPostgres()
const rows: FigureRow[] = []
for (const [store, peer] of [
  ['SQLite', undefined],
  ['PostgreSQL', postgres],
] as const) {
  if (only !== undefined && only !== 'webhooks') break
  rows.push(...(await measure(store, peer)))
  rows.push(...(await arrivals(store, await peer?.createDatabase())))
  rows.push(...(await manyDestinations(store, peer)))
}
if (only !== 'webhooks') rows.push(...(await channels(postgres, only === 'channels' ? undefined : only)))
report(rows)
