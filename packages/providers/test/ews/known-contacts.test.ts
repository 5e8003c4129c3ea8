/** The state that a watch of an Exchange account stores in its cursor. */
import { expect, test } from 'vitest'
import { KnownContacts, maxKnown } from '../../src/ews/contacts/known-contacts.ts'
import { affixesOf, withAffixes, withoutAffixes } from '../../src/ews/watch/common-affixes.ts'

test.for([
  [['AAMkAGI1ABCAAA', 'AAMkAGI1XYZAAA', 'AAMkAGI1ABZAAA'], 8],
  [['same', 'same'], 0],
  [['a', 'ab', 'abc'], 0],
  [['one'], 0],
  [[], 0],
] as const)('ids that are shortened to their differences are restored: %j', ([ids, least]) => {
  const affixes = affixesOf([...ids])
  const cut = ids.map((id) => withoutAffixes(id, affixes))
  expect(cut.every((each) => each.length > 0)).toBe(true)
  expect(cut.map((each) => withAffixes(each, affixes))).toEqual(ids)
  expect(affixes.prefix.length + affixes.suffix.length).toBeGreaterThanOrEqual(least)
})

test('contacts are recognized with their versions and keys', () => {
  const known = new KnownContacts()
  const searchKey = Buffer.from('0123456789abcdef')
  known.add({ id: 'AAMk-1_AAA', changeKey: 'one', searchKey })
  known.add({ id: 'AAMk-2_AAA', changeKey: 'two', searchKey: undefined })
  const again = new KnownContacts(JSON.parse(JSON.stringify(known.stored())))
  expect(again.ids()).toEqual(['AAMk-1_AAA', 'AAMk-2_AAA'])
  expect(again.keyOf('AAMk-1_AAA')).toEqual(searchKey)
  expect(again.keyOf('AAMk-2_AAA')).toBeUndefined()
  expect(again.isCurrent({ id: 'AAMk-1_AAA', changeKey: 'one', searchKey })).toBe(true)
  expect(again.isCurrent({ id: 'AAMk-1_AAA', changeKey: 'other', searchKey })).toBe(false)
  again.delete('AAMk-1_AAA')
  expect(again.has('AAMk-1_AAA')).toBe(false)
  expect(new KnownContacts(new KnownContacts().stored()).ids()).toEqual([])
})

test('the number of contacts is limited to what fits into a cursor', () => {
  const known = new KnownContacts()
  for (let count = 0; count < maxKnown + 100; count += 1) {
    known.add({ id: `AAMkAGI1${count}AAA`, changeKey: `${count}`, searchKey: Buffer.alloc(16, count) })
  }
  expect(known.isFull).toBe(true)
  expect(known.ids()).toHaveLength(maxKnown)
  expect(JSON.stringify(known.stored()).length).toBeLessThan(200_000)
})
