/** Mail at Google: what only Gmail does. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Json, pagesOf } from '../../conformance/accounts.ts'
import { messagePath } from '../../conformance/mail-subject.ts'
import { mimeMessage, newMessageId } from '../../conformance/mime-messages.ts'
import type { Answer } from '../../harness.ts'
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
    test('puts a reply into the thread of a message without a Message-ID', async () => {
      const raw = `From: grace@example.com\r\nTo: ${ada.email}\r\nSubject: Nameless\r\n\r\nWhat?\r\n`
      ada.google.mail.deliver(Buffer.from(raw))
      const [question] = await messages()
      const wish = { to: [{ email: 'grace@example.com' }], body: 'That.', reply_to_message_id: question.id }
      const answer = await send(ada, wish)
      expect([answer.thread_id, answer.subject]).toEqual([question.thread_id, 'Re: Nameless'])
      const { id } = expectStatus(await ada.post('/drafts', wish), 200).body.data
      expect(id).toMatch(/^r/)
      const threads = () => new Set(ada.google.mail.list().map(({ threadId }) => threadId))
      expect(threads()).toEqual(new Set([question.thread_id]))
      expectStatus(await ada.put(`/drafts/${id}`, { body: 'Or this.' }), 200)
      expect(threads()).toEqual(new Set([question.thread_id]))
      expect(expectStatus(await ada.post(`/drafts/${id}`, {}), 200).body.data.thread_id).toBe(question.thread_id)
    })
  })

  describe('errors', () => {
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

  test('calls of a calendar have no quota units, and a virtual calendar needs no calls', async () => {
    const made = await ada.create('primary', {
      title: 'Plan',
      when: { start_time: 1_790_000_000, end_time: 1_790_003_600 },
    })
    const reported = ({ headers }: Answer) =>
      ['x-provider-request-count', 'x-google-quota-units'].map((name) => headers.get(name))
    accounts.simulator.clearCalls()
    const answer = await ada.get(`/events/${made.id}`, { calendar_id: 'primary' })
    expect(reported(answer)).toEqual([`${accounts.simulator.calls.length}`, null])
    const { key } = accounts
    await accounts.service.call('POST', '/v3/connectors', { key, body: { provider: 'virtual-calendar' } })
    const body = { provider: 'virtual-calendar', settings: { email: 'room-1' } }
    const { data } = (await accounts.service.call('POST', '/v3/connect/custom', { key, body })).body
    const virtual = await accounts.service.call('GET', `/v3/grants/${data.id}/calendars`, { key })
    expect(reported(virtual)).toEqual(['0', null])
    const grants = await accounts.service.call('GET', '/v3/grants', { key })
    expect(reported(grants)).toEqual([null, null])
  })
})
