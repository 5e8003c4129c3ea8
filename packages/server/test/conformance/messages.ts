/** Messages as a reading client sees them, for every provider. */
import { describe, expect, test } from 'vitest'
import { expectStatus, ids } from './accounts.ts'
import {
  changeMessage,
  expectMessage,
  folderIds,
  type MailAccount,
  type MailLack,
  type MailSubject,
  messageBySubject,
  messagePath,
  messagesOf,
  noon,
  type OpenMail,
  readMessage,
  subjects,
  withNewAccounts,
} from './mail-subject.ts'
import { newMessageId } from './mime-messages.ts'

export function describeMessages(subject: MailSubject): void {
  const lacks = (lack: MailLack): boolean => subject.lacks?.includes(lack) ?? false

  describe(`messages of ${subject.name}`, () => {
    let open: OpenMail
    let account: MailAccount
    withNewAccounts(subject, (fresh, opened) => {
      account = fresh
      open = opened
    })

    describe('in a list', () => {
      test('of an empty mailbox are none', async () => {
        const { body } = expectStatus(await account.get('/messages'), 200)
        expect(body.data).toEqual([])
        expect(body.next_cursor ?? null).toBeNull()
      })

      test('come from all folders, newest first, with every field that clients rely on', async () => {
        await account.other.createFolder('Projects')
        const places = ['inbox', 'sent', 'archive', 'Projects', 'trash', 'junk', 'inbox']
        for (const [index, folder] of places.entries()) {
          await account.deliver({ subject: `In ${folder} ${index}` }, { folder, date: noon + ((index * 5) % 7) * 60 })
        }
        const messages = await messagesOf(account)
        expect(messages).toHaveLength(places.length)
        const dates = messages.map(({ date }) => date)
        expect(dates).toEqual(dates.toSorted((a, b) => b - a))
        for (const message of messages) expectMessage(message, account.grantId)
        const folders = await folderIds(account)
        expect(messages.find((message) => message.subject === 'In sent 1').folders).toEqual([folders.sent])
        expect(messages.find((message) => message.subject === 'In trash 4').folders).toEqual([folders.trash])
        expect(new Set(messages.flatMap((message) => message.folders)).size).toBe(6)
      })

      test('have sender, recipients, time of receipt and flags', async () => {
        await account.deliver(
          {
            subject: 'Quarterly figures',
            from: '"Ann, the first" <ann@people.test>',
            to: 'Bob <bob@people.test>, cleo@people.test',
            cc: 'Dan <dan@people.test>',
            text: 'The figures are fine.',
            headers: [['Reply-To', 'Office <office@people.test>']],
          },
          { date: noon + 7, starred: true, seen: true },
        )
        await account.deliver({ subject: 'Plain', from: 'ann@people.test' }, { date: noon })
        const [marked, plain] = await messagesOf(account)
        expect(marked).toMatchObject({
          subject: 'Quarterly figures',
          from: [{ name: 'Ann, the first', email: 'ann@people.test' }],
          to: [{ name: 'Bob', email: 'bob@people.test' }, { email: 'cleo@people.test' }],
          cc: [{ name: 'Dan', email: 'dan@people.test' }],
          bcc: [],
          reply_to: [{ name: 'Office', email: 'office@people.test' }],
          date: noon + 7,
          unread: false,
          starred: true,
          snippet: 'The figures are fine.',
          attachments: [],
        })
        expect(marked.body.trim()).toBe('The figures are fine.')
        expect(plain).toMatchObject({ subject: 'Plain', from: [{ email: 'ann@people.test' }], reply_to: [] })
        expect(plain).toMatchObject({ unread: true, starred: false, date: noon })
        expect(plain).not.toHaveProperty('metadata')
        expect(plain).not.toHaveProperty('headers')
        expect(plain).not.toHaveProperty('raw_mime')
        expect(plain).not.toHaveProperty('tracking_options')
      })

      test('equal those that are read alone, and reading does not mark them as read', async () => {
        await account.deliver({ subject: 'One', html: '<p>Two <b>words</b></p>', text: 'Two words' })
        const [shown] = await messagesOf(account)
        const read = await readMessage(account, shown.id)
        expect(read).toEqual(shown)
        expect(read.unread).toBe(true)
        expect(await readMessage(account, shown.id)).toEqual(shown)
      })

      test('have HTML as their body if available, and text as their snippet', async () => {
        const html =
          '<html><head><style>p { color: red }</style></head><body><p>Dear Bob,</p><p>fish &amp; chips</p></body></html>'
        await account.deliver({ subject: 'Both', html, text: 'Only the text' })
        await account.deliver({ subject: 'HTML', html })
        await account.deliver({ subject: 'Text', text: 'Only the text\n\nof this' })
        await account.deliver({ subject: 'Long', text: 'word '.repeat(400) })
        for (const name of ['Both', 'HTML']) {
          const { body, snippet } = await messageBySubject(account, name)
          expect(body).toContain('<p>fish &amp; chips</p>')
          expect(snippet).toBe('Dear Bob, fish & chips')
        }
        expect((await messageBySubject(account, 'Text')).snippet).toBe('Only the text of this')
        const long = await messageBySubject(account, 'Long')
        expect(long.snippet).toMatch(/^word word/)
        expect(long.snippet.length).toBeGreaterThan(90)
        expect(long.body.trim()).toBe('word '.repeat(400).trim())
      })

      test('are decoded from every charset', async () => {
        const latin = Buffer.from(
          'From: =?iso-8859-1?Q?J=F6rg?= <joerg@people.test>\r\nTo: =?utf-8?B?6buE?= <huang@people.test>\r\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?= aus =?utf-8?Q?K=C3=B6?=\r\n =?utf-8?Q?ln?=\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\nSch\xf6ne Gr\xfc\xdfe\r\n',
          'latin1',
        )
        await account.deliver(latin)
        await account.deliver({ subject: '注文 😀', text: 'ご注文ありがとう' }, { date: noon - 1 })
        const [german, japanese] = await messagesOf(account)
        expect(german).toMatchObject({
          subject: 'Grüße aus Köln',
          from: [{ name: 'Jörg', email: 'joerg@people.test' }],
          to: [{ name: '黄', email: 'huang@people.test' }],
          snippet: 'Schöne Grüße',
        })
        expect(german.body.trim()).toBe('Schöne Grüße')
        expect(japanese).toMatchObject({ subject: '注文 😀', snippet: 'ご注文ありがとう' })
      })

      test('appear as soon as they arrive, and disappear as soon as they are deleted', async () => {
        const arrived: { name: string; messageId: string; folder: string }[] = []
        for (const [index, folder] of ['inbox', 'archive', 'inbox', 'sent', 'inbox', 'archive'].entries()) {
          const one = { name: `Number ${index}`, messageId: newMessageId(), folder }
          await account.deliver({ subject: one.name, messageId: one.messageId }, { folder, date: noon + index })
          arrived.unshift(one)
          expect(subjects(await messagesOf(account))).toEqual(arrived.map(({ name }) => name))
        }
        for (const { messageId, folder } of [...arrived]) {
          await account.other.erase(messageId, folder)
          arrived.shift()
          expect(subjects(await messagesOf(account))).toEqual(arrived.map(({ name }) => name))
        }
      })

      test('are the same for many concurrent readers', async () => {
        for (let index = 0; index < 8; index++) {
          const folder = ['inbox', 'archive', 'sent'][index % 3] ?? 'inbox'
          await account.deliver({ subject: `Number ${index}` }, { folder, date: noon + index })
        }
        const lists = await Promise.all(Array.from({ length: 12 }, () => messagesOf(account, { limit: 5 })))
        const [first = []] = lists
        expect(first).toHaveLength(8)
        for (const each of lists) expect(each).toEqual(first)
        const read = await Promise.all(first.map(({ id }) => readMessage(account, id)))
        expect(read).toEqual(first)
        const marked = await Promise.all(first.map(({ id }) => changeMessage(account, id, { starred: true })))
        expect(marked).toEqual(first.map((message) => ({ ...message, starred: true })))
      })

      test('have the flags that another client set a moment ago', async () => {
        const messageId = newMessageId()
        await account.deliver({ subject: 'Watched', messageId })
        const [{ id }] = await messagesOf(account)
        for (const [seen, starred] of [
          [true, false],
          [true, true],
          [false, true],
          [false, false],
        ] as const) {
          await account.other.mark(messageId, 'inbox', { seen, starred })
          expect(await readMessage(account, id)).toMatchObject({ unread: !seen, starred })
          expect(await messagesOf(account)).toMatchObject([{ unread: !seen, starred }])
          expect(await messagesOf(account, { unread: seen })).toEqual([])
          expect(ids(await messagesOf(account, { starred }))).toEqual([id])
        }
      })

      test('can lack nearly everything', async () => {
        await account.deliver('X-Empty: yes\r\n\r\n')
        const [bare] = await messagesOf(account)
        expectMessage(bare, account.grantId)
        expect(bare).toMatchObject({ subject: '', from: [], to: [], snippet: '', attachments: [] })
        expect((await readMessage(account, bare.id)).id).toBe(bare.id)
      })
    })

    describe('by their ids', () => {
      test('that do not exist are not found', async () => {
        for (const id of ['no-such-message', '<nobody@nowhere.test>', 'a/b', '100%25', 'ä', 'x'.repeat(900)]) {
          expectStatus(await account.get(messagePath(id)), 404)
          expectStatus(await account.put(messagePath(id), { unread: false }), 404)
          const { body } = expectStatus(await account.delete(messagePath(id)), 404)
          expect(body.error).toMatchObject({ type: 'not_found_error', message: expect.stringMatching(/./) })
        }
      })

      test('of another account are not found', async () => {
        await account.deliver({ subject: 'Mine', messageId: null })
        const [{ id }] = await messagesOf(account)
        const other = await open.newAccount()
        expectStatus(await other.get(messagePath(id)), 404)
      })

      test('are distinguished without a Message-ID', async () => {
        for (const name of ['A', 'B']) await account.deliver({ subject: name, messageId: null })
        const messages = await messagesOf(account)
        expect(subjects(messages).sort()).toEqual(['A', 'B'])
        expect(new Set(ids(messages)).size).toBe(2)
        for (const { id, subject: name } of messages) expect((await readMessage(account, id)).subject).toBe(name)
      })

      test('are distinguished with the same Message-ID', async () => {
        const messageId = newMessageId()
        await account.deliver({ subject: 'First', messageId, text: 'The first of two' })
        await account.deliver({ subject: 'Second', messageId, text: 'Something else' }, { date: noon + 60 })
        await account.deliver({ subject: 'Third', messageId }, { date: noon + 120, folder: 'archive' })
        const messages = await messagesOf(account)
        expect(subjects(messages)).toEqual(['Third', 'Second', 'First'])
        expect(new Set(ids(messages)).size).toBe(3)
        for (const { id, subject: name } of messages) expect((await readMessage(account, id)).subject).toBe(name)
        await changeMessage(account, messages[1].id, { starred: true })
        expect((await messagesOf(account)).map(({ starred }) => starred)).toEqual([false, true, false])
      })

      test.skipIf(lacks('several-folders'))('are one message if the same message is in two folders', async () => {
        const messageId = newMessageId()
        await account.deliver({ subject: 'Copied', messageId })
        const [before] = await messagesOf(account)
        await account.other.copy(messageId, 'inbox', 'archive')
        const folders = await folderIds(account)
        const messages = await messagesOf(account)
        expect(messages).toHaveLength(1)
        expect(messages[0].folders.toSorted()).toEqual([folders.inbox, folders.archive].sort())
        expect(messages[0].id).toBe(before.id)
        expect(await readMessage(account, before.id)).toEqual(messages[0])
        for (const folder of [folders.inbox, folders.archive]) {
          expect(ids(await messagesOf(account, { in: folder }))).toEqual([before.id])
        }
      })
    })
  })
}
