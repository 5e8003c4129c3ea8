/** The number of figures that a node writes. */

import type { Queries } from '@waypost/store/engine/database'
import { testClock } from '@waypost/testing/test-clock'
import { expect, test } from 'vitest'
import { createHealthCounters } from '../../src/telemetry/health-counters.ts'

test('an idle node writes its figures once a minute, and counts since then the next time', async () => {
  const clock = testClock(1_800_000_000_000)
  const written: { minute: unknown; requests: unknown }[] = []
  const run: Queries['run'] = async (_statement, [minute, , requests] = []) => written.push({ minute, requests })
  const queries: Queries = { run, get: async () => undefined, all: async () => [], post: async () => undefined }
  const counters = createHealthCounters(queries, { clock, nodeId: 'n', watchedGrants: () => 3 })
  const beat = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await counters.flush()
      clock.advance(5_000)
    }
  }
  await beat(12)
  expect(written).toEqual([{ minute: 1_800_000_000_000, requests: 0 }])
  counters.answered(200, 4)
  await beat(12)
  expect(written.slice(1)).toEqual([{ minute: 1_800_000_060_000, requests: 1 }])
  await beat(2)
  expect(written.slice(2)).toEqual([{ minute: 1_800_000_120_000, requests: 0 }])
})
