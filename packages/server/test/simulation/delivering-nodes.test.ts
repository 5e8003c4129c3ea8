/** A small simulation of nodes that share destinations; `SIMULATION_SEED=… npm test -- delivering-nodes` runs a seed again. */
import { expect, test } from 'vitest'
import { simulateDeliveries } from './delivering-nodes.ts'

const given = process.env.SIMULATION_SEED
const seeds = given === undefined ? [1, 2, 3] : [Number(given)]
const size = { nodes: 10, destinations: 30, troubleMs: 60_000, settleMs: 80_000 }

test.each(seeds)(
  'whatever fails, one node at a time may send to a destination, and all is delivered (seed %i)',
  async (seed) => {
    const result = await simulateDeliveries(seed, size)
    expect(result).toMatchObject({ seed, broken: [] })
    expect(result.deaths).toBeGreaterThan(0)
    expect(result.freezes).toBeGreaterThan(0)
    expect(result.repeated).toBeGreaterThan(0)
    expect(result.refused).toBeGreaterThan(0)
    expect(result.putUp).toBeGreaterThan(100)
    expect(result.busiest).toBeLessThanOrEqual(Math.ceil(result.mean) + 1)
  },
)
