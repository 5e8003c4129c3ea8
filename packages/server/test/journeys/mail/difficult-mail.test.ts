/**
 * Mail that is hard to parse, read through the API: the text is right, nothing crashes, and other requests do not
 * wait.
 */

import { createEgress } from '@waypost/platform/egress/egress'
import { isFull } from '@waypost/testing/level'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DifficultMail, difficultMail } from '../../../../formats/test/mime/difficult-mail.ts'
import { bombs } from '../../../../formats/test/mime/difficult-mail-bombs.ts'
import { openService, type TestService } from '../../harness.ts'

/** A larger message is not fetched as a whole. */
const largeMessage = 128 * 1024

/**
 * An IMAP server requires line ends and accepts no NUL in a literal. Decompression bombs are skipped: they are text,
 * and take long to generate.
 */
const isDeliverable = (mail: DifficultMail): boolean => {
  if (bombs.includes(mail)) return true
  const { source } = mail
  return source.length > 0 && !source.includes(0)
}

describe('difficult mail on a real server', () => {
  let server: MailServer
  let service: TestService
  let grantId = ''
  let user = ''
  /** Another mail client of the user, which creates and deletes the folders. */
  let client: Awaited<ReturnType<MailServer['client']>>
  const path = (rest: string): string => `/v3/grants/${grantId}${rest}`
  beforeAll(async () => {
    server = await sharedDovecot()
    service = await openService({ overrides: { egress: createEgress({ mode: 'private', ca: [server.ca] }) } })
    const box = await server.addUser()
    user = box.user
    client = await server.client(user)
    await service.call('POST', '/v3/connectors', { body: { provider: 'imap' } })
    const settings = {
      imap_username: box.user,
      imap_password: box.password,
      imap_host: 'localhost',
      imap_port: server.imapsPort,
      watch: false,
    }
    const made = await service.call('POST', '/v3/connect/custom', { body: { provider: 'imap', settings } })
    grantId = made.body.data.id
  })
  afterAll(async () => {
    client.close()
    await service[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  /**
   * Puts one message into a folder of its own, which is deleted with it: many messages of the corpus have the same
   * name.
   */
  async function deliverAlone(source: Buffer, folder: string): Promise<AsyncDisposable> {
    await client.mailboxCreate(folder)
    await server.deliver(user, source, { folder })
    return { [Symbol.asyncDispose]: async () => void (await client.mailboxDelete(folder)) }
  }

  // Below `check:full` every third one: the tests of the parser read them all.
  const samples = difficultMail.filter(isDeliverable).filter((_, number) => isFull || number % 3 === 0)
  test.each(samples.map((mail, number) => [mail.name, mail, `Folder ${number}`] as const))(
    '%s',
    { timeout: 60_000 },
    async (_, mail, folder) => {
      const { source, expected } = mail
      await using _delivered = await deliverAlone(source, folder)
      const listed = await service.call('GET', path(`/messages?in=${encodeURIComponent(folder)}`))
      expect(listed).toMatchObject({ status: 200 })
      expect(listed.body.data).toHaveLength(1)
      const [message] = listed.body.data
      const got = await service.call('GET', path(`/messages/${message.id}`))
      if (listed.headers.has('x-unreadable-messages')) {
        expect(listed.headers.get('x-unreadable-messages')).toBe(message.id)
        expect(got).toMatchObject({ status: 400, body: { error: { type: 'provider_error' } } })
        expect(got.body.error.message).toContain('this message cannot be read')
        // Large messages are read by the structure that the server reports. The server may have other limits than
        // ours.
        if (source.length <= largeMessage) expect(expected).toHaveProperty('refused')
        return
      }
      expect(got).toMatchObject({ status: 200, body: { data: message } })
      if (source.length > largeMessage) return
      expect(expected).not.toHaveProperty('refused')
      if ('refused' in expected) return
      if (expected.subject !== undefined) expect(message.subject).toBe(expected.subject)
      if (expected.text !== undefined) expect(message.body.trim()).toBe(expected.text)
      if (expected.from !== undefined) expect(message.from).toEqual(expected.from)
      // The raw bytes are available in any case.
      const raw = await service.call('GET', path(`/messages/${message.id}?fields=raw_mime`))
      // A server stores lines with CRLF.
      if (!/[^\r]\n/.test(source.toString('latin1'))) {
        expect(Buffer.from(raw.body.data.raw_mime, 'base64url').equals(source)).toBe(true)
      }
    },
  )

  test('one unreadable message does not affect the other messages of its page', async () => {
    const hostile = difficultMail.find((mail) => 'refused' in mail.expected && isDeliverable(mail))
    if (!hostile) throw new Error('the corpus has no message that is refused')
    await using _delivered = await deliverAlone(hostile.source, 'Mixed')
    const plain = (number: number): string =>
      `From: a@example.com\r\nSubject: Plain ${number}\r\nMessage-ID: <plain-${number}@example.com>\r\n\r\nText ${number}\r\n`
    for (let number = 0; number < 10; number++) await server.deliver(user, plain(number), { folder: 'Mixed' })
    const { body } = await service.call('GET', path('/messages?in=Mixed'))
    const texts = body.data
      .map(({ snippet }: { snippet: string }) => snippet)
      .filter((text: string) => text.startsWith('Text'))
    expect(texts.toSorted()).toEqual(Array.from({ length: 10 }, (_, number) => `Text ${number}`))
    expect(body.data).toHaveLength(11)
  })
})
