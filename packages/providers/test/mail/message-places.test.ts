import { describe, expect, test } from 'vitest'
import { type Departures, PlaceBook, placeHash } from '../../src/mail/message-places.ts'
import type { MessagePlace } from '../../src/mail/tables.ts'

/** The stored places of an account, and polls over them. */
function openAccount() {
  const stored = new Map<string, MessagePlace & { name: string }>()
  const keyOf = ({ folder, place }: Pick<MessagePlace, 'folder' | 'place'>): string => `${folder} ${place}`
  const all = (): (MessagePlace & { name: string })[] => [...stored.values()]
  let departures: Departures = { departed: [], count: 0 }
  const memory = {
    inFolder: async (folder: string) => all().filter((at) => at.folder === folder),
    at: async (folder: string, places: readonly string[]) =>
      all().filter((at) => at.folder === folder && places.includes(at.place)),
    named: async (names: readonly string[]) => all().filter(({ name }) => names.includes(name)),
  }
  return {
    memory,
    get departures(): Departures {
      return departures
    },
    get size(): number {
      return stored.size
    },
    async poll(notice: (book: PlaceBook) => void, isComplete = true): Promise<string[]> {
      const book = new PlaceBook(memory, departures)
      notice(book)
      const { deleted, changes, ...next } = await book.settle(isComplete)
      departures = next
      for (const folder of changes.folders) for (const at of all()) if (at.folder === folder) stored.delete(keyOf(at))
      for (const at of changes.removed) stored.delete(keyOf(at))
      for (const at of changes.added) stored.set(keyOf(at), at)
      return deleted
    },
  }
}

const at = (folder: string, place: string, id: string): MessagePlace => ({ folder, place, id, date: 1 })
const nothing = (): void => undefined

describe('a message that leaves its place', () => {
  test('is deleted once the next complete poll does not find it elsewhere', async () => {
    const account = openAccount()
    await account.poll((book) => book.add(at('inbox', '1', 'a')))
    expect(await account.poll((book) => book.leave([at('inbox', '1', 'a')]))).toEqual([])
    expect(account.departures).toEqual({ departed: ['a'], count: 0 })
    expect(await account.poll(nothing, false)).toEqual([])
    expect(await account.poll(nothing)).toEqual(['a'])
    expect(await account.poll(nothing)).toEqual([])
  })

  test.each([
    ['in the same poll', true],
    ['in the next poll', false],
  ])('is not deleted if it appears in another folder %s', async (_, isSame) => {
    const account = openAccount()
    await account.poll((book) => book.add(at('inbox', '1', 'a')))
    const moved = at('archive', '9', 'a')
    const first = await account.poll((book) => {
      book.leave([at('inbox', '1', 'a')])
      if (isSame) book.add(moved)
    })
    const second = await account.poll((book) => isSame || book.add(moved))
    expect([first, second, await account.poll(nothing)]).toEqual([[], [], []])
    expect(account.departures).toEqual({ departed: [], count: 1 })
  })

  test('is not deleted while a copy of it is known', async () => {
    const account = openAccount()
    await account.poll((book) => {
      book.add(at('inbox', '1', 'a'))
      book.add(at('all', '5', 'a'))
    })
    await account.poll((book) => book.leave([at('inbox', '1', 'a')]))
    expect(await account.poll(nothing)).toEqual([])
    await account.poll((book) => book.leave([at('all', '5', 'a')]))
    expect(await account.poll(nothing)).toEqual(['a'])
  })

  test('is not deleted if its folder is forgotten', async () => {
    const account = openAccount()
    await account.poll((book) => {
      for (const uid of ['1', '2', '3']) book.add(at('inbox', uid, `m${uid}`))
    })
    await account.poll((book) => book.forget('inbox'))
    expect([await account.poll(nothing), account.size]).toEqual([[], 0])
  })
})

test('an account has a limited number of places; the surplus is removed in steps', async () => {
  const { memory } = openAccount()
  const book = new PlaceBook(memory, { departed: [], count: 50_000 })
  book.add(at('inbox', '1', 'a'))
  expect(await book.settle(true)).toMatchObject({ count: 49_000, changes: { surplus: 1_001 } })
  expect(placeHash('a')).toHaveLength(16)
})
