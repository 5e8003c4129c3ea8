/** What an answer says about an approved action: done, refused, without effect for now, or nobody knows. */
import { expect, test } from 'vitest'
import { carriedAnswerOf } from '../../../src/api/handlers/agents/carry-out.ts'

const judged = (status: number, { type = 'x', hasRun = true, isRepeated = false } = {}): string => {
  const { isTemporary, isUnknown } = carriedAnswerOf({ status, body: { error: { type } } as never, hasRun, isRepeated })
  if (isUnknown) return isTemporary ? 'unknown' : 'contradiction'
  return isTemporary ? 'later' : 'final'
}

test('an action that the provider did not confirm has an unknown outcome', () => {
  expect([500, 502, 504, 408].map((status) => judged(status))).toEqual(Array(4).fill('unknown'))
})

test('a provider that cannot be reached, or is limited, has done nothing', () => {
  expect([503, 429].map((status) => judged(status))).toEqual(['later', 'later'])
})

test('a failure before the action, such as reading its object, has no effect', () => {
  expect([500, 503, 504].map((status) => judged(status, { hasRun: false }))).toEqual(['later', 'later', 'later'])
  expect(judged(409, { hasRun: false, type: 'api.concurrent_idempotent_request' })).not.toBe('unknown')
})

test('after an attempt without an outcome, only a final answer says what happened', () => {
  for (const hasRun of [true, false]) {
    expect([503, 429, 504].map((status) => judged(status, { hasRun, isRepeated: true }))).toEqual(
      Array(3).fill('unknown'),
    )
    expect([200, 404, 422].map((status) => judged(status, { hasRun, isRepeated: true }))).toEqual(
      Array(3).fill('final'),
    )
  }
})

test('an answer is final where it is no failure that may pass', () => {
  expect([200, 201, 400, 403, 404, 409, 422].map((status) => judged(status))).toEqual(Array(7).fill('final'))
})
