import { rates } from '@waypost/contract'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { testClock } from '@waypost/testing/test-clock'
import { expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'
import { patientLoad } from '../../patient-load.ts'

const { limit } = rates.application
const on = { WAYPOST_RATE_LIMITS: 'on' }
const clock = testClock()

/** Sends requests concurrently, and returns how many passed. */
async function burst(service: TestService, count: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, () => service.call('GET', '/v3/connectors')))
  return answers.filter(({ status }) => status === 200).length
}

test('two nodes on one store share the limit of an application', async () => {
  const databaseUrl = await freshDatabaseUrl()
  await using one = await openService({ env: on, databaseUrl, overrides: { clock, load: patientLoad() } })
  const { dataDir } = one.services.config
  await using two = await openService({ env: on, databaseUrl, dataDir, overrides: { clock, load: patientLoad() } })
  // A node counts the live nodes at its start: the second one sees both, the first one at its next heartbeat.
  await one.listen()
  await two.listen()
  clock.advance(1000 - (clock.now() % 1000))
  expect(await burst(two, 2 * limit)).toBe(limit / 2)
  one.services.telemetry.limiter.setNodes(2)
  clock.advance(1000)
  const both = (await burst(one, 2 * limit)) + (await burst(two, 2 * limit))
  expect(Math.abs(both - limit)).toBeLessThanOrEqual(limit / 10)
})
