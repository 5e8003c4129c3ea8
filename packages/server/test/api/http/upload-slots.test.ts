/** The limit of concurrent uploads to a node. */
import { expect, test } from 'vitest'
import { createUploadSlots, maxOf, maxUploads } from '../../../src/api/pages/upload-target.ts'

const times = (count: number, act: (index: number) => Disposable) => Array.from({ length: count }, (_, n) => act(n))

test('one application cannot hold the slots of others, from however many addresses', () => {
  const slots = createUploadSlots()
  const held = times(maxOf.application, (n) => slots.take({ application: 'greedy', address: `192.0.2.${n}` }))
  const more = () => slots.take({ application: 'greedy', address: '198.51.100.1' })
  expect(more).toThrow(/this application has 8 uploads/)
  // Another application behind the same address.
  slots.take({ application: 'modest', address: '192.0.2.1' })
  held[0]?.[Symbol.dispose]()
  held[0]?.[Symbol.dispose]()
  more()
  expect(more).toThrow(expect.objectContaining({ code: 'rate_limited' }))
})

test('one address cannot hold all slots, with however many applications', () => {
  const slots = createUploadSlots()
  times(maxOf.address, (n) => slots.take({ application: `a${n}`, address: `2001:db8::${n}` }))
  expect(() => slots.take({ application: 'other', address: '2001:db8::ffff' })).toThrow(/this address has 16 uploads/)
  slots.take({ application: 'other', address: '2001:db8:1::1' })
})

test('the total number of uploads is limited', () => {
  const slots = createUploadSlots()
  const held = times(maxUploads, (n) => slots.take({ application: `a${n}`, address: `192.0.2.${n}` }))
  const another = () => slots.take({ application: 'b', address: '198.51.100.1' })
  expect(another).toThrow(/which is its limit/)
  for (const each of held) each[Symbol.dispose]()
  times(maxOf.application, another)
})
