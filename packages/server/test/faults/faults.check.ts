/**
 * Two kills and a stop, in the short form of `npm run faults`. `faults.full.ts`, `bookings.full.ts` and
 * `availability.full.ts` have the other scenarios.
 */
import { describe, test } from 'vitest'
import { expectNothingLost } from './nothing-lost.ts'
import type { Scenario } from './scenario.ts'
import { busyStops } from './scenarios/busy-stops.ts'
import { singleNodeKills } from './scenarios/single-node-kills.ts'
import { workerKills } from './scenarios/worker-kills.ts'

describe.concurrent('nothing is lost', { timeout: 900_000 }, () => {
  test.for<[what: string, scenario: Scenario]>([
    ['a stop does not wait for watches, queues and due work, and ends with status 0', busyStops],
    ['kill -9 of the only node on SQLite', singleNodeKills],
    ['two nodes on one PostgreSQL share the work and lose nothing when one is killed', workerKills],
  ])('%s', ([, scenario], { skip }) => expectNothingLost(scenario, skip))
})
