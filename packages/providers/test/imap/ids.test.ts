import { codePoint } from '@waypost/testing/code-points'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { uidSet } from '../../src/imap/index/folder-index.ts'
import {
  folderId,
  folderPath,
  formerIds,
  idByContent,
  idByPlace,
  messageKey,
  parseMessageId,
  parseThreadId,
  placeName,
  readIdentity,
  threadId,
  uidOfPlace,
} from '../../src/imap/mapping/ids.ts'

const headerOf = (fields: Record<string, string>): string =>
  `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
const at = { date: 1_790_000_000, size: 1234 }

describe('the id of a message', () => {
  test('contains its Message-ID, and is the same for every copy', () => {
    const header = headerOf({
      'Message-ID': '<one@example.com>',
      Date: 'today',
      From: 'a@example.com',
      Subject: 'Hello',
    })
    const id = messageKey(readIdentity(header), at)
    expect(parseMessageId(id)).toMatchObject({ kind: 'message-id', messageId: 'one@example.com' })
    expect(messageKey(readIdentity(header), { ...at, date: 1 })).toBe(id)
    expect(messageKey(readIdentity(header), { ...at, size: 2 })).not.toBe(id)
    expect(id).toMatch(/^[\w-]+$/)
  })

  test('distinguishes two messages with the same Message-ID', () => {
    const one = headerOf({ 'Message-ID': '<one@example.com>', Subject: 'Hello' })
    const other = headerOf({ 'Message-ID': '<one@example.com>', Subject: '[list] Hello' })
    expect(messageKey(readIdentity(one), at)).not.toBe(messageKey(readIdentity(other), at))
  })

  test.each([
    ['none', {}],
    ['an empty one', { 'Message-ID': '<>' }],
    ['one that is too long', { 'Message-ID': `<${'x'.repeat(300)}@example.com>` }],
    ['one with blanks', { 'Message-ID': '<a b@example.com>' }],
  ])('is made of size and time where the message has %s', (_, fields) => {
    const id = messageKey(readIdentity(headerOf({ ...fields, Subject: 'Hello' })), at)
    expect(parseMessageId(id)).toMatchObject({ kind: 'date', ...at })
    expect(messageKey(readIdentity(headerOf({ ...fields, Subject: 'Hello' })), { ...at, size: 1235 })).not.toBe(id)
  })

  test('accepts a Message-ID without brackets, and a folded one', () => {
    expect(readIdentity('Message-ID: bare@example.com\r\n\r\n').messageId).toBe('bare@example.com')
    expect(readIdentity('Message-ID:\r\n <folded@example.com>\r\n\r\n').messageId).toBe('folded@example.com')
  })

  test.each(['', 'm', 'd', 'x', 'mAAAA', 'dAAAA', '%41', '../../..', 'm'.repeat(5000)])(
    '%j is the id of no message',
    (id) => {
      expect(() => parseMessageId(id)).toThrow('no message with this id')
    },
  )

  test('contains its suffix, and earlier ids are derived from it', () => {
    const key = messageKey(readIdentity('Message-ID: <one@example.com>\r\n\r\n'), at)
    const content = 'a'.repeat(22)
    const place = { path: 'INBOX', uidValidity: '7', uid: 12 }
    expect(parseMessageId(idByContent(key, content))).toMatchObject({ key, content, messageId: 'one@example.com' })
    expect(parseMessageId(idByPlace(key, place))).toMatchObject({ key, place: placeName(place) })
    expect(uidOfPlace(placeName(place))).toBe(12)
    const [former, earlier] = formerIds(idByContent(key, content))
    expect(former).toBe(key)
    expect(formerIds(key)).toEqual([earlier])
    expect(parseMessageId(earlier ?? '')).toMatchObject({ kind: 'message-id', messageId: 'one@example.com' })
    expect(parseMessageId(earlier ?? '')).not.toHaveProperty('size')
    expect(formerIds(earlier ?? '')).toEqual([])
  })

  test('an id can be made from any header and parsed again', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.nat(), (text, size) => {
        const id = messageKey(readIdentity(`Message-ID: ${text}\r\n\r\n`), { date: 5, size })
        expect(parseMessageId(id).hash).toHaveLength(6)
      }),
    )
  })
})

test('references are read in order, In-Reply-To last and once', () => {
  const header = headerOf({ References: '<a@x> <b@x>\r\n <c@x>', 'In-Reply-To': '<d@x> (see)' })
  expect(readIdentity(header).references).toEqual(['a@x', 'b@x', 'c@x', 'd@x'])
  expect(readIdentity(headerOf({ References: '<a@x>', 'In-Reply-To': '<a@x>' })).references).toEqual(['a@x'])
})

test('the id of a thread names its root', () => {
  expect(parseThreadId(threadId('first@example.com'))).toBe('first@example.com')
  for (const id of ['', 't', 'x', 'tAA', '%']) expect(() => parseThreadId(id)).toThrow('no thread with this id')
})

test('the id of a folder is its path if that is safe in a URL, and encoded otherwise', () => {
  for (const path of ['INBOX', 'Sent', 'Archive_2026', 'INBOX.Sent', 'a-b~c']) expect(folderId(path)).toBe(path)
  for (const path of [
    'Projects/2026',
    'Sent Items',
    'Größe',
    '100%41',
    '.',
    '..',
    '.hidden',
    'a+b=c?',
    '#news',
    'path:x',
    '',
  ]) {
    expect(folderId(path)).toMatch(/^path:[\w-]*$/)
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (path) => {
      const id = folderId(path)
      expect(folderPath(id)).toBe(path)
      expect(new URL(`https://example.com/folders/${id}`).pathname).toBe(`/folders/${id}`)
      expect(new URLSearchParams(`in=${id}`).get('in')).toBe(id)
    }),
  )
})

test('UIDs are written as ranges', () => {
  expect(uidSet([])).toBe('')
  expect(uidSet([7, 1, 3, 2])).toBe('1:3,7')
  expect(uidSet([5])).toBe('5')
})
