/** The cost of deliveries, and how a service and a floor that took turns compare. */
import type { PostgresPeer } from '@waypost/testing/peers/postgres'
import { type FigureRow, median, rowOf } from '../figures.ts'
import type { Spent } from './child.ts'
import { countProcessor } from './processor.ts'

/** The cost of a delivery, in microseconds. */
export interface Each {
  us: number
  cpuUs: number
}

export async function costOfEach(
  postgres: PostgresPeer | undefined,
  count: number,
  work: () => Promise<Spent>,
): Promise<Each> {
  const ofStore = await countProcessor(postgres)
  const { ms, cpuMs } = await work()
  const store = await ofStore()
  return { us: (ms * 1000) / count, cpuUs: ((cpuMs + store) * 1000) / count }
}

export interface Turn {
  service: Each
  floor: Each
}

/** Processor time and rate. A ratio is the median of pairs. */
export function rowsOfTurns(
  turns: readonly Turn[],
  { what, floor, store, aim }: { what: string; floor: string; store: string; aim?: string },
): FigureRow[] {
  const shared = { store, ...(aim !== undefined && { aim }) }
  return [
    rowOf(`${what}, processor time; ${floor}`, {
      ...{ ...shared, unit: 'µs of a processor each' },
      figure: median(turns.map(({ service }) => service.cpuUs)),
      floor: median(turns.map((turn) => turn.floor.cpuUs)),
      ratio: median(turns.map((turn) => turn.floor.cpuUs / turn.service.cpuUs)),
    }),
    rowOf(`${what}, rate; ${floor}`, {
      ...{ ...shared, unit: 'a second' },
      figure: median(turns.map(({ service }) => 1e6 / service.us)),
      floor: median(turns.map((turn) => 1e6 / turn.floor.us)),
      ratio: median(turns.map((turn) => turn.floor.us / turn.service.us)),
    }),
  ]
}
