import { describe, expect, test } from 'vitest'
import { RecentIds } from '../../src/shared/recent-ids.ts'

const limits = { hashLength: 8, max: 3 }

describe('recent ids', () => {
  test('are recognized after they were stored, and stored without the ids themselves', () => {
    const recent = new RecentIds({}, limits)
    recent.add('message-1', 100)
    const stored = JSON.parse(JSON.stringify(recent.stored()))
    expect(Object.keys(stored).map((hash) => hash.length)).toEqual([8])
    expect(JSON.stringify(stored)).not.toContain('message')
    const again = new RecentIds(stored, limits)
    expect(again.has('message-1')).toBe(true)
    expect(again.has('message-2')).toBe(false)
  })

  test('are dropped by date, and the oldest ones if there are too many', () => {
    const recent = new RecentIds({}, limits)
    for (const [number, date] of [50, 100, 110, 120, 130].entries()) recent.add(`message-${number}`, date)
    recent.prune(100)
    expect([0, 1, 2, 3, 4].map((number) => recent.has(`message-${number}`))).toEqual([false, false, true, true, true])
    expect(recent.size).toBe(3)
    recent.prune(131)
    expect(recent.stored()).toEqual({})
  })
})
