/**
 * Channels: notifications of 1 KB published to each kind of broker, from the row to the kept result. A channel has one
 * message of a grant under way, so they belong to 200 grants. A row without an aim has only four.
 */
import type { PostgresPeer } from '@waypost/testing/peers/postgres'
import { type FigureRow, quick } from '../figures.ts'
import { type Broker, brokers, hasAll } from './brokers.ts'
import { type Child, type Spent, startChild } from './child.ts'
import { costOfEach, type Each, rowsOfTurns } from './cost.ts'

const bytes = 1_000
const grants = 200
const fewGrants = 4
const count = 4_000
// An odd number, so that the median is a pair.
const rounds = quick ? 3 : 5
const aim = '>= 0.70'

interface Parts {
  postgres: PostgresPeer | undefined
  broker: Broker
  service: Child
  floors: Map<string, Child>
}

async function serviceRound({ postgres, broker, service }: Parts, lanes: number): Promise<Each> {
  await service.ask('queue', { count, bytes, lanes })
  await broker.clear()
  return costOfEach(postgres, count, async () => {
    await service.ask('start')
    await hasAll(broker, count)
    return service.ask<Spent>('finish')
  })
}

async function floorRound({ postgres, broker }: Parts, floor: Child): Promise<Each> {
  await floor.ask('queue', { count, bytes, sealed: true })
  await broker.clear()
  return costOfEach(postgres, count, () => floor.ask<Spent>('deliver'))
}

async function measure(store: string, postgres: PostgresPeer | undefined, broker: Broker): Promise<FigureRow[]> {
  await using stack = new AsyncDisposableStack()
  const start = async (file: string): Promise<Child> =>
    stack.use(await startChild(file, { databaseUrl: await postgres?.createDatabase(), settings: broker.settings }))
  const service = await start('./service.ts')
  await service.ask('subscribeChannel', { transport: broker.transport, draft: broker.draft, grants })
  const floors = new Map<string, Child>()
  for (const [name, publishing] of Object.entries(broker.floors)) {
    const floor = await start('./floor.ts')
    await floor.ask('publishTo', { publishing, grants })
    floors.set(name, floor)
  }
  const parts: Parts = { postgres, broker, service, floors }
  const turns: { service: Each; few: Each; floors: Map<string, Each> }[] = []
  for (let round = 0; round <= rounds; round++) {
    const turn = {
      service: await serviceRound(parts, grants),
      few: await serviceRound(parts, fewGrants),
      floors: new Map<string, Each>(),
    }
    for (const [name, floor] of floors) turn.floors.set(name, await floorRound(parts, floor))
    // The first round is warm-up.
    if (round > 0) turns.push(turn)
  }
  const pairs = (of: 'service' | 'few', name: string) =>
    turns.flatMap(({ floors: all, [of]: service }) => {
      const floor = all.get(name)
      return floor ? [{ service, floor }] : []
    })
  return [...floors.keys()].flatMap((floor, at) => [
    ...rowsOfTurns(pairs('service', floor), { what: `${broker.name}, ${grants} grants`, floor, store, aim }),
    ...(at === 0
      ? rowsOfTurns(pairs('few', floor), { what: `${broker.name}, ${fewGrants} grants`, floor, store })
      : []),
  ])
}

/** All of them or one, one after the other so that none costs the others processor time. */
export async function channels(postgres: PostgresPeer, only: string | undefined): Promise<FigureRow[]> {
  const rows: FigureRow[] = []
  for (const [transport, start] of Object.entries(brokers)) {
    if (only !== undefined && only !== transport) continue
    await using broker = await start()
    rows.push(...(await measure('SQLite', undefined, broker)))
    rows.push(...(await measure('PostgreSQL', postgres, broker)))
  }
  return rows
}
