/** Sending through the client: files as forms, raw messages, and attempts with the same key. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contentOf, createFakeSending, fileText } from '../../server/test/api/pipeline/fake-sending.ts'
import { type MailService, openMailService } from '../../server/test/api/pipeline/mail-provider.ts'
import { createWaypost, type WaypostClient } from '../src/index.ts'
import { clientOf, fetchOf } from './service-client.ts'

const sending = createFakeSending()
let world: MailService
let waypost: WaypostClient
let grant_id: string
beforeAll(async () => {
  world = await openMailService({ overrides: { sending } })
  waypost = clientOf(world.service)
  grant_id = world.grantId
})
beforeEach(() => sending.reset())
afterAll(() => world[Symbol.asyncDispose]())

const to = [{ name: 'Bób', email: 'bob@mail.test' }]

test('a message without files is sent as JSON', async () => {
  const { data } = await waypost.messages.send({ grant_id, body: { to, subject: 'Hi' }, files: [] })
  expect(data).toMatchObject({ subject: 'Hi', to, schedule_id: '' })
})

test('files of every kind arrive byte for byte, with their content id if they have one', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
  await waypost.messages.send({
    grant_id,
    body: { to, subject: 'Grüße', metadata: { MyKey: 'a' } },
    files: [
      { filename: 'é "1".txt', content: 'text' },
      { filename: 'b.bin', content: bytes, contentType: 'application/x-b' },
      { filename: 'c.png', content: new Blob(['png'], { type: 'image/png' }), contentId: 'logo' },
      { filename: 'd.bin', content: bytes.buffer },
    ],
  })
  const { request, files } = contentOf(sending.sends[0])
  expect(request).toMatchObject({ to, subject: 'Grüße', metadata: { MyKey: 'a' } })
  expect(files.map(({ filename, contentId, inline }) => [filename, contentId, inline])).toEqual([
    ['é "1".txt', undefined, false],
    ['b.bin', undefined, false],
    ['c.png', 'logo', true],
    ['d.bin', undefined, false],
  ])
  expect(files[0] && fileText(files[0]).content).toBe('text')
  for (const at of [1, 3]) expect(Buffer.compare(files[at]?.content ?? Buffer.of(), bytes)).toBe(0)
  expect(files[2]?.contentType).toBe('image/png')
})

test('a raw message is sent unchanged', async () => {
  const mime = 'From: a@x.test\r\nTo: b@x.test\r\n\r\nü\r\n'
  await waypost.messages.send({ grant_id, mime, query: { fields: 'include_basic_headers' } })
  const [order] = sending.sends
  expect(order && 'mime' in order.content && Buffer.from(order.content.mime).toString()).toBe(mime)
  expect(order?.fields).toBe('include_basic_headers')
})

test('a form without a response is sent again with the same key, and the message once', async () => {
  let tries = 0
  const lossy: typeof fetch = async (input, init) => {
    const response = await fetchOf(world.service)(input, init)
    if (++tries === 1) throw new TypeError('connection lost')
    return response
  }
  const client = createWaypost({ apiKey: world.service.apiKey, fetch: lossy })
  const files = [{ filename: 'a.txt', content: 'x' }]
  const { headers } = await client.messages.send({ grant_id, body: { to }, files })
  expect([tries, headers.get('idempotent-response')]).toEqual([2, 'true'])
  expect(sending.sends).toHaveLength(1)
})

test('drafts accept files, and are sent without a body', async () => {
  const files = [{ filename: 'a.txt', content: 'x' }]
  const { data: draft } = await waypost.drafts.create({ grant_id, body: { subject: 'Draft' }, files })
  const at = { grant_id, draft_id: draft.id }
  await waypost.drafts.update({ ...at, body: { subject: 'Changed' }, files })
  expect(sending.drafted[0]?.files.map(fileText)).toMatchObject([{ filename: 'a.txt', content: 'x' }])
  expect(sending.changed[0]?.files?.map(fileText)).toMatchObject([{ filename: 'a.txt', content: 'x' }])
  expect((await waypost.drafts.send(at)).data.schedule_id).toBe('')
})
