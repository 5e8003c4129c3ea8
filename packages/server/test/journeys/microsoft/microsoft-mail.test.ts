/** Mail at Microsoft: features specific to Graph, the number of requests, and error handling. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { accountOf, expectRefusal, expectStatus, type Json, pagesOf } from '../../conformance/accounts.ts'
import { folderIds, messagePath } from '../../conformance/mail-subject.ts'
import { mimeMessage, newMessageId } from '../../conformance/mime-messages.ts'
import type { Answer } from '../../harness.ts'
import { identity } from '../../peers/microsoft.ts'
import { type MicrosoftAccount, type MicrosoftAccounts, openMicrosoftAccounts } from './microsoft-accounts.ts'

describe('mail at Microsoft', () => {
  let accounts: MicrosoftAccounts
  let ada: MicrosoftAccount
  beforeAll(async () => {
    accounts = await openMicrosoftAccounts()
  })
  beforeEach(async () => {
    ada = await accounts.newAccount()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  const messages = async (account = ada, query = {}): Promise<Json[]> =>
    (await pagesOf(account, '/messages', query)).flat()
  const subjects = async (account: MicrosoftAccount, query: object): Promise<string[]> =>
    (await messages(account, query)).map(({ subject }) => subject)
  const send = async (account: MicrosoftAccount, body: object): Promise<Json> =>
    expectStatus(await account.post('/messages/send', body), 200).body.data
  const headersOf = async (account: MicrosoftAccount, id: string): Promise<Map<string, string>> => {
    const { data } = expectStatus(await account.get(messagePath(id), { fields: 'include_headers' }), 200).body
    return new Map(data.headers.map(({ name, value }: Json) => [name.toLowerCase(), value]))
  }
  const deliver = (account: MicrosoftAccount, subject: string, at = Date.now()) =>
    account.microsoft.mail.deliver(mimeMessage({ subject }), { at })

  describe('Graph gets', () => {
    test('one request for a page of messages of any kind, and three for a page of threads', async () => {
      const file = { name: 'plan.pdf', type: 'application/pdf', content: 'PDF' }
      for (let index = 0; index < 50; index++) {
        ada.microsoft.mail.deliver(mimeMessage({ subject: `Number ${index}`, files: index % 2 ? [file] : [] }))
      }
      accounts.requests()
      const { data } = expectStatus(await ada.get('/messages', { limit: 50 }), 200).body
      expect(data).toHaveLength(50)
      expect(data.flatMap(({ attachments }: Json) => attachments)).toHaveLength(25)
      expect(accounts.requests()).toEqual(['GET /v1.0/me/messages'])
      await ada.get(messagePath(data[0].id))
      expect(accounts.requests()).toHaveLength(1)
      await ada.put(messagePath(data[0].id), { unread: false })
      expect(accounts.requests()).toHaveLength(2)
      await ada.get('/messages', { limit: 50, fields: 'include_headers' })
      expect(accounts.requests()).toHaveLength(1)
      await ada.get('/folders')
      accounts.requests()
      await ada.get('/threads', { limit: 20 })
      expect(accounts.requests()).toEqual(['GET /v1.0/me/messages', 'POST /v1.0/$batch', 'POST /v1.0/$batch'])
      await ada.get('/folders')
      expect(accounts.requests()).toEqual(['GET /v1.0/me/mailFolders'])
    })

    test('the number of calls that the answer tells, each of a batch included', async () => {
      for (let index = 0; index < 8; index++) deliver(ada, `Number ${index}`)
      await ada.get('/folders')
      accounts.simulator.clearCalls()
      const received = (): number =>
        accounts.simulator.calls.filter(({ path }) => path.startsWith('/v1.0/') && !path.endsWith('$batch')).length
      const told = ({ headers }: Answer): number => Number(headers.get('x-provider-request-count') ?? Number.NaN)
      const asked = [
        () => ada.get('/messages', { limit: 5 }),
        () => ada.get('/threads', { limit: 5 }),
        () => ada.get(messagePath('missing')),
      ]
      for (const ask of asked) {
        const answer = await ask()
        expect(told(answer)).toBe(received())
        expect(answer.headers.get('nylas-provider-request-count')).toBe(`${told(answer)}`)
        expect(answer.headers.get('x-google-quota-units')).toBeNull()
        accounts.simulator.clearCalls()
      }
      const sent = await ada.post('/messages/send', { to: [{ email: 'bo@example.com' }], subject: 'Hi', body: 'x' })
      expect(told(sent)).toBeGreaterThan(0)
      // Waypost looks for the copy while and after it answers.
      await expect.poll(received).toBeGreaterThanOrEqual(told(sent))
    })

    test('requests for only the needed part of a message', async () => {
      deliver(ada, 'Weighty')
      const selected = async (query: object): Promise<(string | null)[]> => {
        accounts.simulator.clearCalls()
        await messages(ada, query)
        return accounts.simulator.calls.flatMap((call) => [call.query.get('$select'), call.query.get('$expand')])
      }
      expect(await selected({ select: 'id,unread,date' })).toEqual(['id,receivedDateTime,isRead', null])
      expect(await selected({ select: 'id,subject' })).toEqual(['id,receivedDateTime,subject', null])
      const [properties, expanded] = await selected({})
      expect(properties).toContain('body')
      expect(expanded).not.toContain('contentBytes')
    })
  })

  describe('searches', () => {
    test("in Graph's syntax are a search or a filter, and cannot be combined with others", async () => {
      deliver(ada, 'Invoice one', Date.now() - 60_000)
      deliver(ada, 'Invoice two')
      const filter = "$filter=contains(subject,'invoice') and isRead eq false"
      expect(await subjects(ada, { search_query_native: filter })).toEqual(['Invoice two', 'Invoice one'])
      expect(await subjects(ada, { search_query_native: '$filter=isRead eq true' })).toEqual([])
      expect(await subjects(ada, { search_query_native: 'subject:one OR subject:three' })).toEqual(['Invoice one'])
      for (const [query, words] of [
        [{ search_query_native: filter, unread: true }, /search_query_native.*unread/],
        [{ search_query_native: 'subject:one', received_after: 1 }, /search_query_native.*received_after/],
        [{ search_query_native: '$filter=isRead eq true&$search=one' }, /one search or one \$filter/],
        [{ search_query_native: '$orderby=subject' }, /\$orderby/],
        [
          { search_query_native: "$filter=toRecipients/any(r:r/emailAddress/address eq 'a@b.c')" },
          /search_query_native/,
        ],
      ] as const) {
        expectRefusal(await ada.get('/messages', query), words)
      }
    })

    test('of recipients and words can be combined with every other filter', async () => {
      const mail = (subject: string, to: string, at: number) =>
        ada.microsoft.mail.deliver(mimeMessage({ subject, to, text: 'Lunch at noon' }), { at })
      const now = Date.now()
      mail('One', 'bob@people.test', now - 4000)
      mail('Two', 'bob@people.test', now - 3000)
      mail('Three', 'cleo@people.test', now - 2000)
      const [{ id }] = await messages(ada, { subject: 'Two' })
      expectStatus(await ada.put(messagePath(id), { unread: false, starred: true }), 200)
      expect(await subjects(ada, { to: 'bob@people.test', unread: true })).toEqual(['One'])
      expect(await subjects(ada, { any_email: 'bob@people.test', starred: true, subject: 'two' })).toEqual(['Two'])
      expect(await subjects(ada, { q: 'lunch', limit: 2 })).toEqual(['Three', 'Two', 'One'])
      const after = Math.floor(now / 1000) - 4
      expect(await subjects(ada, { q: 'lunch', received_after: after, to: 'cleo@people.test' })).toEqual(['Three'])
    })
  })

  test('a thread with several matching messages is on one page', async () => {
    const now = Date.now()
    const messageId = newMessageId()
    const mail = (subject: string, at: number, more: object = {}) =>
      ada.microsoft.mail.deliver(mimeMessage({ subject, text: 'Lunch', to: 'bob@people.test', ...more }), { at })
    mail('Plan', now - 60_000, { messageId })
    for (const at of [50_000, 30_000, 10_000])
      mail('Re: Plan', now - at, { inReplyTo: messageId, references: [messageId] })
    mail('Other', now - 40_000)
    mail('Third', now - 20_000)
    for (const query of [
      {},
      { q: 'lunch' },
      { to: 'bob@people.test' },
      { search_query_native: '$filter=isRead eq false' },
    ]) {
      const pages = await pagesOf(ada, '/threads', { ...query, limit: 1 })
      const found = pages.flat().map(({ subject }) => subject)
      expect(found, JSON.stringify(query)).toEqual(['Plan', 'Third', 'Other'])
    }
  })

  describe('sending', () => {
    test('delivers a message once to all recipients, and returns it as stored in the account', async () => {
      const [grace, hidden] = [await accounts.newAccount(), await accounts.newAccount()]
      accounts.requests()
      const picture = { filename: 'logo.png', content_type: 'image/png', content: 'UE5H', content_id: 'logo1' }
      const sent = await send(ada, {
        to: [{ name: 'Grace', email: grace.email }],
        bcc: [{ email: hidden.email }],
        subject: 'Grüße',
        body: '<p>Hallo <img src="cid:logo1"></p>',
        attachments: [picture],
        custom_headers: [{ name: 'X-Own', value: 'yes' }],
      })
      expect(accounts.requests().filter((request) => /send/i.test(request))).toEqual(['POST /v1.0/me/sendMail'])
      const { sent: folder } = await folderIds(ada)
      expect(sent).toMatchObject({ thread_id: expect.stringMatching(/./), folders: [folder] })
      const read = expectStatus(await ada.get(messagePath(sent.id)), 200).body.data
      expect(read).toMatchObject({
        subject: 'Grüße',
        bcc: [{ email: hidden.email }],
        to: [{ name: 'Grace', email: grace.email }],
        attachments: [{ filename: 'logo.png', is_inline: true, content_id: 'logo1' }],
      })
      const messageId = (await headersOf(ada, sent.id)).get('message-id')
      for (const account of [grace, hidden]) {
        const [received] = await messages(account)
        expect(received).toMatchObject({ subject: 'Grüße', bcc: [], from: [{ email: ada.email }] })
        const headers = await headersOf(account, received.id)
        expect(headers.get('x-own')).toBe('yes')
        expect(headers.get('message-id')).toBe(messageId)
      }
    })

    test('stores the metadata of a message whose id is only known once it is filed', async () => {
      const metadata = { key1: 'spring' }
      const sent = await send(ada, { to: [{ email: 'bob@people.test' }], subject: 'Marked', metadata })
      expect(expectStatus(await ada.get(messagePath(sent.id)), 200).body.data).toMatchObject({ metadata })
    })

    test('puts a reply into the thread on both sides', async () => {
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
    })

    test('uploads files of any size: small ones with the message, larger ones separately, large ones in chunks', async () => {
      const grace = await accounts.newAccount()
      const [small, large] = [randomBytes(1_500_000), randomBytes(7_500_000)]
      const form = new FormData()
      form.set('message', JSON.stringify({ to: [{ email: grace.email }], subject: 'Files', body: '<p>Two</p>' }))
      form.set('file0', new Blob([small], { type: 'application/zip' }), 'small.zip')
      form.set('file1', new Blob([large], { type: 'application/zip' }), 'large.zip')
      const response = await accounts.service.app.request(`/v3/grants/${ada.grantId}/messages/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.key}` },
        body: form,
      })
      expect(response.status, await response.clone().text()).toBe(200)
      const pieces = accounts.simulator.calls.filter(({ method, path }) => method === 'PUT' && path.includes('upload'))
      expect(pieces).toHaveLength(3)
      const [received] = await messages(grace)
      expect(received.attachments).toMatchObject([{ filename: 'small.zip' }, { filename: 'large.zip' }])
      const download = await accounts.service.app.request(
        `/v3/grants/${grace.grantId}/attachments/${received.attachments[1].id}/download?message_id=${received.id}`,
        { headers: { authorization: `Bearer ${ada.key}` } },
      )
      expect(Buffer.from(await download.arrayBuffer()).equals(large)).toBe(true)
      const { data } = (await response.json()) as Json
      expect(await messages()).toMatchObject([{ id: data.id, subject: 'Files' }])
      expect(expectStatus(await ada.get('/drafts'), 200).body.data).toEqual([])
    })

    test('of a large message that Graph refuses leaves no draft behind', async () => {
      const content = randomBytes(2_900_000).toString('base64')
      accounts.simulator.fail(
        { path: /createUploadSession|attachments$/ },
        { status: 413, code: 'ErrorMessageSizeExceeded' },
      )
      const attachments = [{ filename: 'a.bin', content_type: 'application/zip', content }]
      const answer = await ada.post('/messages/send', { to: [{ email: 'bob@people.test' }], attachments })
      expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(400)
      expect(ada.microsoft.mail.list()).toEqual([])
    })

    test('requires only the scope to send', async () => {
      const grace = await accounts.newAccount()
      const sender = await accounts.newAccount({ scopes: [...identity, 'Mail.Send'] })
      await send(sender, { to: [{ email: grace.email }], subject: 'Sent blindly' })
      await vi.waitFor(async () => expect(await messages(grace)).toMatchObject([{ subject: 'Sent blindly' }]))
      expectStatus(await sender.get('/messages'), 403)
    })

    test('reports why Graph refused, and that it was called too often', async () => {
      const wish = { to: [{ email: 'grace@people.test' }], subject: 'Refused' }
      const path = /sendMail$/
      accounts.simulator.fail(
        { path },
        { status: 400, code: 'ErrorInvalidRecipients', message: 'At least one is not valid' },
      )
      const refused = expectStatus(await ada.post('/messages/send', wish), 402)
      expect(refused.body.error).toMatchObject({ message: expect.stringContaining('At least one is not valid') })
      accounts.simulator.fail({ path }, { status: 429, code: 'ApplicationThrottled', retryAfter: 60 })
      const limited = expectStatus(await ada.post('/messages/send', wish), 429)
      expect(limited.headers.get('retry-after')).toBe('60')
      expect(ada.microsoft.mail.list()).toEqual([])
    })

    test('changes the text of a draft without uploading its files again, and its files if the request has others', async () => {
      const ada = await accounts.newAccount()
      const file = (filename: string) => ({ filename, content_type: 'text/plain', content: btoa(`in ${filename}`) })
      const picture = { ...file('p.png'), content_type: 'image/png', content_id: 'p1', is_inline: true }
      const wish = { subject: 'Before', body: '<img src="cid:p1">', attachments: [file('one.txt'), picture] }
      const draft = expectStatus(await ada.post('/drafts', wish), 200).body.data
      accounts.requests()
      const changed = expectStatus(await ada.put(`/drafts/${draft.id}`, { subject: 'After' }), 200).body.data
      const asked = accounts.requests()
      expect([asked.length, asked.filter((request) => /attachments|batch/i.test(request))]).toEqual([5, []])
      expect(changed).toMatchObject({ id: draft.id, subject: 'After' })
      expect(changed.attachments).toEqual(draft.attachments)
      const other = { attachments: [file('two.txt')] }
      const replaced = expectStatus(await ada.put(`/drafts/${draft.id}`, other), 200).body.data
      expect(replaced.attachments.map(({ filename }: Json) => filename)).toEqual(['two.txt'])
      const none = expectStatus(await ada.put(`/drafts/${draft.id}`, { attachments: [] }), 200).body.data
      expect(none.attachments).toEqual([])
    })

    test('sends a draft, which is then deleted', async () => {
      const grace = await accounts.newAccount()
      const wish = { to: [{ email: grace.email }], subject: 'Drafted' }
      const draft = expectStatus(await ada.post('/drafts', wish), 200).body.data
      expectStatus(await ada.post(`/drafts/${draft.id}`, {}), 200)
      expect(await messages(grace)).toMatchObject([{ subject: 'Drafted' }])
      expect(expectStatus(await ada.get('/drafts'), 200).body.data).toEqual([])
      const { sent } = await folderIds(ada)
      expect(await messages()).toMatchObject([{ subject: 'Drafted', folders: [sent] }])
    })
  })

  describe('shared mailboxes', () => {
    test('are read, changed and organized by their address', async () => {
      const team = await accounts.newAccount()
      team.microsoft.shareWith(ada.email)
      deliver(team, 'For the team')
      const shared = { shared_from: team.email }
      const folders = expectStatus(await ada.get('/folders', shared), 200).body.data
      const idOf = (attribute: string): string =>
        folders.find(({ attributes }: Json) => attributes.includes(attribute)).id
      const inbox = { ...shared, in: idOf('\\Inbox') }
      const [message] = expectStatus(await ada.get('/messages', inbox), 200).body.data
      expect(message).toMatchObject({ subject: 'For the team', unread: true })
      expectRefusal(await ada.get('/messages', shared), /shared_from/)
      const folderId = { ...shared, shared_folder_id: idOf('\\Inbox') }
      expect(expectStatus(await ada.get('/messages', folderId), 200).body.data).toHaveLength(1)
      expectStatus(await ada.get(messagePath(message.id)), 404)
      expectStatus(await ada.get(messagePath(message.id), shared), 200)
      expectStatus(await ada.put(messagePath(message.id), { unread: false }, shared), 200)
      expect(team.microsoft.mail.list()).toMatchObject([{ isRead: true }])
      expect(expectStatus(await ada.get('/threads', inbox), 200).body.data).toMatchObject([
        { id: message.thread_id, message_ids: [message.id] },
      ])
      expectStatus(await ada.delete(messagePath(message.id), shared), 200)
      expect(team.microsoft.mail.list()).toMatchObject([{ folder: 'deleteditems' }])
      expectRefusal(await ada.get('/messages', { ...inbox, shared_from: 'somebody' }), /shared_from/)
    })

    test('require their own scope, and the error names it if it is missing', async () => {
      const team = await accounts.newAccount()
      const own = ['User.Read', 'offline_access', 'Mail.ReadWrite', 'Mail.Send']
      const reader = await accounts.newAccount({ scopes: [...own, 'Mail.Read.Shared'] })
      const stranger = await accounts.newAccount({ scopes: own })
      for (const { email } of [reader, stranger]) team.microsoft.shareWith(email)
      deliver(team, 'For the team')
      const shared = { shared_from: team.email }
      const folders = expectStatus(await reader.get('/folders', shared), 200).body.data
      const inbox = folders.find(({ attributes }: Json) => attributes.includes('\\Inbox')).id
      const [message] = expectStatus(await reader.get('/messages', { ...shared, in: inbox }), 200).body.data
      const lacking = [
        await stranger.get('/folders', shared),
        await stranger.get('/messages', { ...shared, in: inbox }),
        await reader.put(messagePath(message.id), { unread: false }, shared),
      ]
      for (const { status, body } of lacking) {
        expect([status, body.error.type], JSON.stringify(body)).toEqual([403, 'insufficient_scopes'])
        expect(body.error.message).toContain('Mail.ReadWrite.Shared')
      }
    })

    test('that are not shared are refused', async () => {
      const other = await accounts.newAccount()
      const answer = await ada.get('/messages', { shared_from: other.email, in: 'inbox' })
      expect([400, 403, 404], JSON.stringify(answer.body)).toContain(answer.status)
    })
  })

  test("a mailbox with an administrator's consent is read and sent from", async () => {
    const { simulator } = accounts
    const grace = await accounts.newAccount()
    const email = 'let-in@contoso.example'
    const { mail } = simulator.addAccount({ email })
    simulator.consentForTenant('contoso.example')
    mail.deliver(mimeMessage({ subject: 'Let in' }))
    const made = await accounts.call('POST', '/v3/connectors/microsoft/creds', {
      body: { name: 'All', credential_type: 'adminconsent', credential_data: { tenant: 'contoso.example' } },
    })
    const settings = { email_address: email, credential_id: made.body.data.id }
    const grant = await accounts.call('POST', '/v3/connect/custom', { body: { provider: 'microsoft', settings } })
    const account = accountOf(accounts.call, { grantId: expectStatus(grant, 201).body.data.id, email })
    const [message] = expectStatus(await account.get('/messages'), 200).body.data
    expect(message).toMatchObject({ subject: 'Let in' })
    expectStatus(await account.put(messagePath(message.id), { folders: [(await folderIds(account)).archive] }), 200)
    expect(mail.list()).toMatchObject([{ folder: 'archive' }])
    const wish = { to: [{ email: grace.email }], subject: 'From within' }
    const sent = expectStatus(await account.post('/messages/send', wish), 200).body.data
    expect(expectStatus(await account.get(messagePath(sent.id)), 200).body.data).toMatchObject({
      subject: 'From within',
    })
    expect(await messages(grace)).toMatchObject([{ subject: 'From within', from: [{ email }] }])
  })

  describe('attachments', () => {
    test('that are links to files are returned, without content to download', async () => {
      ada.microsoft.mail.deliver(mimeMessage({ subject: 'Linked' }), { references: ['Plan.docx'] })
      const [{ id, attachments }] = await messages()
      expect(attachments).toMatchObject([{ filename: 'Plan.docx', is_inline: false }])
      const path = `/attachments/${encodeURIComponent(attachments[0].id)}`
      expectStatus(await ada.get(path, { message_id: id }), 200)
      const refused = expectStatus(await ada.get(`${path}/download`, { message_id: id }), 400)
      expect(refused.body.error.message).toMatch(/OneDrive/)
    })
  })

  describe('errors', () => {
    test('for quota have the delay that Graph returns, and the service waits for it', async () => {
      accounts.simulator.fail(
        { path: '/v1.0/me/messages' },
        { status: 429, code: 'ApplicationThrottled', retryAfter: 7 },
      )
      const answer = expectStatus(await ada.get('/messages'), 429)
      expect(answer.headers.get('retry-after')).toBe('7')
      expect(answer.body.error).toMatchObject({ type: 'rate_limit_error' })
    })

    test('that are transient are retried and not reported', async () => {
      deliver(ada, 'Patience')
      accounts.simulator.fail({ path: '/v1.0/me/messages' }, { status: 503, code: 'serviceNotAvailable' })
      expect(await messages()).toMatchObject([{ subject: 'Patience' }])
      accounts.simulator.expireAccessTokens()
      expect(await messages()).toMatchObject([{ subject: 'Patience' }])
    })

    test('for a missing scope name it before a request to Graph', async () => {
      const reader = await accounts.newAccount({ scopes: [...identity, 'Mail.Read'] })
      accounts.requests()
      const answer = expectStatus(await reader.post('/messages/send', { to: [{ email: 'a@people.test' }] }), 403)
      expect(answer.body.error.message).toContain('Mail.Send')
      expect(accounts.requests()).toEqual([])
    })
  })
})

describe('sending at Microsoft with a lost response', () => {
  let accounts: MicrosoftAccounts
  beforeAll(async () => {
    accounts = await openMicrosoftAccounts({ overrides: { serving: true } })
    await accounts.service.listen()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  test('finds the message in the account by the Message-ID that it was sent with, and sends none twice', async () => {
    const [ada, grace] = [await accounts.newAccount(), await accounts.newAccount()]
    const wish = { to: [{ email: grace.email }], subject: 'Lost and found', body: newMessageId() }
    const attempt = () => ada.post('/messages/send', wish, {}, { 'Idempotency-Key': 'lost' })
    accounts.simulator.fail({ path: /sendMail$/ }, { drop: 'after' })
    const first = await attempt()
    expect([200, 504], JSON.stringify(first.body)).toContain(first.status)
    await vi.waitFor(async () => expectStatus(await attempt(), 200), { timeout: 40_000, interval: 250 })
    const [sent, ...others] = ada.microsoft.mail.list()
    expect(others).toEqual([])
    expect((await attempt()).body.data.id).toBe(sent?.immutableId)
    expect(grace.microsoft.mail.list()).toHaveLength(1)
  })
})
