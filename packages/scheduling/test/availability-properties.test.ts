import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Availability,
  type AvailabilityRequest,
  type FetchedParticipant,
  findAvailability,
} from '../src/availability.ts'
import type { AvailabilityMethod } from '../src/availability-question.ts'
import { naiveSlots } from './naive-availability.ts'

/** Days with and without a change of the clock, in zones that change by an hour, by half an hour, at midnight, never. */
const dates = ['2026-03-08', '2026-11-01', '2026-03-29', '2026-10-25', '2026-10-04', '2026-04-05', '2026-06-01']
const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Havana', 'Asia/Kathmandu', 'UTC']
const seconds = (text: string): number => Temporal.Instant.from(text).epochMilliseconds / 1000

const five = (min: number, max: number) => fc.integer({ min: min / 5, max: max / 5 }).map((value) => value * 5)
const clock = (minute: number): string => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`
const hours = fc
  .tuple(five(0, 1435), five(5, 1440))
  .map(([start, length]) => ({ start: clock(start), end: clock(Math.min(1440, start + length)) }))
const dateNear = (date: string) =>
  fc.integer({ min: -1, max: 2 }).map((days) => Temporal.PlainDate.from(date).add({ days }).toString())

const participant = (date: string, start_time: number): fc.Arbitrary<Omit<FetchedParticipant, 'email'>> => {
  const timezone = fc.constantFrom(...zones)
  const rule = fc
    .tuple(
      hours,
      timezone,
      fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
      fc.array(dateNear(date), { maxLength: 1 }),
    )
    .map(([times, zone, days, exdates]) => ({ ...times, timezone: zone, days, exdates }))
  const closed = fc.constant({ start: '0:00', end: '0:00' })
  const specific = fc
    .tuple(fc.oneof({ weight: 5, arbitrary: hours }, { weight: 1, arbitrary: closed }), timezone, dateNear(date))
    .map(([times, zone, day]) => ({ ...times, timezone: zone, date: day }))
  // Meetings need not keep to five minutes.
  const block = fc
    .tuple(fc.integer({ min: -7200, max: 2 * 86_400 }), fc.integer({ min: 0, max: 4 * 3600 }))
    .map(([from, length]) => ({ start: start_time + from, end: start_time + from + length }))
  return fc.record({
    busy: fc.array(block, { maxLength: 5 }),
    lastBooked: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    open_hours: fc.option(fc.array(rule, { maxLength: 2 }), { nil: undefined }),
    specific_time_availability: fc.option(fc.array(specific, { maxLength: 2 }), { nil: undefined }),
    only_specific_time_availability: fc.oneof(
      { weight: 4, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  })
}

const request: fc.Arbitrary<AvailabilityRequest> = fc
  .tuple(fc.constantFrom(...dates), five(-600, 600), five(60, 1800))
  .chain(([date, shift, length]) => {
    const start_time = seconds(`${date}T00:00Z`) + shift * 60
    const rule = fc
      .tuple(hours, fc.constantFrom(...zones))
      .map(([times, timezone]) => ({ ...times, timezone, days: [0, 1, 6] }))
    return fc.record({
      start_time: fc.constant(start_time),
      end_time: fc.constant(start_time + length * 60),
      duration_minutes: five(5, 120),
      interval_minutes: fc.option(five(5, 90), { nil: undefined }),
      round_to: fc.option(five(5, 60), { nil: undefined }),
      participants: fc
        .array(participant(date, start_time), { minLength: 1, maxLength: 4 })
        .map((people) => people.map((person, i) => ({ ...person, email: `p${(i * 3) % 4}@x.test` }))),
      availability_rules: fc.record({
        buffer: fc.record({ before: five(0, 120), after: five(0, 120) }),
        default_open_hours: fc.option(fc.array(rule, { maxLength: 2 }), { nil: undefined }),
      }),
    })
  })

function find(requested: AvailabilityRequest, availability_method: AvailabilityMethod): Availability {
  const found = findAvailability({
    ...requested,
    availability_rules: { ...requested.availability_rules, availability_method },
  })
  if ('problem' in found) throw new Error(found.problem)
  return found
}
const often = { numRuns: runs(300) }
const byStart = ({ time_slots }: Availability): Map<number, string[]> =>
  new Map(time_slots.map(({ start_time, emails }) => [start_time, emails]))

describe('for any question', () => {
  test('every method answers what the literal reading of the contract answers', () => {
    fc.assert(
      fc.property(request, (requested) => {
        const expected = naiveSlots(requested)
        const duration = requested.duration_minutes * 60
        const slots = (keep: (free: string[]) => string[]) =>
          expected.flatMap(({ start_time, free }) => {
            const emails = keep(free)
            return emails.length === 0 ? [] : [{ emails, start_time, end_time: start_time + duration }]
          })
        const everybody = requested.participants.length
        expect(find(requested, 'collective')).toEqual({
          time_slots: slots((free) => (free.length === everybody ? free : [])),
        })

        const rank = new Map(
          requested.participants.map(({ email, lastBooked }) => [email, `${lastBooked ?? 0} ${email}`]),
        )
        const turn = (emails: readonly string[]) =>
          emails.toSorted((a, b) => ((rank.get(a) ?? '') < (rank.get(b) ?? '') ? -1 : 1))
        const order = turn([...rank.keys()])
        const max = { time_slots: slots(turn), order }
        expect(find(requested, 'max-availability')).toEqual(max)

        const half = order.slice(0, Math.max(1, Math.ceil(order.length / 2)))
        const fair = slots((free) => turn(free.filter((email) => half.includes(email))))
        expect(find(requested, 'max-fairness')).toEqual(fair.length > 0 ? { time_slots: fair, order: half } : max)
      }),
      often,
    )
  })

  test('nobody is offered a slot outside the window, over a meeting, or over its buffers', () => {
    fc.assert(
      fc.property(request, (requested) => {
        const { before, after } = { before: 0, after: 0, ...requested.availability_rules?.buffer }
        for (const { emails, start_time, end_time } of find(requested, 'max-availability').time_slots) {
          expect(start_time).toBeGreaterThanOrEqual(requested.start_time)
          expect(end_time).toBeLessThanOrEqual(requested.end_time)
          for (const person of requested.participants.filter(({ email }) => emails.includes(email)))
            for (const { start, end } of person.busy) {
              const [from, to] = [start - before * 60, end + after * 60]
              expect(from < to && start_time < to && end_time > from).toBe(false)
            }
        }
      }),
      often,
    )
  })

  test('a slot begins and ends on the local clock inside the open hours, on any day of any zone', () => {
    const rule = fc.tuple(hours, fc.constantFrom(...zones), fc.constantFrom(...dates), five(5, 60))
    fc.assert(
      fc.property(rule, ([times, timezone, date, duration_minutes]) => {
        const open_hours = [{ ...times, timezone, days: [0, 1, 2, 3, 4, 5, 6] }]
        const start_time = seconds(`${date}T00:00Z`) - 86_400
        const timing = { start_time, end_time: start_time + 3 * 86_400, duration_minutes, round_to: 5 }
        const found = find({ ...timing, participants: [{ email: 'a', busy: [], open_hours }] }, 'collective')
        const local = (moment: number) =>
          Temporal.Instant.fromEpochMilliseconds(moment * 1000).toZonedDateTimeISO(timezone)
        for (const slot of found.time_slots) {
          // A day on which the clock goes back may show an hour outside between two passes of one inside.
          const longer = local(slot.start_time).startOfDay().add({ days: 1 }).since(local(slot.start_time).startOfDay())
          if (longer.total('hours') > 24) continue
          const first = local(slot.start_time).toPlainTime()
          const last = local(slot.end_time - 1).toPlainTime()
          const opens = Temporal.PlainTime.from(times.start.padStart(5, '0'))
          expect(Temporal.PlainTime.compare(first, opens)).toBeGreaterThanOrEqual(0)
          if (times.end !== '24:00')
            expect(Temporal.PlainTime.compare(last, Temporal.PlainTime.from(times.end.padStart(5, '0')))).toBe(-1)
        }
      }),
      often,
    )
  })

  test('what suits everybody suits somebody, and the fair half is part of the whole', () => {
    fc.assert(
      fc.property(request, (requested) => {
        const max = byStart(find(requested, 'max-availability'))
        for (const [start, emails] of byStart(find(requested, 'collective')))
          expect(new Set(max.get(start))).toEqual(new Set(emails))
        for (const [start, emails] of byStart(find(requested, 'max-fairness')))
          expect(max.get(start)).toEqual(expect.arrayContaining(emails))
      }),
      often,
    )
  })

  test('the order in which meetings arrive, and meetings inside meetings, make no difference', () => {
    fc.assert(
      fc.property(request, (requested) => {
        const shuffled = {
          ...requested,
          participants: requested.participants.map((person) => ({
            ...person,
            busy: [...person.busy.toReversed(), ...person.busy.filter(({ start, end }) => end > start)],
          })),
        }
        expect(find(shuffled, 'max-availability')).toEqual(find(requested, 'max-availability'))
      }),
      often,
    )
  })
})
