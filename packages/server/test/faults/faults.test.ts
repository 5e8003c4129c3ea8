/** The short form of `npm run faults`: faults a few times each, the same invariants, no times. Others are in more-faults.check.ts. */
import { describe, expect, test } from 'vitest'
import { check, type History } from './check.ts'
import { expectNothingLost } from './nothing-lost.ts'
import type { Arrival } from './receivers.ts'
import type { Scenario } from './scenario.ts'
import { apiKills } from './scenarios/api-kills.ts'
import { busyStops } from './scenarios/busy-stops.ts'
import { ewsKills } from './scenarios/ews-kills.ts'
import { invitationKills } from './scenarios/invitation-kills.ts'
import { microsoftKills } from './scenarios/microsoft-kills.ts'

import { overload } from './scenarios/overload.ts'
import { postgresRestarts } from './scenarios/postgres-restarts.ts'
import { replyKills } from './scenarios/reply-kills.ts'
import { sendKills } from './scenarios/send-kills.ts'
import { singleNodeKills } from './scenarios/single-node-kills.ts'
import { watcherKills } from './scenarios/watcher-kills.ts'
import { workerKills } from './scenarios/worker-kills.ts'

// Most of this time is waiting for leases to end, so these run side by side.
describe.concurrent('nothing is lost', { timeout: 900_000 }, () => {
  test.for<[what: string, scenario: Scenario]>([
    ['two nodes on one PostgreSQL share the work and lose nothing when one is killed', workerKills],
    ['kill -9 of the API: what was answered is there, what was not happens once when repeated', apiKills],
    ['PostgreSQL immediate restarts: 503 with Retry-After meanwhile, and recovery alone', postgresRestarts],
    ['a stop waits for nothing that is watched, queued, due or under way, and ends with status 0', busyStops],
    ['kill -9 of the only node on SQLite', singleNodeKills],
    ['one application asks for far more than a node holds: another loses nothing, and refusals say when', overload],
    ['two nodes that watch mailboxes: one is killed, one is frozen, and every message is told once', watcherKills],
    ['kill -9 at every moment of a sending: no message is sent twice, and none is lost without a word', sendKills],
    ['kill -9 while answers to invitations are read from a mailbox: each counts, and once', replyKills],
    ['kill -9 while changes of an account at Microsoft are read: each is told, and once', microsoftKills],
    ['kill -9 while changes of an account at Exchange are read: each is told, and once', ewsKills],
    ['kill -9 between an event and its invitations: they leave once where it was written, else never', invitationKills],
  ])('%s', ([, scenario]) => expectNothingLost(scenario))
})

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
    askedAt: 9_000,
    answeredAt: 9_500,
    asked: 1,
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
  ])('finds %s', ([, history, told]) => {
    expect(first).toBeDefined()
    expect(check(history).broken).toContainEqual(expect.stringContaining(told))
  })
})
