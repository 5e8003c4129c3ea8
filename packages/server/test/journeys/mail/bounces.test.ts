/** Bounced mail is reported: real reports of real servers count, and reports that only resemble one do not. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dsn } from '../../../../formats/test/dsn/bounce-samples.ts'
import type { Json } from '../../conformance/accounts.ts'
import { type MailServers, openMailServers, type PostAccount, until } from './mail-servers.ts'

describe('a bounced message', () => {
  let accounts: MailServers
  let ann: PostAccount
  beforeAll(async () => {
    accounts = await openMailServers()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    ann = await accounts.newAccount()
  })

  const bounces = async (count: number): Promise<Json[]> =>
    until(async () => {
      const found = await ann.reported('message.bounce_detected')
      expect(found).toHaveLength(count)
      return found.map(({ data }) => data.object)
    })
  /** Waits until everything that was already in the mailbox has been processed. */
  async function noticeAll(): Promise<void> {
    const subject = `mark ${randomUUID()}`
    await accounts.server.deliver(
      ann.email,
      `From: a@example.org\nSubject: ${subject}\nMessage-ID: <${randomUUID()}@a>\n\nx`,
    )
    await until(async () => {
      const reported = await ann.reported('message.created')
      expect(reported.map(({ data }) => data.object.subject)).toContain(subject)
    })
  }

  test('to an unknown address is reported with the reason and the message', async () => {
    const address = `unheardof-${randomUUID()}@mail.test`
    const before = Date.now() - 2_000
    const sent = await ann.send({
      to: [{ email: address }],
      subject: 'Größe?',
      body: 'Hello',
      tracking_options: { thread_replies: true },
    })
    const [bounce] = await bounces(1)
    // The notification has the send endpoint as its source, however the report was found.
    expect(await ann.reported('message.bounce_detected')).toMatchObject([{ source: '/waypost/send' }])
    expect(bounce).toMatchObject({
      bounced_addresses: address,
      type: 'mailbox_unavailable',
      code: '550',
      bounce_reason: expect.stringContaining("User doesn't exist"),
      grant_id: ann.grantId,
      message_id: sent.id,
      origin: { to: [address], from: ann.email, cc: [], bcc: [], subject: 'Größe?', id: sent.id },
    })
    const copy = await ann.received('Sent')
    expect(copy.source.toString('latin1')).toContain(`Message-ID: ${bounce.origin.mime_id}`)
    for (const time of [bounce.bounce_date, bounce.origin.original_send_at]) {
      expect(time).toMatch(/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000$/)
      expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
    }
    await noticeAll()
    await bounces(1)
    // A bounce report refers to the message as a reply does, but it is not a reply.
    expect(await ann.reported('thread.replied')).toEqual([])
  })

  test('to three recipients, of which two failed, is reported for these two', async () => {
    const bob = await accounts.newAccount()
    const to = [bob.email, 'full@mail.test', `x-${randomUUID()}@missing.test`].map((email) => ({ email }))
    await ann.send({ to, subject: 'To three', body: 'Hello' })
    await bob.received()
    const found = await bounces(2)
    const byAddress = Object.fromEntries(found.map((one) => [one.bounced_addresses, one.type]))
    expect(byAddress).toEqual({ [to[1]?.email ?? '']: 'mailbox_full', [to[2]?.email ?? '']: 'domain_not_found' })
    expect(found[0].origin.to).toEqual(to.map(({ email }) => email))
    expect(await bob.reported('message.bounce_detected')).toEqual([])
  })

  test('is not reported when the report is forged', async () => {
    const bob = await accounts.newAccount()
    await ann.send({ to: [{ email: bob.email }], subject: 'Fine', body: 'Hello' })
    await bob.received()
    const block = `Final-Recipient: rfc822; ${bob.email}\nAction: failed\nStatus: 5.1.1`
    const made = (id: string, action = block): string =>
      dsn({ blocks: [action], third: `Content-Type: text/rfc822-headers\n\nMessage-ID: <${id}>` })
    await accounts.server.deliver(ann.email, made(`${randomUUID()}@mail.test`))
    const copy = await ann.received('Sent')
    const [, id = ''] = /^Message-ID: <(.*)>/im.exec(copy.source.toString('latin1')) ?? []
    const late = `Final-Recipient: rfc822; ${bob.email}\nAction: delayed\nStatus: 4.4.1`
    await accounts.server.deliver(ann.email, made(id, late).replace('bounce-1@', 'bounce-2@'))
    await noticeAll()
    expect(await ann.reported('message.bounce_detected')).toEqual([])
    // The same report with the Message-ID of the sent message counts.
    await accounts.server.deliver(ann.email, made(id).replace('bounce-1@', 'bounce-3@'))
    await bounces(1)
  })
})
