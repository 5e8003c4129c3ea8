/**
 * The short form of `npm run faults`: each fault a few times, the same invariants, no timing. `faults.check.ts` has
 * three more, `availability.full.ts` those of upgrades and failover, `bookings.full.ts` those of bookings.
 */
import { describe, test } from 'vitest'
import { expectNothingLost } from './nothing-lost.ts'
import type { Scenario } from './scenario.ts'
import { apiKills } from './scenarios/api-kills.ts'
import { brokerKillsNats } from './scenarios/broker-kills.ts'
import { ewsKills } from './scenarios/ews-kills.ts'
import { freezes } from './scenarios/freezes.ts'
import { fullDisk } from './scenarios/full-disk.ts'
import { gracefulStops } from './scenarios/graceful-stops.ts'
import { hostileReceivers } from './scenarios/hostile-receivers.ts'
import { invitationKills } from './scenarios/invitation-kills.ts'
import { largeNotifications } from './scenarios/large-notifications.ts'
import { microsoftKills } from './scenarios/microsoft-kills.ts'
import { overload } from './scenarios/overload.ts'
import { postgresRestarts } from './scenarios/postgres-restarts.ts'
import { replyKills } from './scenarios/reply-kills.ts'
import { rollingRestarts } from './scenarios/rolling-restarts.ts'
import { sendKills } from './scenarios/send-kills.ts'
import { sendRaces } from './scenarios/send-races.ts'
import { watcherKills } from './scenarios/watcher-kills.ts'

// Most of this time is waiting for leases to expire, so the scenarios run concurrently.
describe.concurrent('nothing is lost', { timeout: 900_000 }, () => {
  test.for<[what: string, scenario: Scenario]>([
    // The longest first.
    ['messages due in the same second, four nodes, one killed and one frozen: each is sent once', sendRaces],
    ['kill -9 of the API: acknowledged writes are there, others happen once when they are repeated', apiKills],
    ['PostgreSQL restarts at once: 503 with Retry-After meanwhile, and recovery without help', postgresRestarts],
    ['one application overloads a node: another application loses nothing, and refusals carry Retry-After', overload],
    ['two nodes watch mailboxes, one is killed and one is frozen: every message is reported once', watcherKills],
    ['kill -9 at every moment of a send: no message is sent twice, and none is lost without a report', sendKills],
    ['kill -9 while replies to invitations are read from a mailbox: each reply counts once', replyKills],
    ['kill -9 while changes of a Microsoft account are read: each change is reported once', microsoftKills],
    ['kill -9 while changes of an Exchange account are read: each change is reported once', ewsKills],
    ['kill -9 between an event and its invitations: they are sent once if the event was stored', invitationKills],
    ['a worker is frozen for longer than its lease, then resumes', freezes],
    ['kill -9 of the NATS server of a channel: nothing is lost, and each grant stays in order', brokerKillsNats],
    ['graceful stops: every node ends by itself, and nothing is delivered twice', gracefulStops],
    ['rolling restarts behind a balancer cut off no request of clients with persistent connections', rollingRestarts],
    ['hostile receivers next to good ones: the good ones get everything', hostileReceivers],
    [
      'large notifications to destinations that hang, fail and drip: /health responds, and the node restarts with the backlog',
      largeNotifications,
    ],
    ['a full disk under SQLite', fullDisk],
  ])('%s', ([, scenario], { skip }) => expectNothingLost(scenario, skip))
})
