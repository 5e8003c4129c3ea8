/** Messages that look alike but differ: an operation on one of them leaves every byte of the other. */
import { isFull } from '@waypost/testing/level'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, type Json } from './accounts.ts'
import {
  changeMessage,
  folderIds,
  type MailAccount,
  type MailSubject,
  messagePath,
  messagesOf,
  type OpenMail,
  readMessage,
  threadPath,
  withNewAccounts,
} from './mail-subject.ts'
import { newMessageId } from './mime-messages.ts'

const source = (messageId: string | null, text: string): string =>
  [
    'From: Ann <ann@people.test>',
    'To: me@people.test',
    'Subject: Same',
    'Date: Mon, 01 Jun 2026 12:00:00 +0000',
    ...(messageId === null ? [] : [`Message-ID: <${messageId}>`]),
    '',
    text,
    '',
  ].join('\r\n')

const kinds = [
  ['of different sizes', true, 'With the attachment', 'Without'],
  ['of one size', true, 'Text A', 'Text B'],
  ['of one size, without a Message-ID', false, 'Text A', 'Text B'],
  ['that are large and differ in a letter', true, `${'x '.repeat(150_000)}A`, `${'x '.repeat(150_000)}B`],
] as const

export function describeLookAlikes(subject: MailSubject): void {
  describe(`messages of ${subject.name} that look alike`, () => {
    let open: OpenMail
    let account: MailAccount
    let folders: Awaited<ReturnType<typeof folderIds>>
    withNewAccounts(subject, async (fresh, opened) => {
      account = fresh
      open = opened
      folders = await folderIds(account)
    })

    /** The bytes of all messages. */
    const sources = async (): Promise<string[]> =>
      (await messagesOf(account, { fields: 'raw_mime' }))
        .map(({ raw_mime: raw }) => Buffer.from(raw, 'base64url').toString())
        .toSorted()

    describe.each(kinds)('%s', (kind, isNamed, textA, textB) => {
      let a: string
      let b: string
      beforeEach(() => {
        const messageId = isNamed ? newMessageId() : null
        a = source(messageId, textA)
        b = source(messageId, textB)
      })
      const findBoth = async (): Promise<[Json, Json]> => {
        const found = await messagesOf(account)
        expect(found).toHaveLength(2)
        const withText = (text: string): Json => found.find(({ body }) => body.includes(text.slice(-10)))
        return [withText(textA), withText(textB)]
      }

      // On a further server of a protocol, each kind is tried in one place below `check:full`.
      const places = ['inbox', 'archive'] as const
      const isPaired = subject.differs !== undefined && !isFull
      const turn = kinds.findIndex(([name]) => name === kind) % 2
      test.each(isPaired ? places.slice(turn, turn + 1) : places)(
        'are moved and deleted separately, with the other in %s',
        async (place) => {
          await account.deliver(a)
          await account.deliver(b, { folder: place })
          const whole = await sources()
          expect(whole).toHaveLength(2)
          const [one, other] = await findBoth()
          expect(one.folders).toEqual([folders.inbox])
          expect(other.folders).toEqual([folders[place]])
          const rest = async (): Promise<void> => {
            expect(await sources()).toEqual(whole)
            expect(await readMessage(account, other.id)).toEqual(other)
          }
          for (const folder of [folders[place], folders.junk, folders.archive, folders.inbox]) {
            expect(await changeMessage(account, one.id, { folders: [folder] })).toEqual({ ...one, folders: [folder] })
            await rest()
          }
          expect((await changeMessage(account, one.id, { starred: true })).starred).toBe(true)
          await rest()
          expectStatus(await account.delete(messagePath(one.id)), 200)
          await rest()
          expectStatus(await open.call('PATCH', '/v3/applications', { body: { allow_hard_delete: true } }), 200)
          expectStatus(await account.delete(messagePath(one.id), { hard_delete: true }), 200)
          expectStatus(await account.delete(messagePath(one.id), { hard_delete: true }), 404)
          expect(await sources()).toHaveLength(1)
          expect((await readMessage(account, other.id)).body).toBe(other.body)
        },
      )
    })

    test('are both in their thread, and move with it', async () => {
      const messageId = newMessageId()
      await account.deliver(source(messageId, 'Text A'))
      await account.deliver(source(messageId, 'Text B'), { folder: 'archive' })
      const whole = await sources()
      const [message] = await messagesOf(account)
      const path = threadPath(message.thread_id)
      const moved = expectStatus(await account.put(path, { folders: [folders.junk] }), 200).body.data
      expect(moved.message_ids).toHaveLength(2)
      expect(await sources()).toEqual(whole)
      expectStatus(await account.delete(path), 200)
      expect(await sources()).toEqual(whole)
      expect((await account.other.find(messageId)).map(({ folder }) => folder)).toEqual(['trash', 'trash'])
    })

    test('are one message if their bytes are equal, and none of them is lost', async () => {
      const messageId = newMessageId()
      await account.deliver(source(messageId, 'Text'))
      await account.deliver(source(messageId, 'Text'))
      await account.other.copy(messageId, 'inbox', 'archive')
      const [message, ...others] = await messagesOf(account)
      expect(others).toEqual([])
      expect(message.folders.toSorted()).toEqual([folders.archive, folders.inbox].sort())
      await changeMessage(account, message.id, { folders: [folders.junk] })
      expect((await account.other.find(messageId)).map(({ folder }) => folder)).toEqual([
        'junk',
        'junk',
        'junk',
        'junk',
      ])
      expectStatus(await account.delete(messagePath(message.id)), 200)
      expect(await account.other.find(messageId)).toHaveLength(4)
    })
  })
}
