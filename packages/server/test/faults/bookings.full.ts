/** Bookings and approvals, in the short form of `npm run faults`, one after the other: each keeps several nodes under load. */
import { describe, test } from 'vitest'
import { expectNothingLost } from './nothing-lost.ts'
import type { Scenario } from './scenario.ts'
import { approvalKill } from './scenarios/approval-kill.ts'
import { bookingKill } from './scenarios/booking-kill.ts'
import { bookingRace } from './scenarios/booking-race.ts'

describe('nothing is lost', { timeout: 900_000 }, () => {
  test.for<[what: string, scenario: Scenario]>([
    ['fifty guests book a slot on three nodes: one gets it', bookingRace],
    ['kill -9 between any two steps of a booking: one event and one booking remain', bookingKill],
    ['kill -9 between any two steps of an approved action: it is carried out once', approvalKill],
  ])('%s', ([, scenario], { skip }) => expectNothingLost(scenario, skip))
})
