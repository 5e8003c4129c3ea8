import { expect, test } from 'vitest'
import { type GmailPart, gmailMessage } from '../../src/google/gmail/gmail-api.ts'

test('nested parts are checked at any depth, and a wrong one at the bottom is found', () => {
  const nested = (innermost: unknown): unknown => {
    let part = innermost
    for (let depth = 0; depth < 20_000; depth += 1) part = { parts: [part] }
    return { id: 'm1', threadId: 't1', payload: part }
  }
  const read = (value: unknown): GmailPart | undefined => gmailMessage(value, () => {}).payload
  expect(read(nested({ partId: '0' }))).toBeDefined()
  expect(() => read(nested({ partId: 7 }))).toThrow('payload.partId is no text')
  expect(() => read(nested(null))).toThrow('payload is no object')
})
