/** The clock for decisions: it follows the clock of the store, and never goes backwards. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ServiceClock } from '../src/service-clock.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const start = 1_790_000_000_000

/** A machine and a store whose clocks a test sets. */
function world({ onMachine = false } = {}) {
  let [monotonic, asleep, wall, store, delay] = [5_000.25, 0, 0, 0, 0]
  const heard: number[] = []
  const truth = (): number => start + monotonic + asleep
  const sources = {
    monotonic: () => monotonic,
    wall: () => Math.floor(truth() + wall),
  }
  const clock = new ServiceClock({
    sources,
    onCorrection: (milliseconds) => heard.push(milliseconds),
    async reference() {
      monotonic += delay
      const reported = onMachine ? sources.wall() : Math.floor(truth() + store)
      monotonic += delay
      return reported
    },
  })
  return {
    clock,
    heard,
    truth,
    pass: (milliseconds: number) => {
      monotonic += milliseconds
    },
    /** Runs a heartbeat every five seconds for this long. */
    async live(milliseconds: number) {
      for (let passed = 0; passed < milliseconds; passed += 5 * second) {
        monotonic += 5 * second
        await clock.follow()
      }
    },
    sleep: (milliseconds: number) => {
      asleep += milliseconds
    },
    setMachine: (by: number) => {
      wall += by
    },
    setStore: (by: number) => {
      store += by
    },
    lag: (milliseconds: number) => {
      delay = milliseconds
    },
  }
}

test.for([30 * minute, -30 * minute, 24 * hour, -24 * hour])(
  'a machine whose clock jumps by %d ms follows the clock of the store',
  async (step) => {
    const { clock, truth, setMachine, pass, live, heard } = world()
    await clock.begin()
    setMachine(step)
    expect(Math.abs(clock.now() - truth())).toBeLessThan(3)
    pass(2 * second)
    expect(Math.abs(clock.now() - truth())).toBeLessThan(3)
    await live(2 * minute)
    expect(Math.abs(clock.now() - truth())).toBeLessThan(3)
    expect(Math.abs(clock.machineAhead - step)).toBeLessThan(5)
    expect(heard).toEqual([])
  },
)

test('a machine whose clock is wrong from the beginning follows the clock of the store', async () => {
  const { clock, truth, setStore } = world()
  setStore(-hour)
  await clock.begin()
  expect(Math.abs(clock.now() - (truth() - hour))).toBeLessThan(3)
})

test('a slow response changes nothing that it does not prove', async () => {
  const { clock, truth, lag, live, heard } = world()
  await clock.begin()
  lag(1_500)
  await live(minute)
  expect(Math.abs(clock.now() - truth())).toBeLessThan(5)
  expect(heard).toEqual([])
})

test('after a sleep of eight hours it is right at the next comparison', async () => {
  for (const onMachine of [false, true]) {
    const { clock, truth, sleep, live, heard } = world({ onMachine })
    await clock.begin()
    sleep(8 * hour)
    await live(5 * second)
    expect(Math.abs(clock.now() - truth())).toBeLessThan(3)
    await live(minute)
    expect(heard).toHaveLength(1)
  }
})

test("when the store's own clock jumps forward, it follows at once, and logs it once", async () => {
  const { clock, truth, setStore, live, heard } = world()
  await clock.begin()
  setStore(30 * minute)
  await live(5 * second)
  expect(Math.abs(clock.now() - truth() - 30 * minute)).toBeLessThan(3)
  await live(5 * minute)
  expect(heard).toEqual([expect.closeTo(30 * minute, -1)])
})

test("when the store's own clock jumps back, it runs at half speed until that has caught up, and logs it once", async () => {
  const { clock, truth, setStore, live, heard } = world()
  await clock.begin()
  setStore(-10 * minute)
  await clock.follow()
  const before = clock.now()
  await live(10 * minute)
  expect(clock.now() - before).toBeGreaterThan(4.9 * minute)
  expect(clock.now() - before).toBeLessThan(5.1 * minute)
  await live(11 * minute)
  expect(Math.abs(clock.now() - truth() + 10 * minute)).toBeLessThan(3)
  expect(heard).toHaveLength(1)
})

test('on SQLite it follows the clock of the machine: forward at once, back at half speed', async () => {
  const { clock, truth, setMachine, live, heard } = world({ onMachine: true })
  await clock.begin()
  setMachine(400)
  await live(5 * second)
  expect(Math.abs(clock.now() - truth() - 400)).toBeLessThan(3)
  setMachine(30 * minute)
  await live(10 * second)
  expect(Math.abs(clock.now() - truth() - 30 * minute - 400)).toBeLessThan(3)
  setMachine(-30 * minute)
  await live(30 * minute)
  expect(Math.abs(clock.now() - truth() - 15 * minute - 400)).toBeLessThan(3)
  await live(31 * minute)
  expect(Math.abs(clock.now() - truth() - 400)).toBeLessThan(3)
  expect(heard).toHaveLength(2)
})

test('it never goes backwards, and returns whole milliseconds, whatever happens', async () => {
  const happening = fc.tuple(fc.nat(5), fc.integer({ min: -hour, max: hour }))
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40 }), fc.boolean(), async (happenings, onMachine) => {
      const subject = world({ onMachine })
      await subject.clock.begin()
      let last = subject.clock.now()
      for (const [kind, by] of happenings) {
        if (kind === 0) subject.setMachine(by)
        else if (kind === 1) subject.setStore(by)
        else if (kind === 2) subject.sleep(Math.abs(by))
        else if (kind === 3) subject.lag(Math.abs(by) / 1000)
        else if (kind === 4) await subject.clock.follow()
        else subject.pass(Math.abs(by) / 7)
        const now = subject.clock.now()
        expect(Number.isInteger(now)).toBe(true)
        expect(now).toBeGreaterThanOrEqual(last)
        last = now
      }
    }),
  )
})
