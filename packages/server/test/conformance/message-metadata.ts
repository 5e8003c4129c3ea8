/** The metadata of messages, which the service stores, for every provider. */
import { describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, pagesOf } from './accounts.ts'
import {
  changeMessage,
  expectMessage,
  folderIds,
  type MailAccount,
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

export function describeMessageMetadata(subject: MailSubject): void {
  describe(`metadata of messages of ${subject.name}`, () => {
    let open: OpenMail
    let account: MailAccount
    withNewAccounts(subject, async (fresh, opened) => {
      account = fresh
      open = opened
      for (const [index, name] of ['one', 'two', 'three'].entries()) {
        await account.deliver({ subject: name }, { date: noon + index })
      }
    })

    const tag = async (name: string, metadata: object | null): Promise<string> => {
      const { id } = await messageBySubject(account, name)
      await changeMessage(account, id, { metadata })
      return id
    }
    const found = async (pair: string): Promise<string[]> =>
      subjects(await messagesOf(account, { metadata_pair: pair }))

    test('is replaced as a whole, cleared, and returned wherever the message is', async () => {
      const id = await tag('one', { key1: 'a', note: 'x' })
      expect((await readMessage(account, id)).metadata).toEqual({ key1: 'a', note: 'x' })
      expect((await messageBySubject(account, 'one')).metadata).toEqual({ key1: 'a', note: 'x' })
      expect(await messageBySubject(account, 'two')).not.toHaveProperty('metadata')
      expect(await changeMessage(account, id, { metadata: { key2: 'b' } })).toMatchObject({ metadata: { key2: 'b' } })
      expect((await readMessage(account, id)).metadata).toEqual({ key2: 'b' })
      expect((await changeMessage(account, id, { starred: true })).metadata).toEqual({ key2: 'b' })
      expect((await changeMessage(account, id, { metadata: {} })).metadata ?? {}).toEqual({})
      expect((await readMessage(account, id)).metadata ?? {}).toEqual({})
    })

    test('is changed together with the message', async () => {
      const { id } = await messageBySubject(account, 'one')
      const change = { unread: false, metadata: { key1: 'both' } }
      expect(await changeMessage(account, id, change)).toMatchObject(change)
    })

    test('can be filtered by key1 to key5, with all pairs', async () => {
      await tag('one', { key1: 'red', key2: 'small', key5: 'a:b' })
      await tag('two', { key1: 'red', key2: 'large' })
      await tag('three', { key3: 'red', other: 'red' })
      expect((await found('key1:red')).sort()).toEqual(['one', 'two'])
      expect(await found('key1:red,key2:large')).toEqual(['two'])
      expect(await found('key5:a:b')).toEqual(['one'])
      expect(await found('key1:blue')).toEqual([])
      expect(await found('key2:red')).toEqual([])
      const repeated = new URLSearchParams([
        ['metadata_pair', 'key1:red'],
        ['metadata_pair', 'key2:small'],
      ])
      const answer = await open.call('GET', `/v3/grants/${account.grantId}/messages?${repeated}`)
      expect(subjects(expectStatus(answer, 200).body.data)).toEqual(['one'])
      for (const message of await messagesOf(account, { metadata_pair: 'key1:red' })) {
        expectMessage(message, account.grantId)
      }
      await tag('one', null)
      expect(await found('key1:red')).toEqual(['two'])
    })

    test('is filtered page by page', async () => {
      for (const name of ['one', 'two', 'three']) await tag(name, { key4: 'all' })
      const pages = await pagesOf(account, '/messages', { metadata_pair: 'key4:all', limit: 2 })
      expect(pages.flatMap(subjects).sort()).toEqual(['one', 'three', 'two'])
      expect(pages.every((page) => page.length <= 2)).toBe(true)
      const chosen = await messagesOf(account, { metadata_pair: 'key4:all', select: 'subject' })
      expect(chosen.every((message) => Object.keys(message).join() === 'subject')).toBe(true)
    })

    test('cannot be filtered together with other filters, or by other keys', async () => {
      const { inbox } = await folderIds(account)
      const others = [
        { subject: 'x' },
        { in: inbox },
        { unread: true },
        { search_query_native: 'x' },
        { received_after: 1 },
        { thread_id: 'x' },
      ]
      for (const other of others) {
        const [name] = Object.keys(other)
        const answer = await account.get('/messages', { metadata_pair: 'key1:a', ...other })
        expectRefusal(answer, new RegExp(`metadata_pair.*${name}|${name}.*metadata_pair`))
      }
      expectRefusal(await account.get('/messages', { metadata_pair: 'note:x' }), /metadata_pair/)
      expectRefusal(await account.get('/messages', { metadata_pair: 'key6:x' }), /metadata_pair/)
      expectRefusal(await account.get('/messages', { metadata_pair: 'key1' }), /metadata_pair/)
    })

    const wrong: [string, object][] = [
      ['more than fifty', Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']))],
      ['a long key', { ['k'.repeat(41)]: 'v' }],
      ['a long value', { key1: 'v'.repeat(501) }],
      ['objects within', { key1: { nested: 'no' } }],
    ]
    test.each(wrong)('with %s is refused', async (_, metadata) => {
      const { id } = await messageBySubject(account, 'one')
      expectRefusal(await account.put(messagePath(id), { metadata }), /metadata/)
      expect(await readMessage(account, id)).not.toHaveProperty('metadata')
    })

    test('stays with the message when it moves, and is deleted with it', async () => {
      const folders = await folderIds(account)
      const messageId = newMessageId()
      await account.deliver({ subject: 'kept', messageId })
      const id = await tag('kept', { key1: 'kept' })
      await changeMessage(account, id, { folders: [folders.archive] })
      await account.other.move(messageId, 'archive', 'junk')
      expect((await messageBySubject(account, 'kept')).metadata).toEqual({ key1: 'kept' })
      expect(await found('key1:kept')).toEqual(['kept'])
      await account.other.erase(messageId, 'junk')
      expect(await found('key1:kept')).toEqual([])
    })

    test('belongs to one account: the same message in another has none', async () => {
      const shared = { subject: 'shared', messageId: newMessageId() }
      const other = await open.newAccount()
      await account.deliver(shared)
      await other.deliver(shared)
      await tag('shared', { key1: 'mine' })
      expect(await messageBySubject(other, 'shared')).not.toHaveProperty('metadata')
      expect(await messagesOf(other, { metadata_pair: 'key1:mine' })).toEqual([])
    })
  })
}
