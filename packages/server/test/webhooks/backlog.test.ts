/**
 * The backlog of one destination as a state machine: deliveries of all sizes, a receiver that answers, fails, hangs
 * or cannot be reached, a store that fails temporarily, and a stop at any step. Time, store and receiver are plain
 * values here.
 */

import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Backlog, type BacklogPage, type NextSteps, type Queued } from '../../src/webhooks/delivery/backlog.ts'

const megabyte = 1_048_576
const maxBytes = 8 * megabyte
const open = { now: 0, mayBegin: true, maxBytes }

/** A queue as in the store, and the progress of each delivery. */
class World {
  readonly backlog = new Backlog<Queued>()
  readonly queue = new Map<number, Queued>()
  readonly underWay: Queued[] = []
  /** Ended, with the result not stored yet. */
  readonly dropped: { row: Queued; ok: boolean }[] = []
  readonly attempts = new Map<number, number>()
  /** The order in which each was first sent. */
  readonly sent: Queued[] = []
  read: BacklogPage | undefined
  resting = false
  over = false
  now = 0
  mayBegin = true
  reads = 0
  #ids = 0

  add(sizes: readonly number[]): void {
    for (const bytes of sizes) {
      const id = ++this.#ids
      this.queue.set(id, { id, due_at: this.now, bytes })
    }
  }

  step(): NextSteps<Queued> {
    const steps = this.backlog.next({ now: this.now, mayBegin: this.mayBegin, maxBytes })
    for (const item of steps.send) {
      expect(this.queue.has(item.id), 'what is sent stands in the queue').toBe(true)
      expect(this.underWay, 'nothing is sent twice at once').not.toContain(item)
      if (!this.attempts.has(item.id)) this.sent.push(item)
      this.attempts.set(item.id, (this.attempts.get(item.id) ?? 0) + 1)
      this.underWay.push(item)
    }
    if (steps.read) {
      expect(this.read, 'one read at a time').toBeUndefined()
      this.read = steps.read
      this.reads++
    }
    this.resting ||= steps.rest
    this.over ||= steps.over
    const largest = Math.max(0, ...this.queue.values().map(({ bytes }) => bytes))
    expect(this.backlog.bytes).toBeLessThanOrEqual(maxBytes + largest)
    return steps
  }

  /** Runs until it requests nothing more; without news that must be immediate. */
  settle(): void {
    this.step()
    const again = this.step()
    expect(again, 'asked again without news').toMatchObject({ send: [], read: undefined, rest: false })
  }

  /** The read in progress returns, or fails. */
  answerRead(works: boolean): void {
    const { read } = this
    if (!read) return
    this.read = undefined
    if (!works) {
      this.backlog.readFailed()
      return
    }
    const after = read.after ?? { due_at: -1, id: -1 }
    const rows = [...this.queue.values()]
      .filter(
        ({ id, due_at: due }) => due <= this.now && (due > after.due_at || (due === after.due_at && id > after.id)),
      )
      .sort((a, b) => a.due_at - b.due_at || a.id - b.id)
      .slice(0, read.limit)
    const { chosen, next } = this.backlog.choose(rows)
    this.backlog.supplied(chosen, { next })
  }

  /** The receiver's reaction to the oldest attempt in progress. */
  end(how: 'answers' | 'fails' | 'unreached'): void {
    const row = this.underWay.shift()
    if (!row) return
    const ok = how === 'answers'
    if (how === 'unreached') this.backlog.putBack(row.id)
    else if (this.backlog.ended(row.id, { ok, latencyMs: 5 })) this.dropped.push({ row, ok })
  }

  /** The store writes results: delivered ones leave the queue, the rest is due later. */
  keep(): void {
    for (const { row, ok } of this.dropped) {
      if (ok) this.queue.delete(row.id)
      else this.queue.set(row.id, { ...row, due_at: this.now + 5_000 })
    }
    this.backlog.retained(this.dropped.map(({ row }) => row.id))
    this.dropped.length = 0
  }

  poll(): void {
    this.backlog.polled(this.queue.values().some(({ due_at: due }) => due <= this.now))
  }

  rest(): void {
    if (this.resting) this.backlog.rested()
    this.resting = false
  }
}

/** Sizes: tiny ones, typical ones, a few that fill the budget, and one that exceeds it. */
const size = fc.oneof(
  fc.integer({ min: 1, max: 4_000 }),
  fc.constant(195_000),
  fc.constant(megabyte),
  fc.constant(maxBytes + megabyte),
)
const event = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), sizes: fc.array(size, { maxLength: 60 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      how: fc.constantFrom('answers' as const, 'fails' as const, 'unreached' as const),
      count: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('read' as const), works: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('keep' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rest' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.integer({ min: 1, max: 7_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lease' as const), ours: fc.boolean() }) },
)
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never

function happen(world: World, it: Event): void {
  if (it.kind === 'add') world.add(it.sizes)
  else if (it.kind === 'end') for (let n = 0; n < it.count; n++) world.end(it.how)
  else if (it.kind === 'read') world.answerRead(it.works)
  else if (it.kind === 'keep') world.keep()
  else if (it.kind === 'look') world.poll()
  else if (it.kind === 'rest') world.rest()
  else if (it.kind === 'time') world.now += it.ms
  else world.mayBegin = it.ours
  world.settle()
}

/** Everything succeeds from now on: returns the number of rounds until nothing is left. */
function drain(world: World): number {
  world.mayBegin = true
  for (let round = 1; round < 20_000; round++) {
    world.now += 500
    world.poll()
    world.settle()
    world.answerRead(true)
    world.settle()
    while (world.underWay.length > 0) world.end('answers')
    world.keep()
    world.rest()
    world.settle()
    if (world.queue.size === 0) return round
  }
  return Number.POSITIVE_INFINITY
}

describe('the backlog of a destination', () => {
  test('never reads again without news, holds a bounded number of bytes, and finally sends everything', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 80 }), (events) => {
        const world = new World()
        for (const each of events) happen(world, each)
        expect(drain(world)).toBeLessThan(20_000)
        expect(world.backlog.isIdle).toBe(true)
        expect(world.backlog.bytes).toBe(0)
      }),
      { numRuns: runs(300) },
    )
  })

  test('that closes at any step ends once attempts in progress have ended and are stored; the rest stays in the queue', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 60 }),
        fc.constantFrom('answers' as const, 'fails' as const, 'unreached' as const),
        fc.boolean(),
        (events, how, keeps) => {
          const world = new World()
          for (const each of events) happen(world, each)
          const queued = new Set(world.queue.keys())
          const begun = new Set([...world.underWay.map(({ id }) => id), ...world.dropped.map(({ row }) => row.id)])
          world.backlog.close()
          expect(world.step().send).toEqual([])
          while (world.underWay.length > 0) world.end(how)
          world.answerRead(true)
          if (keeps) world.keep()
          else world.backlog.abandon()
          expect(world.step()).toMatchObject({ send: [], read: undefined, over: true })
          expect(world.backlog.bytes).toBe(0)
          for (const id of queued) if (!begun.has(id)) expect(world.queue.has(id)).toBe(true)
        },
      ),
      { numRuns: runs(300) },
    )
  })

  test('that is abandoned while hanging ends immediately, and later results do not count', () => {
    const world = new World()
    world.add(Array(100).fill(195_000))
    world.poll()
    world.settle()
    world.answerRead(true)
    world.settle()
    expect(world.underWay.length).toBeGreaterThan(0)
    world.backlog.close()
    expect(world.step().over).toBe(false)
    world.backlog.abandon()
    expect(world.step().over).toBe(true)
    expect(world.backlog.ended(1, { ok: true, latencyMs: 1 })).toBe(false)
    expect(world.queue.size).toBe(100)
  })

  test('is sent in queue order, including deliveries that were put back', () => {
    fc.assert(
      fc.property(
        fc.array(size, { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 0, max: 4 }),
        (sizes, unreached) => {
          const world = new World()
          world.add(sizes)
          world.poll()
          world.settle()
          world.answerRead(true)
          world.settle()
          const first = world.underWay.map(({ id }) => id)
          for (let n = 0; n < unreached; n++) world.end('unreached')
          world.settle()
          world.rest()
          world.settle()
          const again = world.underWay.map(({ id }) => id).toSorted((a, b) => a - b)
          expect(again).toEqual(first)
          drain(world)
          expect(world.sent.map(({ id }) => id)).toEqual(sizes.map((_, index) => index + 1))
        },
      ),
    )
  })

  test('with notifications of 195 KB and a hanging receiver is read until the budget is full, and then no more', () => {
    const world = new World()
    world.add(Array(500).fill(195_000))
    for (let turn = 0; turn < 100; turn++) {
      world.poll()
      world.settle()
      world.answerRead(true)
      world.settle()
    }
    expect(world.backlog.bytes).toBeGreaterThan(maxBytes - 195_000)
    // Each poll checks the destination itself; the queue was read a few times.
    expect(world.reads).toBeLessThanOrEqual(101)
    expect(world.backlog.next(open)).toMatchObject({ send: [], read: undefined })
  })

  test('sends a delivery that exceeds the budget alone', () => {
    const world = new World()
    world.add([1_000, maxBytes * 2, 1_000])
    for (let turn = 0; turn < 5; turn++) {
      world.poll()
      world.settle()
      world.answerRead(true)
      world.settle()
      while (world.underWay.length > 0) world.end('answers')
      world.keep()
    }
    expect(world.queue.size).toBe(0)
  })

  test('does not resend a delivery whose result was stored while the queue was read', () => {
    const world = new World()
    world.add([100])
    world.poll()
    world.settle()
    world.answerRead(true)
    world.settle()
    world.end('answers')
    world.poll()
    world.settle()
    const stale = [...world.queue.values()]
    world.keep()
    expect(world.backlog.choose(stale)).toEqual({ chosen: [], next: undefined })
  })

  test('that only fails pauses before each further attempt', () => {
    const world = new World()
    world.add(Array(60).fill(10))
    world.poll()
    world.settle()
    world.answerRead(true)
    for (let n = 0; n < 40; n++) {
      world.settle()
      world.end('fails')
    }
    expect(world.resting).toBe(true)
    expect(world.attempts.size).toBeLessThan(40)
    world.rest()
    expect(world.step()).toMatchObject({ rest: true, send: [expect.anything()] })
  })
})
