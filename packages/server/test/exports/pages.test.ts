/** Pages of an export over the API: cursors, messages that cannot be read, failures in the middle, and refusals. */

import { ApiError } from '@waypost/platform/api-error'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectMail, type MailService, messageOf, openMailService } from '../api/pipeline/mail-provider.ts'
import { mboxMessages, zipEntries } from './readers.ts'

let world: MailService
beforeAll(async () => {
  world = await openMailService()
})
afterAll(() => world[Symbol.asyncDispose]())

const sourceOf = (id: string): Buffer => Buffer.from(`Subject: ${id}\r\n\r\nFrom ${id}\r\n`)
beforeEach(() => {
  world.mailbox.messages.clear()
  world.mailbox.before = () => undefined
  for (let place = 1; place <= 5; place += 1) {
    world.mailbox.messages.set(`m${place}`, messageOf(`m${place}`, { date: 1_790_000_000 - place }))
    world.mailbox.sources.set(`m${place}`, sourceOf(`m${place}`))
  }
})

interface Read {
  status: number
  headers: Headers
  bytes: Buffer
}
async function get(path: string, key = world.service.apiKey): Promise<Read> {
  const response = await world.service.app.request(`${world.at}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
const failReading = (id: string, error: () => Error): void => {
  world.mailbox.before = (operation, [at]) => {
    if (operation === 'messages.get' && (at as { message_id: string }).message_id === id) throw error()
  }
}

test.for(['mbox', 'eml', 'ndjson'])(
  'pages of %s have every message once, and name the next page before the first byte',
  async (format) => {
    const ids: string[] = []
    let token: string | null = ''
    const sizes: number[] = []
    while (token !== null) {
      const { status, headers, bytes } = await get(
        `/messages/export?format=${format}&limit=2${token && `&page_token=${token}`}`,
      )
      expect(status, String(bytes)).toBe(200)
      token = headers.get('next-cursor')
      expect(headers.get('content-disposition')).toContain('attachment; filename="messages.')
      const page = idsOf(format, bytes)
      sizes.push(page.length)
      ids.push(...page)
    }
    expect(sizes).toEqual([2, 2, 1])
    expect(ids).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
  },
)

function idsOf(format: string, bytes: Buffer): string[] {
  if (format === 'mbox') return mboxMessages(bytes).map(({ subject }) => subject ?? '')
  if (format === 'ndjson')
    return String(bytes)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id)
  const entries = zipEntries(bytes)
  const index = String(entries.get('index.ndjson'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const { id, file } of index) expect(entries.get(file)?.equals(sourceOf(id))).toBe(true)
  return index.map(({ id }) => id)
}

test('a message that was deleted in the meantime is skipped and reported, and all others are exported', async () => {
  failReading('m2', () => new ApiError('not_found'))
  const read = mboxMessages((await get('/messages/export?limit=3')).bytes)
  expect(read.map(({ subject, skipped }) => skipped ?? subject)).toEqual(['m1', 'm2', 'm3'])
  expect(read[1]?.skipped).toBe('m2')
})

test('a message that the provider refuses is skipped only while the provider answers other requests', async () => {
  failReading('m2', () => new ApiError('provider_unavailable', 'the message is broken'))
  const entries = zipEntries((await get('/messages/export?format=eml&limit=3')).bytes)
  const [, second] = String(entries.get('index.ndjson'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(second).toMatchObject({ id: 'm2', error: { type: 'provider_unavailable', message: 'the message is broken' } })
})

test('a provider that fails in the middle of a page breaks the connection, and the page can be read again', async () => {
  let isDown = false
  world.mailbox.before = (operation, [at]) => {
    if (operation === 'messages.get' && (at as { message_id: string }).message_id === 'm2') isDown = true
    if (isDown) throw new ApiError('provider_unavailable')
  }
  await expect(get('/messages/export?limit=3')).rejects.toThrow()
  world.mailbox.before = () => undefined
  expect(mboxMessages((await get('/messages/export?limit=3')).bytes)).toHaveLength(3)
  // A failure before the first byte is an error in JSON.
  failReading('m1', () => new ApiError('provider_rate_limited', 'later', { retryAfter: 600 }))
  const refused = await get('/messages/export')
  expect([refused.status, JSON.parse(String(refused.bytes)).error.type]).toEqual([429, expect.stringMatching(/./)])
})

test('a client that disconnects ends the export', async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const { promise: goOn, resolve: release } = Promise.withResolvers<void>()
  world.mailbox.calls.length = 0
  world.mailbox.before = async (operation, [at]) => {
    if (operation !== 'messages.get' || (at as { message_id: string }).message_id !== 'm2') return
    resolve()
    await goOn
  }
  const url = `${await world.service.listen()}${world.at}/messages/export`
  const leave = new AbortController()
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${world.service.apiKey}` },
    signal: leave.signal,
  })
  await begun
  leave.abort()
  await expect(response.arrayBuffer()).rejects.toThrow()
  release()
  await expect.poll(() => world.mailbox.busy).toBe(0)
  const read = world.mailbox.calls.filter(({ operation }) => operation === 'messages.get')
  expect(read.length).toBeLessThan(5)
})

test('wrong formats, foreign cursors and foreign grants are refused, and data that an account lacks', async () => {
  const errorOf = async (path: string, key?: string) => {
    const { status, bytes } = await get(path, key)
    return [status, JSON.parse(String(bytes)).error.message]
  }
  expect(await errorOf('/messages/export?format=pst')).toEqual([400, expect.stringContaining('format')])
  expect(await errorOf('/events/export')).toEqual([400, expect.stringContaining('calendar_id')])
  expect(await errorOf('/events/export?calendar_id=primary')).toEqual([422, expect.stringMatching(/./)])
  expect(await errorOf('/contacts/export?version=2.1')).toEqual([400, expect.stringContaining('version')])
  const cursor = (await get('/messages/export?limit=2')).headers.get('next-cursor')
  expect(await errorOf(`/messages/export?format=eml&page_token=${cursor}`)).toEqual([
    400,
    expect.stringContaining('page_token'),
  ])
  expect(await errorOf(`/messages?page_token=${cursor}`)).toEqual([400, expect.stringContaining('page_token')])
  const { key } = await world.service.createApplication('Other')
  const { status } = await get('/messages/export', key)
  expect(status).toBe(404)
  const other = await connectMail(world.service, 'eve@mail.test', key)
  const answer = await world.service.call('GET', `/v3/grants/${other}/messages/export?page_token=${cursor}`, { key })
  expect(answer.status).toBe(400)
})
