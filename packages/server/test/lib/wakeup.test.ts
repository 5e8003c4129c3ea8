import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Wakeup } from '../../src/lib/wakeup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

/** When a loop looks within so many seconds, which rests half a second between two looks unless all is calm. */
async function looksIn(seconds: number, wakeup: Wakeup, next?: number): Promise<number[]> {
  const begun = performance.now()
  const looks: number[] = []
  const stopping = new AbortController()
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      wakeup.reset()
      looks.push((performance.now() - begun) / 1000)
      await wakeup.rest(500, stopping.signal, next)
    }
  })()
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  stopping.abort()
  await loop
  return looks
}

test('who hears of what is written rests as long again as it was quiet, and no longer than it may', async () => {
  expect(await looksIn(60, new Wakeup(() => 15_000))).toEqual([0, 0.5, 1, 2, 4, 8, 16, 31, 46])
})

test('who does not hear looks as often as it says', async () => {
  expect(await looksIn(9.9, new Wakeup())).toHaveLength(20)
})

test('what is planned is not missed', async () => {
  expect(await looksIn(6, new Wakeup(() => 15_000), 1_500)).toEqual([0, 0.5, 1, 2, 3.5, 5])
})

test('who is woken looks at once, and then often again', async () => {
  const wakeup = new Wakeup(() => 15_000)
  await looksIn(60, wakeup)
  setTimeout(wakeup.wake, 3_000)
  expect(await looksIn(6, wakeup)).toEqual([0, 3, 3.5, 4, 5])
  expect(wakeup.isCalm).toBe(true)
})

test('who is stirred out of a long rest looks at once, and out of a short one when that is over', async () => {
  const wakeup = new Wakeup(() => 15_000)
  await looksIn(60, wakeup)
  setTimeout(wakeup.stir, 3_000)
  setTimeout(wakeup.stir, 3_200)
  expect(await looksIn(5, wakeup)).toEqual([0, 3, 3.5, 4, 4.5])
  wakeup.wake()
  const looked = performance.now()
  await wakeup.rest(500, never)
  expect(performance.now()).toBe(looked)
})
