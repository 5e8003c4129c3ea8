import { testClock } from '@waypost/testing/test-clock'
import { expect, test } from 'vitest'
import { createVisitorLimits, maxOpenBookings, needRoomFor } from '../../src/booking/visitor-limits.ts'
import { createRateLimiter } from '../../src/telemetry/rate-limit.ts'

const refused = expect.objectContaining({ code: 'rate_limited' })
const thrownBy = (call: () => unknown): unknown => {
  try {
    call()
  } catch (error) {
    return error
  }
  return undefined
}
const limitsWith = (isLimited: boolean) => {
  const clock = testClock(60_000)
  return { clock, limits: createVisitorLimits({ limiter: createRateLimiter(), clock, isLimited }) }
}
const times = (count: number, call: () => unknown): void => {
  for (let i = 0; i < count; i++) call()
}

test('new bookings of an address and requests for a page are limited by the minute', () => {
  const { clock, limits } = limitsWith(true)
  times(10, () => limits.takeBooking('a'))
  expect(thrownBy(() => limits.takeBooking('a'))).toEqual(refused)
  limits.takeBooking('b')
  times(600, () => limits.takePage('p'))
  expect(thrownBy(() => limits.takePage('p'))).toEqual(refused)
  clock.advance(60_000)
  limits.takeBooking('a')
  limits.takePage('p')
})

test('wrong salts are counted for the booking and for the address, even without rate limits', () => {
  const { clock, limits } = limitsWith(false)
  const wrong = (bookingId: string, address: string) => limits.countWrong({ bookingId, address }, () => false)
  const right = (bookingId: string, address: string) => limits.countWrong({ bookingId, address }, () => true)
  times(20, () => expect(right('one', 'a')).toBe(true))
  times(10, () => expect(wrong('one', 'a')).toBe(false))
  // The correct salt is refused, too, so that an attacker does not find out which salt is correct.
  expect(thrownBy(() => right('one', 'a'))).toEqual(refused)
  expect(thrownBy(() => right('one', 'b'))).toEqual(refused)
  expect(thrownBy(() => right('two', 'a'))).toEqual(refused)
  expect(right('two', 'b')).toBe(true)
  clock.advance(60_000)
  expect(right('one', 'a')).toBe(true)
})

test('a guest has a limited number of upcoming bookings', () => {
  needRoomFor(maxOpenBookings - 1)
  expect(thrownBy(() => needRoomFor(maxOpenBookings))).toEqual(refused)
})
