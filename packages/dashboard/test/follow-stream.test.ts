/** How a page follows what happens. */
import { describe, expect, test } from 'vitest'
import { type Failure, follow, type Page } from '../src/follow-stream.ts'

type Step = Page<string> | Failure

/** Plays what the stream answers, one step after the other; what follows the last one never comes. */
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

describe('what happens is followed', () => {
  test('from cursor to cursor, and only what came is told', async () => {
    const { cursors, changes, states } = await play([page('1', 'a', 'b'), page('2'), page('3', 'c'), last])
    expect(cursors).toEqual([undefined, '1', '2', '3'])
    expect(changes).toEqual([['a', 'b'], ['c']])
    expect(new Set(states)).toEqual(new Set(['live']))
  })

  test('by the clock where there is no stream, and by the stream once it is on', async () => {
    const { cursors, slept, changes, states } = await play(['off', 'off', page('1', 'a'), last])
    expect(slept).toEqual([20_000, 20_000])
    expect(changes).toEqual([[], [], ['a']])
    expect(states).toEqual(['asking', 'asking', 'live'])
    expect(cursors).toEqual([undefined, undefined, undefined, '1'])
  })

  test('after a failure from where it was, slower each time, with a look at what was missed', async () => {
    const lost: Failure[] = Array.from({ length: 7 }, () => 'lost')
    const { cursors, slept, changes, states } = await play([page('1'), ...lost, page('2'), 'lost', last])
    expect(slept).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 2000])
    expect(cursors.slice(1, 9)).toEqual(Array.from({ length: 8 }, () => '1'))
    expect(changes).toEqual([[]])
    expect(states.slice(0, 2)).toEqual(['live', 'lost'])
  })

  test('no further where nobody here may', async () => {
    const { slept, changes, states, cursors } = await play(['refused', page('1', 'a'), last])
    expect({ slept, changes, states, cursors }).toEqual({
      slept: [],
      changes: [],
      states: ['ended'],
      cursors: [undefined],
    })
  })
})
