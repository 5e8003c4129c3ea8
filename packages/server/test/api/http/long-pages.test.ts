import { contract, routesOf } from '@waypost/contract'
import { JsonText } from '@waypost/platform/json/values'
import { expect, test } from 'vitest'
import { answerObject, answerText, type Envelope } from '../../../src/api/http/answer.ts'

const route = [...routesOf(contract)].find(({ id }) => id === 'messages.list')?.route
if (!route) throw new Error('There is no list of messages')
const envelope: Envelope = { requestId: 'r', route, select: undefined, limit: 50, seal: (position) => `c${position}` }

test.each([
  ['with nothing on it', { items: [] }, undefined],
  ['with a next one', { items: [{ id: 'a', body: 'ä"\u{1f600}' }, new JsonText('{"id":"b"}')], next: 'x' }, undefined],
  ['of selected fields', { items: [{ id: 'a', body: 'b' }, new JsonText('{"id":"b","c":1}')] }, ['id']],
  [
    'with long items',
    { items: [{ id: 'ä'.repeat(300_000) }, { id: 'b' }, { id: 'c'.repeat(300_000) }], next: 'x' },
    undefined,
  ],
])('a page %s has the same fields as text, written in pieces, and as an object', async (_, page, select) => {
  const requested = { ...envelope, select }
  const { object } = answerObject(page, requested)
  const { body } = await answerText(page, requested)
  expect(String(body)).toBe(JSON.stringify(object))
})

test('other requests run while a page of large messages is written', async () => {
  const items = Array.from({ length: 60 }, (_, at) => ({
    id: `${at}`,
    body: `"\u00e9 ${'<p>text</p>\n'.repeat(90_000)}`,
  }))
  let turns = 0
  let isDone = false
  const others = (): void => {
    turns++
    if (!isDone) setImmediate(others)
  }
  setImmediate(others)
  const { body } = await answerText({ items }, envelope)
  isDone = true
  // A single buffer: encoding a text of this length would block the event loop again.
  expect(Buffer.isBuffer(body)).toBe(true)
  expect(JSON.parse(String(body)).data).toHaveLength(60)
  expect(turns).toBeGreaterThan(2)
})
