/** The checker finds every violation that a fault may cause, and nothing in a good history. */
import { describe, expect, test } from 'vitest'
import { check, type History } from './check.ts'
import type { Arrival } from './receivers.ts'

describe('the checker', () => {
  const arrival = (more: Partial<Arrival>): Arrival => ({
    destination: 0,
    at: 10_000,
    id: 'n1',
    type: 'event.created',
    attempt: 1,
    sequence: 1,
    grantId: 'g',
    objectId: 'e1',
    by: 'node1',
    signed: true,
    ...more,
  })
  const change = (tag: string, eventId: string | undefined) => ({
    tag,
    requestedAt: 9_000,
    answeredAt: 9_500,
    requested: 1,
    status: eventId === undefined ? undefined : 200,
    eventId,
    retryAfter: null,
  })
  const good: History = {
    destinations: 2,
    changes: [change('a', 'e1'), change('b', 'e2'), change('c', undefined)],
    arrivals: [0, 1].flatMap((destination) => [
      arrival({ destination }),
      arrival({ destination, id: 'n2', sequence: 2, objectId: 'e2' }),
    ]),
    events: new Map([
      ['e1', 'a'],
      ['e2', 'b'],
    ]),
    faults: [],
  }
  const [first, ...others] = good.arrivals
  const again = arrival({ at: 30_000 })

  test('finds nothing wrong with a good history', () => {
    expect(check(good)).toEqual({
      accepted: 2,
      unanswered: 1,
      deliveries: 4,
      lost: 0,
      extra: 0,
      bound: 0,
      broken: [],
    })
  })

  test('counts a repetition that a fault explains', () => {
    const history = { ...good, arrivals: [...good.arrivals, again], faults: [{ from: 10_500, to: 10_600 }] }
    expect(check(history)).toMatchObject({ extra: 1, bound: 4, broken: [] })
  })

  test.for<[what: string, history: History, told: string]>([
    [
      'a run in which nothing was done',
      { destinations: 2, changes: [change('c', undefined)], arrivals: [], events: new Map(), faults: [] },
      'nothing could be lost',
    ],
    ['a lost delivery', { ...good, arrivals: others }, 'were not told everywhere'],
    ['an accepted change that is gone', { ...good, events: new Map([['e1', 'a']]) }, 'are not there'],
    ['an untold change', { ...good, events: new Map([...good.events, ['e3', 'c']]) }, 'are there and were not told'],
    ['a change that happened twice', { ...good, events: new Map([...good.events, ['e3', 'a']]) }, 'more than once'],
    ['a repetition without a fault', { ...good, arrivals: [...good.arrivals, again] }, 'repeated without a fault'],
    [
      'a repetition under another id',
      { ...good, arrivals: [...good.arrivals, arrival({ id: 'n3' })] },
      'under several ids',
    ],
    [
      'a gap in the sequence',
      { ...good, arrivals: good.arrivals.map((each) => (each.id === 'n2' ? { ...each, sequence: 3 } : each)) },
      'gaps in the sequence',
    ],
    ['a wrong signature', { ...good, arrivals: [arrival({ signed: false }), ...others] }, 'wrong signatures'],
  ])('finds %s', ([, history, reported]) => {
    expect(first).toBeDefined()
    expect(check(history).broken).toContainEqual(expect.stringContaining(reported))
  })
})
