/** The published `nylas` client, unmodified, with messages, threads, folders and attachments of a real mailbox. */
import { buffer } from 'node:stream/consumers'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { failureOf, Nylas, pagesOf } from '@waypost/testing/peers/nylas'
import { MessageFields } from 'nylas'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { imapSubject } from '../../conformance/imap-subject.ts'
import { type MailAccount, noon, type OpenMail } from '../../conformance/mail-subject.ts'
import { mimeMessage, newMessageId } from '../../conformance/mime-messages.ts'

const subject = imapSubject('dovecot', sharedDovecot, { separator: '/', prefix: '' })

describe('the nylas client and a mailbox', () => {
  let open: OpenMail
  let nylas: Nylas
  let account: MailAccount
  let identifier: string
  beforeAll(async () => {
    open = await subject.open()
    nylas = new Nylas({ apiKey: open.key, apiUri: await open.service.listen(), timeout: 60 })
  })
  beforeEach(async () => {
    account = await open.newAccount()
    identifier = account.grantId
  })
  afterAll(() => open?.[Symbol.asyncDispose]())

  const folderWith = async (attribute: string): Promise<string> => {
    const { data } = await nylas.folders.list({ identifier })
    const folder = data.find(({ attributes }) => attributes?.includes(attribute))
    if (folder === undefined) throw new Error(`there is no folder with ${attribute}`)
    return folder.id
  }

  describe('messages', () => {
    test('are listed, found, updated and destroyed', async () => {
      const messageId = newMessageId()
      await account.deliver({ subject: 'Hello', messageId, html: '<p>Words</p>', cc: 'Cleo <cleo@people.test>' })
      const { data, requestId, nextCursor } = await nylas.messages.list({ identifier })
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
      expect(nextCursor ?? null).toBeNull()
      expect(data).toHaveLength(1)
      const [message] = data
      if (message === undefined) throw new Error('there is no message')
      const inbox = await folderWith('\\Inbox')
      expect(message).toMatchObject({
        object: 'message',
        grantId: identifier,
        subject: 'Hello',
        from: [{ name: 'Ann', email: 'ann@people.test' }],
        to: [{ name: 'Bob', email: 'bob@people.test' }],
        cc: [{ name: 'Cleo', email: 'cleo@people.test' }],
        date: noon,
        unread: true,
        starred: false,
        snippet: 'Words',
        folders: [inbox],
        threadId: expect.any(String),
      })
      const found = await nylas.messages.find({ identifier, messageId: message.id })
      expect(found.data).toEqual(message)
      const archive = await folderWith('\\Archive')
      const updated = await nylas.messages.update({
        identifier,
        messageId: message.id,
        requestBody: { unread: false, starred: true, folders: [archive], metadata: { key1: 'seen' } },
      })
      expect(updated.data).toMatchObject({
        id: message.id,
        unread: false,
        starred: true,
        folders: [archive],
        metadata: { key1: 'seen' },
      })
      expect(await account.other.find(messageId)).toEqual([{ folder: 'archive', seen: true, starred: true }])
      const destroyed = await nylas.messages.destroy({ identifier, messageId: message.id })
      expect(destroyed.requestId).toMatch(/^[0-9a-f-]{36}$/)
      const { data: trashed } = await nylas.messages.find({ identifier, messageId: message.id })
      expect(trashed.folders).toEqual([await folderWith('\\Trash')])
    })

    test('with ids that resemble parts of a URL are found', async () => {
      await account.deliver({ subject: 'Odd id', messageId: 'a+b/c%2F=#?&@odd.test' })
      const { data } = await nylas.messages.list({ identifier })
      const id = data[0]?.id ?? ''
      expect((await nylas.messages.find({ identifier, messageId: id })).data.subject).toBe('Odd id')
    })

    test("are filtered with the client's parameters", async () => {
      const file = { name: 'a.txt', type: 'text/plain', content: 'a' }
      await account.deliver({ subject: 'One', from: 'ann@people.test' }, { date: noon, seen: true })
      await account.deliver(
        { subject: 'Two words', from: 'bob@people.test', to: 'cleo@people.test', files: [file] },
        { date: noon + 10 },
      )
      await account.deliver(
        { subject: 'Three', from: 'me@people.test', to: 'ann@people.test' },
        { date: noon + 20, folder: 'sent', seen: true },
      )
      const titles = async (queryParams: object) =>
        (await nylas.messages.list({ identifier, queryParams })).data.map((message) => message.subject)
      expect(await titles({ subject: 'two words' })).toEqual(['Two words'])
      expect(await titles({ anyEmail: ['ann@people.test', 'cleo@people.test'] })).toEqual(['Three', 'Two words', 'One'])
      expect(await titles({ from: ['ann@people.test', 'bob@people.test'] })).toEqual(['Two words', 'One'])
      expect(await titles({ to: ['cleo@people.test'] })).toEqual(['Two words'])
      expect(await titles({ in: [await folderWith('\\Sent')] })).toEqual(['Three'])
      expect(await titles({ unread: true })).toEqual(['Two words'])
      expect(await titles({ unread: false, receivedAfter: noon })).toEqual(['Three'])
      expect(await titles({ hasAttachment: true, receivedBefore: noon + 11 })).toEqual(['Two words'])
      expect(await titles({ searchQueryNative: 'SUBJECT "two words" UNSEEN' })).toEqual(['Two words'])
    })

    test('are listed page by page, up to the limit', async () => {
      for (let index = 0; index < 12; index++) await account.deliver({ subject: String(index) }, { date: noon + index })
      const pages = await pagesOf(nylas.messages.list({ identifier, queryParams: { limit: 5 } }))
      expect(pages.flat().map((message) => message.subject)).toEqual(
        Array.from({ length: 12 }, (_, i) => String(11 - i)),
      )
      const first = await nylas.messages.list({ identifier, queryParams: { limit: 5 } })
      expect(first.data).toHaveLength(5)
      const second = await nylas.messages.list({
        identifier,
        queryParams: { limit: 3, pageToken: first.nextCursor },
      } as Parameters<Nylas['messages']['list']>[0])
      expect(second.data.map((message) => message.subject)).toEqual(['6', '5', '4'])
    })

    test('have headers and their source', async () => {
      const source = mimeMessage({ subject: 'Café', headers: [['X-Own', '=?utf-8?Q?=C3=A9?=']] })
      await account.deliver(source)
      const { data: listed } = await nylas.messages.list({
        identifier,
        queryParams: { fields: MessageFields.INCLUDE_HEADERS },
      })
      expect(listed[0]?.headers?.[0]).toEqual({ name: 'X-Own', value: '=?utf-8?Q?=C3=A9?=' })
      const { data: raw } = await nylas.messages.find({
        identifier,
        messageId: listed[0]?.id ?? '',
        queryParams: { fields: MessageFields.RAW_MIME },
      })
      expect(Buffer.from(raw.rawMime ?? '', 'base64url').toString()).toBe(source)
    })

    test('are cleaned', async () => {
      const html = '<p>New words</p><div class="gmail_quote">On Mon, Bob wrote:<blockquote>Old words</blockquote></div>'
      await account.deliver({ subject: 'Clean', html })
      const { data } = await nylas.messages.list({ identifier })
      const id = data[0]?.id ?? ''
      const cleaned = await nylas.messages.cleanMessages({
        identifier,
        requestBody: { messageId: [id], ignoreLinks: true, htmlAsMarkdown: true },
      })
      expect(cleaned.data).toMatchObject([{ id, conversation: expect.stringContaining('New words') }])
      expect(cleaned.data[0]?.conversation).not.toContain('Old words')
    })

    test('fail with errors of the client', async () => {
      const missing = await failureOf(nylas.messages.find({ identifier, messageId: '<no@such.test>' }))
      expect(missing).toMatchObject({ statusCode: 404, type: 'not_found_error' })
      await account.deliver({ subject: 'There' })
      const wrong = await failureOf(
        Promise.resolve(nylas.messages.list({ identifier, queryParams: { searchQueryNative: 'FROBNICATE' } })),
      )
      expect(wrong.statusCode).toBe(400)
    })
  })

  describe('threads', () => {
    test('are listed, found, updated and destroyed', async () => {
      const [first, second] = [newMessageId(), newMessageId()]
      await account.deliver({ subject: 'Plan', messageId: first }, { date: noon })
      await account.deliver(
        { subject: 'Re: Plan', messageId: second, inReplyTo: first, references: [first] },
        { date: noon + 60, folder: 'sent', seen: true },
      )
      await account.deliver({ subject: 'Other' }, { date: noon - 60 })
      const { data } = await nylas.threads.list({ identifier })
      expect(data.map(({ messageIds }) => messageIds.length)).toEqual([2, 1])
      const thread = data[0]
      if (thread === undefined) throw new Error('there is no thread')
      expect(thread).toMatchObject({
        object: 'thread',
        grantId: identifier,
        unread: true,
        starred: false,
        hasAttachments: false,
        hasDrafts: false,
        draftIds: [],
        earliestMessageDate: noon,
        latestDraftOrMessage: { object: 'message', subject: 'Re: Plan' },
      })
      expect((await nylas.threads.find({ identifier, threadId: thread.id })).data).toEqual(thread)
      const archive = await folderWith('\\Archive')
      const { data: updated } = await nylas.threads.update({
        identifier,
        threadId: thread.id,
        requestBody: { unread: false, starred: true, folders: [archive] },
      })
      expect(updated).toMatchObject({ id: thread.id, unread: false, starred: true, folders: [archive] })
      const { data: unread } = await nylas.threads.list({ identifier, queryParams: { unread: true } })
      expect(unread.map(({ subject: title }) => title)).toEqual(['Other'])
      await nylas.threads.destroy({ identifier, threadId: thread.id })
      const trash = await folderWith('\\Trash')
      expect((await nylas.threads.find({ identifier, threadId: thread.id })).data.folders).toEqual([trash])
      const pages = await pagesOf(nylas.threads.list({ identifier, queryParams: { limit: 1 } }))
      expect(pages.flat()).toHaveLength(2)
      expect((await failureOf(nylas.threads.find({ identifier, threadId: 'none' }))).statusCode).toBe(404)
    })
  })

  describe('folders', () => {
    test('are listed, created, found, updated and destroyed', async () => {
      const { data: made } = await nylas.folders.create({ identifier, requestBody: { name: 'Projekte/Größe 100%' } })
      expect(made).toMatchObject({ object: 'folder', grantId: identifier, name: 'Projekte/Größe 100%' })
      expect((await nylas.folders.find({ identifier, folderId: made.id })).data).toEqual(made)
      const pages = await pagesOf(nylas.folders.list({ identifier, queryParams: { limit: 2 } }))
      expect(pages.flat().map(({ id }) => id)).toContain(made.id)
      const { data: renamed } = await nylas.folders.update({
        identifier,
        folderId: made.id,
        requestBody: { name: 'Fertig' },
      })
      expect(renamed.name).toBe('Fertig')
      await nylas.folders.destroy({ identifier, folderId: renamed.id })
      expect((await failureOf(nylas.folders.find({ identifier, folderId: renamed.id }))).statusCode).toBe(404)
    })
  })

  describe('attachments', () => {
    test('are found and downloaded, as a stream and as bytes', async () => {
      const content = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256))
      const picture = { name: 'logo.png', type: 'image/png', content: 'PNG', contentId: 'logo@letters.test' }
      const file = { name: 'Übersicht.bin', type: 'application/octet-stream', content }
      await account.deliver({ subject: 'Files', html: '<img src="cid:logo@letters.test">', files: [picture, file] })
      const { data } = await nylas.messages.list({ identifier, queryParams: { hasAttachment: true } })
      const [message] = data
      const attachment = message?.attachments?.find(({ filename }) => filename === 'Übersicht.bin')
      const logo = message?.attachments?.find(({ filename }) => filename === 'logo.png')
      expect(logo).toMatchObject({ isInline: true, contentType: 'image/png', grantId: identifier })
      const path = { identifier, attachmentId: attachment?.id ?? '', queryParams: { messageId: message?.id ?? '' } }
      expect((await nylas.attachments.find(path)).data).toEqual(attachment)
      expect(content.equals(await nylas.attachments.downloadBytes(path))).toBe(true)
      const stream = await nylas.attachments.download(path)
      expect(content.equals(Buffer.concat(await Array.fromAsync(stream)))).toBe(true)
      expect(content.equals(await buffer(await nylas.attachments.downloadNodeStream(path)))).toBe(true)
      const missing = await failureOf(nylas.attachments.find({ ...path, attachmentId: 'none' }))
      expect(missing.statusCode).toBe(404)
    })
  })

  test('works with contacts and their groups', async () => {
    const made = await nylas.contacts.create({
      identifier,
      requestBody: {
        givenName: 'Ada',
        surname: 'Lovelace',
        displayName: 'Ada',
        emails: [{ email: 'ada@mail.test', type: 'work' }],
        phoneNumbers: [{ number: '+1 202 555 0100', type: 'home' }],
        imAddresses: [],
        physicalAddresses: [],
        webPages: [],
        groups: [],
      },
    })
    expect(made.data).toMatchObject({ object: 'contact', source: 'address_book', displayName: 'Ada Lovelace' })
    const one = { identifier, contactId: made.data.id }
    const changed = await nylas.contacts.update({ ...one, requestBody: { jobTitle: 'Analyst' } })
    expect(changed.data).toEqual({ ...made.data, jobTitle: 'Analyst' })
    expect((await nylas.contacts.find({ ...one, queryParams: {} })).data).toEqual(changed.data)
    const queryParams = { phoneNumber: '+12025550100', source: 'address_book,inbox' as never }
    expect((await nylas.contacts.list({ identifier, queryParams })).data).toEqual([changed.data])
    expect((await nylas.contacts.groups({ identifier })).data).toEqual([])
    await nylas.contacts.destroy(one)
    await expect(nylas.contacts.find({ ...one, queryParams: {} })).rejects.toMatchObject({ statusCode: 404 })
  })
})
