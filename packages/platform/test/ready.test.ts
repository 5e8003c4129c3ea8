import { expect, test } from 'vitest'
import { after } from '../src/ready.ts'

test('an available value is used synchronously', () => {
  expect(after(1, (value) => value + 1)).toBe(2)
})

test('a pending value is awaited', async () => {
  const waited = after(Promise.resolve(1), (value) => value + 1)
  expect(waited).toBeInstanceOf(Promise)
  expect(await waited).toBe(2)
})
