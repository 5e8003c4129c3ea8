/** Sent mail arrives once and byte for byte, is in the sent folder, and replies join its thread. */
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, type Json } from '../../conformance/accounts.ts'
import {
  expectOnce,
  type MailServers,
  openMailServers,
  othersAfterMarker,
  type PostAccount,
  until,
} from './mail-servers.ts'

const header = (source: Buffer, name: string): string | undefined => {
  const [head = ''] = source.toString('latin1').split('\r\n\r\n')
  const line = head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return line?.slice(name.length + 1).trim()
}

/** The source after the headers that servers add on top. */
const fromOwnHeaders = (source: Buffer): string => {
  const text = source.toString('latin1')
  return text.slice(text.search(/^(?!Return-Path|Delivered-To|Received|\s)/im))
}

describe('mail of one account to another', () => {
  let accounts: MailServers
  let ann: PostAccount
  let bob: PostAccount
  beforeAll(async () => {
    accounts = await openMailServers()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    ann = await accounts.newAccount()
    bob = await accounts.newAccount()
  })

  test('arrives once, identical to the copy in the sent folder', async () => {
    const cleo = await accounts.newAccount()
    const sent = await ann.send({
      to: [{ name: 'Bob Größe', email: bob.email }],
      bcc: [{ email: cleo.email }],
      subject: 'Grüße aus Zürich',
      body: '<p>Schöne Grüße &amp; bis bald</p>',
      custom_headers: [{ name: 'X-Campaign', value: 'spring' }],
    })
    expect(sent).toMatchObject({
      object: 'message',
      grant_id: ann.grantId,
      subject: 'Grüße aus Zürich',
      body: '<p>Schöne Grüße &amp; bis bald</p>',
      from: [{ email: ann.email }],
      to: [{ name: 'Bob Größe', email: bob.email }],
      cc: [],
      bcc: [{ email: cleo.email }],
      reply_to: [],
      reply_to_message_id: '',
      schedule_id: '',
    })
    const [arrived, hidden, copy] = [await bob.received(), await cleo.received(), await ann.received('Sent')]
    expect(fromOwnHeaders(hidden.source)).toBe(fromOwnHeaders(arrived.source))
    expect(header(arrived.source, 'Bcc')).toBeUndefined()
    expect(header(arrived.source, 'X-Campaign')).toBe('spring')
    expect(header(copy.source, 'Message-ID')).toBe(header(arrived.source, 'Message-ID'))
    const withoutBcc = copy.source.toString('latin1').replace(/^Bcc:.*(?:\r\n[ \t].*)*\r\n/im, '')
    expect(fromOwnHeaders(arrived.source).trimEnd()).toBe(withoutBcc.trimEnd())
    expect(copy.flags.has('\\Seen')).toBe(true)
    const read = await simpleParser(arrived.source)
    expect(read.subject).toBe('Grüße aus Zürich')
    expect(read.html).toContain('Schöne Grüße &amp; bis bald')
    await expectOnce(ann, 'Sent')
    const found = expectStatus(await ann.get(`/messages/${encodeURIComponent(sent.id)}`), 200).body.data
    expect(found).toMatchObject({ id: sent.id, subject: 'Grüße aus Zürich', folders: ['Sent'], unread: false })
  })

  test('with tracking has links through the service, returns its tracking options, and is not opened by reading it here', async () => {
    const tracking_options = { opens: true, links: true, thread_replies: false, label: 'spring' }
    const body = '<p>See <a href="https://example.com/offer">our offer</a></p>'
    const sent = await ann.send({ to: [{ email: bob.email }], subject: 'Offer', body, tracking_options })
    const { html } = await simpleParser((await bob.received()).source)
    expect(html).not.toContain('https://example.com/offer')
    expect(html).toMatch(/<img[^>]+\/t\/o\//)
    const path = `/messages/${encodeURIComponent(sent.id)}`
    const read = expectStatus(await ann.get(`${path}?fields=include_tracking_options`), 200).body.data
    expect(read.tracking_options).toEqual(tracking_options)
    expect(read.body).not.toMatch(/\/t\/o\//)
    expect(expectStatus(await ann.get(path), 200).body.data).not.toHaveProperty('tracking_options')
  })

  test('has its inline and attached files, with names in any script', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256))
    await ann.send({
      to: [{ email: bob.email }],
      subject: 'Files',
      body: '<p><img src="cid:logo1"></p>',
      attachments: [
        {
          filename: 'logo.png',
          content_type: 'image/png',
          content: Buffer.from('PNG').toString('base64'),
          content_id: 'logo1',
        },
        {
          filename: 'Übersicht 日本語.bin',
          content_type: 'application/octet-stream',
          content: bytes.toString('base64'),
        },
      ],
    })
    const { attachments } = await simpleParser((await bob.received()).source)
    expect(attachments.map(({ filename, contentType }) => ({ filename, contentType }))).toEqual([
      { filename: 'logo.png', contentType: 'image/png' },
      { filename: 'Übersicht 日本語.bin', contentType: 'application/octet-stream' },
    ])
    expect(attachments[0]).toMatchObject({ cid: 'logo1', related: true })
    expect(bytes.equals(attachments[1]?.content ?? Buffer.alloc(0))).toBe(true)
    const [message] = expectStatus(await bob.get('/messages'), 200).body.data
    expect(message.attachments).toMatchObject([
      { filename: 'logo.png', is_inline: true },
      { filename: 'Übersicht 日本語.bin', is_inline: false, size: 70_000 },
    ])
  })

  test('is answered in its thread by both sides', async () => {
    const question = await ann.send({ to: [{ email: bob.email }], subject: 'Lunch?', body: 'At one?' })
    const requested = await until(async () => {
      const [message] = expectStatus(await bob.get('/messages'), 200).body.data
      expect(message).toMatchObject({ subject: 'Lunch?' })
      return message
    })
    await bob.send({
      to: [{ email: ann.email }],
      subject: 'Re: Lunch?',
      body: 'Yes',
      reply_to_message_id: requested.id,
    })
    const answer = await ann.received()
    const first = header((await ann.received('Sent')).source, 'Message-ID') ?? ''
    expect(header(answer.source, 'In-Reply-To')).toBe(first)
    expect(header(answer.source, 'References')).toBe(first)
    const [received] = expectStatus(await ann.get('/messages', { in: 'INBOX' }), 200).body.data
    await ann.send({ to: [{ email: bob.email }], body: 'Fine', reply_to_message_id: received.id })
    const thread = (account: PostAccount, id: string): Promise<Json> =>
      until(async () => {
        const { data } = expectStatus(await account.get(`/threads/${id}`), 200).body
        expect(data.message_ids).toHaveLength(3)
        return data
      })
    expect((await thread(ann, question.thread_id)).message_ids).toContain(question.id)
    await thread(bob, requested.thread_id)
    const references = header((await bob.mail()).at(-1)?.source ?? Buffer.alloc(0), 'References')
    expect(references?.split(' ')).toEqual([first, header(answer.source, 'Message-ID')])
  })

  test('without a Message-ID can be answered, with the references that it has', async () => {
    const headers = `From: ${bob.email}\nTo: ${ann.email}\nSubject: Nameless\nReferences: <first@example.org>`
    await accounts.server.deliver(ann.email, `${headers}\n\nAt one?`)
    const requested = await until(async () => {
      const found = expectStatus(await ann.get('/messages', { subject: 'Nameless' }), 200).body.data
      expect(found).toHaveLength(1)
      return found[0]
    })
    await ann.send({ to: [{ email: bob.email }], body: 'Yes', reply_to_message_id: requested.id })
    const { source } = await bob.received()
    expect(header(source, 'Subject')).toBe('Re: Nameless')
    expect(header(source, 'References')).toBe('<first@example.org>')
    expect(header(source, 'In-Reply-To')).toBeUndefined()
  })

  test('is reported when it is answered, if reply tracking is on', async () => {
    const tracking_options = { thread_replies: true, label: 'lunch' }
    const question = await ann.send({
      to: [{ email: bob.email }],
      subject: 'Lunch?',
      body: 'At one?',
      tracking_options,
    })
    await bob.received()
    const [requested] = expectStatus(await bob.get('/messages'), 200).body.data
    await bob.send({
      to: [{ email: ann.email }],
      subject: 'Re: Lunch?',
      body: 'Yes',
      reply_to_message_id: requested.id,
    })
    const [reported] = await until(async () => {
      const found = await ann.reported('thread.replied')
      expect(found).toHaveLength(1)
      return found
    })
    const [answer] = expectStatus(await ann.get('/messages', { in: 'INBOX' }), 200).body.data
    expect(reported.data.object).toMatchObject({
      object: 'thread',
      message_id: answer.id,
      root_message_id: question.id,
      thread_id: answer.thread_id,
      label: 'lunch',
      from_self: false,
      reply_data: { count: 1 },
    })
    expect(await bob.reported('thread.replied')).toEqual([])
  })

  test('is sent once for one Idempotency-Key', async () => {
    const mimeMessage = { to: [{ email: bob.email }], subject: 'Once', body: 'x' }
    const headers = { 'Idempotency-Key': 'order-77' }
    const first = await ann.send(mimeMessage, headers)
    const again = await ann.post('/messages/send', mimeMessage, {}, headers)
    expect(expectStatus(again, 200).body.data).toEqual(first)
    expect(again.headers.get('idempotent-response')).toBe('true')
    await bob.received()
    await expectOnce(bob, 'INBOX')
    await expectOnce(ann, 'Sent')
  })

  test('is answered from the send records if the response was lost, and another payload with its key is rejected', async () => {
    const mimeMessage = { to: [{ email: bob.email }], subject: 'Once', body: 'x' }
    const headers = { 'Idempotency-Key': 'order-78' }
    const first = await ann.send(mimeMessage, headers)
    const { database } = accounts.service.services.storage
    const lose = () => database.execute('delete from idempotency_keys')
    await lose()
    const other = await ann.post('/messages/send', { ...mimeMessage, body: 'y' }, {}, headers)
    expect(expectStatus(other, 409).body.error.type).toBe('api.invalid_idempotent_request')
    await lose()
    const again = expectStatus(await ann.post('/messages/send', mimeMessage, {}, headers), 200)
    expect(again.body.data).toMatchObject({ id: first.id, subject: 'Once' })
    await bob.received()
    await expectOnce(bob, 'INBOX')
    await expectOnce(ann, 'Sent')
  })

  test.each([
    ['nobody@mail.test', 402, 550],
    ['content@mail.test', 402, 554],
    ['later@mail.test', 503, 451],
  ])('that the server rejects for %s fails, and is not in the sent folder', async (email, status, code) => {
    const answer = await ann.post('/messages/send', { to: [{ email }], subject: 'No', body: 'x' })
    expectStatus(answer, status)
    expect(answer.body.error).toMatchObject({ type: 'provider_error', provider_error: { status: code } })
    expect(await othersAfterMarker(ann, 'Sent')).toEqual([])
  })

  test('composed by the client as MIME is sent unchanged', async () => {
    const source = [
      `From: Ann <${ann.email}>`,
      `To: ${bob.email}`,
      'Subject: Raw',
      'Message-ID: <raw-1@client.test>',
      'Date: Mon, 01 Jun 2026 12:00:00 +0000',
      'X-Odd:   spaced',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      'Größe\r\n.leading dot\r\n',
    ].join('\r\n')
    const form = new FormData()
    form.set('mime', source)
    const response = await fetch(`${accounts.url}/v3/grants/${ann.grantId}/messages/send?type=mime`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accounts.key}` },
      body: form,
    })
    expect(response.status, await response.clone().text()).toBe(200)
    const arrived = await bob.received()
    expect(arrived.source.toString('utf8')).toContain(source)
    expect((await ann.received('Sent')).source.toString('utf8')).toBe(source)
  })

  describe('scheduled for a time', () => {
    const minutes = (count: number): number => Math.floor(accounts.clock.now() / 1000) + count * 60

    test('is sent at that time and not before, with a notification', async () => {
      const sendAt = minutes(5)
      const fields = { to: [{ email: bob.email }], subject: 'Later', body: '<p>Now</p>', send_at: sendAt }
      const answer = expectStatus(await ann.post('/messages/send', fields), 202).body
      const { schedule_id: id } = answer
      expect(answer.data).toMatchObject({ schedule_id: id, send_at: sendAt, subject: 'Later' })
      const schedule = async (): Promise<Json> =>
        expectStatus(await ann.get(`/messages/schedules/${id}`), 200).body.data
      expect(await schedule()).toMatchObject({ schedule_id: id, status: { code: 'pending' } })
      // A message that is due earlier is sent.
      const cleo = await accounts.newAccount()
      const earlier = { to: [{ email: cleo.email }], subject: 'Earlier', body: 'x', send_at: minutes(3) }
      expectStatus(await cleo.post('/messages/send', earlier), 202)
      accounts.clock.advance(4 * 60_000)
      await cleo.received()
      expect(await bob.mail()).toEqual([])
      accounts.clock.advance(61_000)
      const arrived = await bob.received()
      expect((await simpleParser(arrived.source)).subject).toBe('Later')
      await until(async () => expect(await schedule()).toMatchObject({ status: { code: 'success' } }))
      const [reported, ...others] = await until(async () => {
        const found = await ann.reported('message.send_success')
        expect(found).not.toEqual([])
        return found
      })
      expect(others).toEqual([])
      expect(reported.data).toMatchObject({
        grant_id: ann.grantId,
        object: { object: 'message', schedule_id: id, send_at: sendAt, subject: 'Later', to: [{ email: bob.email }] },
      })
      await ann.received('Sent')
      await expectOnce(ann, 'Sent')
      await expectOnce(bob, 'INBOX')
    })

    test('is reported as failed if the server rejects it', async () => {
      const fields = { to: [{ email: 'nobody@mail.test' }], subject: 'Refused', body: 'x', send_at: minutes(2) }
      const { schedule_id: id } = expectStatus(await ann.post('/messages/send', fields), 202).body
      accounts.clock.advance(2 * 60_000 + 1_000)
      const [reported] = await until(async () => {
        const found = await ann.reported('message.send_failed')
        expect(found).toHaveLength(1)
        return found
      })
      expect(reported.data).toMatchObject({
        grant_id: ann.grantId,
        object: { schedule_id: id },
        error: { type: 'provider_error' },
      })
      expect(expectStatus(await ann.get('/messages/schedules'), 200).body.data).toMatchObject([
        { schedule_id: id, status: { code: 'failed' } },
      ])
    })

    test('is not sent after it was stopped', async () => {
      const fields = { to: [{ email: bob.email }], subject: 'Never', body: 'x', send_at: minutes(2) }
      const { schedule_id: id } = expectStatus(await ann.post('/messages/send', fields), 202).body
      expectStatus(await ann.delete(`/messages/schedules/${id}`), 202)
      // Another message for the same time is sent.
      const cleo = await accounts.newAccount()
      expectStatus(await cleo.post('/messages/send', { ...fields, to: [{ email: cleo.email }] }), 202)
      accounts.clock.advance(3 * 60_000)
      await cleo.received()
      expect(await bob.mail()).toEqual([])
      expect(await ann.reported('message.send_success')).toEqual([])
      expect(await ann.reported('message.send_failed')).toEqual([])
    })
  })

  describe('from a draft', () => {
    test('is written, changed and sent, and then is no longer a draft', async () => {
      const file = {
        filename: 'Plan für Mai.txt',
        content_type: 'text/plain',
        content: Buffer.from('May').toString('base64'),
      }
      const made = await ann.post('/drafts', {
        to: [{ email: 'wrong@mail.test' }],
        subject: 'Plan',
        attachments: [file],
      })
      const { id } = expectStatus(made, 200).body.data
      const path = `/drafts/${encodeURIComponent(id)}`
      const cleo = await accounts.newAccount()
      const change = { to: [{ email: bob.email }], bcc: [{ email: cleo.email }], body: '<p>Final</p>' }
      expectStatus(await ann.put(path, change), 200)
      const { data } = expectStatus(await ann.post(path, {}), 200).body
      expect(data).toMatchObject({ object: 'message', subject: 'Plan', to: [{ email: bob.email }] })
      const arrived = await bob.received()
      await cleo.received()
      expect(header(arrived.source, 'Bcc')).toBeUndefined()
      const read = await simpleParser(arrived.source)
      expect(read.html).toContain('Final')
      expect(read.attachments).toMatchObject([{ filename: 'Plan für Mai.txt', content: Buffer.from('May') }])
      expectStatus(await ann.get(path), 404)
      expect(await ann.mail('Drafts')).toEqual([])
      await ann.received('Sent')
      await expectOnce(ann, 'Sent')
    })

    test('stays a draft if the server rejects it', async () => {
      const made = await ann.post('/drafts', { to: [{ email: 'nobody@mail.test' }], subject: 'Kept' })
      const { id } = expectStatus(made, 200).body.data
      expectStatus(await ann.post(`/drafts/${encodeURIComponent(id)}`, {}), 402)
      expect(expectStatus(await ann.get('/drafts'), 200).body.data).toMatchObject([{ id, subject: 'Kept' }])
    })
  })
})
