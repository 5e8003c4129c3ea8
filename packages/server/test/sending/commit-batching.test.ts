/** Writes that come close batched share a turn. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { apart, createCommitBatching } from '../../src/sending/commit-batching.ts'

/** Counts turns of the event loop. */
function countTurns(): { now: () => number; stop(): void } {
  let turn = 0
  let going = true
  const count = async (): Promise<void> => {
    while (going) {
      await nextTurn()
      turn++
    }
  }
  void count()
  return {
    now: () => turn,
    stop: () => {
      going = false
    },
  }
}

afterEach(() => vi.useRealTimers())

test('a write that comes alone waits for nothing', () => {
  const batched = createCommitBatching()
  let written = false
  void batched(async () => {
    written = true
  })
  return Promise.resolve().then(() => expect(written).toBe(true))
})

test('writes that come soon after another one fall into one turn, in their order', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  const batched = createCommitBatching()
  const turns = countTurns()
  // Writes were slow, so that those that come next have a moment to wait in.
  for (let index = 0; index < 12; index++) {
    const slow = batched(() => vi.advanceTimersByTimeAsync(20))
    await vi.advanceTimersByTimeAsync(20)
    await slow
  }
  const first = batched(async () => turns.now())
  const written: [index: number, turn: number][] = []
  const others = Array.from({ length: 10 }, async (_, index) => {
    await batched(async () => void written.push([index, turns.now()]))
  })
  await first
  expect(written).toEqual([])
  await vi.advanceTimersByTimeAsync(20)
  await Promise.all(others)
  turns.stop()
  expect(written.map(([index]) => index)).toEqual(Array.from({ length: 10 }, (_, index) => index))
  expect(new Set(written.map(([, turn]) => turn)).size).toBe(1)
})

test.each([
  ['gathered', createCommitBatching()],
  ['apart', apart],
])('a write that fails does so alone, and the next ones are made (%s)', async (_, batched) => {
  const failing = batched(() => Promise.reject(new Error('the store is full')))
  const others = [1, 2, 3].map((number) => batched(async () => number))
  await expect(failing).rejects.toThrow('the store is full')
  expect(await Promise.all(others)).toEqual([1, 2, 3])
})
