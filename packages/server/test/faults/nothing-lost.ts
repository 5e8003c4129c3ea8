/** Runs a scenario in its short form, without timing, and reports violated invariants. */

import { freshDatabaseUrl, migratedDatabase } from '@waypost/testing/peers/database-url'
import { expect } from 'vitest'
import { type Scenario, seeded } from './scenario.ts'

/** `skip` gets the reason of a scenario that cannot run here. */
export async function expectNothingLost(
  scenario: Scenario,
  skip: (reason: string) => void = () => undefined,
): Promise<void> {
  const { figures, broken } = await scenario.run({
    short: true,
    timed: false,
    random: seeded(4),
    freshDatabase: async () => (await migratedDatabase()).url,
    emptyDatabase: () => freshDatabaseUrl(),
    progress: () => undefined,
  })
  expect(broken, JSON.stringify(figures)).toEqual([])
  if ('skipped' in figures) skip(String(figures.skipped))
  else expect(figures).toMatchObject({ lost: 0 })
}
