import type { Clock } from '@waypost/platform/clock'

/** A clock that tests advance. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void
}
export function testClock(start = Date.now()): TestClock {
  let time = start
  return {
    now: () => time,
    advance: (milliseconds) => {
      time += milliseconds
    },
  }
}
