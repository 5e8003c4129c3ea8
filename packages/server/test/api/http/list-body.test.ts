/** Bodies that are a list of objects. */
import { bodyObject, route, takesList } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseFields, readJson } from '../../../src/api/http/request.ts'

const item = z.object({ event_id: z.string(), capacity: z.int().max(500).optional() })
const listed = route({
  method: 'POST',
  path: '/v3/lists',
  summary: 'A list',
  right: 'mail.read',
  audience: 'application',
  body: z.array(item).min(1).max(2),
})
const single = route({ ...listed, body: item })
const read = (of: typeof listed | typeof single, text: string): Promise<unknown> =>
  readJson(of, new TextEncoder().encode(text), {
    contentType: 'application/json',
    pool: undefined,
    signal: new AbortController().signal,
  })

describe('a route whose body is a list', () => {
  test('is recognized by its schema', () => {
    expect([takesList(listed), takesList(single)]).toEqual([true, false])
    expect([bodyObject(listed), bodyObject(single)]).toEqual([item, item])
  })

  test('accepts a list and refuses an object, and vice versa', async () => {
    expect(await read(listed, '[{"event_id":"1"}]')).toEqual([{ event_id: '1' }])
    await expect(read(listed, '{"event_id":"1"}')).rejects.toThrow('the body must be one JSON array')
    await expect(read(single, '[{"event_id":"1"}]')).rejects.toThrow('the body must be one JSON object')
  })

  test('names the item and the field that do not fit', () => {
    const problemsOf = (value: unknown): unknown => {
      try {
        return parseFields(listed.body, value, 'body')
      } catch (error) {
        return error instanceof ApiError ? error.details.validationErrors : error
      }
    }
    expect(problemsOf([{ event_id: '1' }, { capacity: 501 }])).toEqual({
      '1.event_id': 'is required',
      '1.capacity': expect.stringContaining('500'),
    })
    expect(problemsOf([])).toEqual({ body: expect.any(String) })
    expect(problemsOf({})).toEqual({ body: 'is required' })
  })
})
