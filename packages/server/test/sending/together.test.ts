/** Writes that come close together share a turn. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
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

test('a write that comes alone waits for nothing', () => {
  const together = createCommitBatching()
  let written = false
  void together(async () => {
    written = true
  })
  return Promise.resolve().then(() => expect(written).toBe(true))
})

test('writes that come soon after another one fall into one turn, in their order', async () => {
  const together = createCommitBatching()
  const turns = countTurns()
  const slowly = async (): Promise<void> => void (await sleep(20))
  // The first is slow, so that those after it have a moment to wait in.
  for (let index = 0; index < 12; index++) await together(slowly)
  const first = together(async () => turns.now())
  const written: [index: number, turn: number][] = []
  const others = Array.from({ length: 10 }, async (_, index) => {
    await together(async () => void written.push([index, turns.now()]))
  })
  await Promise.all([first, ...others])
  turns.stop()
  expect(written.map(([index]) => index)).toEqual(Array.from({ length: 10 }, (_, index) => index))
  expect(new Set(written.map(([, turn]) => turn)).size).toBe(1)
})

test.each([
  ['gathered', createCommitBatching()],
  ['apart', apart],
])('a write that fails does so alone, and the next ones are made (%s)', async (_, together) => {
  const failing = together(() => Promise.reject(new Error('no room')))
  const others = [1, 2, 3].map((number) => together(async () => number))
  await expect(failing).rejects.toThrow('no room')
  expect(await Promise.all(others)).toEqual([1, 2, 3])
})
