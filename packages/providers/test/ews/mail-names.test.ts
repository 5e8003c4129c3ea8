import { expect, test } from 'vitest'
import {
  dateIn,
  idOf,
  keyIn,
  lastingId,
  lastingName,
  messageName,
  placeOf,
  threadIdOf,
  threadName,
} from '../../src/ews/mail/mapping/names.ts'
import { conversation, searchKey } from '../../src/ews/mail/mapping/properties.ts'

const key = Buffer.from('0123456789abcdef')
const received = Date.UTC(2026, 5, 1, 12)
const withKey = (value: Buffer) => [{ ExtendedFieldURI: searchKey, Value: value.toString('base64') }]
const message = { ItemId: { Id: 'AAMkAA==' }, DateTimeReceived: received, ExtendedProperty: withKey(key) }

test("an id contains its item and a permanent part, which is the key of a message's stored data", () => {
  const id = idOf(message)
  const name = messageName(id)
  expect(name).toMatchObject({ itemId: 'AAMkAA==', lasting: lastingName(message) })
  expect(keyIn(name?.lasting ?? key)?.equals(key)).toBe(true)
  expect(dateIn(name?.lasting ?? key)).toBe(received / 1000)
  const moved = { ...message, ItemId: { Id: 'AAMkBB==' } }
  expect(idOf(moved)).not.toBe(id)
  expect(lastingId(idOf(moved))).toBe(lastingId(id))
  expect(messageName(lastingId(id))).toEqual({ lasting: lastingName(message) })
  expect(lastingId(lastingId(id))).toBe(lastingId(id))
  expect(placeOf(moved)).toEqual(placeOf(message))
})

test('a message to oneself has two ids, as sent and as received; a draft keeps its id on every save', () => {
  const later = { ...message, DateTimeReceived: received + 1_000 }
  expect(lastingId(idOf(later))).not.toBe(lastingId(idOf(message)))
  expect(idOf({ ...later, IsDraft: true })).toBe(idOf({ ...message, IsDraft: true }))
})

test('without a search key a message is identified only by its item, and malformed ids are rejected', () => {
  const bare = { ...message, ExtendedProperty: [] }
  expect(messageName(idOf(bare))).toEqual({ itemId: 'AAMkAA==', lasting: undefined })
  expect(lastingId(idOf(bare))).toBe(idOf(bare))
  for (const id of ['', '.', '..', 'a/b', '.*', 'ä', 'AAMkAA.', 'AAMkAA.AA.AA']) {
    expect(messageName(id), id).toBeUndefined()
    expect(threadName(id), id).toBeUndefined()
  }
})

test("a thread id contains the server's id, and the key by which its messages are found", () => {
  const ExtendedProperty = [{ ExtendedFieldURI: conversation, Value: key.toString('base64') }]
  const whole = threadIdOf({ ExtendedProperty, ConversationId: { Id: 'AAQkAA==' } })
  expect(threadName(whole)).toEqual({ id: 'AAQkAA==', key })
  expect(threadName(threadIdOf({ ConversationId: { Id: 'AAQkAA==' } }))).toMatchObject({ id: 'AAQkAA==' })
  expect(threadName(threadIdOf({ ExtendedProperty }))).toEqual({ id: '', key })
  expect(threadIdOf({})).toBe('')
})
