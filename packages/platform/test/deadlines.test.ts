import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { Deadlines, type Expiring } from '../src/deadlines.ts'

/** Deadlines with a clock and timers that the test controls. */
function world() {
  let time = 1_000
  let timers: { at: number; call(): void }[] = []
  const made: number[] = []
  const deadlines = new Deadlines({
    now: () => time,
    later(call, milliseconds) {
      const timer = { at: time + milliseconds, call }
      made.push(milliseconds)
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
  })
  const expired: string[] = []
  return {
    deadlines,
    expired,
    /** The duration of each timer. */
    made,
    waiting: () => timers.length,
    begin(name: string, ms: number): Expiring {
      const call = { endsAt: time + ms, expire: () => void expired.push(name) }
      deadlines.of(ms).add(call)
      return call
    },
    pass(milliseconds: number): void {
      const until = time + milliseconds
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)
        if (!next) break
        time = next.at
        timers = timers.filter((each) => each !== next)
        next.call()
      }
      time = until
    },
  }
}

describe('deadlines', () => {
  test('use one timer for all calls, and ten thousand that end in time set no other', () => {
    const { deadlines, begin, pass, expired, made, waiting } = world()
    for (let n = 0; n < 10_000; n++) {
      deadlines.of(90_000).delete(begin(`call ${n}`, 90_000))
      pass(1)
    }
    expect(made).toEqual([90_000])
    pass(90_000)
    expect(expired).toEqual([])
    expect(waiting(), 'nothing is looked for where nothing is under way').toBe(0)
  })

  test('expire in the order of their ends, whatever started first', () => {
    const { begin, pass, expired, waiting } = world()
    begin('long', 30_000)
    begin('short', 5_000)
    pass(1_000)
    begin('later', 5_000)
    pass(4_000)
    expect(expired).toEqual(['short'])
    pass(1_000)
    expect(expired).toEqual(['short', 'later'])
    pass(25_000)
    expect(expired).toEqual(['short', 'later', 'long'])
    expect(waiting()).toBe(0)
  })

  test('that are close to each other are checked together', () => {
    const { begin, pass, expired, made } = world()
    for (let n = 0; n < 1_000; n++) {
      begin(`call ${n}`, 10_000)
      pass(0.1)
    }
    pass(20_000)
    expect(expired).toHaveLength(1_000)
    expect(made.length).toBeLessThanOrEqual(3)
  })

  test('remove an expired call before it is notified, and calls that it starts have their own time', () => {
    const { deadlines, begin, pass, expired } = world()
    const group = deadlines.of(2_000)
    let left: unknown = 'one'
    group.add({
      endsAt: 3_000,
      expire() {
        left = group.first
        begin('second', 2_000)
      },
    })
    pass(2_000)
    expect(left).toBeUndefined()
    pass(1_999)
    expect(expired).toEqual([])
    pass(101)
    expect(expired).toEqual(['second'])
  })

  test('release a finished call while it is young garbage, after any number of others', async () => {
    setFlagsFromString('--expose-gc')
    const collectYoung = (): unknown => runInNewContext('gc')({ type: 'minor' })
    const retained = (): number =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0
    const { deadlines } = world()
    const group = deadlines.of(90_000)
    const begin = (): Expiring => {
      const held = new Array<number>(4_000).fill(0)
      const call = { endsAt: 91_000, expire: () => void held.pop() }
      group.add(call)
      return call
    }
    // Objects that survive for a while move to the old generation.
    begin()
    for (let n = 0; n < 5; n++) collectYoung()
    const before = retained()
    const underWay: Expiring[] = []
    for (let n = 0; n < 4_000; n++) {
      underWay.push(begin())
      const over = n >= 32 ? underWay.shift() : undefined
      if (over) group.delete(over)
      if (n % 200 === 199) collectYoung()
    }
    // Hardly any of 128 MB; as members of a set, 46 MB remained.
    expect(retained() - before).toBeLessThan(8_000_000)
  })

  test('call nothing after their end', () => {
    const { deadlines, begin, pass, expired, waiting } = world()
    begin('call', 1_000)
    deadlines[Symbol.dispose]()
    expect(waiting()).toBe(0)
    pass(5_000)
    expect(expired).toEqual([])
  })
})
