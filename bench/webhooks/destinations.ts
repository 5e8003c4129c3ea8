/** Ten destinations and a thousand: the time until each is notified of one change, and their cost while idle. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPeer } from '@waypost/testing/peers/postgres'
import { type FigureRow, quick, rowOf } from '../figures.ts'
import { type Child, type Spent, startChild } from './child.ts'
import { countProcessor } from './processor.ts'

const counts = { few: 10, many: quick ? 300 : 1_000 }
/** The maximum per application. */
const inEach = 50
const idleMs = quick ? 3_000 : 10_000

interface Cost {
  /** Processor milliseconds per notified destination, and clock time until all were notified. */
  wokenMs: number
  untilAllMs: number
  /** Use of a core directly afterwards, while the destinations are still leased. */
  idle: number
}

async function costOf(count: number, postgres: PostgresPeer | undefined): Promise<Cost> {
  await using stack = new AsyncDisposableStack()
  const receivers = stack.use(await startChild('./receivers.ts', { count: 1 }))
  const databaseUrl = await postgres?.createDatabase()
  const service: Child = stack.use(await startChild('./service.ts', { databaseUrl }))
  const [port = 0] = await receivers.ask<number[]>('ports')
  await service.ask('subscribeAll', { port, count, inEach })
  const woken = async (): Promise<Spent> => {
    await receivers.ask('expect', { count })
    await service.ask('tell')
    await receivers.ask('all')
    return service.ask<Spent>('spent')
  }
  await service.ask('run')
  await woken()
  const { ms, cpuMs } = await woken()
  await sleep(500)
  const ofStore = await countProcessor(postgres)
  await service.ask('measure')
  await sleep(idleMs)
  const idle = await service.ask<Spent>('spent')
  const store = await ofStore()
  return { wokenMs: cpuMs / count, untilAllMs: ms, idle: (idle.cpuMs + store) / idle.ms }
}

export async function manyDestinations(store: string, postgres: PostgresPeer | undefined): Promise<FigureRow[]> {
  const few = await costOf(counts.few, postgres)
  const many = await costOf(counts.many, postgres)
  return [
    rowOf(`${counts.many} destinations: all have heard of one change`, {
      ...{ store, unit: 'ms', aim: '<= 1000' },
      figure: many.untilAllMs,
    }),
    rowOf(`${counts.many} destinations: idle, a core in parts of a hundred`, {
      ...{ store, unit: '% of a core', aim: '<= 0.5' },
      figure: many.idle * 100,
    }),
    rowOf(`idle with ${counts.few} destinations`, {
      ...{ store, unit: '% of a core', aim: '<= 0.5' },
      figure: few.idle * 100,
    }),
    rowOf(`${counts.many} destinations woken, each, against ${counts.few}`, {
      ...{ store, unit: 'ms of a processor', aim: '<= 1' },
      figure: many.wokenMs,
      floor: few.wokenMs,
    }),
  ]
}
