import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { messageId, messagePlace, ourId, theirId } from '../../src/ews/ids.ts'

describe('ids of Exchange', () => {
  test('are returned as base64url of the same bytes', () => {
    const theirs = 'AAMkAD/+AQBGAAAAAAB='
    const bytes = Buffer.from(theirs, 'base64').toString('base64')
    expect(ourId(bytes)).toBe('AAMkAD_-AQBGAAAAAAA')
    expect(theirId('AAMkAD_-AQBGAAAAAAA')).toBe(bytes)
  })

  test('survive the round trip, whatever their bytes', () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), (theirs) => theirId(ourId(theirs)) === theirs))
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        const theirs = Buffer.from(bytes).toString('base64')
        return theirId(ourId(theirs)) === theirs
      }),
    )
    for (const theirs of ['x/AAAA', 'x/8=', 'not base64', 'AAB=', 'AAMk\n']) expect(theirId(ourId(theirs))).toBe(theirs)
  })

  test('are invalid if they were never issued', () => {
    for (const ours of ['', 'a b', 'AAMk=', 'A', 'AAB', 'x_', '../..', 'x_QUFNaw'])
      expect(theirId(ours)).toBeUndefined()
  })

  test('of messages contain their permanent part', () => {
    const place = { itemId: 'AAMkADE=', searchKey: Buffer.from([1, 250, 3]) }
    expect(messageId(place)).toBe('AAMkADE.AfoD')
    expect(messagePlace('AAMkADE.AfoD')).toEqual(place)
    expect(messagePlace('AAMkADE')).toEqual({ itemId: 'AAMkADE=' })
    for (const id of ['AAMkADE.', 'AAMkADE.AfoD.AfoD', '.AfoD', 'AAMkADE.?']) expect(messagePlace(id)).toBeUndefined()
  })
})
