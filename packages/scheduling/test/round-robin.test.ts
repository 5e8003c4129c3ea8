import { describe, expect, test } from 'vitest'
import { type Booking, fairHalf, inTurn, lastBookedAt } from '../src/round-robin.ts'

const booking = (fields: Partial<Booking>): Booking => ({
  id: 'event_1',
  start_time: 5000,
  created_at: 100,
  metadata: { key5: 'group' },
  ...fields,
})

describe('the last booking', () => {
  test('is the latest creation of an event that carries the group in key5', () => {
    const events = [
      booking({ id: 'a', created_at: 100 }),
      booking({ id: 'b', created_at: 300 }),
      booking({ id: 'c', created_at: 900, metadata: { key5: 'another' } }),
      booking({ id: 'd', created_at: 900, metadata: { key4: 'group' } }),
      booking({ id: 'e', created_at: 900, metadata: null }),
    ]
    expect(lastBookedAt(events, 'group')).toBe(300)
  })

  test('is the start of an event whose creation is unknown', () => {
    expect(lastBookedAt([booking({ created_at: null })], 'group')).toBe(5000)
  })

  test('is not a cancelled one', () => {
    expect(lastBookedAt([booking({ status: 'cancelled' })], 'group')).toBeUndefined()
  })

  test('counts a series once, as old as its first part', () => {
    const series = [
      booking({ id: 's', created_at: null, start_time: 1000 }),
      booking({ id: 's_2', master_event_id: 's', created_at: null, start_time: 2000 }),
      booking({ id: 's_3', master_event_id: 's', created_at: null, start_time: 3000 }),
    ]
    expect(lastBookedAt(series, 'group')).toBe(1000)
    expect(lastBookedAt([...series, booking({ id: 'x', created_at: 1500 })], 'group')).toBe(1500)
  })

  test('is unknown without a group, even for events without key5', () => {
    expect(lastBookedAt([booking({ metadata: {} })], undefined)).toBeUndefined()
    expect(lastBookedAt([], 'group')).toBeUndefined()
  })
})

describe('the turn', () => {
  test('begins with the never booked by address, then the longest waiting; ties by address', () => {
    const order = inTurn([
      { email: 'late@x.test', lastBooked: 300 },
      { email: 'zoe@x.test' },
      { email: 'Bob@x.test', lastBooked: 200 },
      { email: 'early@x.test', lastBooked: 100 },
      { email: 'Adam@x.test', lastBooked: undefined },
      { email: 'amy@x.test', lastBooked: 200 },
      { email: 'epoch@x.test', lastBooked: 0 },
    ])
    expect(order.map(({ email }) => email.split('@')[0])).toEqual([
      'Adam',
      'zoe',
      'epoch',
      'early',
      'amy',
      'Bob',
      'late',
    ])
  })

  test.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
  ])('of %i keeps %i in the fair half', (all, retained) => {
    const list = Array.from({ length: all }, (_, i) => i)
    expect(fairHalf(list)).toEqual(list.slice(0, retained))
  })
})
