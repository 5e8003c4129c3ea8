/** Searching threads and changing them as a whole, for every provider. */
import { describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Json, pagesOf, type Query } from './accounts.ts'
import {
  deliverConversation,
  folderIds,
  type MailAccount,
  type MailLack,
  type MailSubject,
  messageBySubject,
  messagesOf,
  noon,
  threadPath,
  withNewAccounts,
} from './mail-subject.ts'

export function describeThreadChanges(subject: MailSubject): void {
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

    describe('filtered', () => {
      const found = async (query: Query): Promise<string[]> =>
        (await list(query)).map((thread) => thread.subject.replace(/^Re: /, ''))

      test('are those with a matching message', async () => {
        await deliverConversation(account, 'Plan', noon)
        await account.deliver(
          { subject: 'Lunch', from: 'dan@people.test', to: 'eve@people.test' },
          { date: noon + 200, starred: true, seen: true },
        )
        const both = ['Lunch', 'Plan']
        const cases: [Query, string[]][] = [
          [{}, both],
          [{ subject: 'plan' }, ['Plan']],
          [{ from: 'me@people.test' }, ['Plan']],
          [{ from: 'e@people.test' }, []],
          [{ to: 'eve@people.test' }, ['Lunch']],
          [{ cc: 'cleo@people.test' }, ['Plan']],
          [{ any_email: 'cleo@people.test,dan@people.test' }, both],
          [{ in: folders.sent }, ['Plan']],
          [{ in: folders.inbox }, both],
          [{ in: folders.trash }, []],
          [{ unread: true }, ['Plan']],
          [{ starred: true }, ['Lunch']],
          [{ has_attachment: true }, ['Plan']],
          [{ search_query_native: subject.search.subject('Lunch') }, ['Lunch']],
          [{ in: folders.inbox, unread: true, from: 'ann@people.test' }, ['Plan']],
        ]
        for (const [query, expected] of cases) expect(await found(query), JSON.stringify(query)).toEqual(expected)
        const [whole] = await list({ in: folders.sent })
        expect(whole.message_ids).toHaveLength(3)
      })

      test.skipIf(lacks('seconds'))('by the time of their latest and first message, excluding the bounds', async () => {
        await deliverConversation(account, 'Plan', noon)
        await account.deliver({ subject: 'Later' }, { date: noon + 300 })
        expect(await found({ latest_message_after: noon + 120 })).toEqual(['Later'])
        expect(await found({ latest_message_after: noon + 119 })).toEqual(['Later', 'Plan'])
        expect(await found({ latest_message_before: noon + 300 })).toEqual(['Plan'])
        expect(await found({ latest_message_before: noon + 120 })).toEqual([])
        expect(await found({ earliest_message_date: noon })).toEqual(['Later', 'Plan'])
        expect(await found({ earliest_message_date: noon + 1 })).toEqual(['Later'])
      })

      test('by an invalid filter are refused by name', async () => {
        expectRefusal(await account.get('/threads', { unread: 'maybe' }), /unread/)
        expectRefusal(await account.get('/threads', { latest_message_after: 'then' }), /latest_message_after/)
      })
    })

    describe('changed as a whole', () => {
      test('have all their messages flagged', async () => {
        await deliverConversation(account)
        await account.deliver({ subject: 'Bystander' }, { date: noon - 1 })
        const [{ id }] = await list({ subject: 'plan' })
        const marked = expectStatus(await account.put(threadPath(id), { unread: false, starred: true }), 200).body.data
        expect(marked).toMatchObject({ id, unread: false, starred: true })
        const messages = await messagesOf(account)
        expect(messages.map(({ unread }) => unread)).toEqual([false, false, false, true])
        expect(messages.map(({ starred }) => starred)).toEqual([true, true, true, false])
        expect(await read(id)).toEqual(marked)
      })

      test('are unread while one message is', async () => {
        const [question] = await deliverConversation(account)
        const [{ id }] = await list()
        expectStatus(await account.put(threadPath(id), { unread: false }), 200)
        expect((await read(id)).unread).toBe(false)
        expectStatus(await account.put(threadPath(id), { unread: true }), 200)
        expect((await account.other.find(question)).map(({ seen }) => seen)).toEqual([false])
      })

      test('have all their messages moved', async () => {
        const sent = await deliverConversation(account)
        const [{ id }] = await list()
        const moved = expectStatus(await account.put(threadPath(id), { folders: [folders.archive] }), 200).body.data
        const [, answered] = sent
        const stays = lacks('leaving-sent') ? [folders.sent] : []
        expect(moved).toMatchObject({ id, folders: expect.arrayContaining([folders.archive, ...stays]) })
        expect(moved.folders).toHaveLength(1 + stays.length)
        for (const messageId of sent) {
          const places = (await account.other.find(messageId)).map(({ folder }) => folder)
          expect(places.sort()).toEqual(stays.length > 0 && messageId === answered ? ['archive', 'sent'] : ['archive'])
        }
        const answer = await account.put(threadPath(id), { folders: ['no-such-folder'] })
        expect([400, 404]).toContain(answer.status)
        expect((await read(id)).folders.toSorted()).toEqual([folders.archive, ...stays].sort())
      })

      test('go to the trash with all their messages and no others', async () => {
        const sent = await deliverConversation(account)
        await account.deliver({ subject: 'Bystander' })
        const [{ id }] = await list({ subject: 'plan' })
        expect(expectStatus(await account.delete(threadPath(id)), 200).body).toEqual({ request_id: expect.any(String) })
        const stays = lacks('leaving-sent') ? [folders.sent] : []
        for (const messageId of sent) {
          expect((await account.other.find(messageId)).map(({ folder }) => folder)).toContain('trash')
        }
        expect((await read(id)).folders.toSorted()).toEqual([folders.trash, ...stays].sort())
        expect((await messageBySubject(account, 'Bystander')).folders).toEqual([folders.inbox])
      })
    })
  })
}
