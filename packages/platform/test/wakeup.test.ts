import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Wakeup } from '../src/wakeup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

/**
 * The times of a loop's polls within this many seconds; it pauses half a second between two polls unless all is
 * quiet.
 */
async function looksIn(seconds: number, wakeup: Wakeup, next?: number): Promise<number[]> {
  const begun = performance.now()
  const polls: number[] = []
  const stopping = new AbortController()
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      wakeup.reset()
      polls.push((performance.now() - begun) / 1000)
      await wakeup.rest(500, stopping.signal, next)
    }
  })()
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  stopping.abort()
  await loop
  return polls
}

test('a loop that is notified of writes pauses as long as it has been quiet, up to its maximum', async () => {
  expect(await looksIn(60, new Wakeup(() => 15_000))).toEqual([0, 0.5, 1, 2, 4, 8, 16, 31, 46])
})

test('a loop without notifications polls at its interval', async () => {
  expect(await looksIn(9.9, new Wakeup())).toHaveLength(20)
})

test('a planned time is not missed', async () => {
  expect(await looksIn(6, new Wakeup(() => 15_000), 1_500)).toEqual([0, 0.5, 1, 2, 3.5, 5])
})

test('a woken loop polls at once, and then frequently again', async () => {
  const wakeup = new Wakeup(() => 15_000)
  await looksIn(60, wakeup)
  setTimeout(wakeup.wake, 3_000)
  expect(await looksIn(6, wakeup)).toEqual([0, 3, 3.5, 4, 5])
  expect(wakeup.isCalm).toBe(true)
})

test('a loop that is stirred from a long pause polls at once, and from a short one at its end', async () => {
  const wakeup = new Wakeup(() => 15_000)
  await looksIn(60, wakeup)
  setTimeout(wakeup.stir, 3_000)
  setTimeout(wakeup.stir, 3_200)
  expect(await looksIn(5, wakeup)).toEqual([0, 3, 3.5, 4, 4.5])
  wakeup.wake()
  const polled = performance.now()
  await wakeup.rest(500, never)
  expect(performance.now()).toBe(polled)
})
