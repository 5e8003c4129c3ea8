import { expect, test } from 'vitest'
import { Crashes } from '../../src/supervisor/process-failures.ts'

test('the first crash is replaced at once, and the delay then doubles to half a minute', () => {
  const crashes = new Crashes(() => 1)
  const delays = Array.from({ length: 8 }, () => crashes.record(500).delayMs)
  expect(delays).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})

test('jitter shortens the delay by at most half', () => {
  const crashes = new Crashes(() => 0)
  crashes.record(500)
  expect(crashes.record(500).delayMs).toBe(500)
})

test('the count of crashes restarts after a minute without one, and the fifth crash in a row is a pattern', () => {
  const crashes = new Crashes(() => 1)
  const loud = Array.from({ length: 5 }, () => crashes.record(500).isLoud)
  expect(loud).toEqual([false, false, false, false, true])
  expect(crashes.record(60_000)).toEqual({ crashes: 1, delayMs: 0, isLoud: false })
})
