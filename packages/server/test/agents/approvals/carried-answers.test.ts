/** The meaning of a response to an approved action: done, refused, without effect so far, or unknown. */
import { expect, test } from 'vitest'
import { carriedAnswerOf } from '../../../src/agents/actions/carrier.ts'

const judged = (status: number, { type = 'x', hasRun = true, isRepeated = false } = {}): string => {
  const { isTemporary, isUnknown } = carriedAnswerOf({ status, body: { error: { type } } as never, hasRun, isRepeated })
  if (isUnknown) return isTemporary ? 'unknown' : 'contradiction'
  return isTemporary ? 'later' : 'final'
}

test('an action that the provider did not confirm has an unknown outcome', () => {
  expect([500, 502, 504, 408].map((status) => judged(status))).toEqual(Array(4).fill('unknown'))
})

test('an action has no effect if the provider is unreachable or limits requests', () => {
  expect([503, 429].map((status) => judged(status))).toEqual(['later', 'later'])
})

test('a failure before the action, such as reading its object, has no effect', () => {
  expect([500, 503, 504].map((status) => judged(status, { hasRun: false }))).toEqual(['later', 'later', 'later'])
  expect(judged(409, { hasRun: false, type: 'api.concurrent_idempotent_request' })).not.toBe('unknown')
})

test('after an attempt with an unknown outcome, only a final response decides', () => {
  for (const hasRun of [true, false]) {
    expect([503, 429, 504].map((status) => judged(status, { hasRun, isRepeated: true }))).toEqual(
      Array(3).fill('unknown'),
    )
    expect([200, 404, 422].map((status) => judged(status, { hasRun, isRepeated: true }))).toEqual(
      Array(3).fill('final'),
    )
  }
})

test('a response is final unless it is a temporary failure', () => {
  expect([200, 201, 400, 403, 404, 409, 422].map((status) => judged(status))).toEqual(Array(7).fill('final'))
})
