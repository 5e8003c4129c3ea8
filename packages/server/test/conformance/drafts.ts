/** Drafts as a client sees them, for every provider, whoever wrote them. */
import { describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Fields, type Json, pagesOf, type Query } from './accounts.ts'
import {
  folderIds,
  type MailAccount,
  type MailSubject,
  messageBySubject,
  noon,
  withNewAccounts,
} from './mail-subject.ts'
import { newMessageId } from './mime-messages.ts'

export function describeDrafts(subject: MailSubject): void {
  describe(`drafts of ${subject.name}`, () => {
    let account: MailAccount
    withNewAccounts(subject, (fresh) => {
      account = fresh
    })

    const pathOf = (id: string): string => `/drafts/${encodeURIComponent(id)}`
    const create = async (fields: Fields = {}): Promise<Json> =>
      expectStatus(
        await account.post('/drafts', { to: [{ email: 'bob@people.test' }], subject: 'Plan', ...fields }),
        200,
      ).body.data
    const read = async (id: string, query: Query = {}): Promise<Json> =>
      expectStatus(await account.get(pathOf(id), query), 200).body.data
    const change = async (id: string, fields: Fields): Promise<Json> =>
      expectStatus(await account.put(pathOf(id), fields), 200).body.data
    const list = async (query: Query = {}): Promise<Json[]> => (await pagesOf(account, '/drafts', query)).flat()
    const listed = async (query: Query = {}): Promise<string[]> => (await list(query)).map((draft) => draft.subject)
    const inFolder = async (): Promise<Json[]> =>
      (await pagesOf(account, '/messages', { in: (await folderIds(account)).drafts })).flat()

    const file = (name: string, text: string): Fields => ({
      filename: name,
      content_type: 'text/plain',
      content: Buffer.from(text).toString('base64'),
    })

    describe('when they are created', () => {
      test('have every given field, and are listed as drafts', async () => {
        const before = Math.floor(Date.now() / 1000) - 1
        const draft = await create({
          to: [{ name: 'Bob Größe', email: 'bob@people.test' }, { email: 'ann@people.test' }],
          cc: [{ email: 'cleo@people.test' }],
          bcc: [{ name: 'Dan', email: 'dan@people.test' }],
          reply_to: [{ email: 'desk@people.test' }],
          subject: 'Pläne für morgen',
          body: '<p>Grüße</p>',
          starred: true,
        })
        const { drafts } = await folderIds(account)
        expect(draft).toMatchObject({
          id: expect.stringMatching(/./),
          object: 'draft',
          grant_id: account.grantId,
          thread_id: '',
          from: [{ email: account.email }],
          to: [{ name: 'Bob Größe', email: 'bob@people.test' }, { email: 'ann@people.test' }],
          cc: [{ email: 'cleo@people.test' }],
          bcc: [{ name: 'Dan', email: 'dan@people.test' }],
          reply_to: [{ email: 'desk@people.test' }],
          subject: 'Pläne für morgen',
          body: expect.stringContaining('<p>Grüße</p>'),
          snippet: 'Grüße',
          starred: true,
          unread: false,
          folders: [drafts],
          attachments: [],
        })
        expect(draft.date).toBeGreaterThanOrEqual(before)
        expect(draft.date).toBeLessThanOrEqual(Date.now() / 1000 + 5)
        expect(draft.id).toBe(decodeURIComponent(draft.id))
        expect(await read(draft.id)).toEqual(draft)
        expect(await list()).toEqual([draft])
        expect(await inFolder()).toMatchObject([{ subject: 'Pläne für morgen', unread: false, starred: true }])
      })

      test('can be empty', async () => {
        const { data } = expectStatus(await account.post('/drafts', {}), 200).body
        expect(data).toMatchObject({ object: 'draft', to: [], subject: '', starred: false, thread_id: '' })
        expect(await read(data.id)).toEqual(data)
      })

      test('keep plain text plain', async () => {
        const draft = await create({ body: 'A < B & C\n  D', is_plaintext: true })
        expect(draft.body.replaceAll('\r\n', '\n').trimEnd()).toBe('A < B & C\n  D')
      })

      test('have inline and attached files that can be downloaded', async () => {
        const picture = {
          ...file('logo.png', 'PNG'),
          content_type: 'image/png',
          content_id: 'logo1',
        }
        const draft = await create({
          body: '<p><img src="cid:logo1"></p>',
          attachments: [picture, file('Übersicht 1.txt', 'figures')],
        })
        expect(draft.attachments).toMatchObject([
          { filename: 'logo.png', content_type: expect.stringContaining('image/png'), is_inline: true },
          { filename: 'Übersicht 1.txt', is_inline: false },
        ])
        const [, second] = draft.attachments
        const path = `/attachments/${encodeURIComponent(second.id)}`
        const download = expectStatus(await account.get(`${path}/download`, { message_id: draft.id }), 200)
        expect(download.body).toBe('figures')
        expect(expectStatus(await account.get(path, { message_id: draft.id }), 200).body.data).toEqual(second)
      })

      test('that reply to a message belong to its thread', async () => {
        const messageId = newMessageId()
        await account.deliver({ subject: 'Question', messageId })
        const question = await messageBySubject(account, 'Question')
        const draft = await create({ subject: 'Re: Question', reply_to_message_id: question.id })
        expect(draft).toMatchObject({ thread_id: question.thread_id, reply_to_message_id: question.id })
        const thread = expectStatus(await account.get(`/threads/${question.thread_id}`), 200).body.data
        expect(thread).toMatchObject({ has_drafts: true, draft_ids: [draft.id], message_ids: [question.id] })
        expect(await list({ thread_id: question.thread_id })).toEqual([draft])
        await create({ subject: 'Other' })
        expect(await listed({ thread_id: question.thread_id })).toEqual(['Re: Question'])
      })

      test('cannot be scheduled', async () => {
        expectRefusal(
          await account.post('/drafts', {
            to: [{ email: 'a@people.test' }],
            send_at: Math.floor(Date.now() / 1000) + 600,
          }),
          /send_at/,
        )
        expect(await list()).toEqual([])
      })
    })

    describe('when they are changed', () => {
      test('keep their id and the fields that the change omits, and none is duplicated', async () => {
        const draft = await create({
          body: '<p>First</p>',
          cc: [{ email: 'cleo@people.test' }],
          bcc: [{ email: 'dan@people.test' }],
          attachments: [file('a.txt', 'A')],
        })
        const changed = await change(draft.id, { subject: 'Better plan' })
        expect(changed).toMatchObject({
          id: draft.id,
          subject: 'Better plan',
          body: draft.body,
          to: draft.to,
          cc: draft.cc,
          bcc: draft.bcc,
          attachments: [{ filename: 'a.txt' }],
        })
        expect(changed.date).toBeGreaterThanOrEqual(draft.date)
        const again = await change(draft.id, { to: [{ email: 'eve@people.test' }], body: '<p>Second</p>' })
        expect(again).toMatchObject({ id: draft.id, subject: 'Better plan', to: [{ email: 'eve@people.test' }] })
        expect(again.body).toContain('Second')
        expect(await list()).toEqual([again])
        expect(await inFolder()).toHaveLength(1)
      })

      test('have exactly the files of the change', async () => {
        const draft = await create({ attachments: [file('a.txt', 'A'), file('b.txt', 'B')] })
        const names = ({ attachments }: Json): string[] => attachments.map(({ filename }: Json) => filename)
        expect(names(await change(draft.id, { attachments: [file('c.txt', 'C')] }))).toEqual(['c.txt'])
        expect(names(await change(draft.id, { attachments: [] }))).toEqual([])
        expect(names(await read(draft.id))).toEqual([])
      })

      test('stay starred until unstarred', async () => {
        const draft = await create({ starred: true })
        expect(await change(draft.id, { subject: 'Still' })).toMatchObject({ starred: true })
        expect(await change(draft.id, { starred: false })).toMatchObject({ starred: false, subject: 'Still' })
        expect(await listed({ starred: true })).toEqual([])
      })

      test('stay in their thread', async () => {
        await account.deliver({ subject: 'Question' })
        const question = await messageBySubject(account, 'Question')
        const draft = await create({ subject: 'Re: Question', reply_to_message_id: question.id })
        expect(await change(draft.id, { body: 'Yes' })).toMatchObject({ thread_id: question.thread_id })
      })
    })

    describe('when they are deleted', () => {
      test('are deleted permanently', async () => {
        const draft = await create()
        await create({ subject: 'Stays' })
        expectStatus(await account.delete(pathOf(draft.id)), 200)
        expectStatus(await account.get(pathOf(draft.id)), 404)
        expectStatus(await account.delete(pathOf(draft.id)), 404)
        expectStatus(await account.put(pathOf(draft.id), { subject: 'x' }), 404)
        expect(await listed()).toEqual(['Stays'])
        expect((await pagesOf(account, '/messages', {})).flat()).toHaveLength(1)
      })
    })

    describe('of other programs', () => {
      test('are listed, read, changed and deleted like ours', async () => {
        const messageId = newMessageId()
        await account.deliver(
          {
            subject: 'From a phone',
            messageId,
            to: 'Bob <bob@people.test>',
            bcc: 'dan@people.test',
            html: '<b>Hi</b>',
          },
          { folder: 'drafts', seen: true },
        )
        const [draft] = await list()
        expect(draft).toMatchObject({
          object: 'draft',
          subject: 'From a phone',
          date: noon,
          bcc: [{ email: 'dan@people.test' }],
        })
        const changed = await change(draft.id, { subject: 'From a desk' })
        expect(changed).toMatchObject({ id: draft.id, subject: 'From a desk', to: [{ email: 'bob@people.test' }] })
        expect(changed.bcc).toEqual([{ email: 'dan@people.test' }])
        expect(await account.other.find(messageId)).toHaveLength(1)
        expectStatus(await account.delete(pathOf(draft.id)), 200)
        expect(await account.other.find(messageId)).toEqual([])
      })

      test('need no Message-ID', async () => {
        await account.deliver({ subject: 'Nameless', messageId: null }, { folder: 'drafts', seen: true })
        const [draft] = await list()
        expect(await read(draft.id)).toEqual(draft)
        const changed = await change(draft.id, { subject: 'Named' })
        expect(await list()).toEqual([changed])
        expectStatus(await account.delete(pathOf(changed.id)), 200)
        expect(await list()).toEqual([])
      })

      test('in another folder are messages, not drafts', async () => {
        const messageId = newMessageId()
        await account.deliver({ subject: 'Not here', messageId }, { folder: 'inbox' })
        expect(await list()).toEqual([])
        const message = await messageBySubject(account, 'Not here')
        expectStatus(await account.get(pathOf(message.id)), 404)
      })

      test('that another program changes are read in their current form', async () => {
        const messageId = newMessageId()
        await account.deliver({ subject: 'Old words', messageId }, { folder: 'drafts', seen: true })
        const [draft] = await list()
        await account.deliver({ subject: 'New words', messageId }, { folder: 'drafts', seen: true, date: noon + 60 })
        expect(await read(draft.id)).toMatchObject({ id: draft.id, subject: 'New words' })
        expect(await listed()).toContain('New words')
        await change(draft.id, { subject: 'Newest words' })
        expect(await read(draft.id)).toMatchObject({ id: draft.id, subject: 'Newest words' })
        expect(await listed()).not.toContain('New words')
      })
    })

    describe('in a list', () => {
      test('are filtered', async () => {
        await create({ subject: 'One', to: [{ email: 'ann@people.test' }], starred: true })
        await create({ subject: 'Two words', cc: [{ email: 'cleo@people.test' }], attachments: [file('a.txt', 'A')] })
        await create({ subject: 'Three', bcc: [{ email: 'dan@people.test' }] })
        await account.deliver({ subject: 'Unread', to: 'zoe@people.test' }, { folder: 'drafts', date: noon })
        const all = ['One', 'Three', 'Two words', 'Unread']
        expect((await listed()).toSorted()).toEqual(all)
        expect(await listed({ subject: 'two' })).toEqual(['Two words'])
        expect(await listed({ to: 'ann@people.test' })).toEqual(['One'])
        expect(await listed({ cc: 'cleo@people.test' })).toEqual(['Two words'])
        if (!subject.lacks?.includes('bcc-filter')) expect(await listed({ bcc: 'dan@people.test' })).toEqual(['Three'])
        expect((await listed({ any_email: 'zoe@people.test,cleo@people.test' })).toSorted()).toEqual([
          'Two words',
          'Unread',
        ])
        expect(await listed({ starred: true })).toEqual(['One'])
        expect(await listed({ unread: true })).toEqual(['Unread'])
        expect((await listed({ unread: false })).toSorted()).toEqual(['One', 'Three', 'Two words'])
        expect(await listed({ has_attachment: true })).toEqual(['Two words'])
        expect(await listed({ to: 'nobody@people.test' })).toEqual([])
        const { drafts, inbox } = await folderIds(account)
        expect((await listed({ in: drafts })).toSorted()).toEqual(all)
        expect(await listed({ in: drafts, subject: 'two' })).toEqual(['Two words'])
        expect(await listed({ in: inbox })).toEqual([])
        expect((await account.get('/drafts', { in: 'no-such-folder' })).status).toBe(400)
      })

      test('are sorted newest first, page by page', async () => {
        for (let index = 0; index < 7; index++) {
          await account.deliver({ subject: String(index) }, { folder: 'drafts', seen: true, date: noon + index })
        }
        const pages = await pagesOf(account, '/drafts', { limit: 3 })
        expect(pages.map((page) => page.map((draft) => draft.subject))).toEqual([
          ['6', '5', '4'],
          ['3', '2', '1'],
          ['0'],
        ])
      })

      test('have the selected fields', async () => {
        const draft = await create()
        expect(await list({ select: 'id,subject' })).toEqual([{ id: draft.id, subject: 'Plan' }])
        expect(await read(draft.id, { select: 'object' })).toEqual({ object: 'draft' })
      })
    })

    test.each(['none', 'r', 'rAAAA', 'r****', 'd', 'dAAAA', '%00', 'm'])(
      'an invalid id is not found: %s',
      async (id) => {
        expectStatus(await account.get(pathOf(id)), 404)
        expectStatus(await account.delete(pathOf(id)), 404)
      },
    )

    test('survive a lost connection', async () => {
      const draft = await create()
      await account.disconnect()
      expect(await change(draft.id, { subject: 'After' })).toMatchObject({ id: draft.id, subject: 'After' })
    })
  })
}
