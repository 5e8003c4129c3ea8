/**
 * Upgrades and failover, in the short form of `npm run faults`. They run one after the other: each
 * keeps several nodes under load, and a node without processor time refuses requests.
 */
import { describe, test } from 'vitest'
import { expectNothingLost } from './nothing-lost.ts'
import type { Scenario } from './scenario.ts'
import { failover } from './scenarios/failover.ts'
import { rollingUpgrade, schemaChange } from './scenarios/upgrades.ts'

describe('nothing is lost', { timeout: 900_000 }, () => {
  test.for<[what: string, scenario: Scenario]>([
    [
      'an upgrade from the newest release, one node after the other and one step back, cuts off and loses nothing',
      rollingUpgrade,
    ],
    [
      'a next version changes the schema under the nodes of this one, and removes only what none of them uses',
      schemaChange,
    ],
    [
      'the primary of PostgreSQL crashes, freezes and is read-only: nodes follow the promoted standby by themselves',
      failover,
    ],
  ])('%s', ([, scenario], { skip }) => expectNothingLost(scenario, skip))
})
