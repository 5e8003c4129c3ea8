/** Mail at Microsoft: what only Graph does. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountOf, expectRefusal, expectStatus, type Json, pagesOf } from '../../conformance/accounts.ts'
import { folderIds, messagePath } from '../../conformance/mail-subject.ts'
import { mimeMessage, newMessageId } from '../../conformance/mime-messages.ts'
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
  const deliver = (account: MicrosoftAccount, subject: string, at = Date.now()) =>
    account.microsoft.mail.deliver(mimeMessage({ subject }), { at })

  describe('Graph gets', () => {
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

    test('changes the text of a draft without uploading its files again, and its files if the request has others', async () => {
      const ada = await accounts.newAccount()
      const file = (filename: string) => ({ filename, content_type: 'text/plain', content: btoa(`in ${filename}`) })
      const picture = { ...file('p.png'), content_type: 'image/png', content_id: 'p1', is_inline: true }
      const wish = { subject: 'Before', body: '<img src="cid:p1">', attachments: [file('one.txt'), picture] }
      const draft = expectStatus(await ada.post('/drafts', wish), 200).body.data
      accounts.requests()
      const changed = expectStatus(await ada.put(`/drafts/${draft.id}`, { subject: 'After' }), 200).body.data
      const requested = accounts.requests()
      expect([requested.length, requested.filter((request) => /attachments|batch/i.test(request))]).toEqual([5, []])
      expect(changed).toMatchObject({ id: draft.id, subject: 'After' })
      expect(changed.attachments).toEqual(draft.attachments)
      const other = { attachments: [file('two.txt')] }
      const replaced = expectStatus(await ada.put(`/drafts/${draft.id}`, other), 200).body.data
      expect(replaced.attachments.map(({ filename }: Json) => filename)).toEqual(['two.txt'])
      const none = expectStatus(await ada.put(`/drafts/${draft.id}`, { attachments: [] }), 200).body.data
      expect(none.attachments).toEqual([])
    })
  })

  describe('shared mailboxes', () => {
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
})
