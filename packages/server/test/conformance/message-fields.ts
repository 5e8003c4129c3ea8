/** The fields of a message that a client can request, for every provider. */
import { describe, expect, test } from 'vitest'
import { expectRefusal } from './accounts.ts'
import {
  expectMessage,
  type MailAccount,
  type MailSubject,
  messagesOf,
  readMessage,
  withNewAccounts,
} from './mail-subject.ts'
import { mimeMessage, newMessageId } from './mime-messages.ts'

export function describeMessageFields(subject: MailSubject): void {
  describe(`fields of messages of ${subject.name}`, () => {
    let account: MailAccount
    withNewAccounts(subject, (fresh) => {
      account = fresh
    })

    test('are limited by select, in lists and for one message', async () => {
      await account.deliver({ subject: 'Chosen' })
      const [message] = await messagesOf(account)
      const chosen = { id: message.id, subject: 'Chosen', folders: message.folders }
      const query = { select: 'id,subject,folders' }
      expect((await account.get('/messages', query)).body.data).toEqual([chosen])
      expect(await readMessage(account, message.id, query)).toEqual(chosen)
    })

    test('have all headers in order with include_headers, as they are in the message', async () => {
      await account.deliver({
        subject: 'Café',
        headers: [
          ['Received', 'from b.test by c.test; Mon, 01 Jun 2026 12:00:01 +0000'],
          ['Received', 'from a.test by b.test; Mon, 01 Jun 2026 12:00:00 +0000'],
          ['X-Folded', 'first\r\n second'],
          ['x-lower', 'kept'],
        ],
      })
      const [listed] = await messagesOf(account, { fields: 'include_headers' })
      const names = listed.headers.map(({ name }: { name: string }) => name)
      expect(names.slice(0, 8)).toEqual([
        'Received',
        'Received',
        'X-Folded',
        'x-lower',
        'From',
        'To',
        'Subject',
        'Date',
      ])
      const headerOf = (name: string) => listed.headers.find((header: { name: string }) => header.name === name).value
      expect(listed.headers[0].value).toContain('from b.test')
      expect(listed.headers[1].value).toContain('from a.test')
      expect(headerOf('Subject')).toBe('=?utf-8?B?Q2Fmw6k=?=')
      expect(headerOf('X-Folded').replace(/\s+/g, ' ')).toBe('first second')
      expectMessage(listed, account.grantId)
      expect(await readMessage(account, listed.id, { fields: 'include_headers' })).toEqual(listed)
      const { headers: _, ...standard } = listed
      expect(await readMessage(account, listed.id, { fields: 'standard' })).toEqual(standard)
    })

    test('have the threading headers with include_basic_headers', async () => {
      const [root, parent, messageId] = [newMessageId(), newMessageId(), newMessageId()]
      await account.deliver({ messageId, inReplyTo: parent, references: [root, parent] })
      const [message] = await messagesOf(account, { fields: 'include_basic_headers' })
      const pairs = message.headers.map(({ name, value }: { name: string; value: string }) => [
        name.toLowerCase(),
        value,
      ])
      expect(pairs.toSorted()).toEqual([
        ['in-reply-to', `<${parent}>`],
        ['message-id', `<${messageId}>`],
        ['references', `<${root}> <${parent}>`],
      ])
      expect(await readMessage(account, message.id, { fields: 'include_basic_headers' })).toEqual(message)
    })

    test('are only the whole message byte for byte with raw_mime', async () => {
      const source = Buffer.from(
        mimeMessage({
          subject: 'Bytes',
          files: [{ name: 'a.bin', type: 'application/octet-stream', content: Buffer.from([0, 255, 10, 13]) }],
        }),
      )
      await account.deliver(source)
      const [message] = await messagesOf(account, { fields: 'raw_mime' })
      expect(Object.keys(message).sort()).toEqual(['grant_id', 'id', 'object', 'raw_mime'])
      expect(message).toMatchObject({ grant_id: account.grantId, object: 'message' })
      expect(message.raw_mime).toMatch(/^[A-Za-z0-9_-]+=*$/)
      expect(Buffer.from(message.raw_mime, 'base64url').equals(source)).toBe(true)
      expect(await readMessage(account, message.id, { fields: 'raw_mime' })).toEqual(message)
      expect((await readMessage(account, message.id)).unread).toBe(true)
    })

    test('have the tracking options with include_tracking_options', async () => {
      await account.deliver({})
      const [message] = await messagesOf(account, { fields: 'include_tracking_options' })
      expectMessage(message, account.grantId)
      expect(message.tracking_options).toEqual(expect.any(Object))
      const read = await readMessage(account, message.id, { fields: 'include_tracking_options' })
      expect(read).toEqual(message)
    })

    test('that do not exist are refused', async () => {
      expectRefusal(await account.get('/messages', { fields: 'everything' }), /fields/)
    })
  })
}
