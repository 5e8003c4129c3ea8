/**
 * A small simulation of nodes that share watched grants; `npm run bench:simulation` runs a large one. A seed that fails is
 * named, and `SIMULATION_SEED=… npm test -- watching-nodes` runs it again.
 */

import { nodeLeaseMs } from '@waypost/store/tables/applications/nodes'
import { expect, test } from 'vitest'
import { simulate } from './watching-nodes.ts'

const given = process.env.SIMULATION_SEED
const seeds = given === undefined ? [1, 2, 3] : [Number(given)]
const size = { nodes: 20, grants: 400, troubleMs: 120_000, settleMs: 90_000 }

test.each(seeds)(
  'whatever fails, one node at a time writes for a shard, and all is watched again (seed %i)',
  async (seed) => {
    const result = await simulate(seed, size)
    expect(result).toMatchObject({ seed, broken: [] })
    expect(result.deaths).toBeGreaterThan(0)
    expect(result.freezes).toBeGreaterThan(0)
    expect(result.refused).toBeGreaterThan(0)
    expect(result.reported).toBeGreaterThan(200)
    // The grants of a dead node are free after its lease, and taken at the next polls.
    expect(result.convergenceMs ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(4 * nodeLeaseMs)
    expect(result.shardLoad).toBeLessThanOrEqual(1.01)
  },
)

test('the same seed comes to the same end', async () => {
  const small = { nodes: 5, grants: 50, troubleMs: 40_000, settleMs: 60_000 }
  expect(await simulate(7, small)).toEqual(await simulate(7, small))
})
