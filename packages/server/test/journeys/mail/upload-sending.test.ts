/** Messages with uploaded files, through a real exim and dovecot. */
import { randomBytes } from 'node:crypto'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { expectStatus } from '../../conformance/accounts.ts'
import { digest, uploaded } from '../../conformance/uploads.ts'
import { type MailServers, openMailServers, type PostAccount, type Stored, until } from './mail-servers.ts'

const filesIn = async ({ source }: Stored): Promise<Record<string, string>> => {
  const { attachments } = await simpleParser(source)
  return Object.fromEntries(attachments.map(({ filename = '', content }) => [filename, digest(content)]))
}

describe('messages with uploaded files', () => {
  let accounts: MailServers
  let ann: PostAccount
  let bob: PostAccount
  beforeAll(async () => {
    accounts = await openMailServers({ sizeLimit: '10M' })
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    ann = await accounts.newAccount()
    bob = await accounts.newAccount()
  })
  const upload = (bytes: Buffer, file?: object) => uploaded(accounts.service, ann, bytes, file as never)
  const to = () => [{ email: bob.email }]

  test('arrive byte for byte, with one copy in the sent folder', async () => {
    const [one, two] = [randomBytes(5_000_003), randomBytes(58)]
    const attachments = [
      await upload(one),
      { ...(await upload(two, { filename: 'two', content_type: 'message/rfc822' })), filename: 'two.eml' },
    ]
    const sent = await ann.send({ to: to(), subject: 'Large', body: '<p>.</p>\n.\n..', attachments })
    expect(sent.attachments).toMatchObject([{ filename: 'large.bin', size: one.length }, { filename: 'two.eml' }])
    const expected = { 'large.bin': digest(one), 'two.eml': digest(two) }
    const arrived = await bob.received()
    expect(await filesIn(arrived)).toEqual(expected)
    // Every line ends with CRLF, and none is longer than a line of base64 may be.
    expect(
      arrived.source
        .toString('latin1')
        .split('\r\n')
        .every((line) => line.length < 999),
    ).toBe(true)
    expect(await filesIn(await ann.received('Sent'))).toEqual(expected)
    const [found] = (await ann.get('/messages', { in: 'U2VudA' })).body.data ?? []
    if (found) expect(found.id).toBe(sent.id)
  })

  test('can contain an upload twice, and none of another account', async () => {
    const bytes = randomBytes(100_000)
    const { id } = await upload(bytes)
    const foreign = await uploaded(accounts.service, bob, bytes)
    const refused = await ann.post('/messages/send', { to: to(), attachments: [{ id }, foreign] })
    expect([refused.status, refused.body.error.message]).toEqual([404, expect.stringContaining('attachments.1.id')])
    const attachments = [
      { id, filename: 'one' },
      { id, filename: 'two' },
    ]
    await ann.send({ to: to(), subject: 'Twice', attachments })
    expect(await filesIn(await bob.received())).toEqual({ one: digest(bytes), two: digest(bytes) })
  })

  test('are sent once under a key, and a repetition returns the same answer', async () => {
    const attachments = [await upload(randomBytes(300_000))]
    const body = { to: to(), subject: 'Once', attachments }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = expectStatus(await ann.post('/messages/send', body, {}, headers), 200)
    const again = expectStatus(await ann.post('/messages/send', body, {}, headers), 200)
    expect(again.body.data).toEqual(first.body.data)
    const other = { ...body, attachments: [await upload(randomBytes(300_000))] }
    expectStatus(await ann.post('/messages/send', other, {}, headers), 409)
    await bob.received()
  })

  test('that are scheduled keep their files after the upload has expired, and not longer', async () => {
    const bytes = randomBytes(700_000)
    const { id } = await upload(bytes)
    const send_at = Math.floor(accounts.clock.now() / 1_000) + 2 * 3_600
    const body = { to: to(), subject: 'Later', attachments: [{ id }], send_at }
    expectStatus(await ann.post('/messages/send', body), 202)
    accounts.clock.advance(3_700_000)
    await purgeExpired(accounts.service.services)
    accounts.clock.advance(3_600_000)
    expect(await filesIn(await bob.received())).toEqual({ 'large.bin': digest(bytes) })
    await ann.received('Sent')
    await until(async () => {
      await purgeExpired(accounts.service.services)
      const refused = await ann.post('/messages/send', { to: to(), attachments: [{ id }] })
      expect(refused.status).toBe(410)
    })
  })

  test('are refused with drafts that wait, and with content besides the id', async () => {
    const { id } = await upload(randomBytes(10))
    const send_at = Math.floor(accounts.clock.now() / 1_000) + 600
    const later = await ann.post('/messages/send', { to: to(), attachments: [{ id }], send_at, use_draft: true })
    expect([400, 422]).toContain(later.status)
    const both = { to: to(), attachments: [{ id, filename: 'a', content: 'aGVsbG8=' }] }
    expect((await ann.post('/messages/send', both)).body.error.message).toContain('attachments.0.content')
  })

  test('that are too large for the server are refused before anything is sent', async () => {
    const attachments = []
    for (let file = 0; file < 3; file++) attachments.push(await upload(randomBytes(3_000_000)))
    const refused = await ann.post('/messages/send', { to: to(), subject: 'Too large', attachments })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.body.error.message).toMatch(/the server accepts at most/)
    expect(await bob.mail()).toEqual([])
  })
})
