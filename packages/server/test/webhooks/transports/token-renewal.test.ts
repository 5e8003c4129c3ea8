import { expect, test } from 'vitest'
import { Renewed } from '../../../src/webhooks/transports/cloud-answer.ts'

const hour = 3_600_000

function setUp() {
  const state = { now: 0, fetched: 0, isDown: false }
  const renewed = new Renewed(
    async () => {
      if (state.isDown) throw new Error('unreachable')
      state.fetched++
      return { value: `token ${state.fetched}`, expiresAt: state.now + hour }
    },
    { now: () => state.now },
  )
  return { state, renewed }
}

test('a token is fetched once for all waiting callers, and reused until shortly before it expires', async () => {
  const { state, renewed } = setUp()
  expect(await Promise.all([renewed.get(), renewed.get(), renewed.get()])).toEqual(['token 1', 'token 1', 'token 1'])
  state.now = hour - 300_001
  expect(await renewed.get()).toBe('token 1')
  state.now = hour - 300_000
  expect(await renewed.get()).toBe('token 2')
})

test('while a renewal fails, the previous token is used until it expires', async () => {
  const { state, renewed } = setUp()
  await renewed.get()
  state.isDown = true
  state.now = hour - 1
  expect(await renewed.get()).toBe('token 1')
  state.now = hour
  await expect(renewed.get()).rejects.toThrow('unreachable')
  state.isDown = false
  expect(await renewed.get()).toBe('token 2')
})

test('a dropped token is fetched again, and a token that was replaced meanwhile stays', async () => {
  const { renewed } = setUp()
  const first = await renewed.get()
  renewed.drop(first)
  expect(await renewed.get()).toBe('token 2')
  renewed.drop(first)
  expect(await renewed.get()).toBe('token 2')
})
