import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clipSpans, type Interval, mergeGrown, mergeIntervals, subtractSpans, toIntervals } from '../src/intervals.ts'

const of = (...pairs: [number, number][]): Interval[] => pairs.map(([start, end]) => ({ start, end }))
const second = fc.integer({ min: 0, max: 40 })
const interval = fc
  .tuple(second, fc.integer({ min: 0, max: 12 }))
  .map(([start, length]) => ({ start, end: start + length }))
const intervals = fc.array(interval, { maxLength: 8 })
/** The seconds that are covered, one by one. */
const seconds = (list: readonly Interval[]): Set<number> => {
  const covered = new Set<number>()
  for (const { start, end } of list) for (let at = start; at < end; at += 1) covered.add(at)
  return covered
}

describe('merging', () => {
  test('joins what overlaps or touches and forgets what is empty', () => {
    const merged = mergeIntervals(of([10, 12], [5, 5], [1, 3], [3, 4], [11, 20], [30, 31], [12, 15]))
    expect(toIntervals(merged)).toEqual(of([1, 4], [10, 20], [30, 31]))
  })

  test('keeps seconds far beyond 32 bits', () => {
    const far = of([253_402_300_000, 253_402_300_799])
    expect(toIntervals(mergeIntervals(far))).toEqual(far)
  })

  test('covers the same seconds, in order and with holes between, for any intervals', () => {
    fc.assert(
      fc.property(intervals, (list) => {
        const merged = toIntervals(mergeIntervals(list))
        expect(seconds(merged)).toEqual(seconds(list))
        for (const [i, { start, end }] of merged.entries()) {
          expect(start).toBeLessThan(end)
          if (i > 0) expect(start).toBeGreaterThan(merged[i - 1].end)
        }
      }),
    )
  })

  test('grows every interval first, which may give an empty one a length', () => {
    expect(toIntervals(mergeGrown(of([10, 10], [20, 22]), { before: 2, after: 1 }))).toEqual(of([8, 11], [18, 23]))
    expect(toIntervals(mergeGrown(of([10, 12], [15, 16]), { before: 2, after: 1 }))).toEqual(of([8, 17]))
    expect(toIntervals(mergeGrown(of([10, 10]), { before: 0, after: 0 }))).toEqual([])
  })
})

describe('packed spans', () => {
  test('are subtracted and clipped second by second', () => {
    fc.assert(
      fc.property(intervals, intervals, interval, (from, taken, window) => {
        const spans = mergeIntervals(from)
        const left = toIntervals(subtractSpans(spans, mergeIntervals(taken)))
        expect(seconds(left)).toEqual(seconds(from).difference(seconds(taken)))
        expect(toIntervals(mergeIntervals(left))).toEqual(left)
        expect(seconds(toIntervals(clipSpans(spans, window)))).toEqual(seconds(from).intersection(seconds([window])))
      }),
    )
  })
})
