import { ApiError } from '@waypost/platform/api-error'
import { object, text } from '@waypost/platform/json/reader'
import { expect, test } from 'vitest'
import { isMalformed, jsonOf, readAnswer } from '../../src/shared/answer.ts'
import { mayRetry } from '../../src/shared/exchange.ts'

const example = { name: 'Example', onDropped: () => {} }
const failureOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('a body is JSON, empty, or a transient provider error', async () => {
  const io = { signal: AbortSignal.timeout(60_000) }
  expect(await jsonOf(Buffer.from('{"a":[1]}'), example, io)).toEqual({ a: [1] })
  expect(await jsonOf(Buffer.from(''), example, io)).toBeUndefined()
  const error = await jsonOf(Buffer.from('<html>'), example, io).catch((cause: unknown) => cause)
  expect(error).toMatchObject({ code: 'provider_unavailable' })
  expect(isMalformed(error)).toBe(false)
  expect(mayRetry(true)(error)).toBe(true)
})

test('a response of another form is a provider error, and is not requested again', () => {
  const read = object({ id: text }, {})
  expect(readAnswer({ id: 'x' }, read, example)).toEqual({ id: 'x' })
  const error = failureOf(() => readAnswer({ id: 5 }, read, example))
  expect(error).toMatchObject({
    code: 'provider_unavailable',
    details: { providerError: { reason: 'malformed_answer', message: 'id is no text' } },
  })
  expect(isMalformed(error)).toBe(true)
  expect(mayRetry(true)(error)).toBe(false)
  expect(isMalformed(new ApiError('provider_unavailable'))).toBe(false)
})
