import { describe, expect, test } from 'vitest'
import { fairHalf, inTurn } from '../src/round-robin.ts'

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
