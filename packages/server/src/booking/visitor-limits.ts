/**
 * Limits of the routes that anyone may call. They are counted per address, so that one visitor cannot flood the service, and
 * per configuration, so that many visitors of one page cannot keep others from theirs. `rates` of the contract has the
 * figures.
 */
import { ApiError } from '@waypost/platform/api-error'
import { type RateLimiter, rateHeaders } from '../telemetry/rate-limit.ts'

/** Open future bookings of one guest address in an application. */
export const maxOpenBookings = 20
/** Wrong salts in a minute, for one booking and for one address. */
const maxWrongSalts = 10

export interface VisitorLimits {
  /** Counts a request of an address. */
  takeVisit(address: string): Record<string, string>
  /** Counts a request for a configuration. */
  takePage(configurationId: string): void
  /** Counts an attempt to book. */
  takeBooking(address: string): void
  /** Runs a check of a salt. Throws if there were too many wrong ones; counts one more if `check` returns false. */
  countWrong(at: { bookingId: string; address: string }, check: () => boolean): boolean
}

interface LimitOptions {
  limiter: Pick<RateLimiter, 'take' | 'takeFailure'>
  clock: { now(): number }
  /** Whether requests are limited (`WAYPOST_RATE_LIMITS`). Wrong salts always are. */
  isLimited: boolean
}

export function createVisitorLimits({ limiter, clock, isLimited }: LimitOptions): VisitorLimits {
  const take = (group: 'guest' | 'guestPage' | 'guestBooking', id: string): Record<string, string> =>
    isLimited ? rateHeaders(limiter.take(group, id, clock.now())) : {}
  return {
    takeVisit: (address) => take('guest', address),
    takePage: (configurationId) => void take('guestPage', configurationId),
    takeBooking: (address) => void take('guestBooking', address),
    countWrong({ bookingId, address }, check) {
      const now = clock.now()
      const failed = [`salt of ${bookingId}`, `salts of ${address}`].map((id) =>
        limiter.takeFailure(id, maxWrongSalts, now),
      )
      const isRight = check()
      if (!isRight) for (const count of failed) count()
      return isRight
    },
  }
}

/** Throws if a guest has too many open bookings. */
export function needRoomFor(openBookings: number): void {
  if (openBookings < maxOpenBookings) return
  throw new ApiError(
    'rate_limited',
    `this guest has ${openBookings} upcoming bookings, which is the limit: cancel one of them first`,
  )
}
