/** A draft that was checked before it is sent, and that somebody changes in between. */

import { digest, message, parts, whole } from '@waypost/formats/parse-worker'
import { expect, test } from 'vitest'
import { createDraftComposer } from '../../src/sending/compose/draft-composer.ts'
import type { DraftSendOrder } from '../../src/sending/sending.ts'

const draftOf = (text: string): Buffer =>
  Buffer.from(`From: me@people.test\r\nTo: bob@people.test\r\nSubject: Offer\r\n\r\n${text}`)

const kinds = { digest, message, parts, whole }

/** A composer that reads one source after the other; the last one again and again. */
function reading(...sources: Buffer[]) {
  const provider = { kind: 'imap', draftSource: async () => (sources.length > 1 ? sources.shift() : sources[0]) }
  const sessions = {
    providerOf: () => provider,
    open: () => undefined,
    judge: async (_: unknown, error: unknown) => error,
  }
  const parse = {
    run: async (kind: keyof typeof kinds, [input]: [never]) => [{ ok: true, value: kinds[kind](input) }],
  }
  return createDraftComposer({ sessions, parse, clock: { now: () => 0 } } as never)
}

const order = (more: Partial<DraftSendOrder> = {}): DraftSendOrder =>
  ({
    ...{ grant: { grant: { email: 'me@people.test', name: 'Me' } }, draftId: 'd', responseHeaders: {} },
    ...{ signal: new AbortController().signal, signature: undefined, tracking: undefined },
    ...more,
  }) as DraftSendOrder

const untracked = async (): Promise<undefined> => undefined

test('a draft that is changed between the check and the sending is not sent', async () => {
  const drafts = reading(draftOf('Ten euros'), draftOf('Ten Euros'))
  const checked = await drafts.examine(order())
  await expect(drafts.toSend(order({ onlyAs: checked.digest }), untracked)).rejects.toMatchObject({ code: 'conflict' })
})

test('the bytes that were compared are those that are sent', async () => {
  const drafts = reading(draftOf('Ten euros'), draftOf('Ten euros'), draftOf('A thousand euros'))
  const checked = await drafts.examine(order())
  const { composed } = await drafts.toSend(order({ onlyAs: checked.digest }), untracked)
  expect(composed.source.toString()).toContain('Ten euros')
})

test.each<[string, Partial<DraftSendOrder>]>([
  ['a signature', { signature: '<p>Eve</p>' }],
  ['tracking', { tracking: { opens: true, links: false, thread_replies: false } as never }],
  ['another name of the account', { grant: { grant: { email: 'me@people.test', name: 'Eve' } } as never }],
])('a draft that would be sent with %s is another one', async (_, more) => {
  const drafts = reading(draftOf('Ten euros'))
  const checked = await drafts.examine(order())
  await expect(drafts.toSend(order({ ...more, onlyAs: checked.digest }), untracked)).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('a draft of an unrestricted key is sent as it is', async () => {
  const { composed } = await reading(draftOf('x')).toSend(order(), untracked)
  expect(composed.recipients).toEqual(['bob@people.test'])
})
