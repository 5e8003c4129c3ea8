/** How folders are recognized between two polls, and whether messages left them. */
import { describe, expect, test } from 'vitest'
import type { FolderState } from '../../src/imap/folder-state.ts'
import { beginAt, cursorAt, parseCursor, writeCursor } from '../../src/imap/mapping/cursor.ts'
import { renamedFolders } from '../../src/imap/watch/folder-changes.ts'
import { differenceOf, lossOf } from '../../src/imap/watch/removed-messages.ts'

const folder = (path: string, facts: Partial<FolderState> = {}): FolderState => ({
  ...{ path, delimiter: '/', attributes: [], isView: false, isOpen: true },
  ...{ messages: 0, unseen: 0, uidNext: 1, uidValidity: '7', seenAt: 0 },
  ...facts,
})
const known = (...states: FolderState[]) => new Map(states.map((state) => [state.path, beginAt(state, 0)]))

describe('a renamed folder', () => {
  test("is recognized by the server's folder id, whatever else it shares", () => {
    const before = known(folder('A/x', { mailboxId: 'i1' }), folder('B/y', { mailboxId: 'i2' }))
    const after = [folder('A/y', { mailboxId: 'i1', uidValidity: '8' }), folder('B/x', { mailboxId: 'i2' })]
    expect([...renamedFolders(before, after)]).toEqual([
      ['A/y', 'A/x'],
      ['B/x', 'B/y'],
    ])
  })

  test('is a different folder if its id differs, even if everything else is equal', () => {
    const facts = { uidValidity: '9', messages: 3, uidNext: 4 }
    const before = known(folder('A', { ...facts, mailboxId: 'i1' }))
    expect([...renamedFolders(before, [folder('B', { ...facts, mailboxId: 'i2' })])]).toEqual([])
    expect([...renamedFolders(before, [folder('B', facts)])]).toEqual([['B', 'A']])
  })
})

test('the folders in a cursor are parsed as they were written', () => {
  const cursor = cursorAt([folder('A', { mailboxId: 'i1' }), folder('B', { mailboxId: '' }), folder('C')], 5)
  const at = cursor.folders.get('C')
  if (at) Object.assign(at, { came: '1:3', notNewBelow: 9 })
  cursor.isUnsettled = true
  cursor.appended.add('x@y', 6)
  const read = parseCursor(writeCursor(cursor))
  expect([...read.folders.values()].map(({ mailboxId }) => mailboxId)).toEqual(['i1', '', undefined])
  expect(read.folders.get('C')).toMatchObject({ came: '1:3', notNewBelow: 9 })
  expect(read.isUnsettled).toBe(true)
  expect(read.appended.has('x@y')).toBe(true)
  expect(writeCursor(read)).toBe(writeCursor(cursor))
})

describe('messages that left a folder', () => {
  const before = folder('A', { messages: 5, uidNext: 10 })
  test.each([
    ['none', { messages: 5, uidNext: 10 }],
    ['none', { messages: 7, uidNext: 12 }],
    ['some', { messages: 4, uidNext: 10 }],
    ['some', { messages: 4, uidNext: 12 }],
    ['unknown', { messages: 6, uidNext: 12 }],
    ['unknown', { messages: 5, uidNext: 0 }],
    ['some', { messages: 5, uidNext: 10, uidValidity: '8' }],
    ['some', { messages: 0, isOpen: false }],
  ] as const)('are %s of %j', (loss, facts) => {
    expect(lossOf(before, folder('A', facts))).toBe(loss)
  })

  test('are all messages of a deleted folder, and none of an empty one', () => {
    expect(lossOf(before, undefined)).toBe('some')
    expect(lossOf(folder('A'), undefined)).toBe('none')
  })

  test('between two listings are detected separately from new ones', () => {
    expect(differenceOf([before], [before])).toEqual({ lost: false, grown: false, changed: false })
    expect(differenceOf([before], [{ ...before, messages: 6, uidNext: 11 }])).toMatchObject({
      lost: false,
      grown: true,
    })
    expect(differenceOf([before], [{ ...before, messages: 4 }])).toMatchObject({ lost: true, grown: false })
    expect(differenceOf([before], [before, folder('B')])).toMatchObject({ lost: false, grown: true })
  })
})
