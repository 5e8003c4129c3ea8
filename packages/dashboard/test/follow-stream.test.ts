/** How a page follows notifications. */
import { describe, expect, test } from 'vitest'
import { type Failure, follow, type Page } from '../src/follow-stream.ts'

type Step = Page<string> | Failure

/** Plays the responses of the stream in order; a request after the last one stays pending. */
async function play(steps: readonly Step[]) {
  const stop = new AbortController()
  const seen = { cursors: [] as unknown[], slept: [] as number[], changes: [] as unknown[], states: [] as string[] }
  let at = 0
  await follow<string>(
    {
      read: async (cursor) => {
        seen.cursors.push(cursor)
        const step = steps[at++]
        if (at >= steps.length) stop.abort()
        if (typeof step === 'object') return step
        throw new Error(step)
      },
      failureOf: (error) => (error as Error).message as Failure,
      sleep: async (milliseconds) => void seen.slept.push(milliseconds),
      onChange: (items) => seen.changes.push(items),
      onState: (state) => seen.states.push(state),
    },
    stop.signal,
  )
  return seen
}

const page = (next: string | undefined, ...items: string[]): Page<string> => ({ items, next })
const last = page(undefined)

describe('notifications are followed', () => {
  test('from cursor to cursor, and only new items are reported', async () => {
    const { cursors, changes, states } = await play([page('1', 'a', 'b'), page('2'), page('3', 'c'), last])
    expect(cursors).toEqual([undefined, '1', '2', '3'])
    expect(changes).toEqual([['a', 'b'], ['c']])
    expect(new Set(states)).toEqual(new Set(['live']))
  })

  test('by polling without a stream, and by the stream once it is on', async () => {
    const { cursors, slept, changes, states } = await play(['off', 'off', page('1', 'a'), last])
    expect(slept).toEqual([20_000, 20_000])
    expect(changes).toEqual([[], [], ['a']])
    expect(states).toEqual(['polling', 'polling', 'live'])
    expect(cursors).toEqual([undefined, undefined, undefined, '1'])
  })

  test('after a failure from the last cursor, with increasing delays and a poll for missed changes', async () => {
    const lost: Failure[] = Array.from({ length: 7 }, () => 'lost')
    const { cursors, slept, changes, states } = await play([page('1'), ...lost, page('2'), 'lost', last])
    expect(slept).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 2000])
    expect(cursors.slice(1, 9)).toEqual(Array.from({ length: 8 }, () => '1'))
    expect(changes).toEqual([[]])
    expect(states.slice(0, 2)).toEqual(['live', 'lost'])
  })

  test('not at all if access is refused', async () => {
    const { slept, changes, states, cursors } = await play(['refused', page('1', 'a'), last])
    expect({ slept, changes, states, cursors }).toEqual({
      slept: [],
      changes: [],
      states: ['ended'],
      cursors: [undefined],
    })
  })
})
