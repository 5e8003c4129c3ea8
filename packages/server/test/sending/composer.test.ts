/** Large messages and bodies whose worker thread returns no result. */

import type { ParseOutcome, ParsePool } from '@waypost/platform/parsing/pool'
import { expect, test } from 'vitest'
import { readJsonBytes } from '../../src/api/http/json-body.ts'
import type { ComposeInput } from '../../src/sending/compose/compose.ts'
import { createComposer } from '../../src/sending/compose/composer.ts'

const poolThat = (outcome: ParseOutcome<never>): ParsePool => ({
  // The outcome is the same for every kind of work.
  run: async () => [outcome],
  [Symbol.asyncDispose]: async () => undefined,
})

const late = poolThat({ ok: false, reason: 'deadline', message: 'It took longer than 2000 ms' })
const broken = poolThat({ ok: false, reason: 'broken', message: 'a header is too long' })
const never = new AbortController().signal

const large: ComposeInput = {
  request: { to: [{ email: 'bob@example.com' }], body: 'x'.repeat(300_000) },
  files: [],
  account: { email: 'ada@example.com', name: null },
  messageId: 'a@example.com',
  date: new Date(0),
}

test('a message that was not composed in time means a busy node, not an invalid message', async () => {
  const error = { code: 'service_unavailable', status: 503, details: { retryAfter: 5 } }
  await expect(createComposer(late).compose(large, never)).rejects.toMatchObject(error)
})

test('a message that cannot be composed is refused with the reason', async () => {
  const error = { code: 'invalid_request', message: expect.stringContaining('a header is too long') }
  await expect(createComposer(broken).compose(large, never)).rejects.toMatchObject(error)
})

test('a body that was not parsed in time means a busy node, not invalid JSON', async () => {
  const body = Buffer.from(JSON.stringify('x'.repeat(300_000)))
  const error = { code: 'service_unavailable', status: 503, details: { retryAfter: 5 } }
  await expect(readJsonBytes(body, { pool: late, signal: never })).rejects.toMatchObject(error)
  expect(await readJsonBytes(body, { pool: broken, signal: never })).toMatchObject({ ok: false })
})
