import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findBookableSlots } from '../../src/configurations/bookable-slots.ts'
import { planSlots } from '../../src/configurations/slot-plan.ts'
import { type NaiveQuestion, naiveSlots } from './naive-slots.ts'
import { question } from './random-configurations.ts'

const often = { numRuns: runs(120) }

/** The result of the server. */
function find({ configuration, hosts, now, start, end }: NaiveQuestion) {
  const plan = planSlots(configuration, { now, window: { start, end } })
  if (!plan) return { time_slots: [] }
  const fetched = plan.hosts.map((host) => {
    const { busy = [], lastBooked } = hosts.find(({ email }) => email === host.email) ?? {}
    // Calendars are read only for this part.
    const requested = busy.filter((block) => block.start <= plan.events.end && block.end >= plan.events.start)
    return { host, busy: requested, lastBooked }
  })
  return findBookableSlots(plan, fetched)
}

describe('for any configuration', () => {
  test('the slots are those that a walk through every minute finds, and no others', () => {
    let offered = 0
    fc.assert(
      fc.property(question, (requested) => {
        const expected = naiveSlots(requested)
        const found = find(requested)
        expect(found.time_slots).toEqual(expected.time_slots)
        if (found.time_slots.length > 0) expect(found.order).toEqual(expected.order)
        offered += found.time_slots.length
      }),
      often,
    )
    // Random questions: some have no slot, and others have dozens.
    expect(offered).toBeGreaterThan(often.numRuns / 2)
  })

  test('a slot does not depend on the window in which it is requested', () => {
    fc.assert(
      fc.property(question, (requested) => {
        for (const slot of find(requested).time_slots.slice(0, 5)) {
          const alone = find({ ...requested, start: slot.start_time, end: slot.start_time + 1 })
          expect(alone.time_slots).toEqual([slot])
          expect(find({ ...requested, start: slot.start_time + 1, end: requested.end }).time_slots).not.toContainEqual(
            slot,
          )
        }
      }),
      often,
    )
  })
})
