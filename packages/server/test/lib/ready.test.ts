import { expect, test } from 'vitest'
import { after } from '../../src/lib/ready.ts'

test('what is there already is gone on with at once', () => {
  expect(after(1, (value) => value + 1)).toBe(2)
})

test('what is not there yet is waited for', async () => {
  const waited = after(Promise.resolve(1), (value) => value + 1)
  expect(waited).toBeInstanceOf(Promise)
  expect(await waited).toBe(2)
})
