/** Specific to IMAP: a message can be marked as deleted and still exist, and it is always in a folder. */

import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import { modernCapabilities, sharedDovecot } from '@waypost/testing/peers/dovecot'
import { describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Json } from './accounts.ts'
import { imapSubject } from './imap-subject.ts'
import {
  folderIds,
  type MailAccount,
  messagePath,
  messagesOf,
  type OpenMail,
  readMessage,
  subjects,
  withNewAccounts,
} from './mail-subject.ts'
import { mimeMessage, newMessageId } from './mime-messages.ts'

const usual = { separator: '/', prefix: '' } as const
describe.each([
  imapSubject('dovecot', sharedDovecot, usual),
  imapSubject('an old dovecot', () => sharedDovecot({ without: modernCapabilities }), usual),
  imapSubject('cyrus', sharedCyrus, usual),
])('on $name', (subject) => {
  let open: OpenMail
  let account: MailAccount
  let message: Json
  const marked = newMessageId()
  withNewAccounts(subject, async (fresh, opened) => {
    account = fresh
    open = opened
    await account.deliver({ subject: 'Ours' })
    await account.deliver(mimeMessage({ subject: 'Marked', messageId: marked }), { deleted: true })
    message = (await messagesOf(account, { subject: 'Ours' }))[0]
  })

  const isStillMarked = async (): Promise<void> => {
    expect(await account.other.find(marked)).toMatchObject([{ folder: 'inbox', deleted: true }])
  }

  test('a message that another client marked as deleted remains when ours is moved', async () => {
    const { archive } = await folderIds(account)
    expectStatus(await account.put(messagePath(message.id), { folders: [archive] }), 200)
    await isStillMarked()
    expect(subjects(await messagesOf(account, { in: archive }))).toEqual(['Ours'])
  })

  test('a message that another client marked as deleted remains when ours is moved to the trash', async () => {
    expectStatus(await account.delete(messagePath(message.id)), 200)
    await isStillMarked()
  })

  test('a message that another client marked as deleted remains when ours is deleted permanently', async () => {
    expectStatus(await open.call('PATCH', '/v3/applications', { body: { allow_hard_delete: true } }), 200)
    expectStatus(await account.delete(messagePath(message.id), { hard_delete: true }), 200)
    await isStillMarked()
    expect(subjects(await messagesOf(account, { subject: 'Ours' }))).toEqual([])
  })

  test('a message cannot be without a folder', async () => {
    expectRefusal(await account.put(messagePath(message.id), { folders: [] }), /folders/)
    expect(await readMessage(account, message.id)).toEqual(message)
  })
})
