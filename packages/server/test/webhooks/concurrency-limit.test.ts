import { describe, expect, test } from 'vitest'
import { ConcurrencyLimit } from '../../src/webhooks/delivery/concurrency-limit.ts'

/** A destination that answers after `ms`, plus `perOther` for each concurrent request beyond `capacity`. */
function settle(
  width: ConcurrencyLimit,
  { ms, capacity, perOther }: { ms: number; capacity: number; perOther: number },
): number {
  for (let n = 0; n < 20_000; n++) width.answered(ms + Math.max(0, width.now - capacity) * perOther)
  return width.now
}

describe('the number of concurrent requests to a destination', () => {
  test('starts small', () => {
    expect(new ConcurrencyLimit(32).now).toBe(4)
  })

  test('grows to its limit if the latency is high and the destination keeps up', () => {
    expect(settle(new ConcurrencyLimit(32), { ms: 200, capacity: 100, perOther: 0 })).toBe(32)
  })

  test('stays small if more requests only wait for one another', () => {
    const width = settle(new ConcurrencyLimit(32), { ms: 0.5, capacity: 2, perOther: 0.25 })
    expect(width).toBeGreaterThanOrEqual(2)
    expect(width).toBeLessThan(16)
  })

  test('halves at every failure and is never less than one', () => {
    const width = new ConcurrencyLimit(32)
    settle(width, { ms: 50, capacity: 100, perOther: 0 })
    width.failed()
    expect(width.now).toBe(16)
    for (let n = 0; n < 20; n++) width.failed()
    expect(width.now).toBe(1)
    width.answered(50)
    expect(width.now).toBeGreaterThanOrEqual(2)
  })

  test('adapts when the latency increases', () => {
    const width = new ConcurrencyLimit(32)
    settle(width, { ms: 5, capacity: 100, perOther: 0 })
    expect(settle(width, { ms: 80, capacity: 100, perOther: 0 })).toBe(32)
  })
})
