/** Expired data is removed by one node at a time; the others only check whether another node does it. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { claimUntil, moveClaim } from '@waypost/store/tables/applications/installation'
import { enginesFor } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { testClock } from '@waypost/testing/test-clock'
import { describe, expect, test } from 'vitest'
import { runHousekeeping } from '../src/housekeeping.ts'
import { openService, type TestService } from './harness.ts'

const minute = 60_000

/** How many statements were asked meanwhile. */
async function requested({ services }: TestService, work: () => Promise<unknown>): Promise<number> {
  const all = (): number =>
    services.storage.database.figures
      .statements()
      .values()
      .reduce((sum, { count }) => sum + count, 0)
  const before = all()
  await work()
  return all() - before
}

test.runIf(isCheck)('of two nodes, one does the housekeeping of a minute, and the other sends one query', async () => {
  await using store = await migratedDatabase()
  await using folder = await mkdtempDisposable(`${tmpdir()}/waypost-housekeeping-`)
  const clock = testClock()
  const shared = { databaseUrl: store.url, dataDir: folder.path, overrides: { clock } }
  await using one = await openService(shared)
  await using two = await openService(shared)
  const turn = async (): Promise<number[]> => [
    await requested(one, () => runHousekeeping(one.services)),
    await requested(two, () => runHousekeeping(two.services)),
  ]
  for (const round of [1, 2]) {
    const [first, second] = await turn()
    expect(first, `round ${round}`).toBeGreaterThan(10)
    expect(second, `round ${round}`).toBe(1)
    clock.advance(minute)
  }
})

describe.each(enginesFor(import.meta.url))('a time that is claimed on %s', (engine) => {
  test("is another process's until it is over; one that no clock can have set is not believed", async () => {
    await using service = await openService({ engine })
    const { database } = service.services.storage
    const claim = (now: number): Promise<boolean> =>
      claimUntil(database, 'housekeeping_until', { now, until: now + 10 * minute })
    expect(await claim(minute)).toBe(true)
    expect(await claim(2 * minute)).toBe(false)
    expect(await claim(11 * minute)).toBe(true)
    expect(await moveClaim(database, 'housekeeping_until', { from: 11 * minute, to: 0 })).toBe(0)
    expect(await moveClaim(database, 'housekeeping_until', { from: 21 * minute, to: 12 * minute })).toBe(1)
    expect(await claim(12 * minute)).toBe(true)
    expect(await claim(5 * minute)).toBe(true)
  })
})
