/** The people of a group event: who takes a seat, and how the list of guests changes. */
import { describe, expect, test } from 'vitest'
import { guestsAfter, othersAmong, takenSeats } from '../src/group-seats.ts'

const guest = (email: string, status = 'noreply') => ({ email, name: null, status })

describe('seats', () => {
  test('guests whom the calendar invited take seats, hosts and people who declined do not', () => {
    const guests = [guest('host@one.test'), guest('ada@one.test'), guest('bob@one.test', 'no'), guest('eve@one.test')]
    const hosts = [{ email: 'HOST@one.test' }]
    expect(othersAmong(guests, { hosts, booked: [] })).toBe(2)
    expect(othersAmong(guests, { hosts, booked: [{ email: 'Ada@One.test' }] })).toBe(1)
    expect(takenSeats(guests, { hosts, booked: 0 })).toBe(2)
  })

  test('a seat counts before the calendar has its guest, and after the organizer removed the guest', () => {
    expect(takenSeats([], { hosts: [], booked: 3 })).toBe(3)
    expect(takenSeats([guest('ada@one.test')], { hosts: [], booked: 3 })).toBe(3)
  })

  test('a guest without an address takes a seat', () => {
    expect(othersAmong([{ name: 'Somebody' }], { hosts: [], booked: [] })).toBe(1)
  })
})

describe('the guests of an event', () => {
  const guests = [{ ...guest('ada@one.test', 'yes'), name: 'Ada', phone_number: '1' }, guest('bob@one.test')]
  const ada = { email: 'ada@one.test', name: 'Ada', phone_number: '1' }
  const bob = { email: 'bob@one.test' }

  test('keep their order when a person joins, and each person joins once', () => {
    const join = [{ email: 'eve@one.test', name: 'Eve' }, { email: 'EVE@one.test' }, { email: 'Bob@one.test' }]
    const after = guestsAfter(guests, { join, leave: [] })
    expect(after).toEqual([ada, bob, { email: 'EVE@one.test' }])
  })

  test('stay unchanged if nobody joins and nobody leaves', () => {
    expect(
      guestsAfter(guests, { join: [{ email: 'ADA@one.test' }], leave: [{ email: 'eve@one.test' }] }),
    ).toBeUndefined()
  })

  test('lose those who leave, except a person who joins with another booking', () => {
    expect(guestsAfter(guests, { join: [], leave: [{ email: 'Ada@one.test' }] })).toEqual([bob])
    expect(guestsAfter(guests, { join: [ada], leave: [ada, bob] })).toEqual([ada])
  })
})
