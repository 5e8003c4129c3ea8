/** The exim of the tests has the properties that tests of sending rely on. */
import { randomUUID } from 'node:crypto'
import { startDovecot } from '@waypost/testing/peers/dovecot'
import { type Exim, startExim } from '@waypost/testing/peers/exim'
import type { Mailbox, OwnMailServer } from '@waypost/testing/peers/mail-server'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readDelivery } from '../../../formats/src/dsn/dsn.ts'

describe('exim', () => {
  let dovecot: OwnMailServer
  let exim: Exim
  let ann: Mailbox
  beforeAll(async () => {
    dovecot = await startDovecot()
    exim = await startExim({ lmtp: dovecot.lmtpPort ?? 0 })
    ann = await dovecot.addUser()
  })
  afterAll(async () => {
    await exim?.[Symbol.asyncDispose]()
    await dovecot?.[Symbol.asyncDispose]()
  })

  interface Sending {
    to: string | string[]
    secure?: boolean
    password?: string
    method?: string
  }

  async function send({ to, secure = false, password = ann.password, method = 'PLAIN' }: Sending): Promise<string> {
    const messageId = `${randomUUID()}@client.test`
    const transport = createTransport({
      host: exim.host,
      port: secure ? exim.smtpsPort : exim.smtpPort,
      secure,
      requireTLS: !secure,
      tls: { ca: exim.ca },
      auth: { user: ann.user, pass: password },
      authMethod: method,
    })
    await transport.sendMail({ from: ann.user, to, subject: 'Hello', text: 'Größe', messageId: `<${messageId}>` })
    return messageId
  }

  async function inbox(user: string): Promise<Buffer[]> {
    await using client = await dovecot.client(user)
    const { exists } = await client.mailboxOpen('INBOX')
    const messages = exists === 0 ? [] : await client.fetchAll('1:*', { source: true })
    return messages.flatMap(({ source }) => source ?? [])
  }

  test.each([
    [false, 'PLAIN'],
    [false, 'LOGIN'],
    [true, 'PLAIN'],
  ])('takes mail from who logs in and hands it on (TLS at once: %s, %s)', async (secure, method) => {
    const bob = await dovecot.addUser()
    const messageId = await send({ to: bob.user, secure, method })
    const [arrived] = await vi.waitFor(
      async () => {
        const mail = await inbox(bob.user)
        expect(mail, await exim.log()).toHaveLength(1)
        return mail
      },
      { timeout: 10_000, interval: 50 },
    )
    expect(arrived?.toString()).toContain(`Message-ID: <${messageId}>`)
  })

  test('refuses a wrong password', async () => {
    await expect(send({ to: ann.user, password: 'wrong' })).rejects.toMatchObject({ responseCode: 535 })
  })

  test.each([
    ['nobody@mail.test', 550],
    ['later@mail.test', 451],
    ['content@mail.test', 554],
  ])('does not take mail for %s: %i', async (to, responseCode) => {
    await expect(send({ to })).rejects.toMatchObject({ responseCode })
  })

  test('writes a report about what it took and could not deliver, which our reader understands', async () => {
    const to = ['full@mail.test', 'unheardof@mail.test', 'x@missing.test', 'x@elsewhere.test']
    const messageId = await send({ to })
    const reports = await vi.waitFor(
      async () => {
        const found = (await inbox(ann.user)).map((source) => readDelivery(source))
        expect(
          found.flatMap((report) => report?.recipients ?? []),
          await exim.log(),
        ).toHaveLength(to.length)
        return found
      },
      { timeout: 20_000, interval: 100 },
    )
    for (const report of reports) expect(report?.messageId).toBe(messageId)
    const recipients = reports.flatMap((report) => report?.recipients ?? [])
    expect(recipients.toSorted((a, b) => a.address.localeCompare(b.address))).toMatchObject([
      {
        address: 'full@mail.test',
        action: 'failed',
        status: '5.2.2',
        code: '552',
        reason: expect.stringMatching(/is full/),
      },
      { address: 'unheardof@mail.test', action: 'failed', status: '5.1.1', code: '550' },
      { address: 'x@elsewhere.test', action: 'failed', status: '5.1.1', code: '550' },
      { address: 'x@missing.test', action: 'failed', status: '5.1.2', code: '550' },
    ])
  })

  test('keeps its queue and its ports over a restart', async () => {
    const bob = await dovecot.addUser()
    await dovecot.stop()
    await send({ to: bob.user })
    await exim.stop()
    await dovecot.start()
    await exim.start()
    await vi.waitFor(async () => expect(await inbox(bob.user)).toHaveLength(1), { timeout: 20_000, interval: 100 })
  })
})
