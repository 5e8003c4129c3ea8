/** The requests of the published `nylas` client for sending and drafts: JSON, and forms without a length. */
import { randomBytes } from 'node:crypto'
import { failureOf, Nylas } from '@waypost/testing/peers/nylas'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contentOf, createFakeSending } from '../pipeline/fake-sending.ts'
import { type MailService, openMailService } from '../pipeline/mail-provider.ts'

const sending = createFakeSending()
let world: MailService
let nylas: Nylas
let identifier: string
beforeAll(async () => {
  world = await openMailService({ overrides: { sending } })
  nylas = new Nylas({ apiKey: world.service.apiKey, apiUri: await world.service.listen(), timeout: 60 })
  identifier = world.grantId
})
beforeEach(() => sending.reset())
afterAll(() => world[Symbol.asyncDispose]())

const to = [{ name: 'Bób €', email: 'bob@mail.test' }]
const fileOf = (size: number, more: object = {}) => {
  const bytes = randomBytes(size)
  const content = bytes.toString('base64')
  return { bytes, file: { filename: 'größe "1".bin', contentType: 'application/x-b', content, size, ...more } }
}

test.for<[string, number]>([
  ['a small file, as JSON', 1000],
  ['just below 3 MB, as JSON', 3 * 1024 * 1024 - 2000],
  ['above 3 MB, as a form', 3 * 1024 * 1024 + 1],
  ['6 MB, as a form', 6 * 1024 * 1024],
])('%s', async ([, size]) => {
  const { bytes, file } = fileOf(size)
  const requestBody = {
    to,
    subject: 'Grüße',
    body: '<p>€</p>',
    attachments: [file],
    metadata: { key1: 'a', MyKey: 'b' },
  }
  const { data } = await nylas.messages.send({ identifier, requestBody })
  expect(data).toMatchObject({ subject: 'Grüße', to, grantId: identifier, scheduleId: '', replyToMessageId: '' })
  const { request, files } = contentOf(sending.sends[0])
  expect(request).toMatchObject({ to, subject: 'Grüße', body: '<p>€</p>', metadata: { key1: 'a', MyKey: 'b' } })
  expect(files.map(({ content: _, ...rest }) => rest)).toEqual([
    { filename: 'größe "1".bin', contentType: 'application/x-b', inline: false },
  ])
  expect(Buffer.compare(files[0]?.content ?? Buffer.of(), bytes)).toBe(0)
})

test.for([100, 3 * 1024 * 1024])('an inline picture of %i bytes arrives', async (size) => {
  const { bytes, file } = fileOf(size, { contentId: 'logo1', isInline: true, contentDisposition: 'inline' })
  const plain = fileOf(10).file
  const body = '<img src="cid:logo1">'
  await nylas.messages.send({ identifier, requestBody: { to, body, attachments: [plain, file] } })
  const { files } = contentOf(sending.sends[0])
  expect(files.map(({ contentId, inline }) => [contentId, inline])).toEqual([
    [undefined, false],
    ['logo1', true],
  ])
  expect(Buffer.compare(files[1]?.content ?? Buffer.of(), bytes)).toBe(0)
})

test('a large body without files is sent as a form, and arrives', async () => {
  const body = 'ü'.repeat(2 * 1024 * 1024)
  await nylas.messages.send({ identifier, requestBody: { to, body } })
  expect(contentOf(sending.sends[0]).request.body).toBe(body)
})

test('schedules are listed, found and stopped', async () => {
  const sendAt = Math.floor(Date.now() / 1000) + 3600
  const { data } = await nylas.messages.send({ identifier, requestBody: { to, sendAt } })
  const scheduleId = data.scheduleId ?? ''
  expect(scheduleId).not.toBe('')
  const list = await nylas.messages.listScheduledMessages({ identifier })
  expect(list.data).toMatchObject([{ scheduleId, status: { code: 'pending' } }])
  const found = await nylas.messages.findScheduledMessage({ identifier, scheduleId })
  expect(found.data).toMatchObject({ scheduleId, status: { code: 'pending' } })
  const stopped = await nylas.messages.stopScheduledMessage({ identifier, scheduleId })
  expect(stopped.data).toEqual({ message: 'requested cancelation for workflow' })
})

test.for([10, 3 * 1024 * 1024 + 1])('a draft with a file of %i bytes is stored and sent', async (size) => {
  const { bytes, file } = fileOf(size)
  const { data: draft } = await nylas.drafts.create({
    identifier,
    requestBody: { to, subject: 'One', attachments: [file] },
  })
  expect(Buffer.compare(sending.drafted[0]?.files[0]?.content ?? Buffer.of(), bytes)).toBe(0)
  const draftId = draft.id
  expect((await nylas.drafts.find({ identifier, draftId })).data).toMatchObject({ id: draftId, object: 'draft' })
  const queryParams = { anyEmail: ['a@x.test', 'b@x.test'] }
  expect((await nylas.drafts.list({ identifier, queryParams })).data).toHaveLength(1)
  await nylas.drafts.update({ identifier, draftId, requestBody: { subject: 'Two', attachments: [file] } })
  expect(sending.changed[0]?.files).toHaveLength(1)
  expect((await nylas.drafts.send({ identifier, draftId })).data).toMatchObject({ object: 'message' })
  await nylas.drafts.destroy({ identifier, draftId })
})

test("an error has the client's error class, with the field", async () => {
  const error = await failureOf(nylas.messages.send({ identifier, requestBody: { to: [] } }))
  expect([error.statusCode, error.message]).toEqual([400, 'to: must have at least one recipient'])
})
