/** The published `nylas` client, unmodified, with the mail and the contacts of accounts at Google and at Microsoft. */
import { buffer } from 'node:stream/consumers'
import { Nylas, pagesOf } from '@waypost/testing/peers/nylas'
import { MessageFields, NylasApiError } from 'nylas'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Account } from '../../conformance/accounts.ts'
import { noon } from '../../conformance/mail-subject.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import type { TestService } from '../../harness.ts'
import { openGoogleAccounts } from '../google/google-accounts.ts'
import { openMicrosoftAccounts } from '../microsoft/microsoft-accounts.ts'

interface Mailed extends Account {
  /** A message arrives; `at` in milliseconds. */
  deliver(source: string, at: number): { id: string; threadId: string }
}

interface Accounts extends AsyncDisposable {
  service: TestService
  key: string
  newAccount(): Promise<Mailed>
}

const providers: Record<string, () => Promise<Accounts>> = {
  async Google() {
    const accounts = await openGoogleAccounts()
    const newAccount = async (): Promise<Mailed> => {
      const account = await accounts.newAccount()
      return { ...account, deliver: (source, at) => account.google.mail.deliver(source, { at }) }
    }
    return { ...accounts, newAccount }
  },
  async Microsoft() {
    const accounts = await openMicrosoftAccounts()
    const newAccount = async (): Promise<Mailed> => {
      const account = await accounts.newAccount()
      const deliver = (source: string, at: number) => {
        const { immutableId: id, conversationId: threadId } = account.microsoft.mail.deliver(source, { at })
        return { id, threadId }
      }
      return { ...account, deliver }
    }
    return { ...accounts, newAccount }
  },
}

describe.for(Object.entries(providers))('the nylas client and an account at %s', ([, open]) => {
  let accounts: Accounts
  let nylas: Nylas
  let ada: Mailed
  let identifier: string
  beforeAll(async () => {
    accounts = await open()
    nylas = new Nylas({ apiKey: accounts.key, apiUri: await accounts.service.listen(), timeout: 60 })
  })
  beforeEach(async () => {
    ada = await accounts.newAccount()
    identifier = ada.grantId
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  /** The ids of the folders that every mailbox has, by their attribute. */
  const folderIds = async (grant = identifier): Promise<Map<string, string>> => {
    const { data } = await nylas.folders.list({ identifier: grant })
    return new Map(data.flatMap(({ id, attributes = [] }) => attributes.map((each) => [each, id] as const)))
  }
  const deliver = (subject: string, at = noon, rest: object = {}) =>
    ada.deliver(mimeMessage({ subject, ...rest }), at * 1000)

  test('lists, finds, updates and destroys messages', async () => {
    const { id } = deliver('Hello', noon, { html: '<p>Words</p>', cc: 'Cleo <cleo@people.test>' })
    const { data } = await nylas.messages.list({ identifier })
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      id,
      object: 'message',
      grantId: identifier,
      subject: 'Hello',
      from: [{ name: 'Ann', email: 'ann@people.test' }],
      cc: [{ name: 'Cleo', email: 'cleo@people.test' }],
      date: noon,
      unread: true,
      starred: false,
      snippet: 'Words',
      folders: expect.arrayContaining([(await folderIds()).get('\\Inbox')]),
      threadId: expect.any(String),
    })
    expect((await nylas.messages.find({ identifier, messageId: id })).data).toEqual(data[0])
    const { data: updated } = await nylas.messages.update({
      identifier,
      messageId: id,
      requestBody: { unread: false, starred: true, metadata: { key1: 'seen' } },
    })
    expect(updated).toMatchObject({ unread: false, starred: true, metadata: { key1: 'seen' } })
    await nylas.messages.destroy({ identifier, messageId: id })
    expect((await nylas.messages.find({ identifier, messageId: id })).data.folders).toContain(
      (await folderIds()).get('\\Trash'),
    )
    const missing = nylas.messages.find({ identifier, messageId: 'no-such-message' })
    await expect(missing).rejects.toBeInstanceOf(NylasApiError)
  })

  test('pages and filters with its own parameters', async () => {
    for (let index = 0; index < 7; index++) deliver(`Number ${index}`, noon + index)
    deliver('Invoice paid', noon + 60, { from: 'bob@people.test' })
    const pages = await pagesOf(nylas.messages.list({ identifier, queryParams: { limit: 3 } }))
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2])
    const found = async (queryParams: object): Promise<(string | undefined)[]> =>
      (await nylas.messages.list({ identifier, queryParams })).data.map(({ subject }) => subject)
    expect(await found({ subject: 'invoice' })).toEqual(['Invoice paid'])
    expect(await found({ anyEmail: ['bob@people.test'], from: ['bob@people.test'] })).toEqual(['Invoice paid'])
    expect(await found({ searchQueryNative: 'subject:invoice OR subject:nothing' })).toEqual(['Invoice paid'])
    expect(await found({ receivedAfter: noon + 5, receivedBefore: noon + 60 })).toEqual(['Number 6'])
    expect(await found({ in: [(await folderIds()).get('\\Sent') ?? ''] })).toEqual([])
    const { data } = await nylas.messages.find({
      identifier,
      messageId: (await nylas.messages.list({ identifier })).data[0]?.id ?? '',
      queryParams: { fields: MessageFields.INCLUDE_HEADERS },
    })
    expect(data.headers?.map(({ name }) => name)).toContain('Subject')
  })

  test('works with folders and threads', async () => {
    const { data: made } = await nylas.folders.create({ identifier, requestBody: { name: 'Clients' } })
    expect(made).toMatchObject({ object: 'folder', name: 'Clients' })
    const { data: folders } = await nylas.folders.list({ identifier })
    expect(folders.map(({ id }) => id)).toEqual(expect.arrayContaining([made.id]))
    const { threadId } = deliver('Thread')
    await nylas.threads.update({ identifier, threadId, requestBody: { folders: [made.id], unread: false } })
    const { data: thread } = await nylas.threads.find({ identifier, threadId })
    expect(thread).toMatchObject({ id: threadId, unread: false, folders: expect.arrayContaining([made.id]) })
    expect((await nylas.threads.list({ identifier, queryParams: { in: [made.id] } })).data).toHaveLength(1)
    await nylas.threads.destroy({ identifier, threadId })
    await nylas.folders.update({ identifier, folderId: made.id, requestBody: { name: 'Customers' } })
    expect((await nylas.folders.find({ identifier, folderId: made.id })).data.name).toBe('Customers')
    await nylas.folders.destroy({ identifier, folderId: made.id })
  })

  test('reads attachments', async () => {
    const { id } = deliver('Files', noon, {
      files: [{ name: 'a.txt', type: 'text/plain', content: 'figures' }],
    })
    const { data } = await nylas.messages.find({ identifier, messageId: id })
    const attachmentId = data.attachments?.[0]?.id ?? ''
    const at = { identifier, attachmentId, queryParams: { messageId: id } }
    expect((await nylas.attachments.find(at)).data).toMatchObject({ filename: 'a.txt', contentType: 'text/plain' })
    const stream = await nylas.attachments.downloadNodeStream(at)
    expect((await buffer(stream)).toString()).toBe('figures')
  })

  test('sends, replies, and sends from drafts', async () => {
    const grace = await accounts.newAccount()
    const to = [{ name: 'Grace', email: grace.email }]
    const { data: sent } = await nylas.messages.send({
      identifier,
      requestBody: { to, subject: 'Question', body: '<p>What?</p>' },
    })
    expect(sent).toMatchObject({ object: 'message', grantId: identifier, folders: [(await folderIds()).get('\\Sent')] })
    const { data: received } = await nylas.messages.list({ identifier: grace.grantId })
    const { data: answer } = await nylas.messages.send({
      identifier: grace.grantId,
      requestBody: { to: [{ email: ada.email }], subject: 'Re: Question', replyToMessageId: received[0]?.id ?? '' },
    })
    expect(answer.threadId).toBe(received[0]?.threadId)
    const { data: thread } = await nylas.threads.find({ identifier, threadId: sent.threadId ?? '' })
    expect(thread.messageIds).toHaveLength(2)
    const { data: draft } = await nylas.drafts.create({ identifier, requestBody: { to, subject: 'Drafted' } })
    const { data: changed } = await nylas.drafts.update({
      identifier,
      draftId: draft.id,
      requestBody: { subject: 'Drafted again' },
    })
    expect(changed).toMatchObject({ id: draft.id, subject: 'Drafted again', to })
    expect((await nylas.drafts.list({ identifier })).data).toHaveLength(1)
    await nylas.drafts.send({ identifier, draftId: draft.id })
    expect((await nylas.drafts.list({ identifier })).data).toEqual([])
    const inboxId = (await folderIds(grace.grantId)).get('\\Inbox') ?? ''
    const { data: inbox } = await nylas.messages.list({ identifier: grace.grantId, queryParams: { in: [inboxId] } })
    expect(inbox.map(({ subject }) => subject).sort()).toEqual(['Drafted again', 'Question'])
  })

  test('works with contacts', async () => {
    const { data: made } = await nylas.contacts.create({
      identifier,
      requestBody: {
        givenName: 'Cy',
        surname: 'Clark',
        companyName: 'Acme',
        emails: [{ email: 'cy@people.test', type: 'work' }],
        phoneNumbers: [{ number: '+1 555', type: 'home' }],
      },
    })
    expect(made).toMatchObject({ object: 'contact', grantId: identifier, givenName: 'Cy', source: 'address_book' })
    const { data: changed } = await nylas.contacts.update({
      identifier,
      contactId: made.id,
      requestBody: { jobTitle: 'Baker' },
    })
    expect(changed).toMatchObject({ id: made.id, surname: 'Clark', jobTitle: 'Baker' })
    expect((await nylas.contacts.find({ identifier, contactId: made.id, queryParams: {} })).data).toEqual(changed)
    await nylas.contacts.create({ identifier, requestBody: { givenName: 'Di' } })
    const pages = await pagesOf(nylas.contacts.list({ identifier, queryParams: { limit: 1 } }))
    expect(pages.map(([contact]) => contact?.givenName).sort()).toEqual(['Cy', 'Di'])
    const { data: found } = await nylas.contacts.list({ identifier, queryParams: { email: 'CY@people.test' } })
    expect(found.map(({ id }) => id)).toEqual([made.id])
    const { data: groups } = await nylas.contacts.groups({ identifier })
    expect(groups.length).toBeGreaterThan(0)
    await nylas.contacts.destroy({ identifier, contactId: made.id })
    const missing = nylas.contacts.find({ identifier, contactId: made.id, queryParams: {} })
    await expect(missing).rejects.toMatchObject({ statusCode: 404 })
  })
})
