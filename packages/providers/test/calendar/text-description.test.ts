import type { Event } from '@waypost/contract'
import { JsonText } from '@waypost/platform/json/values'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import { describe, expect, test } from 'vitest'
import { describeEvents, withTextDescription } from '../../src/calendar/text-description.ts'

const event: Event = {
  id: 'e1',
  object: 'event',
  grant_id: 'g1',
  calendar_id: 'c1',
  title: 'The "description": of a title',
  description: null,
  location: null,
  when: { object: 'date', date: '2026-06-01' },
  busy: true,
  status: 'confirmed',
  hide_participants: false,
  participants: [],
  resources: [],
  organizer: null,
  ical_uid: null,
  read_only: false,
  metadata: {},
  created_at: null,
  updated_at: null,
}
/** Converts in this thread, and counts. */
function countingPool(): { parse: ParsePool; count(): number } {
  let count = 0
  const parse: ParsePool = {
    async run(_kind, inputs) {
      count += inputs.length
      return inputs.map(() => ({ ok: true, value: { text: 'from a thread' } as never }))
    },
    async [Symbol.asyncDispose]() {},
  }
  return { parse, count: () => count }
}
const { signal } = new AbortController()
const jsonOf = async (document: string): Promise<Record<string, unknown>> => {
  const [shown] = await describeEvents([new JsonText<Event>(document)], { ...countingPool(), signal })
  if (!(shown instanceof JsonText)) throw new Error('the document was parsed')
  return JSON.parse(shown.text)
}

describe('text_description', () => {
  test.each([
    null,
    '',
    'Plain',
    'Quotes " and \\ and \\" and a line\nend\\',
    '<p>"HTML" &amp; more\\</p>',
    'ends with a backslash \\',
    '"text_description":"forged"}',
  ])('is added to a stored document as to an event: %j', async (description) => {
    const stored = { ...event, description, metadata: { description: 'own', key1: 'x' } }
    expect(await jsonOf(JSON.stringify(stored))).toEqual(withTextDescription(stored))
  })

  test('is added to a document with another order of fields, or without a description', async () => {
    const { description: _, metadata: _metadata, ...rest } = event
    expect(
      await jsonOf(JSON.stringify({ metadata: { description: 'x' }, ...rest, description: '<b>a</b>' })),
    ).toMatchObject({
      metadata: { description: 'x' },
      description: '<b>a</b>',
      text_description: 'a',
    })
    expect(await jsonOf(JSON.stringify(rest))).toMatchObject({ text_description: null })
  })

  test('leaves long HTML to a thread, and a failure of it does not fail the page', async () => {
    const pool = countingPool()
    const long = { ...event, description: `<p>${'x'.repeat(20_000)}</p>` }
    const plain = { ...event, description: 'y'.repeat(60_000) }
    const [first, second, third] = await describeEvents([long, plain, new JsonText<Event>(JSON.stringify(long))], {
      ...{ parse: pool.parse, signal },
    })
    expect(first).toMatchObject({ text_description: 'from a thread' })
    expect(second).toMatchObject({ text_description: plain.description })
    expect(third instanceof JsonText && JSON.parse(third.text).text_description).toBe('from a thread')
    expect(pool.count()).toBe(2)
    const broken: ParsePool = {
      ...pool.parse,
      run: async () => [{ ok: false, reason: 'deadline', message: 'too long' } as never],
    }
    const [failed] = await describeEvents([long], { parse: broken, signal })
    expect(failed).toMatchObject({ description: long.description, text_description: '' })
  })
})
