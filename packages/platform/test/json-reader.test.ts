import { describe, expect, test } from 'vitest'
import {
  digits,
  flag,
  instant,
  list,
  MalformedJson,
  number,
  object,
  orElse,
  type Reader,
  readableItems,
  record,
  text,
} from '../src/json/reader.ts'

const person = object({ name: text, tags: orElse(list(text), []) }, { age: number, isOwn: flag })
const page = object({}, { items: readableItems(person), all: list(person), next: text })

/** The result of a reader for a value, with omitted items; or its error. */
function read(reader: Reader<unknown>, value: unknown): unknown {
  const dropped: string[] = []
  try {
    const found = reader(value, ({ message }) => dropped.push(message))
    return dropped.length > 0 ? { found, dropped } : found
  } catch (error) {
    if (error instanceof MalformedJson) return error.message
    throw error
  }
}

describe('a JSON reader', () => {
  test('returns well-formed values unchanged, including unknown fields', () => {
    const value = { name: 'Ann', tags: ['a'], age: 5, isOwn: true, other: { deep: 1 } }
    const found = read(person, value)
    expect(found).toBe(value)
    expect(found).toEqual({ name: 'Ann', tags: ['a'], age: 5, isOwn: true, other: { deep: 1 } })
  })

  test('treats null as absent for optional fields, and fills in defaults', () => {
    expect(read(person, { name: 'Ann', age: null, tags: null })).toEqual({ name: 'Ann', age: undefined, tags: [] })
    expect(read(person, { name: 'Ann' })).toEqual({ name: 'Ann', tags: [] })
  })

  test.each([
    [person, undefined, 'it is missing'],
    [person, null, 'it is no object'],
    [person, [], 'it is no object'],
    [person, 'secret words', 'it is no object'],
    [person, {}, 'name is missing'],
    [person, { name: null }, 'name is no text'],
    [person, { name: 'Ann', age: '5' }, 'age is no number'],
    [person, { name: 'Ann', isOwn: 'yes' }, 'isOwn is no boolean'],
    [person, { name: 'Ann', tags: ['a', 5] }, 'tags[1] is no text'],
    [page, { items: {} }, 'items is no list'],
    [page, { all: [{ name: 'Ann' }, { name: 7 }] }, 'all[1].name is no text'],
    [page, { all: [null] }, 'all[0] is no object'],
    [record(list(number)), { a: [1], b: [1, 'x'] }, 'b[1] is no number'],
    [record(text), [], 'it is no object'],
    [instant, 'tomorrow', 'it is no time'],
    [digits, '12.5', 'it is no whole number'],
    [list(list(number)), [[1], ['x']], '[1][0] is no number'],
  ])('reports the place of an error, and none of the content: %#', (reader, value, problem) => {
    expect(read(reader, value)).toBe(problem)
  })

  test('omits unreadable items if configured, and reports each', () => {
    expect(read(page, { items: [null, { name: 'Ann' }, { name: 'Bo', age: [] }, 7] })).toEqual({
      found: { items: [{ name: 'Ann', tags: [] }] },
      dropped: ['[0] is no object', '[2].age is no number', '[3] is no object'],
    })
  })

  test('reads times and large numbers as text', () => {
    expect(read(instant, '2026-06-01T09:00:00+02:00')).toBe('2026-06-01T09:00:00+02:00')
    expect(read(digits, '1780315200000')).toBe('1780315200000')
  })
})
