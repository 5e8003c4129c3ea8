/** The state of a question: bound to credential, call and time. */
import { randomBytes } from 'node:crypto'
import { createCursors } from '@waypost/platform/cursor'
import { expect, test } from 'vitest'
import {
  openQuestion,
  openSession,
  questionMs,
  sealQuestion,
  sealSession,
  sessionMs,
} from '../../../../src/api/mcp/protocol/client-state.ts'
import type { Exchange } from '../../../../src/api/mcp/protocol/exchange.ts'

const key = { id: '0badcafe', bytes: randomBytes(32) }
const cursors = createCursors({ current: () => key, find: (id: string) => (id === key.id ? key : undefined) } as never)

const exchange = (now: number, id = 'k1', application = 'a1'): Exchange =>
  ({
    caller: { id: application, credential: { type: 'api_key', id } },
    mcp: { api: { storage: { cursors, clock: { now: () => now } } } },
  }) as unknown as Exchange

const called = { name: 'send_message', args: { to: 'bob', n: 1 } }

test('a question opens for the same credential and call, until it expires', () => {
  const sealed = sealQuestion(exchange(1_000), called, { approval: 'x' })
  const reordered = { name: 'send_message', args: { n: 1, to: 'bob' } }
  expect(openQuestion(exchange(1_000 + questionMs - 1), sealed, reordered)).toEqual({ approval: 'x' })
  expect(() => openQuestion(exchange(1_000 + questionMs), sealed, called)).toThrow('expired')
  expect(() => openQuestion(exchange(1_000, 'k2'), sealed, called)).toThrow('not valid')
  expect(() => openQuestion(exchange(1_000, 'k1', 'a2'), sealed, called)).toThrow('not valid')
  expect(() => openQuestion(exchange(1_000), sealed, { ...called, args: { n: 2 } })).toThrow('another call')
  expect(() => openQuestion(exchange(1_000), sealed, { ...called, name: 'reply' })).toThrow('another call')
})

test('neither a session token nor a page cursor passes for a question', () => {
  const { caller } = exchange(1_000)
  const session = sealSession(cursors, caller, { version: '2025-11-25', canAsk: true }, 1_000)
  expect(() => openQuestion(exchange(1_000), session)).toThrow('not valid')
  expect(() => openQuestion(exchange(1_000), cursors.seal(['x', 9e15, {}], 'a list'))).toThrow('not valid')
  expect(openSession(cursors, caller, session, 1_000)).toEqual({ version: '2025-11-25', canAsk: true })
  expect(openSession(cursors, caller, session, 1_000 + sessionMs)).toBeUndefined()
  expect(openSession(cursors, caller, sealQuestion(exchange(1_000), called, {}), 1_000)).toBeUndefined()
})
