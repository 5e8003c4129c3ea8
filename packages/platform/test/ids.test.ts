import { expect, test } from 'vitest'
import { isUuid, newOrderedId } from '../src/ids.ts'

test('ordered ids sort by creation, also within a millisecond', () => {
  // Fewer than the counter of one millisecond allows.
  const ids = Array.from({ length: 2000 }, newOrderedId)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isUuid)).toBe(true)
  expect(new Set(ids.map((id) => id[14]))).toEqual(new Set(['7']))
})
