/** The scenarios that `npm test` leaves to `npm run check`: each takes many processes, and what it shows changes rarely. */
import { describe, test } from 'vitest'
import { expectNothingLost } from './nothing-lost.ts'
import type { Scenario } from './scenario.ts'
import { freezes } from './scenarios/freezes.ts'
import { fullDisk } from './scenarios/full-disk.ts'
import { gracefulStops } from './scenarios/graceful-stops.ts'
import { hostileReceivers } from './scenarios/hostile-receivers.ts'
import { largeNotifications } from './scenarios/large-notifications.ts'
import { rollingRestarts } from './scenarios/rolling-restarts.ts'
import { sendRaces } from './scenarios/send-races.ts'

describe.concurrent('nothing is lost', { timeout: 900_000 }, () => {
  test.for<[what: string, scenario: Scenario]>([
    ['a worker that is frozen for longer than its lease, and goes on', freezes],
    ['graceful stops: every node ends by itself, and nothing is delivered twice', gracefulStops],
    ['rolling restarts behind a balancer cut off no request of clients that keep their connections', rollingRestarts],
    ['hostile receivers beside good ones: the good ones get everything', hostileReceivers],
    [
      'large notifications at destinations that hang, fail and drip: /health answers, and the node stops and starts with the backlog',
      largeNotifications,
    ],
    ['a full disk under SQLite', fullDisk],
    ['messages due at one second, four nodes, one killed and one frozen: each is sent once', sendRaces],
  ])('%s', ([, scenario]) => expectNothingLost(scenario))
})
