/** Random bytes that are generated in advance. */
import { expect, test } from 'vitest'
import { randomBytes } from '../src/crypto/random.ts'

test('no bytes are returned twice, across many draws and in any length', () => {
  const seen = new Set<string>()
  for (let turn = 0; turn < 2_000; turn++)
    seen.add(
      randomBytes(12 + (turn % 37))
        .toString('hex')
        .slice(0, 24),
    )
  expect(seen.size).toBe(2_000)
})

test('returned bytes do not change', () => {
  const bytes = randomBytes(32)
  const before = Buffer.from(bytes)
  for (let turn = 0; turn < 1_000; turn++) randomBytes(32)
  expect(bytes.equals(before)).toBe(true)
  expect(bytes.some((byte) => byte !== 0)).toBe(true)
})

test('a request for more than the buffer is generated separately', () => {
  expect(randomBytes(10_000)).toHaveLength(10_000)
  expect(randomBytes(10_000).equals(randomBytes(10_000))).toBe(false)
})
