/** The filters of the API in Gmail's search syntax. */
import type { Message } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import { labelChange, missing } from '../../src/google/gmail/mapping/label.ts'
import { searchOf } from '../../src/google/gmail/mapping/query.ts'
import { passes } from '../../src/mail/filters.ts'
import type { Filters } from '../../src/mail/search.ts'

describe("Gmail's search", () => {
  const cases: [Filters, object][] = [
    [{}, {}],
    [{ subject: 'two words' }, { q: 'subject:"two words"' }],
    [{ subject: 'a" OR from:boss' }, { q: 'subject:"a  OR from:boss"' }],
    [{ q: 'OR -b from:boss "two  words" "' }, { q: '"OR" "-b" "from:boss" "two  words"' }],
    [{ from: ['ann@x.test'] }, { q: 'from:ann@x.test' }],
    [{ from: ['a@x.test', 'b@x.test'] }, { q: '(from:a@x.test OR from:b@x.test)' }],
    [{ any_email: ['a@x.test'] }, { q: '(from:a@x.test OR to:a@x.test OR cc:a@x.test OR bcc:a@x.test)' }],
    [{ to: ['x) OR from:(boss'] }, { q: 'to:"x) OR from:(boss"' }],
    [
      { unread: true, starred: false, in: 'INBOX' },
      { q: '-is:starred', labelIds: ['INBOX', 'UNREAD'] },
    ],
    [{ in: 'UNREAD', unread: true }, { labelIds: ['UNREAD'] }],
    [{ received_after: 10, received_before: 20, has_attachment: true }, { q: 'has:attachment after:10 before:20' }],
    [
      { search_query_native: ' subject:a OR b ', in: 'SENT' },
      { q: 'subject:a OR b', labelIds: ['SENT'] },
    ],
  ]
  test.each(cases)('%j', (filters, expected) => {
    expect(searchOf(filters)).toEqual({ ...expected, includeSpamTrash: true })
  })

  test.each(['from', 'q', 'unread', 'thread_id', 'received_after', 'latest_message_after'])(
    'in its own syntax cannot be combined with %s',
    (name) => {
      expect(() => searchOf({ search_query_native: 'x', [name]: 1 })).toThrow(
        new RegExp(`search_query_native.*${name}`),
      )
    },
  )

  test('also finds parts of addresses, which are filtered out', () => {
    const message: Message = { id: '1', grant_id: 'g', object: 'message', from: [{ email: 'joann@x.test' }] }
    expect(passes(message, { from: ['ann@x.test'] })).toBe(false)
    expect(passes(message, { from: ['JoAnn@X.test '] })).toBe(true)
  })
})

describe('labels', () => {
  const labels = ['INBOX', 'UNREAD', 'IMPORTANT', 'CATEGORY_SOCIAL', 'SENT', 'Label_1']
  test("that are folders are replaced; flags and Gmail's own stay", () => {
    expect(labelChange(labels, { folders: ['Label_2'] })).toEqual({
      addLabelIds: ['Label_2'],
      removeLabelIds: ['INBOX', 'Label_1'],
    })
    expect(labelChange(labels, { folders: [] })).toEqual({ addLabelIds: [], removeLabelIds: ['INBOX', 'Label_1'] })
  })

  test('are changed by the flags after the folders', () => {
    const change = labelChange(labels, { folders: ['INBOX', 'UNREAD'], unread: false, starred: true })
    expect(change).toEqual({ addLabelIds: ['INBOX', 'STARRED'], removeLabelIds: ['Label_1', 'UNREAD'] })
    expect(missing(change, labels)).toEqual({ addLabelIds: ['STARRED'], removeLabelIds: ['Label_1', 'UNREAD'] })
  })
})
