/** A draft whose recipients were checked before it is sent, and that changes in between. */
import { expect, test } from 'vitest'
import { type PrepareTools, prepareDraft } from '../../src/sending/requests/prepare-send.ts'
import type { DraftSendOrder } from '../../src/sending/sending.ts'

const toolsThatRead = (recipients: string[]): PrepareTools =>
  ({ drafts: { toSend: async () => ({ composed: { recipients }, plan: undefined }) } }) as unknown as PrepareTools

const orderTo = (onlyTo: ReadonlySet<string> | undefined): DraftSendOrder =>
  ({ draftId: 'd', onlyTo }) as DraftSendOrder

test('a draft that got another recipient after the check is not sent', async () => {
  const tools = toolsThatRead(['ann@example.com', 'stranger@elsewhere.example'])
  await expect(prepareDraft(tools, orderTo(new Set(['ann@example.com'])), 's')).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('a draft to the checked recipients is sent, in any spelling of their domain', async () => {
  const prepared = await prepareDraft(toolsThatRead(['ann@EXAMPLE.com']), orderTo(new Set(['ann@example.com'])), 's')
  expect(prepared.composed.recipients).toEqual(['ann@EXAMPLE.com'])
})

test('a draft of an unrestricted key is sent to everybody', async () => {
  const prepared = await prepareDraft(toolsThatRead(['ann@example.com']), orderTo(undefined), 's')
  expect(prepared.composed.recipients).toEqual(['ann@example.com'])
})
