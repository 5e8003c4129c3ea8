import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/imap/entry.ts'
import { behind, groupEntries, MergedIndex, newestFirst } from '../../src/imap/index/groups.ts'
import { maxCompared, undecided } from '../../src/imap/index/same-message.ts'

const entry = (id: string, rest: Partial<Entry> = {}): Entry => ({
  path: 'INBOX',
  uidValidity: '1',
  uid: 1,
  date: 0,
  size: 1,
  key: id,
  messageId: `${id}@example.com`,
  references: [],
  ...rest,
})

describe('messages of an account', () => {
  test('are one message if they are copies, with the newest date', () => {
    const [group, ...others] = groupEntries([entry('a', { date: 1 }), entry('a', { date: 5, path: 'Archive' })])
    expect(others).toEqual([])
    expect(group).toMatchObject({ id: 'a', date: 5, entries: [{ path: 'INBOX' }, { path: 'Archive' }] })
  })

  test('continue after a position, whether or not a message is there', () => {
    const places = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), date: fc.nat({ max: 5 }) })
    fc.assert(
      fc.property(fc.array(places), places, fc.nat({ max: 5 }), (some, position, count) => {
        const groups = groupEntries(some.map(({ id, date }) => entry(`${id}${date}`, { date })))
        const rest = groups.filter((group) => newestFirst(position, group) < 0)
        expect(behind(groups, position, count)).toEqual(rest.slice(0, count))
      }),
    )
  })

  test('belong to the thread of their parents', () => {
    const known = new MergedIndex([
      entry('a', { date: 1 }),
      entry('b', { date: 2, references: ['a@example.com'] }),
      entry('c', { date: 3, references: ['b@example.com'] }),
      entry('d', { date: 4, references: ['gone@example.com'] }),
    ])
    expect(known.thread('a@example.com').map(({ id }) => id)).toEqual(['c', 'b', 'a'])
    expect(known.thread('gone@example.com').map(({ id }) => id)).toEqual(['d'])
    expect(known.thread('nowhere@example.com')).toEqual([])
  })

  test('that refer to each other in a circle do not loop forever', () => {
    const known = new MergedIndex([
      entry('a', { references: ['b@example.com'] }),
      entry('b', { references: ['a@example.com'] }),
    ])
    expect(known.groups.map((group) => known.rootOf(group)).toSorted()).toEqual(['a@example.com', 'b@example.com'])
  })
})

describe('entries with the same key', () => {
  /** The content at each place, and whether the server identifies it, returns it, or both. */
  const place = fc.record({ content: fc.nat({ max: 4 }), named: fc.boolean(), readable: fc.boolean() })
  const digestOf = (content: number): string => `${content}`.padStart(22, '0')

  /** Entries after all necessary bytes are read. */
  function settled(places: { content: number; named: boolean; readable: boolean }[]) {
    const contents = new Map<Entry, number>()
    const readable = new Map<Entry, boolean>()
    const entries = places.map(({ content, named, readable: gives }, uid) => {
      const made = entry('s', { uid: uid + 1, ...(named ? { emailId: `M${content}` } : {}) })
      contents.set(made, content)
      readable.set(made, gives)
      return made
    })
    for (const open of undecided(entries)) open.digest = readable.get(open) ? digestOf(contents.get(open) ?? 0) : ''
    return { entries, contents }
  }

  test('are never one message if they differ, and each is in one message', () => {
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: maxCompared + 5 }), (places) => {
        const { entries, contents } = settled(places)
        expect(undecided(entries)).toEqual([])
        const groups = groupEntries(entries)
        expect(groups.flatMap((group) => group.entries).toSorted((a, b) => a.uid - b.uid)).toEqual(entries)
        expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length)
        for (const group of groups) expect(new Set(group.entries.map((each) => contents.get(each))).size).toBe(1)
      }),
    )
  })

  test('are one message if they are equal, in any order', () => {
    const given = fc.array(
      place.map((each) => ({ ...each, readable: true })),
      { minLength: 1, maxLength: maxCompared },
    )
    fc.assert(
      fc.property(given, (places) => {
        const groups = groupEntries(settled(places).entries)
        expect(groups).toHaveLength(new Set(places.map(({ content }) => content)).size)
        const ids = groups.map(({ id }) => id).toSorted()
        const others = groupEntries(settled(places.toReversed()).entries).map(({ id }) => id)
        expect(others.toSorted()).toEqual(ids)
      }),
    )
  })

  test('are identified by place without reading if there are very many', () => {
    const entries = Array.from({ length: 100_000 }, (_, uid) => entry('s', { uid: uid + 1 }))
    expect(undecided(entries)).toEqual([])
    const known = new MergedIndex(entries)
    expect(known.groups).toHaveLength(100_000)
    const [first] = entries
    expect(first && known.messageAt(first)?.entries).toEqual([first])
  })
})
