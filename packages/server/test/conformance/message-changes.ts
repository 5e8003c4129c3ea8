/** Flags, moves and deletions of messages, for every provider. */
import { describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Json } from './accounts.ts'
import {
  changeMessage,
  expectMessage,
  folderIds,
  type MailAccount,
  type MailLack,
  type MailSubject,
  messagePath,
  messagesOf,
  type OpenMail,
  readMessage,
  subjects,
  withNewAccounts,
} from './mail-subject.ts'
import { newMessageId } from './mime-messages.ts'

export function describeMessageChanges(subject: MailSubject): void {
  const lacks = (lack: MailLack): boolean => subject.lacks?.includes(lack) ?? false

  describe(`changes of messages of ${subject.name}`, () => {
    let open: OpenMail
    let account: MailAccount
    let folders: Awaited<ReturnType<typeof folderIds>>
    let messageId: string
    let message: Json
    withNewAccounts(subject, async (fresh, opened) => {
      account = fresh
      open = opened
      folders = await folderIds(account)
      messageId = newMessageId()
      await account.deliver({ subject: 'Subject of change', messageId })
      await account.deliver({ subject: 'Bystander' })
      message = (await messagesOf(account, { subject: 'change' }))[0]
    })

    /** The message as expected after a move. */
    const moving = (): Json => (lacks('stable-ids') ? { ...message, id: expect.any(String) } : message)
    const places = async (): Promise<string[]> =>
      (await account.other.find(messageId)).map(({ folder }) => folder).sort()
    const bystander = async (): Promise<Json> => (await messagesOf(account, { subject: 'Bystander' }))[0]

    describe('flags', () => {
      test('are set and removed one by one, also for other clients', async () => {
        expect(await changeMessage(account, message.id, { unread: false })).toEqual({ ...message, unread: false })
        expect(await account.other.find(messageId)).toEqual([{ folder: 'inbox', seen: true, starred: false }])
        expect(await changeMessage(account, message.id, { starred: true })).toMatchObject({
          unread: false,
          starred: true,
        })
        expect(await account.other.find(messageId)).toEqual([{ folder: 'inbox', seen: true, starred: true }])
        const neither = await changeMessage(account, message.id, { unread: true, starred: false })
        expect(neither).toEqual(message)
        expect(await account.other.find(messageId)).toEqual([{ folder: 'inbox', seen: false, starred: false }])
        expect(await bystander()).toMatchObject({ unread: true, starred: false })
      })

      test('can be set again, and an empty change changes nothing', async () => {
        await changeMessage(account, message.id, { unread: false })
        expect(await changeMessage(account, message.id, { unread: false })).toMatchObject({ unread: false })
        expect(await changeMessage(account, message.id, {})).toEqual({ ...message, unread: false })
      })

      test('of the wrong type are refused by name', async () => {
        expectRefusal(await account.put(messagePath(message.id), { unread: 'yes' }), /unread/)
        expectRefusal(await account.put(messagePath(message.id), { folders: 'INBOX' }), /folders/)
      })

      test('are returned with the selected fields', async () => {
        const answer = await account.put(messagePath(message.id), { starred: true }, { select: 'id,starred' })
        expect(expectStatus(answer, 200).body.data).toEqual({ id: message.id, starred: true })
      })

      test.skipIf(lacks('several-folders'))('apply in every folder of the message', async () => {
        await account.other.copy(messageId, 'inbox', 'archive')
        await changeMessage(account, message.id, { unread: false, starred: true })
        const marks = (await account.other.find(messageId)).map(({ seen, starred }) => ({ seen, starred }))
        expect(marks).toEqual([
          { seen: true, starred: true },
          { seen: true, starred: true },
        ])
      })
    })

    describe('folders', () => {
      test('are replaced: the message moves and keeps its id', async () => {
        const moved = await changeMessage(account, message.id, { folders: [folders.archive] })
        expect(moved).toEqual({ ...moving(), folders: [folders.archive] })
        expect(await places()).toEqual(['archive'])
        expect(await readMessage(account, message.id)).toEqual(moved)
        expect(subjects(await messagesOf(account, { in: folders.inbox }))).toEqual(['Bystander'])
        await changeMessage(account, message.id, { folders: [folders.inbox] })
        expect(await places()).toEqual(['inbox'])
        expect(await readMessage(account, message.id)).toEqual(moving())
      })

      test('do not change if they are the same', async () => {
        expect(await changeMessage(account, message.id, { folders: [folders.inbox] })).toEqual(message)
        expect(await places()).toEqual(['inbox'])
      })

      test('and flags are changed together', async () => {
        const change = { folders: [folders.archive], unread: false, starred: true }
        expect(await changeMessage(account, message.id, change)).toMatchObject(change)
        expect(await account.other.find(messageId)).toEqual([{ folder: 'archive', seen: true, starred: true }])
      })

      test('keep flags with the message when it moves', async () => {
        await changeMessage(account, message.id, { starred: true, unread: false })
        const moved = await changeMessage(account, message.id, { folders: [folders.junk] })
        expect(moved).toMatchObject({ starred: true, unread: false, date: message.date })
      })

      test.skipIf(lacks('several-folders'))('can be two, and one again', async () => {
        const both = [folders.inbox, folders.archive]
        const copied = await changeMessage(account, message.id, { folders: both })
        expect(copied.folders.toSorted()).toEqual(both.toSorted())
        expect(copied.id).toBe(message.id)
        expect(await places()).toEqual(['archive', 'inbox'])
        expect(await messagesOf(account)).toHaveLength(2)
        const moved = await changeMessage(account, message.id, { folders: [folders.archive, folders.junk] })
        expect(moved.folders.toSorted()).toEqual([folders.archive, folders.junk].sort())
        expect(await places()).toEqual(['archive', 'junk'])
        const one = await changeMessage(account, message.id, { folders: [folders.junk] })
        expect(one).toEqual({ ...message, folders: [folders.junk] })
        expect(await places()).toEqual(['junk'])
      })

      test('that do not exist are refused by name, and nothing changes', async () => {
        const answer = await account.put(messagePath(message.id), {
          folders: [folders.archive, 'no-such-folder'],
          unread: false,
        })
        expect([400, 404]).toContain(answer.status)
        expect(answer.body.error.message).toMatch(/no-such-folder|folder/)
        expect(await readMessage(account, message.id)).toEqual(message)
        expect(await places()).toEqual(['inbox'])
      })

      test('of a message without a Message-ID are changed too', async () => {
        await account.deliver({ subject: 'Nameless', messageId: null })
        const [nameless] = await messagesOf(account, { subject: 'Nameless' })
        const moved = await changeMessage(account, nameless.id, { folders: [folders.archive] })
        expect(moved).toMatchObject({ subject: 'Nameless', folders: [folders.archive] })
        expect(subjects(await messagesOf(account, { in: folders.archive }))).toEqual(['Nameless'])
        expect(await readMessage(account, moved.id)).toEqual(moved)
      })
    })

    describe('an id', () => {
      test('finds the message wherever another client moves it', async () => {
        await account.other.createFolder('Elsewhere')
        for (const [from, to] of [
          ['inbox', 'archive'],
          ['archive', 'Elsewhere'],
          ['Elsewhere', 'trash'],
          ['trash', 'inbox'],
        ] as const) {
          await account.other.move(messageId, from, to)
          const read = await readMessage(account, message.id)
          expect(read).toMatchObject({ id: moving().id, subject: 'Subject of change' })
          expect(await readMessage(account, read.id)).toEqual(read)
          expect(read.folders).toHaveLength(1)
        }
        expect(await readMessage(account, message.id)).toEqual(moving())
      })

      test('stays valid after a lost connection, and after the account is connected again', async () => {
        await account.disconnect()
        expect(await readMessage(account, message.id)).toEqual(message)
        await account.other.move(messageId, 'inbox', 'archive')
        await account.disconnect()
        expect((await messagesOf(account, { subject: 'change' })).map(({ id }) => id)).toEqual([moving().id])
        expect((await readMessage(account, message.id)).folders).toEqual([folders.archive])
      })

      test('is not found after the message is deleted', async () => {
        await account.other.erase(messageId, 'inbox')
        expectStatus(await account.get(messagePath(message.id)), 404)
        expectStatus(await account.put(messagePath(message.id), { starred: true }), 404)
        expectStatus(await account.delete(messagePath(message.id)), 404)
      })
    })

    describe('deletion', () => {
      test('moves the message to the trash, where it stays with the same id', async () => {
        const { body } = expectStatus(await account.delete(messagePath(message.id)), 200)
        expect(body).toEqual({ request_id: expect.any(String) })
        expect(await readMessage(account, message.id)).toEqual({ ...moving(), folders: [folders.trash] })
        expect(await places()).toEqual(['trash'])
        expectStatus(await account.delete(messagePath(message.id)), 200)
        expect(await places()).toEqual(['trash'])
        expect((await bystander()).folders).toEqual([folders.inbox])
      })

      test.skipIf(lacks('several-folders'))('removes it from its folders', async () => {
        await account.other.copy(messageId, 'inbox', 'archive')
        expectStatus(await account.delete(messagePath(message.id)), 200)
        const retained = lacks('trash-alone')
        expect([...new Set(await places())]).toEqual(retained ? ['archive', 'trash'] : ['trash'])
        const ids = retained ? [folders.archive, folders.trash] : [folders.trash]
        expect((await readMessage(account, message.id)).folders.toSorted()).toEqual(ids.sort())
      })

      test('is permanent only if the application allows it', async () => {
        const answer = expectStatus(await account.delete(messagePath(message.id), { hard_delete: true }), 403)
        expect(answer.body.error).toMatchObject({ type: 'forbidden', message: expect.stringContaining('hard_delete') })
        expect(await readMessage(account, message.id)).toEqual(message)
      })

      test('that is permanent, if the application allows it, leaves nothing', async () => {
        expectStatus(await open.call('PATCH', '/v3/applications', { body: { allow_hard_delete: true } }), 200)
        try {
          if (!lacks('several-folders')) await account.other.copy(messageId, 'inbox', 'archive')
          expectStatus(await account.delete(messagePath(message.id), { hard_delete: true }), 200)
          expect(await places()).toEqual([])
          expectStatus(await account.get(messagePath(message.id)), 404)
          expect(subjects(await messagesOf(account))).toEqual(['Bystander'])
          expectMessage(await bystander(), account.grantId)
        } finally {
          expectStatus(await open.call('PATCH', '/v3/applications', { body: { allow_hard_delete: false } }), 200)
        }
      })
    })
  })
}
