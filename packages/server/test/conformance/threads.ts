/** Threads as a client sees them, for every provider. */
import { describe, expect, test } from 'vitest'
import { expectStatus, ids, type Json, pagesOf, type Query } from './accounts.ts'
import {
  deliverConversation,
  folderIds,
  type MailAccount,
  type MailLack,
  type MailSubject,
  messageBySubject,
  messagesOf,
  noon,
  subjects,
  threadPath,
  withNewAccounts,
} from './mail-subject.ts'
import { newMessageId } from './mime-messages.ts'

export function describeThreads(subject: MailSubject): void {
  const lacks = (lack: MailLack): boolean => subject.lacks?.includes(lack) ?? false

  describe(`threads of ${subject.name}`, () => {
    let account: MailAccount
    let folders: Awaited<ReturnType<typeof folderIds>>
    withNewAccounts(subject, async (fresh) => {
      account = fresh
      folders = await folderIds(account)
    })

    const list = async (query: Query = {}): Promise<Json[]> => (await pagesOf(account, '/threads', query)).flat()
    const read = async (id: string): Promise<Json> => expectStatus(await account.get(threadPath(id)), 200).body.data
    const me = 'Me <me@people.test>'

    test('of an empty mailbox are none', async () => {
      const { body } = expectStatus(await account.get('/threads'), 200)
      expect(body.data).toEqual([])
      expect(body.next_cursor ?? null).toBeNull()
    })

    test('contain received and sent messages, with every field that clients rely on', async () => {
      await deliverConversation(account)
      const threads = await list()
      expect(threads).toHaveLength(1)
      const [thread] = threads
      const messages = await messagesOf(account)
      const [thanks, answer, question] = messages
      expect(thread).toMatchObject({
        id: expect.stringMatching(/./),
        object: 'thread',
        grant_id: account.grantId,
        subject: expect.stringContaining('Plan'),
        snippet: 'Thanks',
        has_attachments: true,
        has_drafts: false,
        starred: false,
        unread: true,
        earliest_message_date: noon,
        latest_message_received_date: noon + 120,
        latest_message_sent_date: noon + 60,
        draft_ids: [],
      })
      expect(thread.message_ids.toSorted()).toEqual([question.id, answer.id, thanks.id].sort())
      expect(thread.folders.toSorted()).toEqual([folders.inbox, folders.sent].sort())
      const addresses = thread.participants.map(({ email }: Json) => email)
      expect(addresses.toSorted()).toEqual(['ann@people.test', 'cleo@people.test', 'me@people.test'])
      expect(thread.participants).toContainEqual({ name: 'Cleo', email: 'cleo@people.test' })
      expect(thread.latest_draft_or_message).toEqual(thanks)
      for (const message of messages) expect(message.thread_id).toBe(thread.id)
      expect(await read(thread.id)).toEqual(thread)
      expect(subjects(await messagesOf(account, { thread_id: thread.id }))).toEqual(['Re: Plan', 'Re: Plan', 'Plan'])
    })

    test('can contain a single message', async () => {
      await account.deliver({ subject: 'Alone', messageId: null }, { seen: true, starred: true })
      const message = await messageBySubject(account, 'Alone')
      expect(await list()).toEqual([
        expect.objectContaining({ id: message.thread_id, message_ids: [message.id], unread: false, starred: true }),
      ])
      expect(await read(message.thread_id)).toMatchObject({ folders: [folders.inbox], has_attachments: false })
    })

    test('do not contain messages that only look related', async () => {
      for (const from of ['shop@people.test', 'other@people.test'])
        await account.deliver({ subject: 'Newsletter', from })
      expect(await list()).toHaveLength(2)
    })

    test.skipIf(lacks('reference-threads'))('are connected by In-Reply-To if there are no references', async () => {
      const [first, second, third] = [newMessageId(), newMessageId(), newMessageId()]
      await account.deliver({ subject: 'Chain', messageId: first }, { date: noon })
      await account.deliver(
        { subject: 'Re: Chain', messageId: second, inReplyTo: first },
        { date: noon + 1, folder: 'sent' },
      )
      await account.deliver(
        { subject: 'Re: Chain', messageId: third, inReplyTo: second },
        { date: noon + 2, folder: 'archive' },
      )
      const threads = await list()
      expect(threads).toHaveLength(1)
      expect(threads[0].message_ids).toHaveLength(3)
      expect(new Set((await messagesOf(account)).map(({ thread_id }) => thread_id))).toEqual(new Set([threads[0].id]))
    })

    test.skipIf(lacks('reference-threads') || lacks('late-threads'))(
      'are connected by references to a message that is missing',
      async () => {
        const lost = newMessageId()
        await account.deliver({ subject: 'Re: Lost', references: [lost], inReplyTo: lost }, { date: noon })
        await account.deliver(
          { subject: 'Re: Lost', references: [lost], inReplyTo: lost },
          { date: noon + 1, folder: 'sent' },
        )
        expect(await list()).toMatchObject([{ message_ids: [expect.any(String), expect.any(String)] }])
      },
    )

    test.skipIf(lacks('late-threads'))('are connected in any order of arrival', async () => {
      const [question, answer] = [newMessageId(), newMessageId()]
      await account.deliver(
        { subject: 'Re: Late', messageId: answer, inReplyTo: question, references: [question] },
        { date: noon + 9 },
      )
      const [early] = await list()
      await account.deliver({ subject: 'Late', messageId: question }, { date: noon, folder: 'archive' })
      const threads = await list()
      expect(threads).toHaveLength(1)
      expect(threads[0]).toMatchObject({ id: early.id, earliest_message_date: noon })
      expect(threads[0].message_ids).toHaveLength(2)
    })

    test('keep their id when a reply arrives, a message is moved or the connection is lost', async () => {
      const [question, , thanks] = await deliverConversation(account)
      const [before] = await list()
      await account.deliver(
        { subject: 'Re: Plan', inReplyTo: thanks, references: [question, thanks] },
        { date: noon + 300 },
      )
      await account.other.move(question, 'inbox', 'archive')
      await account.disconnect()
      const [after] = await list()
      expect(after.id).toBe(before.id)
      expect(after.message_ids).toHaveLength(4)
      expect(after.folders).toContain(folders.archive)
    })

    test('list drafts separately from messages', async () => {
      const [question, , thanks] = await deliverConversation(account)
      await account.deliver(
        { subject: 'Re: Plan', from: me, to: 'ann@people.test', inReplyTo: thanks, references: [question, thanks] },
        { date: noon + 200, folder: 'drafts', seen: true },
      )
      const [thread] = await list()
      expect(thread).toMatchObject({ has_drafts: true, draft_ids: [expect.any(String)] })
      expect(thread.message_ids).toHaveLength(3)
      expect(thread.latest_draft_or_message).toMatchObject({ object: 'draft', id: thread.draft_ids[0] })
    })

    test('that do not exist are not found', async () => {
      for (const id of ['no-such-thread', '<x@y.test>']) {
        expectStatus(await account.get(threadPath(id)), 404)
        expectStatus(await account.put(threadPath(id), { unread: false }), 404)
        expectStatus(await account.delete(threadPath(id)), 404)
      }
    })

    test('are filtered by their id, alone and with other filters', async () => {
      await deliverConversation(account)
      await account.deliver({ subject: 'Another', text: 'Something else' }, { date: noon + 500 })
      const [other, plan] = await list()
      const listed = async (query: Query) => ids(await list({ thread_id: plan.id, ...query }))
      expect(await listed({})).toEqual([plan.id])
      expect(await listed({ subject: 'plan', unread: true, q: 'thanks' })).toEqual([plan.id])
      for (const query of [
        { subject: 'another' },
        { starred: true },
        { q: 'else' },
        { latest_message_after: noon + 300 },
      ])
        expect(await listed(query), JSON.stringify(query)).toEqual([])
      expect(ids(await list({ q: 'else' }))).toEqual([other.id])
      for (const thread_id of ['no-such-thread', '<x@y.test>']) expect(await list({ thread_id })).toEqual([])
    })

    test('are returned with the selected fields', async () => {
      await deliverConversation(account)
      const [{ id }] = await list()
      expect((await account.get('/threads', { select: 'id,unread' })).body.data).toEqual([{ id, unread: true }])
      expect((await account.get(threadPath(id), { select: 'id' })).body.data).toEqual({ id })
    })

    describe('in pages', () => {
      test('are sorted newest first, each once, twenty by default and fifty at most', async () => {
        for (let index = 0; index < 55; index++) {
          await account.deliver({ subject: `Thread ${index}`, text: `Number ${index}` }, { date: noon + index })
        }
        const expected = Array.from({ length: 55 }, (_, index) => `Thread ${54 - index}`)
        const first = expectStatus(await account.get('/threads'), 200).body
        expect(first.data).toHaveLength(20)
        expect(expectStatus(await account.get('/threads', { limit: 500 }), 200).body.data).toHaveLength(50)
        expect(subjects(await list({ limit: 50 }))).toEqual(expected)
        const pages = await pagesOf(account, '/threads', { limit: 30, select: 'subject' })
        expect(pages.flatMap(subjects)).toEqual(expected)
        await account.deliver({ subject: 'Newer' }, { date: noon + 100 })
        const second = expectStatus(
          await account.get('/threads', { limit: 50, page_token: first.next_cursor }),
          200,
        ).body
        expect(subjects(second.data)).toEqual(expected.slice(20))
      })

      test('contain a thread once, even if its messages are far apart', async () => {
        await deliverConversation(account, 'Old', noon)
        for (let index = 0; index < 5; index++) {
          await account.deliver({ subject: `Between ${index}` }, { date: noon + 61 + index })
        }
        const pages = await pagesOf(account, '/threads', { limit: 1 })
        expect(pages.flat()).toHaveLength(6)
        expect(new Set(ids(pages.flat())).size).toBe(6)
        expect(pages[0]?.[0].message_ids).toHaveLength(3)
      })
    })
  })
}
