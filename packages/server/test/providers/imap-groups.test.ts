import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/providers/imap/folder-index.ts'
import { behind, groupEntries, Known, newestFirst } from '../../src/providers/imap/groups.ts'

const entry = (id: string, rest: Partial<Entry> = {}): Entry => ({
  path: 'INBOX',
  uid: 1,
  date: 0,
  size: 1,
  id,
  messageId: `${id}@example.com`,
  references: [],
  ...rest,
})

describe('messages of an account', () => {
  test('are one where they are copies, with the newest date', () => {
    const [group, ...others] = groupEntries([entry('a', { date: 1 }), entry('a', { date: 5, path: 'Archive' })])
    expect(others).toEqual([])
    expect(group).toMatchObject({ id: 'a', date: 5, entries: [{ path: 'INBOX' }, { path: 'Archive' }] })
  })

  test('go on behind a position, whether or not a message stands there', () => {
    const places = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), date: fc.nat({ max: 5 }) })
    fc.assert(
      fc.property(fc.array(places), places, fc.nat({ max: 5 }), (some, position, count) => {
        const groups = groupEntries(some.map(({ id, date }) => entry(`${id}${date}`, { date })))
        const rest = groups.filter((group) => newestFirst(position, group) < 0)
        expect(behind(groups, position, count)).toEqual(rest.slice(0, count))
      }),
    )
  })

  test('belong to the thread that their parents belong to', () => {
    const known = new Known([
      entry('a', { date: 1 }),
      entry('b', { date: 2, references: ['a@example.com'] }),
      entry('c', { date: 3, references: ['b@example.com'] }),
      entry('d', { date: 4, references: ['gone@example.com'] }),
    ])
    expect(known.thread('a@example.com').map(({ id }) => id)).toEqual(['c', 'b', 'a'])
    expect(known.thread('gone@example.com').map(({ id }) => id)).toEqual(['d'])
    expect(known.thread('nowhere@example.com')).toEqual([])
  })

  test('that name each other in a circle end it', () => {
    const known = new Known([
      entry('a', { references: ['b@example.com'] }),
      entry('b', { references: ['a@example.com'] }),
    ])
    expect(known.groups.map((group) => known.rootOf(group)).toSorted()).toEqual(['a@example.com', 'b@example.com'])
  })
})
