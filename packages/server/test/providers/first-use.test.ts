import { expect, test } from 'vitest'
import { functionOnFirstUse, onFirstUse } from '../../src/providers/first-use.ts'

test('a table is loaded when one of its functions is first called, and its names are those of the table', async () => {
  let loads = 0
  const table = {
    list: async (count: number) => [count],
    get: async (id: string) => id,
  }
  const load = async () => {
    loads++
    return table
  }
  const late = onFirstUse(load, ['list', 'get'])
  expect(Object.keys(late)).toEqual(['list', 'get'])
  expect(loads).toBe(0)
  expect(await late.list(3)).toEqual([3])
  expect(await late.list(4)).toEqual([4])
  expect(loads).toBe(1)
  // @ts-expect-error: one function of the table is not named
  onFirstUse(load, ['list'])
  // @ts-expect-error: the table has no such function
  onFirstUse(load, ['list', 'get', 'delete'])
})

test('a module that could not be loaded is tried again', async () => {
  let fails = true
  const late = functionOnFirstUse(async () => {
    if (fails) throw new Error('not there')
    return async (text: string) => text.length
  })
  await expect(late('abc')).rejects.toThrow('not there')
  fails = false
  expect(await late('abc')).toBe(3)
})
