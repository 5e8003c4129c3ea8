import { describe, expect, test } from 'vitest'
import { FairShares } from '../src/parsing/fair-shares.ts'

const waiting = (...owners: string[]) => owners.map((owner) => ({ owner }))
const always = (): boolean => true

describe('among waiting owners', () => {
  test('the one that used least is next, and among equals the first', () => {
    const shares = new FairShares()
    expect(shares.leastServed(waiting('a', 'b'), always)).toEqual({ owner: 'a' })
    shares.note('a', 5_000)
    shares.note('b', 100)
    expect(shares.leastServed(waiting('a', 'a', 'b'), always)).toEqual({ owner: 'b' })
    expect(shares.leastServed(waiting('a', 'b', 'c'), always)).toEqual({ owner: 'c' })
  })

  test('one that cannot be served now is skipped', () => {
    const shares = new FairShares()
    expect(shares.leastServed(waiting('a', 'b'), (owner) => owner === 'b')).toEqual({ owner: 'b' })
    expect(shares.leastServed(waiting('a'), () => false)).toBeUndefined()
  })

  test('the anonymous owner is never behind', () => {
    const shares = new FairShares()
    shares.note('', 60_000)
    expect(shares.leastServed(waiting('', 'a'), always)).toEqual({ owner: '' })
  })

  test('those that used least are forgotten if there are very many', () => {
    const shares = new FairShares()
    shares.note('large', 1_000_000)
    for (let at = 0; at < 3_000; at += 1) shares.note(`small${at}`, 1)
    expect(shares.leastServed(waiting('large', 'small0'), always)).toEqual({ owner: 'small0' })
  })
})
