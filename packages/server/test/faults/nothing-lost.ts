/** Runs a scenario in its short form, without timing, and reports violated invariants. */
import { expect } from 'vitest'
import { migratedDatabase } from '../peers/database-url.ts'
import { type Scenario, seeded } from './scenario.ts'

export async function expectNothingLost(scenario: Scenario): Promise<void> {
  const { figures, broken } = await scenario.run({
    short: true,
    timed: false,
    random: seeded(4),
    freshDatabase: async () => (await migratedDatabase()).url,
    progress: () => undefined,
  })
  expect(broken, JSON.stringify(figures)).toEqual([])
  if (!('skipped' in figures)) expect(figures).toMatchObject({ lost: 0 })
}
