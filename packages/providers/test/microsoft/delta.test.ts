/** Delta queries of Graph: continuation, expired tokens, and responses that would cause an endless loop. */

import { ApiError } from '@waypost/platform/api-error'
import type { Reader } from '@waypost/platform/json/reader'
import { expect, test } from 'vitest'
import { readDeltas } from '../../src/microsoft/mail/delta.ts'
import type { Mailbox } from '../../src/microsoft/mail/mail-api.ts'
import { readAnswer } from '../../src/shared/answer.ts'
import { errorOr } from '../../src/shared/batch.ts'

const begins = { path: 'me/mailFolders/delta', query: { $select: 'id' } }
const goesOn = { path: 'me/mailFolders/delta?$deltatoken=1' }
const link = 'https://graph.microsoft.com/v1.0/me/mailFolders/delta?$deltatoken=2'
const gone = new ApiError('not_found', undefined, { providerError: { status: 410, reason: 'SyncStateNotFound' } })

/** A mailbox with these responses to its calls. */
const answering = (answers: readonly unknown[]): Mailbox => {
  const batch = async (_: unknown, read: Reader<unknown>) =>
    Promise.all(
      answers.map((answer) =>
        answer instanceof ApiError
          ? answer
          : errorOr(async () => readAnswer(answer, read, { name: 'Microsoft', onDropped: () => undefined })),
      ),
    )
  return { session: { io: {}, batch } } as unknown as Mailbox
}

test('a page says where the round continues, or where the next one starts', async () => {
  const pages = [
    { value: [{ id: 'a' }], '@odata.nextLink': link },
    { value: [{ id: '' }, 7, null], '@odata.deltaLink': link },
  ]
  expect(await readDeltas(answering(pages), [begins, goesOn])).toEqual([
    { items: [{ id: 'a' }], link: goesOn.path.replace('1', '2'), more: true },
    { items: [], link: goesOn.path.replace('1', '2'), more: false },
  ])
})

test('an expired token restarts the round, but not one that has just started: that would never end', async () => {
  expect(await readDeltas(answering([gone, gone]), [goesOn, begins])).toEqual(['resync', gone])
})

test('a response without a continuation is a provider error, not the end of a round', async () => {
  for (const call of [begins, goesOn]) {
    const [read] = await readDeltas(answering([{ value: [] }]), [call])
    expect(read).toMatchObject({
      code: 'provider_unavailable',
      details: { providerError: { reason: 'malformed_answer', message: '@odata.deltaLink is missing' } },
    })
  }
})
