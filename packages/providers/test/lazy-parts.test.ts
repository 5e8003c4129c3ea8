import { expect, test } from 'vitest'
import { lazyParts } from '../src/lazy-parts.ts'
import type { Operations } from '../src/operations.ts'

type Rooms = Operations<string>['roomResources']
type Calendars = Operations<string>['calendars']

test('a resource has the operations of the contract and is loaded on the first call', async () => {
  let loads = 0
  const roomResources: Rooms = { list: async (session) => ({ items: [], next: session }) }
  const parts = lazyParts<string>()({
    roomResources: async () => {
      loads++
      return roomResources
    },
  })
  expect(Object.keys(parts.roomResources)).toEqual(['list'])
  expect(loads).toBe(0)
  const query = { limit: 1 } as Parameters<Rooms['list']>[1]
  expect(await parts.roomResources.list('a', query, undefined)).toEqual({ items: [], next: 'a' })
  expect(await parts.roomResources.list('b', query, undefined)).toEqual({ items: [], next: 'b' })
  expect(loads).toBe(1)
})

test('an operation that the adapter lacks is left out of the table', () => {
  const load = async () => ({}) as Calendars
  const all = lazyParts<string>()({ calendars: load })
  expect(Object.keys(all.calendars)).toContain('freeBusy')
  const some = lazyParts<string>()({ calendars: load }, { except: ['calendars.freeBusy'] })
  expect(Object.keys(all.calendars).filter((name) => !Object.hasOwn(some.calendars, name))).toEqual(['freeBusy'])
})

test('routes that the service answers itself are not operations of an adapter', () => {
  const parts = lazyParts<string>()({ drafts: async () => ({}) as Operations<string>['drafts'] })
  expect(Object.keys(parts.drafts).sort()).toEqual(['create', 'delete', 'get', 'list', 'update'])
})

test('a module that failed to load is tried again', async () => {
  let fails = true
  const { aliases } = lazyParts<string>()({
    aliases: async () => {
      if (fails) throw new Error('not there')
      return async (session: string) => [session]
    },
  })
  await expect(aliases('abc')).rejects.toThrow('not there')
  fails = false
  expect(await aliases('abc')).toEqual(['abc'])
})
