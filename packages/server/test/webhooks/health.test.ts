import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fresh,
  type Health,
  judgeByTime,
  judgedAt,
  parseHealth,
  recordAttempt,
  type Status,
  type Step,
  serializeHealth,
} from '../../src/webhooks/delivery/health.ts'
import { NaiveHealth } from './naive-health.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
/** At the start of a step. */
const start = 1_780_000_000_000

/** A destination with its health, as the deliverer stores them. */
class Destination {
  status: Status = 'active'
  health: Health = fresh()
  /** Every change of state, with its time since the start. */
  steps: [Step, number][] = []

  attempt(at: number, ok: boolean): Step | undefined {
    const step = recordAttempt(this.status, this.health, { at: start + at, ok })
    if (step) {
      this.status = step
      this.steps.push([step, at])
    }
    return step
  }

  /** Time passes without an attempt. */
  tick(at: number): Step | undefined {
    const step = judgeByTime(this.status, this.health, start + at)
    if (step) {
      this.status = step
      this.steps.push([step, at])
    }
    return step
  }

  /** Time of the next evaluation, since the start. */
  get judgedAt(): number | undefined {
    const at = judgedAt(this.status, this.health)
    return at === undefined ? undefined : at - start
  }

  fail(at: number, times = 1): this {
    for (let time = 0; time < times; time++) this.attempt(at, false)
    return this
  }

  succeed(at: number, times = 1): this {
    for (let time = 0; time < times; time++) this.attempt(at, true)
    return this
  }

  setByClient(status: 'active' | 'pause'): void {
    this.status = status
    this.health = fresh()
  }

  restart(): this {
    this.health = parseHealth(serializeHealth(this.health))
    return this
  }
}

/** A destination that became failing at 15 minutes, by 20 attempts that failed. */
const failing = (): Destination => new Destination().fail(0, 19).fail(15 * minute)

describe('evaluated by time, without attempts', () => {
  test('active → failing 15 minutes after the first attempt, when all failed', () => {
    const destination = new Destination().fail(0, 12)
    expect(destination.judgedAt).toBe(15 * minute)
    expect(destination.tick(15 * minute - 1)).toBeUndefined()
    expect(destination.tick(15 * minute)).toBe('failing')
  })

  test('failing → failed after 72 hours, even if attempts ended long before, or none was made', () => {
    const destination = failing()
      .fail(20 * hour, 12)
      .restart()
    expect(destination.judgedAt).toBe(15 * minute + 72 * hour)
    expect(destination.tick(15 * minute + 72 * hour - 1)).toBeUndefined()
    expect(destination.tick(15 * minute + 72 * hour)).toBe('failed')
    expect(failing().tick(73 * hour)).toBe('failed')
    expect(destination.judgedAt).toBeUndefined()
    expect(destination.tick(200 * hour)).toBeUndefined()
  })

  test('failing with too few failures gets another 72 hours', () => {
    const destination = failing()
    destination.health.failing = { since: start + 15 * minute, attempts: 100, failed: 90 }
    expect(destination.tick(73 * hour)).toBeUndefined()
    expect(destination.judgedAt).toBe(145 * hour)
  })

  test('time alone never improves a state, and few attempts change nothing', () => {
    const edge = new Destination()
      .fail(0, 19)
      .fail(15 * minute, 180)
      .succeed(15 * minute)
    expect(edge.status).toBe('failing')
    for (let at = 16 * minute; at < 72 * hour; at += hour) expect(edge.tick(at)).toBeUndefined()
    expect(new Destination().fail(0, 9).judgedAt).toBeUndefined()
    expect(new Destination().fail(0, 5).succeed(1, 5).judgedAt).toBeUndefined()
  })

  test('a success leaves the period: then the failures after it are evaluated', () => {
    const destination = new Destination()
      .succeed(0)
      .succeed(10 * minute, 3)
      .fail(16 * minute, 12)
    expect(destination.status).toBe('active')
    const at = destination.judgedAt ?? 0
    expect(at).toBe(25 * minute)
    expect(destination.tick(at - 1)).toBeUndefined()
    expect(destination.tick(at)).toBe('failing')
  })

  test('for any history, nothing happens before the announced time, and something at it', () => {
    const history = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 * minute }), fc.integer({ min: 0, max: 20 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(history, (outcomes) => {
        const destination = new Destination()
        let now = 0
        for (const [wait, luck] of outcomes) {
          now += wait
          destination.attempt(now, luck === 0)
        }
        const at = destination.judgedAt
        const earlier = Array.from({ length: 40 }, (_, index) => now + index * 30 * second)
        for (const time of earlier) if (at === undefined || time < at) expect(destination.tick(time)).toBeUndefined()
        if (at !== undefined && destination.status === 'active') expect(destination.tick(at)).toBe('failing')
        expect(destination.restart().judgedAt).toBe(destination.judgedAt)
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('active → failing at 95 % over 15 minutes', () => {
  /** All attempts are in the last minute of the period, except a first one long before that starts the count. */
  const shares = (failed: number, succeeded: number): Status =>
    new Destination()
      .succeed(0)
      .succeed(16 * minute, succeeded)
      .fail(16 * minute, failed).status

  test.each([
    [19, 1, 'failing'],
    [18, 1, 'active'],
    [950, 50, 'failing'],
    [949, 51, 'active'],
    [38, 2, 'failing'],
    [37, 2, 'active'],
    [10, 0, 'failing'],
    [1, 0, 'active'],
    [0, 1, 'active'],
    [0, 1000, 'active'],
  ])('%i failed and %i succeeded: %s', (failed, succeeded, expected) => {
    expect(shares(failed, succeeded)).toBe(expected)
  })

  test('0 of 0: a destination without attempts does not change', () => {
    const destination = new Destination()
    expect(destination.status).toBe('active')
    expect(destination.restart().health).toEqual(fresh())
  })

  test('1 of 1 and 9 of 9 are too few; 10 of 10 are enough', () => {
    const destination = new Destination().fail(0)
    expect(destination.steps).toEqual([])
    for (let count = 2; count <= 9; count++) destination.fail(count * hour)
    expect(destination.steps).toEqual([])
    expect(destination.fail(10 * hour).steps).toEqual([['failing', 10 * hour]])
  })

  test('nothing changes at 14:59.999 after the first outcome; at exactly 15:00.000 it does', () => {
    const destination = new Destination().fail(0, 100).fail(15 * minute - 1, 100)
    expect(destination.status).toBe('active')
    expect(destination.fail(15 * minute).steps).toEqual([['failing', 15 * minute]])
  })

  test('the period ends with the step of the outcome: 15 minutes before its step is outside, a step later is inside', () => {
    const succeededAt = (at: number): Destination =>
      new Destination()
        .succeed(0)
        .succeed(at)
        .fail(30 * minute, 18)
    // The step of 30:00 to 30:10 ends it, so it starts at 15:10.
    expect(succeededAt(15 * minute + 9_999).status).toBe('failing')
    expect(succeededAt(15 * minute + 10_000).status).toBe('active')
    expect(succeededAt(15 * minute + 10_000).fail(30 * minute + 9_999).steps).toEqual([
      ['failing', 30 * minute + 9_999],
    ])
    expect(succeededAt(15 * minute + 10_000).fail(30 * minute + 10_000).status).toBe('failing')
  })

  test('a quiet dead destination is detected by its last 10 attempts, however far apart', () => {
    const destination = new Destination().succeed(0, 500)
    for (let day = 1; day <= 9; day++) destination.fail(day * 24 * hour)
    expect(destination.status).toBe('active')
    expect(destination.fail(240 * hour).status).toBe('failing')
  })

  test('one success among the last 10 attempts of a quiet destination is more than 5 %', () => {
    const destination = new Destination().fail(0, 9).succeed(20 * minute)
    for (let count = 1; count <= 9; count++) destination.fail(count * hour)
    expect(destination.status).toBe('active')
    expect(destination.fail(10 * hour).status).toBe('failing')
  })

  test('continuous success for days never fails a destination, nor does a failure of every tenth attempt', () => {
    const destination = new Destination()
    for (let count = 0; count < 50_000; count++) destination.attempt(count * 7 * second, count % 10 === 0)
    expect(destination.steps).toEqual([])
  })
})

describe('failing → failed after 72 hours more', () => {
  test('not at 71:59:59.999, but at exactly 72 hours', () => {
    const failedFrom = 15 * minute
    const destination = failing().fail(failedFrom + 72 * hour - 1)
    expect(destination.status).toBe('failing')
    expect(destination.fail(failedFrom + 72 * hour).steps).toEqual([
      ['failing', failedFrom],
      ['failed', failedFrom + 72 * hour],
    ])
  })

  test('never earlier, however many attempts fail', () => {
    const destination = failing()
    for (let at = 16 * minute; at < 72 * hour; at += minute) destination.fail(at, 3)
    expect(destination.status).toBe('failing')
  })

  test('a success at 71 h 59 min makes a quiet destination active again', () => {
    const destination = failing()
    for (let count = 1; count < 70; count++) destination.fail(count * hour)
    destination.succeed(15 * minute + 72 * hour - minute)
    expect(destination.steps.at(-1)).toEqual(['active', 15 * minute + 72 * hour - minute])
    expect(destination.fail(15 * minute + 72 * hour).status).toBe('active')
  })

  test('a success at 71 h 59 min does not save a busy destination that fails 95 % and more', () => {
    const destination = failing()
    for (let at = 16 * minute; at < 72 * hour + 14 * minute; at += minute) destination.fail(at, 10)
    destination.succeed(15 * minute + 72 * hour - minute)
    expect(destination.status).toBe('failing')
    expect(destination.fail(15 * minute + 72 * hour).status).toBe('failed')
  })

  test.each([
    [949, 51, 'failing'],
    [950, 50, 'failed'],
    [38, 2, 'failed'],
    [37, 2, 'failing'],
  ])('%i failed and %i succeeded since it became failing: %s', (failed, succeeded, expected) => {
    // Before it, enough failures that the successes after it are no recovery; the last ten attempts fail.
    const destination = new Destination()
      .fail(0)
      .fail(14 * minute, 5000)
      .fail(15 * minute)
    destination.succeed(15 * minute, succeeded).fail(15 * minute, failed - 1)
    expect(destination.steps).toEqual([['failing', 15 * minute]])
    expect(destination.fail(15 * minute + 72 * hour).status).toBe(expected)
  })

  test('the attempt that made it failing is not counted among those that follow', () => {
    expect(failing().health.failing).toEqual({ since: start + 15 * minute, attempts: 0, failed: 0 })
    expect(failing().fail(16 * minute).health.failing).toEqual({ since: start + 15 * minute, attempts: 1, failed: 1 })
  })

  test('if less than 95 % of the 72 hours failed, without recovery, another 72 hours start', () => {
    const destination = new Destination()
      .fail(0)
      .fail(14 * minute, 5000)
      .fail(15 * minute)
    destination.succeed(15 * minute, 200).fail(15 * minute, 10)
    const end = 15 * minute + 72 * hour
    expect(destination.fail(end).status).toBe('failing')
    expect(destination.health.failing).toEqual({ since: start + end, attempts: 0, failed: 0 })
    expect(destination.fail(end + 72 * hour - 1).status).toBe('failing')
    expect(destination.fail(end + 72 * hour).status).toBe('failed')
  })

  test('failed never ends by itself, whatever succeeds', () => {
    const destination = failing().fail(15 * minute + 72 * hour)
    expect(destination.status).toBe('failed')
    const health = structuredClone(destination.health)
    for (let count = 0; count < 10_000; count++) destination.attempt(100 * hour + count * minute, true)
    expect(destination.status).toBe('failed')
    expect(destination.health).toEqual(health)
  })
})

describe('failing → active when deliveries recover', () => {
  test('as soon as less than 95 % of the same period failed', () => {
    const destination = failing().fail(15 * minute + 10 * second, 37)
    expect(destination.status).toBe('failing')
    destination.succeed(15 * minute + 10 * second, 2)
    expect(destination.status).toBe('failing')
    expect(destination.succeed(15 * minute + 10 * second).steps.at(-1)).toEqual(['active', 15 * minute + 10 * second])
  })

  test('counting starts again: it is not failing before 10 attempts and 15 minutes', () => {
    const destination = failing().succeed(20 * minute)
    expect(destination.status).toBe('active')
    expect(destination.health).toEqual(fresh())
    destination.fail(21 * minute, 1000).fail(36 * minute - 1)
    expect(destination.status).toBe('active')
    expect(destination.fail(36 * minute).status).toBe('failing')
  })

  test('the 72 hours of an earlier period do not count', () => {
    const destination = failing()
      .succeed(20 * minute)
      .fail(60 * hour, 10)
    expect(destination.fail(61 * hour).status).toBe('failing')
    expect(destination.fail(61 * hour + 72 * hour - 1).status).toBe('failing')
    expect(destination.fail(61 * hour + 72 * hour).status).toBe('failed')
  })
})

describe('set by the client', () => {
  test('reactivation restarts clean', () => {
    const destination = failing().fail(15 * minute + 72 * hour)
    expect(destination.status).toBe('failed')
    destination.setByClient('active')
    destination.fail(100 * hour, 9)
    expect(destination.steps).toHaveLength(2)
    destination.fail(100 * hour + 15 * minute - 1, 100)
    expect(destination.status).toBe('active')
    expect(destination.fail(100 * hour + 15 * minute).status).toBe('failing')
    expect(destination.fail(100 * hour + 15 * minute + 72 * hour - 1).status).toBe('failing')
  })

  test('a paused destination counts nothing and stays paused', () => {
    const destination = failing()
    destination.setByClient('pause')
    destination.fail(20 * minute, 1000).succeed(21 * minute, 1000)
    expect(destination.status).toBe('pause')
    expect(destination.health).toEqual(fresh())
  })
})

describe('the clock steps', () => {
  test('back by 2 hours inside the period: outcomes count at the time of the last one', () => {
    const destination = new Destination().fail(0, 10).fail(14 * minute, 5)
    destination.succeed(14 * minute - 2 * hour).fail(14 * minute - 2 * hour, 500)
    expect(destination.status).toBe('active')
    expect(destination.health.last).toBe(start + 14 * minute)
    expect(destination.health.period).toEqual({ attempts: 516, failed: 515 })
    // Nothing was lost or counted twice when time continues.
    expect(destination.fail(15 * minute).steps).toEqual([['failing', 15 * minute]])
    expect(destination.health.period).toEqual({ attempts: 507, failed: 506 })
  })

  test('back while failing: the 72 hours get no shorter', () => {
    const destination = failing()
      .fail(40 * hour)
      .fail(38 * hour, 20)
    expect(destination.fail(15 * minute + 72 * hour - 1).status).toBe('failing')
    expect(destination.fail(15 * minute + 72 * hour).status).toBe('failed')
  })

  test('back before the very first outcome', () => {
    const destination = new Destination().fail(0).fail(-hour, 50)
    expect(destination.status).toBe('active')
    expect(destination.health.period).toEqual({ attempts: 51, failed: 51 })
    expect(destination.fail(15 * minute).status).toBe('failing')
  })

  test('forward by a year: old steps are forgotten, the last 10 attempts are not', () => {
    const destination = new Destination().succeed(0).fail(0, 9)
    expect(destination.fail(365 * 24 * hour).status).toBe('failing')
    expect(destination.health.period).toEqual({ attempts: 1, failed: 1 })
  })
})

describe('stored as text', () => {
  test('a restart mid-window changes nothing', () => {
    const steady = new Destination()
    const restarted = new Destination()
    for (let count = 0; count < 2000; count++) {
      const at = count * 47 * second
      const ok = count % 300 < 30 && count % 3 === 0
      steady.attempt(at, ok)
      restarted.attempt(at, ok)
      restarted.restart()
    }
    expect(restarted.health).toEqual(steady.health)
    expect(restarted.steps).toEqual(steady.steps)
    expect(steady.steps.length).toBeGreaterThan(2)
  })

  test('is less than 2 KB for a destination with 2,000,000 attempts in 10 seconds, failing for three days', () => {
    const health = failing().health
    health.last = start + 72 * hour
    health.attempts.fill(20_000_000)
    health.failed.fill(19_999_999)
    health.period = { attempts: 90 * 20_000_000, failed: 90 * 19_999_999 }
    health.failing = { since: start, attempts: 25_920 * 20_000_000, failed: 25_920 * 19_999_999 }
    const text = serializeHealth(health)
    expect(text.length).toBeLessThan(2048)
    expect(parseHealth(text)).toEqual(health)
  })

  test('is short for a quiet destination', () => {
    expect(serializeHealth(new Destination().fail(0).fail(24 * hour).health).length).toBeLessThan(120)
  })

  test.each([
    ['nothing', null],
    ['an empty text', ''],
    ['no JSON', '{"seen":1'],
    ['another shape', '[]'],
    ['null', 'null'],
    ['a field of another type', '{"seen":"1","inARow":0,"first":1,"last":1,"steps":[1,0]}'],
    ['a field more', '{"seen":1,"inARow":0,"first":1,"last":1,"steps":[1,0],"more":1}'],
    ['a field less', '{"seen":1,"inARow":0,"first":1,"steps":[1,0]}'],
    ['half a step', '{"seen":1,"inARow":0,"first":1,"last":1,"steps":[1]}'],
    ['more failures than attempts', '{"seen":1,"inARow":0,"first":1,"last":1,"steps":[1,2]}'],
    ['a negative count', '{"seen":1,"inARow":0,"first":1,"last":1,"steps":[-1,-1]}'],
    ['a first after the last', '{"seen":1,"inARow":0,"first":2,"last":1,"steps":[1,0]}'],
    ['too many steps', JSON.stringify({ seen: 1, inARow: 0, first: 1, last: 1, steps: new Array(182).fill(0) })],
    [
      'more failures than attempts while failing',
      '{"seen":1,"inARow":0,"first":1,"last":1,"steps":[1,0],"failing":{"since":1,"attempts":1,"failed":2}}',
    ],
  ])('%s is treated as a fresh start', (_name, text) => {
    expect(parseHealth(text)).toEqual(fresh())
  })

  test('a text of the documented form is parsed', () => {
    const health = parseHealth('{"seen":1,"inARow":1,"first":1,"last":2,"steps":[3,2]}')
    expect(health).toMatchObject({ seen: 1, inARow: 1, first: 1, last: 2, period: { attempts: 3, failed: 2 } })
  })

  test('a failing destination whose text was lost stays failing for 72 more hours, and can recover', () => {
    const lost = (): Destination => {
      const destination = failing()
      destination.health = parseHealth('lost')
      return destination
    }
    const dead = lost().fail(70 * hour, 20)
    expect(dead.fail(142 * hour - 1).status).toBe('failing')
    expect(dead.fail(142 * hour).status).toBe('failed')
    const recovering = lost().succeed(70 * hour, 20)
    expect(recovering.status).toBe('failing')
    expect(recovering.succeed(70 * hour + 15 * minute).status).toBe('active')
    const few = lost().succeed(70 * hour)
    for (let count = 2; count <= 9; count++) few.succeed((70 + count) * hour)
    expect(few.status).toBe('failing')
    expect(few.succeed(80 * hour).status).toBe('active')
  })
})

describe('against an independent reference', () => {
  /** Mulberry32: small, seeded, the same on every machine. */
  function generator(seed: number): () => number {
    let state = seed
    return () => {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    }
  }

  const gaps = [0, 500, 5 * second, 30 * second, 2 * minute, 20 * minute, 5 * hour, 40 * hour]
  const shares = [0, 0.5, 0.9, 0.95, 0.97, 1, 1, 1]
  const events = ['restart', 'active', 'pause', 'back'] as const

  /** A number of attempts with delays of up to `gap`, of which about a share fails. */
  interface Stretch {
    count: number
    gap: number
    share: number
  }

  /** Many failures with some successes that are no recovery, then silence: leads to a second 72 hours. */
  const storm: Stretch[] = [
    { count: 300, gap: 5 * second, share: 1 },
    { count: 6, gap: minute, share: 1 },
    { count: 24, gap: second, share: 0.7 },
    { count: 12, gap: second, share: 1 },
    { count: 24, gap: 40 * hour, share: 1 },
  ]

  const pick = <T>(values: readonly T[], random: () => number): T => values[Math.floor(random() * values.length)] as T

  function stretchesOf(random: () => number): Stretch[] {
    if (random() < 0.01) return storm
    return Array.from({ length: Math.ceil(random() * 4) }, () => ({
      count: Math.ceil(random() * (random() < 0.01 ? 400 : 24)),
      gap: pick(gaps, random),
      share: pick(shares, random),
    }))
  }

  /** Runs one stream through both and returns the first disagreement. */
  function compare(seed: number, naive: NaiveHealth, seen: Map<string, number>): string | undefined {
    const random = generator(seed)
    const destination = new Destination()
    const note = (name: string): void => void seen.set(name, (seen.get(name) ?? 0) + 1)
    let at = Math.floor(random() * 10 * second)
    for (const { count, gap, share } of stretchesOf(random)) {
      for (let made = 0; made < count; made++) {
        at += Math.floor(random() * gap)
        if (random() < 0.01) {
          const event = pick(events, random)
          note(event)
          if (event === 'restart') destination.restart()
          else if (event === 'back') at -= Math.floor(random() * 2 * hour)
          else {
            destination.setByClient(event)
            naive.setByClient(event)
          }
        }
        const ok = random() >= share
        const from = naive.status
        const step = destination.attempt(at, ok)
        const expected = naive.record({ at: start + at, ok })
        if (expected) note(`${from} → ${expected}`)
        if (step !== expected || destination.status !== naive.status)
          return `seed ${seed} at ${at}: ${from} → ${step}, expected ${expected}`
      }
    }
    return undefined
  }

  test('agrees on every stream of outcomes, sparse and dense, with restarts, clients and clock steps', () => {
    const streams = runs(25_000)
    const seen = new Map<string, number>()
    const totals = { edges: 0, secondPeriods: 0, reachedBack: 0, withinPeriod: 0 }
    const disagreements: string[] = []
    for (let seed = 1; seed <= streams; seed++) {
      const naive = new NaiveHealth()
      const disagreement = compare(seed, naive, seen)
      if (disagreement) disagreements.push(disagreement)
      for (const name of ['edges', 'secondPeriods', 'reachedBack', 'withinPeriod'] as const) totals[name] += naive[name]
    }
    expect(disagreements).toEqual([])
    for (const name of ['active → failing', 'failing → active', 'failing → failed', ...events])
      expect(seen.get(name) ?? 0, name).toBeGreaterThan(runs(500))
    expect([...seen.keys()].filter((name) => name.includes('→')).sort()).toEqual([
      'active → failing',
      'failing → active',
      'failing → failed',
    ])
    expect(totals.edges).toBeGreaterThan(runs(125))
    expect(totals.secondPeriods).toBeGreaterThan(runs(4))
    expect(totals.reachedBack).toBeGreaterThan(runs(2_500))
    expect(totals.withinPeriod).toBeGreaterThan(runs(2_500))
  })
})
