/**
 * The backlog of a channel: a broker that confirms, refuses, fails or cannot be reached, results that are stored late,
 * and times that differ from the order of notifications. The model knows only what was queued and what the broker
 * confirmed.
 */

import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Backlog, type BacklogPage, type Queued } from '../../src/webhooks/delivery/backlog.ts'
import { channelOutcome, missingAfter, stopMs } from '../../src/webhooks/delivery/channel-outcome.ts'

type Row = Queued & { lane: string }

/** A broker and a store around a backlog. */
class World {
  readonly backlog = new Backlog<Row>({ ordered: true })
  readonly queue = new Map<number, Row>()
  readonly underWay: Row[] = []
  readonly confirmed: Row[] = []
  readonly refused: Row[] = []
  readonly unsaved: { row: Row; leaves: boolean }[] = []
  /** Consecutive pauses, as the owner counts them; the owner calls `rested` once for each. */
  stops = 0
  isResting = false
  /** Lanes whose delivery has no subject or queue at the broker. */
  readonly held = new Set<string>()
  read: BacklogPage | undefined

  constructor(rows: readonly Row[]) {
    for (const row of rows) this.queue.set(row.id, row)
  }

  step(): void {
    const steps = this.backlog.next({ now: 0, mayBegin: true, maxBytes: 8_388_608 })
    for (const row of steps.send) {
      expect(this.isResting, 'nothing is sent while the channel rests').toBe(false)
      expect(this.held.has(row.lane), 'nothing of a lane that waits').toBe(false)
      expect(
        this.underWay.some(({ lane }) => lane === row.lane),
        'one of a grant at a time',
      ).toBe(false)
      this.underWay.push(row)
    }
    if (this.stops > 0 && steps.send.length > 0) expect(this.underWay, 'one probe').toHaveLength(1)
    if (steps.stop !== undefined) {
      this.stops = steps.stop
      this.isResting = true
    }
    if (steps.rest) this.isResting = true
    this.read = steps.read ?? this.read
  }

  answerRead(): void {
    const { read } = this
    if (!read) return
    this.read = undefined
    const after = read.after ?? { due_at: -1, id: -1 }
    const rows = [...this.queue.values()]
      .filter(({ id, due_at: due }) => due > after.due_at || (due === after.due_at && id > after.id))
      .sort((a, b) => a.due_at - b.due_at || a.id - b.id)
      .slice(0, read.limit)
    const { chosen, next } = this.backlog.choose(rows)
    // Like the worker: deliveries that the selected ones would overtake are added.
    const taken = new Set(chosen.map(({ id }) => id))
    const below = Math.max(0, ...taken)
    const overtaken = this.backlog.unread([...this.queue.values()].filter(({ id }) => id < below && !taken.has(id)))
    this.backlog.supplied([...chosen, ...overtaken], { next })
  }

  end(how: 'confirms' | 'refuses' | 'holds' | 'stops' | 'overloaded'): void {
    const row = this.underWay.shift()
    if (!row) return
    if (how === 'overloaded') {
      this.backlog.putBack(row.id)
      return
    }
    const counts =
      how === 'stops'
        ? this.backlog.stopped(row.id, { ...row })
        : how === 'holds'
          ? this.backlog.held(row.id, { ...row })
          : this.backlog.ended(row.id, { ok: how === 'confirms', latencyMs: 1 })
    expect(counts).toBe(true)
    if (how === 'confirms') {
      this.confirmed.push(row)
      this.stops = 0
    }
    if (how === 'refuses') this.refused.push(row)
    if (how === 'holds') this.held.add(row.lane)
    this.unsaved.push({ row, leaves: how === 'confirms' || how === 'refuses' })
  }

  release(): void {
    const [lane] = this.held
    if (lane === undefined) return
    this.held.delete(lane)
    this.backlog.released(lane)
  }

  save(): void {
    const saved = this.unsaved.shift()
    if (!saved) return
    if (saved.leaves) this.queue.delete(saved.row.id)
    this.backlog.retained([saved.row.id])
  }

  rest(): void {
    this.isResting = false
    this.backlog.rested()
  }
}

const rows = fc
  .array(fc.record({ lane: fc.constantFrom('a', 'b', 'c', 'd'), skew: fc.integer({ min: -5, max: 5 }) }), {
    maxLength: 60,
  })
  .map((all) =>
    all.map(({ lane, skew }, index): Row => ({ id: index + 1, due_at: 100 + index + skew, bytes: 10, lane })),
  )
const events = fc.array(
  fc.constantFrom(
    'read',
    'confirms',
    'refuses',
    'holds',
    'release',
    'stops',
    'overloaded',
    'save',
    'rest',
    'look',
    'step',
  ),
  { maxLength: 300 },
)

describe('the deliveries of a channel', () => {
  test('reach the broker in the order of their grant, one at a time, and none is lost', () => {
    fc.assert(
      fc.property(rows, events, (queued, happening) => {
        const world = new World(queued)
        const happen = (event: string): void => {
          if (event === 'read') world.answerRead()
          else if (event === 'save') world.save()
          else if (event === 'rest' && world.isResting) world.rest()
          else if (event === 'look') world.backlog.polled(world.queue.size > 0)
          else if (event === 'release') world.release()
          else if (
            event === 'holds' ||
            event === 'confirms' ||
            event === 'refuses' ||
            event === 'stops' ||
            event === 'overloaded'
          ) {
            world.end(event)
          }
          world.step()
        }
        happen('look')
        for (const event of happening) happen(event)
        // The broker works again, and everything is stored in the end.
        for (let round = 0; round < 1_000 && world.queue.size > 0; round++) {
          for (const event of ['look', 'read', 'rest', 'release', 'confirms', 'save']) happen(event)
        }
        const settled = [...world.confirmed, ...world.refused].map(({ id }) => id).sort((a, b) => a - b)
        expect(settled, 'each was confirmed or refused exactly once').toEqual(queued.map(({ id }) => id))
        for (const lane of ['a', 'b', 'c', 'd']) {
          const ids = world.confirmed.filter((row) => row.lane === lane).map(({ id }) => id)
          expect(ids, 'in order').toEqual(ids.toSorted((a, b) => a - b))
        }
        expect(world.backlog.isIdle).toBe(true)
        expect(world.backlog.bytes).toBe(0)
      }),
      { numRuns: runs(300) },
    )
  })

  test('of other grants continue while one waits for a subject or queue that the broker lacks', () => {
    const lanes = ['a', 'a', 'b', 'c', 'b']
    const world = new World(lanes.map((lane, index): Row => ({ id: index + 1, due_at: 1, bytes: 1, lane })))
    world.backlog.polled(true)
    world.step()
    world.answerRead()
    world.step()
    expect(world.underWay.map(({ id }) => id)).toEqual([1, 3, 4])
    world.end('holds')
    world.step()
    for (let n = 0; n < 3; n++) {
      world.end('confirms')
      world.step()
    }
    expect([world.confirmed.map(({ id }) => id), world.underWay, world.isResting]).toEqual([[3, 4, 5], [], false])
    world.release()
    world.step()
    expect(world.underWay.map(({ id }) => id)).toEqual([1])
    world.end('refuses')
    world.step()
    expect(world.underWay.map(({ id }) => id)).toEqual([2])
  })

  test('are as many as the broker accepts while it works, and one after a failure', () => {
    const all = Array.from({ length: 20 }, (_, index): Row => {
      return { id: index + 1, due_at: 1, bytes: 1, lane: `grant-${index}` }
    })
    const world = new World(all)
    world.backlog.polled(true)
    world.step()
    world.answerRead()
    world.step()
    expect(world.underWay.length).toBeGreaterThan(1)
    while (world.underWay.length > 0) world.end('stops')
    world.step()
    expect([world.stops, world.isResting]).toEqual([1, true])
    world.rest()
    world.step()
    expect(world.underWay.map(({ id }) => id)).toEqual([1])
    world.end('stops')
    world.step()
    expect(world.stops).toBe(2)
    world.rest()
    world.step()
    world.end('confirms')
    world.step()
    expect(world.underWay.length).toBeGreaterThan(1)
  })
})

describe('the outcome of an attempt at a channel', () => {
  const outcome = (status: number | null, tries: number) =>
    channelOutcome({ status, at: 0 }, { tries, missingSince: undefined })

  test('is attributed to the broker, to the message, or to neither', () => {
    const outcomes = (statuses: (number | null)[]) => statuses.map((status) => outcome(status, 0))
    expect(outcomes([200, 202])).toEqual(['delivered', 'delivered'])
    expect(new Set(outcomes([null, 401, 403, 404, 408, 429, 500, 502, 503, 504, 507]))).toEqual(new Set(['stopped']))
    expect(new Set(outcomes([400, 409, 413, 422]))).toEqual(new Set(['refused']))
  })

  test('is given up after eight answers of 500, but never because of an outage', () => {
    expect([6, 7].map((tries) => outcome(500, tries))).toEqual(['stopped', 'refused'])
    expect(outcome(null, 10_000)).toBe('stopped')
    expect(outcome(503, 10_000)).toBe('stopped')
  })

  test('delays the grant for 15 seconds if the broker has no place for a type, and then refuses the type until it has one', () => {
    let since: number | undefined
    const attempt = (status: number, at: number) => {
      since = missingAfter(since, { status, at })
      return channelOutcome({ status, at }, { tries: 0, missingSince: since })
    }
    expect([0, 1_000, 14_999, 15_000, 16_000].map((at) => attempt(410, at))).toEqual([
      ...['held', 'held', 'held'],
      ...['refused', 'refused'],
    ])
    // An outage does not show whether a type has a place.
    expect(attempt(503, 17_000)).toBe('stopped')
    expect(attempt(410, 18_000)).toBe('refused')
    expect(attempt(200, 19_000)).toBe('delivered')
    expect(attempt(410, 20_000)).toBe('held')
  })

  test('pauses the channel for a second, then longer, up to a minute', () => {
    const rests = Array.from({ length: 9 }, (_, n) => stopMs(n + 1, { retryAfter: null, now: 0, random: 0 }))
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
    expect(stopMs(1, { retryAfter: '30', now: 0, random: 0 })).toBe(30_000)
    expect(stopMs(1, { retryAfter: '86400', now: 0, random: 0.5 })).toBe(66_000)
  })
})
