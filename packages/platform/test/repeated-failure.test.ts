import { expect, test } from 'vitest'
import { RepeatedFailure } from '../src/repeated-failure.ts'

test('a task that fails for five minutes is retried at most a few dozen times, and logged a few times', () => {
  const failure = new RepeatedFailure({ first: 250, max: 5_000 })
  let [tries, reported] = [0, 0]
  for (let time = 0; time < 300_000; time += failure.rest, tries++) if (failure.failed()) reported++
  expect(tries).toBeLessThan(70)
  expect(reported).toBeLessThan(10)
})

test('the first failure after a success counts as a first one again', () => {
  const failure = new RepeatedFailure({ first: 250, max: 5_000 })
  expect(failure.rest).toBe(0)
  expect([failure.failed(), failure.failed(), failure.failed()]).toEqual([true, true, false])
  expect([failure.count, failure.rest]).toEqual([3, 1_000])
  failure.succeeded()
  expect([failure.count, failure.rest, failure.failed(), failure.rest]).toEqual([0, 0, true, 250])
})
