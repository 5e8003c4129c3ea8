/**
 * The published `nylas` client, unmodified, sends mail through a real server: immediately, scheduled, and from
 * drafts.
 */
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { failureOf, Nylas } from '@waypost/testing/peers/nylas'
import { simpleParser } from 'mailparser'
import type { SendMessageRequest } from 'nylas'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MailServers, openMailServers, type PostAccount, until } from '../mail/mail-servers.ts'

const megabyte = 1024 * 1024
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Small chunks, as a stream from a file has them. From larger ones that share memory, the client's form takes the
 * wrong bytes.
 */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

describe('the nylas client', () => {
  let accounts: MailServers
  let nylas: Nylas
  let ann: PostAccount
  let bob: PostAccount
  let identifier: string
  beforeAll(async () => {
    accounts = await openMailServers()
    nylas = new Nylas({ apiKey: accounts.key, apiUri: accounts.url, timeout: 60 })
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    ann = await accounts.newAccount()
    bob = await accounts.newAccount()
    identifier = ann.grantId
  })

  const mimeMessage = (subject: string) => ({ to: [{ name: 'Bob Größe', email: bob.email }], subject })
  const arrived = async () => simpleParser((await bob.received()).source)

  test('uploads a large file, completes the upload, and sends it by its id', async () => {
    const bytes = randomBytes(megabyte)
    const { data: session } = await nylas.attachments.createUploadSession({
      identifier,
      requestBody: { filename: 'large.bin', contentType: 'application/x-large', size: bytes.length },
    })
    expect(session).toMatchObject({
      grantId: identifier,
      method: 'PUT',
      size: bytes.length,
      contentType: 'application/x-large',
    })
    const { attachmentId, method, headers, url } = session
    const put = await fetch(`${accounts.url}${new URL(url).pathname}`, { method, headers, body: bytes })
    expect(put.status).toBe(200)
    const { data: complete } = await nylas.attachments.completeUploadSession({ identifier, attachmentId })
    expect(complete).toEqual({ attachmentId, grantId: identifier, status: 'ready' })
    // The types of the client do not know attachments by id yet.
    const attachments = [{ id: attachmentId }] as unknown as SendMessageRequest['attachments']
    await nylas.messages.send({
      identifier,
      requestBody: { ...mimeMessage('Large'), attachments } as SendMessageRequest,
    })
    const [file] = (await arrived()).attachments
    expect([file?.filename, file?.contentType, hash(file?.content ?? Buffer.alloc(0))]).toEqual([
      ...['large.bin', 'application/x-large', hash(bytes)],
    ])
    const failure = await failureOf(nylas.attachments.completeUploadSession({ identifier, attachmentId }))
    expect(failure).toMatchObject({ statusCode: 409 })
  })

  test('sends a small message', async () => {
    const { data, requestId } = await nylas.messages.send({
      identifier,
      requestBody: {
        ...mimeMessage('Grüße'),
        body: '<p>Hallo</p>',
        replyTo: [{ name: 'Büro', email: ann.email }],
        customHeaders: [{ name: 'X-Own', value: 'yes' }],
        metadata: { key1: 'order-7' },
      } as SendMessageRequest,
    })
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(data).toMatchObject({
      object: 'message',
      grantId: identifier,
      subject: 'Grüße',
      body: '<p>Hallo</p>',
      from: [{ email: ann.email }],
      to: [{ name: 'Bob Größe', email: bob.email }],
      replyTo: [{ name: 'Büro', email: ann.email }],
      threadId: expect.stringMatching(/./),
    })
    const mail = await arrived()
    expect(mail.subject).toBe('Grüße')
    expect(mail.headers.get('x-own')).toBe('yes')
    const { data: found } = await nylas.messages.find({ identifier, messageId: data.id })
    expect(found).toMatchObject({
      id: data.id,
      subject: 'Grüße',
      metadata: { key1: 'order-7' },
      threadId: data.threadId,
    })
  })

  test('sends a reply into the thread', async () => {
    await nylas.messages.send({ identifier: bob.grantId, requestBody: { to: [{ email: ann.email }], subject: 'Plan' } })
    await ann.received()
    const { data } = await nylas.messages.list({ identifier, queryParams: { subject: 'Plan' } })
    const [question] = data
    if (question === undefined) throw new Error('there is no question')
    const { data: answer } = await nylas.messages.send({
      identifier,
      requestBody: { ...mimeMessage('Re: Plan'), body: 'Yes', replyToMessageId: question.id },
    })
    expect(answer.threadId).toBe(question.threadId)
    expect((await nylas.threads.find({ identifier, threadId: question.threadId ?? '' })).data.messageIds).toHaveLength(
      2,
    )
  })

  test('sends files of 3 MB and more as a form, and smaller ones as JSON', async () => {
    const [small, large] = [randomBytes(100_000), randomBytes(3 * megabyte + 17)]
    for (const content of [small, large]) {
      const attachment = { filename: `${content.length}.bin`, contentType: 'application/octet-stream' }
      await nylas.messages.send({
        identifier,
        requestBody: {
          ...mimeMessage(String(content.length)),
          body: 'File',
          attachments: [{ ...attachment, size: content.length, content: content.toString('base64') }],
        },
      })
    }
    const mails = await until(async () => {
      const all = await bob.mail()
      expect(all).toHaveLength(2)
      return Promise.all(all.map(({ source }) => simpleParser(source)))
    })
    const hashes = Object.fromEntries(
      mails.map(({ subject, attachments: [file] }) => [subject, hash(file?.content ?? small)]),
    )
    expect(hashes).toEqual({ [small.length]: hash(small), [large.length]: hash(large) })
    for (const { subject, attachments } of mails) expect(attachments).toMatchObject([{ filename: `${subject}.bin` }])
  })

  test('sends a file of just under 3 MB as JSON', async () => {
    const content = randomBytes(3 * megabyte - 10)
    const attachment = { filename: 'edge.bin', contentType: 'application/octet-stream', size: content.length }
    await nylas.messages.send({
      identifier,
      requestBody: {
        ...mimeMessage('Edge'),
        body: '',
        attachments: [{ ...attachment, content: content.toString('base64') }],
      },
    })
    expect(hash((await arrived()).attachments[0]?.content ?? Buffer.alloc(0))).toBe(hash(content))
  })

  test('sends 3.5 MB from a stream', async () => {
    const content = randomBytes(3.5 * megabyte)
    const { data } = await nylas.messages.send({
      identifier,
      requestBody: {
        ...mimeMessage('Stream'),
        body: '<p>Much</p>',
        attachments: [
          {
            filename: 'Größe 3,5 MB 日本.bin',
            contentType: 'application/octet-stream',
            size: content.length,
            content: Readable.from(piecesOf(content)),
          },
        ],
      },
    })
    expect(data.attachments).toMatchObject([{ filename: 'Größe 3,5 MB 日本.bin', size: content.length }])
    const mail = await arrived()
    expect(mail.attachments).toMatchObject([{ filename: 'Größe 3,5 MB 日本.bin' }])
    expect(hash(mail.attachments[0]?.content ?? Buffer.alloc(0))).toBe(hash(content))
  })

  test.each([
    ['JSON', 2_000],
    ['a form', 3 * megabyte + 17],
  ])('sends inline images as %s', async (_, size) => {
    const content = randomBytes(size)
    await nylas.messages.send({
      identifier,
      requestBody: {
        ...mimeMessage('Picture'),
        body: '<p><img src="cid:picture1"></p>',
        attachments: [
          {
            filename: 'Bild ä.png',
            contentType: 'image/png',
            contentId: 'picture1',
            isInline: true,
            size,
            content: size > megabyte ? content : content.toString('base64'),
          },
        ],
      },
    })
    const mail = await arrived()
    expect(mail.attachments).toMatchObject([
      { filename: 'Bild ä.png', contentType: 'image/png', cid: 'picture1', related: true },
    ])
    expect(hash(mail.attachments[0]?.content ?? Buffer.alloc(0))).toBe(hash(content))
    const { data } = await nylas.messages.list({ identifier: bob.grantId })
    expect(data[0]?.attachments).toMatchObject([{ isInline: true, contentType: expect.stringMatching(/^image\/png/) }])
  })

  test('gets the reason why a message was not sent', async () => {
    const refused = await failureOf(
      nylas.messages.send({ identifier, requestBody: { to: [{ email: 'nobody@mail.test' }], subject: 'No' } }),
    )
    expect(refused).toMatchObject({ statusCode: 402, type: 'provider_error' })
    const wrong = await failureOf(
      nylas.messages.send({ identifier, requestBody: { to: [{ email: 'not an address' }], subject: 'No' } }),
    )
    expect(wrong.statusCode).toBe(400)
    const nobody = await failureOf(nylas.messages.send({ identifier, requestBody: { to: [], subject: 'No' } }))
    expect(nobody.statusCode).toBe(400)
  })

  test('schedules messages, lists and finds them, and stops one', async () => {
    const sendAt = Math.floor(accounts.clock.now() / 1000) + 300
    const schedule = async (subject: string): Promise<string> => {
      const { data } = await nylas.messages.send({
        identifier,
        requestBody: { ...mimeMessage(subject), body: 'x', sendAt },
      })
      expect(data).toMatchObject({ subject, sendAt })
      const { scheduleId } = data as { scheduleId?: string }
      if (scheduleId === undefined) throw new Error('there is no schedule')
      return scheduleId
    }
    const [first, second] = [await schedule('First'), await schedule('Second')]
    const listed = async (): Promise<{ scheduleId: string; status: { code: string } }[]> => {
      // The client's type has the list one level deeper than every server returns it.
      const { data } = await nylas.messages.listScheduledMessages({ identifier })
      return data as unknown as { scheduleId: string; status: { code: string } }[]
    }
    expect((await listed()).map(({ scheduleId, status: { code } }) => [scheduleId, code]).toSorted()).toEqual(
      [
        [first, 'pending'],
        [second, 'pending'],
      ].toSorted(),
    )
    const found = await nylas.messages.findScheduledMessage({ identifier, scheduleId: first })
    expect(found.data).toEqual({
      scheduleId: first,
      status: { code: 'pending', description: 'schedule send awaiting send at time' },
    })
    const stopped = await nylas.messages.stopScheduledMessage({ identifier, scheduleId: second })
    expect(stopped.data).toEqual({ message: 'requested cancelation for workflow' })
    accounts.clock.advance(301_000)
    expect((await arrived()).subject).toBe('First')
    await until(async () => {
      const { data } = await nylas.messages.findScheduledMessage({ identifier, scheduleId: first })
      expect(data).toMatchObject({ status: { code: 'success' }, closeTime: expect.any(Number) })
    })
    expect(await bob.mail()).toHaveLength(1)
    const missing = await failureOf(
      nylas.messages.findScheduledMessage({ identifier, scheduleId: '00000000-0000-4000-8000-000000000000' }),
    )
    expect(missing.statusCode).toBe(404)
  })

  describe('drafts', () => {
    test('are created, found, listed, updated and destroyed', async () => {
      const { data: made } = await nylas.drafts.create({
        identifier,
        requestBody: {
          ...mimeMessage('Entwurf'),
          body: '<p>Erste Fassung</p>',
          starred: true,
          attachments: [
            {
              filename: 'Größe.txt',
              contentType: 'text/plain',
              size: 3,
              content: Buffer.from('abc').toString('base64'),
            },
          ],
        },
      })
      expect(made).toMatchObject({
        object: 'draft',
        grantId: identifier,
        subject: 'Entwurf',
        starred: true,
        date: expect.any(Number),
        attachments: [{ filename: 'Größe.txt', size: 3 }],
      })
      expect((await nylas.drafts.find({ identifier, draftId: made.id })).data).toEqual(made)
      await nylas.drafts.create({ identifier, requestBody: { to: [{ email: 'x@people.test' }], subject: 'Other' } })
      const titles = async (queryParams: object) =>
        (await nylas.drafts.list({ identifier, queryParams })).data.map(({ subject }) => subject)
      expect((await titles({})).toSorted()).toEqual(['Entwurf', 'Other'])
      expect(await titles({ subject: 'entwurf' })).toEqual(['Entwurf'])
      expect((await titles({ anyEmail: [bob.email, 'x@people.test'] })).toSorted()).toEqual(['Entwurf', 'Other'])
      expect(await titles({ starred: true })).toEqual(['Entwurf'])
      expect(await titles({ hasAttachment: true })).toEqual(['Entwurf'])
      expect(await titles({ limit: 1 })).toHaveLength(1)
      const { data: changed } = await nylas.drafts.update({
        identifier,
        draftId: made.id,
        requestBody: { subject: 'Zweiter Entwurf', body: '<p>Zweite Fassung</p>' },
      })
      expect(changed).toMatchObject({ id: made.id, subject: 'Zweiter Entwurf', starred: true })
      expect(changed.attachments).toMatchObject([{ filename: 'Größe.txt' }])
      const destroyed = await nylas.drafts.destroy({ identifier, draftId: made.id })
      expect(destroyed.requestId).toMatch(/^[0-9a-f-]{36}$/)
      expect((await failureOf(nylas.drafts.find({ identifier, draftId: made.id }))).statusCode).toBe(404)
    })

    test('with large files are sent', async () => {
      const content = randomBytes(4 * megabyte)
      const { data: made } = await nylas.drafts.create({
        identifier,
        requestBody: {
          ...mimeMessage('Large'),
          body: '<p>See file</p>',
          attachments: [
            { filename: 'large.bin', contentType: 'application/octet-stream', size: content.length, content },
          ],
        },
      })
      await nylas.drafts.update({ identifier, draftId: made.id, requestBody: { subject: 'Larger' } })
      const { data: sent } = await nylas.drafts.send({ identifier, draftId: made.id })
      expect(sent).toMatchObject({ subject: 'Larger', to: [{ name: 'Bob Größe', email: bob.email }] })
      const mail = await arrived()
      expect(mail.subject).toBe('Larger')
      expect(hash(mail.attachments[0]?.content ?? Buffer.alloc(0))).toBe(hash(content))
      expect((await nylas.drafts.list({ identifier })).data).toEqual([])
    })
  })
})
