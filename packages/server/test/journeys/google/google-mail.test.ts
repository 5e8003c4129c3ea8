/** Mail at Google: features specific to Gmail, the number of requests, and error handling. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { expectRefusal, expectStatus, type Json, pagesOf } from '../../conformance/accounts.ts'
import { messagePath } from '../../conformance/mail-subject.ts'
import { mimeMessage, newMessageId } from '../../conformance/mime-messages.ts'
import { identity, scope } from '../../peers/google.ts'
import { type GoogleAccount, type GoogleAccounts, openGoogleAccounts } from './google-accounts.ts'

describe('mail at Google', () => {
  let accounts: GoogleAccounts
  let ada: GoogleAccount
  beforeAll(async () => {
    accounts = await openGoogleAccounts()
  })
  beforeEach(async () => {
    ada = await accounts.newAccount()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  const messages = async (account = ada, query = {}): Promise<Json[]> =>
    (await pagesOf(account, '/messages', query)).flat()
  const send = async (account: GoogleAccount, body: object): Promise<Json> =>
    expectStatus(await account.post('/messages/send', body), 200).body.data
  /** HTTP requests to Google: a batch is one request. */
  const requests = (): string[] => {
    const made = accounts.simulator.calls
      .filter(({ batched }) => !batched)
      .map(({ method, path }) => `${method} ${path}`)
    accounts.simulator.clearCalls()
    return made
  }
  const headersOf = async (account: GoogleAccount, id: string): Promise<Map<string, string>> => {
    const { data } = expectStatus(await account.get(messagePath(id), { fields: 'include_headers' }), 200).body
    return new Map(data.headers.map(({ name, value }: Json) => [name.toLowerCase(), value]))
  }

  test('a message with thousands of parts returns the first of them, and says so', async () => {
    const part =
      '--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=x\r\n\r\nx\r\n'
    const head =
      'From: ann@example.org\r\nSubject: Many\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'
    ada.google.mail.deliver(`${head}${part.repeat(3_000)}--b--\r\n`)
    const listed = expectStatus(await ada.get('/messages'), 200)
    const [message] = listed.body.data
    expect(message).toMatchObject({ subject: 'Many' })
    expect(message.attachments).toHaveLength(999)
    expect(listed.headers.get('x-shortened-messages')).toBe(message.id)
    const got = expectStatus(await ada.get(messagePath(message.id)), 200)
    expect(got.headers.get('x-shortened-messages')).toBe(message.id)
  })

  describe('labels', () => {
    test('are the folders of a message, including flags', async () => {
      ada.google.mail.deliver(mimeMessage({ subject: 'Marked' }), {
        labels: ['INBOX', 'UNREAD', 'STARRED', 'CATEGORY_PERSONAL'],
      })
      const [message] = await messages()
      expect(message).toMatchObject({ unread: true, starred: true })
      expect(message.folders.toSorted()).toEqual(['CATEGORY_PERSONAL', 'INBOX', 'STARRED', 'UNREAD'])
    })

    test('that are folders are replaced, flags stay, and a message without a folder is archived', async () => {
      ada.google.mail.deliver(mimeMessage({ subject: 'Filed' }), { labels: ['INBOX', 'UNREAD', 'IMPORTANT'] })
      const label = ada.google.mail.createLabel('Clients')
      const [{ id }] = await messages()
      const change = async (fields: object): Promise<string[]> =>
        expectStatus(await ada.put(messagePath(id), fields), 200).body.data.folders.toSorted()
      expect(await change({ folders: [label] })).toEqual(['IMPORTANT', label, 'UNREAD'].sort())
      expect(await change({ folders: [] })).toEqual(['IMPORTANT', 'UNREAD'])
      expect(await change({ folders: ['INBOX'], unread: false })).toEqual(['IMPORTANT', 'INBOX'])
      expectRefusal(await ada.put(messagePath(id), { folders: ['SENT'] }), /folders/)
    })

    test('have colors of the palette, and nested names', async () => {
      const made = expectStatus(
        await ada.post('/folders', { name: 'Clients/Acme', text_color: '#ffffff', background_color: '#fb4c2f' }),
        200,
      ).body.data
      expect(made).toMatchObject({
        name: 'Clients/Acme',
        system_folder: false,
        text_color: '#ffffff',
        background_color: '#fb4c2f',
      })
      expectRefusal(await ada.post('/folders', { name: 'Half', text_color: '#ffffff' }), /background_color/)
      expectRefusal(
        await ada.post('/folders', { name: 'Odd', text_color: '#123456', background_color: '#654321' }),
        /color/,
      )
      const changed = await ada.put(`/folders/${made.id}`, { background_color: '#000000' })
      expect(expectStatus(changed, 200).body.data).toMatchObject({ text_color: '#ffffff', background_color: '#000000' })
    })

    test('of Gmail itself cannot be renamed or deleted', async () => {
      const { data } = expectStatus(await ada.get('/folders/INBOX'), 200).body
      expect(data).toMatchObject({ id: 'INBOX', system_folder: true, attributes: ['\\Inbox'] })
      expectStatus(await ada.put('/folders/INBOX', { name: 'Mine' }), 400)
      expectStatus(await ada.delete('/folders/STARRED'), 400)
    })
  })

  describe('Google gets', () => {
    test('two requests for a page of messages, and one for their ids or for one message', async () => {
      for (let index = 0; index < 50; index++) ada.google.mail.deliver(mimeMessage({ subject: `Number ${index}` }))
      requests()
      expect((await ada.get('/messages', { limit: 50 })).body.data).toHaveLength(50)
      expect(requests()).toEqual(['GET /gmail/v1/users/me/messages', 'POST /batch/gmail/v1'])
      const names = (await ada.get('/messages', { limit: 50, select: 'id,thread_id' })).body.data
      expect(requests()).toEqual(['GET /gmail/v1/users/me/messages'])
      expect(names[0]).toEqual({ id: expect.stringMatching(/^[0-9a-f]+$/), thread_id: expect.any(String) })
      await ada.get(messagePath(names[0].id))
      expect(requests()).toHaveLength(1)
      await ada.put(messagePath(names[0].id), { unread: false })
      expect(requests()).toHaveLength(2)
      await ada.get('/threads', { limit: 50 })
      expect(requests()).toHaveLength(2)
      await ada.get('/folders')
      expect(requests()).toHaveLength(2)
    })

    test('requests for only the needed part of a message', async () => {
      const file = { name: 'large.bin', type: 'application/zip', content: Buffer.alloc(200_000, 7) }
      ada.google.mail.deliver(mimeMessage({ subject: 'Weighty', text: 'Words', files: [file] }))
      const formats = async (query: object): Promise<(string | null)[]> => {
        accounts.simulator.clearCalls()
        await messages(ada, query)
        return accounts.simulator.calls.filter(({ batched }) => batched).map((call) => call.query.get('format'))
      }
      expect(await formats({ select: 'id,unread,date' })).toEqual(['minimal'])
      expect(await formats({ select: 'id,subject' })).toEqual(['metadata'])
      expect(await formats({})).toEqual(['full'])
      expect(accounts.simulator.calls.some(({ path }) => path.includes('/attachments/'))).toBe(false)
      const [{ attachments }] = await messages()
      expect(attachments).toMatchObject([{ filename: 'large.bin', size: 200_000 }])
    })
  })

  describe('sending', () => {
    test('delivers a message once to all recipients, and returns it as stored in the account', async () => {
      const grace = await accounts.newAccount()
      const hidden = await accounts.newAccount()
      requests()
      const sent = await send(ada, {
        to: [{ name: 'Grace', email: grace.email }],
        bcc: [{ email: hidden.email }],
        subject: 'Grüße',
        body: '<p>Hallo</p>',
        custom_headers: [{ name: 'X-Own', value: 'yes' }],
      })
      expect(requests().filter((request) => request.includes('send'))).toHaveLength(1)
      expect(sent).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]+$/),
        thread_id: expect.stringMatching(/./),
        folders: ['SENT'],
      })
      const read = expectStatus(await ada.get(messagePath(sent.id)), 200).body.data
      expect(read).toMatchObject({
        subject: 'Grüße',
        bcc: [{ email: hidden.email }],
        to: [{ name: 'Grace', email: grace.email }],
      })
      for (const account of [grace, hidden]) {
        const [received] = await messages(account)
        expect(received).toMatchObject({ subject: 'Grüße', bcc: [], from: [{ email: ada.email }] })
        expect((await headersOf(account, received.id)).get('x-own')).toBe('yes')
      }
    })

    test('puts a reply into the thread on both sides, even though Gmail changes its Message-ID', async () => {
      const grace = await accounts.newAccount()
      await send(grace, { to: [{ email: ada.email }], subject: 'Question', body: 'What?' })
      const [question] = await messages()
      const answer = await send(ada, {
        to: [{ email: grace.email }],
        subject: 'Re: Question',
        body: 'That.',
        reply_to_message_id: question.id,
      })
      expect(answer.thread_id).toBe(question.thread_id)
      const threads = await pagesOf(grace, '/threads', {})
      expect(threads.flat()).toMatchObject([{ message_ids: [expect.any(String), expect.any(String)] }])
      const draft = expectStatus(
        await ada.post('/drafts', { subject: 'Re: Question', reply_to_message_id: question.id }),
        200,
      )
      expect(draft.body.data.thread_id).toBe(question.thread_id)
    })

    test('puts a reply into the thread of a message without a Message-ID', async () => {
      const raw = `From: grace@example.com\r\nTo: ${ada.email}\r\nSubject: Nameless\r\n\r\nWhat?\r\n`
      ada.google.mail.deliver(Buffer.from(raw))
      const [question] = await messages()
      const wish = { to: [{ email: 'grace@example.com' }], body: 'That.', reply_to_message_id: question.id }
      const answer = await send(ada, wish)
      expect([answer.thread_id, answer.subject]).toEqual([question.thread_id, 'Re: Nameless'])
      const { id } = expectStatus(await ada.post('/drafts', wish), 200).body.data
      const threads = () => new Set(ada.google.mail.list().map(({ threadId }) => threadId))
      expect(threads()).toEqual(new Set([question.thread_id]))
      expectStatus(await ada.put(`/drafts/${id}`, { body: 'Or this.' }), 200)
      expect(threads()).toEqual(new Set([question.thread_id]))
      expect(expectStatus(await ada.post(`/drafts/${id}`, {}), 200).body.data.thread_id).toBe(question.thread_id)
    })

    test('requires only the scope to send', async () => {
      const grace = await accounts.newAccount()
      const sender = await accounts.newAccount({ scopes: [...identity, scope('gmail.send')] })
      const sent = await send(sender, { to: [{ email: grace.email }], subject: 'Sent blindly' })
      expect(sent.id).toBe(sender.google.mail.list()[0]?.id)
      expect(await messages(grace)).toMatchObject([{ subject: 'Sent blindly' }])
      expectStatus(await sender.get('/messages'), 403)
    })

    test('reports why Gmail refused, and that it was called too often', async () => {
      const wish = { to: [{ email: 'grace@example.com' }], subject: 'Refused' }
      accounts.simulator.fail(
        { path: /messages\/send$/ },
        { status: 400, reason: 'invalidArgument', message: 'Invalid To header' },
      )
      const refused = expectStatus(await ada.post('/messages/send', wish), 402)
      expect(refused.body.error).toMatchObject({ message: expect.stringContaining('Invalid To header') })
      accounts.simulator.fail({ path: /messages\/send$/ }, { status: 429, reason: 'rateLimitExceeded', retryAfter: 60 })
      const limited = expectStatus(await ada.post('/messages/send', wish), 429)
      expect(limited.headers.get('retry-after')).toBe('60')
      expect(ada.google.mail.list()).toEqual([])
    })

    test('sends a draft, which is then deleted', async () => {
      const grace = await accounts.newAccount()
      const draft = expectStatus(await ada.post('/drafts', { to: [{ email: grace.email }], subject: 'Drafted' }), 200)
        .body.data
      expect(draft.id).toMatch(/^r/)
      expectStatus(await ada.post(`/drafts/${draft.id}`, {}), 200)
      expect(await messages(grace)).toMatchObject([{ subject: 'Drafted' }])
      expect(expectStatus(await ada.get('/drafts'), 200).body.data).toEqual([])
      expect(await messages()).toMatchObject([{ subject: 'Drafted', folders: ['SENT'] }])
    })
  })

  describe('errors', () => {
    test('for quota have the delay that Google returns', async () => {
      accounts.simulator.fail(
        { path: '/gmail/v1/users/me/messages' },
        { status: 429, reason: 'rateLimitExceeded', retryAfter: 7 },
      )
      const answer = expectStatus(await ada.get('/messages'), 429)
      expect(answer.headers.get('retry-after')).toBe('7')
      expect(answer.body.error).toMatchObject({
        type: 'rate_limit_error',
        provider_error: { status: 429, reason: 'rateLimitExceeded' },
      })
      expectStatus(await ada.get('/messages'), 200)
    })

    test('that are transient are retried and not reported', async () => {
      ada.google.mail.deliver(mimeMessage({ subject: 'Patience' }))
      accounts.simulator.fail({ path: '/gmail/v1/users/me/messages' }, { status: 503, reason: 'backendError' })
      accounts.simulator.fail(
        { path: /users\/me\/messages\/[0-9a-f]+$/ },
        { status: 403, reason: 'userRateLimitExceeded' },
      )
      accounts.simulator.fail({ path: '/batch/gmail/v1' }, { drop: 'before' })
      expect(await messages()).toMatchObject([{ subject: 'Patience' }])
      accounts.simulator.expireAccessTokens()
      expect(await messages()).toMatchObject([{ subject: 'Patience' }])
    })

    test('that are permanent are reported', async () => {
      accounts.simulator.fail(
        { path: '/gmail/v1/users/me/messages', times: 3 },
        { status: 503, reason: 'backendError' },
      )
      expect(expectStatus(await ada.get('/messages'), 504).body.error).toMatchObject({ type: 'provider_error' })
      accounts.simulator.fail({ method: 'POST', path: /modify$/ }, { status: 500, reason: 'backendError' })
      ada.google.mail.deliver(mimeMessage({ subject: 'Once' }))
      const [{ id }] = await messages()
      expectStatus(await ada.put(messagePath(id), { starred: true }), 504)
      expectStatus(await ada.put(messagePath(id), { starred: true }), 200)
    })

    test('for a missing scope name it', async () => {
      const modest = await accounts.newAccount({ scopes: [...identity, scope('gmail.modify')] })
      modest.google.mail.deliver(mimeMessage({ subject: 'Kept' }))
      const [{ id }] = await messages(modest)
      expectStatus(await accounts.call('PATCH', '/v3/applications', { body: { allow_hard_delete: true } }), 200)
      const answer = expectStatus(await modest.delete(messagePath(id), { hard_delete: true }), 403)
      expect(answer.body.error).toMatchObject({
        type: 'insufficient_scopes',
        message: expect.stringContaining('https://mail.google.com/'),
      })
      expectStatus(await modest.delete(messagePath(id)), 200)
      const reader = await accounts.newAccount({ scopes: [...identity, scope('gmail.readonly')] })
      requests()
      expectStatus(await reader.post('/messages/send', { to: [{ email: 'a@example.com' }] }), 403)
      expect(requests()).toEqual([])
    })
  })

  test('an account that shares only headers is read as far as possible', async () => {
    const shy = await accounts.newAccount({ scopes: [...identity, scope('gmail.metadata')] })
    shy.google.mail.deliver(mimeMessage({ subject: 'Veiled', text: 'Secret words' }))
    const [message] = await messages(shy)
    expect(message).toMatchObject({ subject: 'Veiled', from: [{ email: 'ann@people.test' }], unread: true })
    expect(message).not.toHaveProperty('body')
    expect(JSON.stringify(message)).not.toContain('Secret')
    expectStatus(await shy.get('/messages', { subject: 'Veiled' }), 403)
    expect(await messages(shy, { in: 'INBOX', unread: true })).toHaveLength(1)
  })

  test('text that Gmail stores separately, or in another charset, is read', async () => {
    const source = Buffer.from(
      `From: a@people.test\r\nSubject: Windows\r\nMessage-ID: <${newMessageId()}>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=windows-1252\r\nContent-Transfer-Encoding: 8bit\r\n\r\nGr\xfc\xdfe\r\n`,
      'latin1',
    )
    ada.google.mail.deliver(source)
    const named = `From: a@people.test\r\nSubject: Named\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8; name="body.txt"\r\n\r\nNamed words\r\n`
    ada.google.mail.deliver(named)
    const found = await messages()
    expect(found.find(({ subject }) => subject === 'Windows').body.trim()).toBe('Grüße')
    expect(found.find(({ subject }) => subject === 'Named').body.trim()).toBe('Named words')
  })
})

describe('sending at Google with a lost response', () => {
  let accounts: GoogleAccounts
  beforeAll(async () => {
    accounts = await openGoogleAccounts({ overrides: { serving: true } })
    await accounts.service.listen()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  test('finds the message in the account by the Message-ID that it was sent with, and sends none twice', async () => {
    const [ada, grace] = [await accounts.newAccount(), await accounts.newAccount()]
    const wish = { to: [{ email: grace.email }], subject: 'Lost and found' }
    const attempt = () => ada.post('/messages/send', wish, {}, { 'Idempotency-Key': 'lost' })
    accounts.simulator.fail({ path: /messages\/send$/ }, { drop: 'after' })
    const first = await attempt()
    expect([200, 504], JSON.stringify(first.body)).toContain(first.status)
    await vi.waitFor(async () => expectStatus(await attempt(), 200), { timeout: 40_000, interval: 250 })
    const [sent, ...others] = ada.google.mail.list()
    expect(others).toEqual([])
    expect((await attempt()).body.data.id).toBe(sent?.id)
    expect(grace.google.mail.list()).toHaveLength(1)
  })
})
