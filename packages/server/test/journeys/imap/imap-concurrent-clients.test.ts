/**
 * Several programs use one mailbox at the same time. Each change that the service answers shows the value that was
 * written, and so does every read after it, whatever the other programs do to the same folder.
 */
import { isFull } from '@waypost/testing/level'
import { modernCapabilities, sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import type { ScriptedOptions } from '@waypost/testing/peers/scripted-imap'
import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, expectStatus, type Json } from '../../conformance/accounts.ts'
import { imapSubject } from '../../conformance/imap-subject.ts'
import {
  folderIds,
  type MailAccount,
  messagePath,
  messagesOf,
  noon,
  type OpenMail,
  readMessage,
  threadPath,
} from '../../conformance/mail-subject.ts'
import { mimeMessage, newMessageId } from '../../conformance/mime-messages.ts'
import type { TestService } from '../../harness.ts'
import { openScripted, openScriptedService, mimeMessage as textMessage } from '../scripted-account.ts'

const usual = { separator: '/', prefix: '' } as const
const servers = [
  ['dovecot', sharedDovecot],
  ['a dovecot without CONDSTORE', () => sharedDovecot({ without: modernCapabilities })],
] as const

/** Messages that the service changes, all at the same time. */
const own = isFull ? 6 : 4
/** Messages that the other programs change. */
const theirs = 12
/** Of each message. */
const changes = isFull ? 8 : 4

describe.each(servers)('while other programs change the folder at %s', (name, start) => {
  let server: MailServer
  let open: OpenMail
  let account: MailAccount
  let others: Disturbance
  let messages: Json[]
  beforeAll(async () => {
    const started = start()
    open = await imapSubject(name, () => started, usual).open()
    server = await started
    account = await open.newAccount()
    for (let number = 0; number < own + theirs; number++) {
      const subject = `${number < own ? 'Own' : 'Theirs'} ${number}`
      await account.deliver(mimeMessage({ subject, messageId: newMessageId() }), { date: noon + number })
    }
    messages = (await messagesOf(account, { limit: 50 })).filter(({ subject }) => subject.startsWith('Own'))
    expect(messages).toHaveLength(own)
  })
  beforeAll(async () => {
    others = disturb(server, account.email)
  })
  afterAll(async () => {
    await others?.stop()
    await open?.[Symbol.asyncDispose]()
  })

  /** Makes one change after another to each message, all messages at once. */
  const changeAll = (change: (message: Json, round: number) => Promise<unknown>): Promise<unknown> =>
    Promise.all(
      messages.map(async (message) => {
        for (let round = 0; round < changes; round++) await change(message, round)
      }),
    )

  test.each([
    ['unread', (message: Json) => message.unread],
    ['starred', (message: Json) => message.starred],
  ])('a message shows the written `%s` in the response, alone, in its list and in its thread', async (field, read) => {
    await changeAll(async ({ id, thread_id: thread }, round) => {
      const value = round % 2 === 0
      const put = expectStatus(await account.put(messagePath(id), { [field]: value }), 200).body.data
      const alone = await readMessage(account, id)
      const listed = (await messagesOf(account, { limit: 50 })).find((message) => message.id === id)
      const inThread = expectStatus(await account.get(threadPath(thread)), 200).body.data
      expect([put, alone, listed, inThread].map(read), `${field} in round ${round}`).toEqual(Array(4).fill(value))
    })
    expect(others.failure).toBeUndefined()
  })

  test('a moved message is in the new folder: in the response, alone and in the lists of both folders', async () => {
    const { inbox, archive } = await folderIds(account)
    await changeAll(async ({ id }, round) => {
      const [from, to] = round % 2 === 0 ? [inbox, archive] : [archive, inbox]
      const put = expectStatus(await account.put(messagePath(id), { folders: [to] }), 200).body.data
      const alone = await readMessage(account, id)
      expect([put.folders, alone.folders]).toEqual([[to], [to]])
      const isListed = async (folder: string): Promise<boolean> =>
        (await messagesOf(account, { limit: 50, in: folder })).some((message) => message.id === id)
      expect([await isListed(from), await isListed(to)]).toEqual([false, true])
    })
    expect(others.failure).toBeUndefined()
  })

  test('a thread shows the written `unread` in the response and alone', async () => {
    await changeAll(async ({ thread_id: thread }, round) => {
      const value = round % 2 === 0
      const put = expectStatus(await account.put(threadPath(thread), { unread: value }), 200).body.data
      const alone = expectStatus(await account.get(threadPath(thread)), 200).body.data
      expect([put.unread, alone.unread]).toEqual([value, value])
    })
    expect(others.failure).toBeUndefined()
  })

  test('a draft shows the text and star that were saved last: in the response, alone and in the list', async () => {
    const create = async (number: number): Promise<Json> =>
      expectStatus(await account.post('/drafts', { subject: `Draft ${number}`, body: 'First' }), 200).body.data
    const drafts = await Promise.all(Array.from({ length: 3 }, (_, number) => create(number)))
    await Promise.all(
      drafts.map(async ({ id }) => {
        for (let round = 0; round < changes / 2; round++) {
          const change = { body: `Round ${round}`, starred: round % 2 === 0 }
          const put = expectStatus(await account.put(`/drafts/${encodeURIComponent(id)}`, change), 200).body.data
          const alone = expectStatus(await account.get(`/drafts/${encodeURIComponent(id)}`), 200).body.data
          const listed = (await listOf(account, '/drafts')).find((draft) => draft.id === id)
          for (const draft of [put, alone, listed]) expect(draft).toMatchObject(change)
        }
      }),
    )
  })

  test('the counts of a folder include the last change', async () => {
    const id = 'Counted'
    expectStatus(await account.post('/folders', { name: id }), 200)
    const [message] = messages
    const counts = async (): Promise<Json> => expectStatus(await account.get(`/folders/${id}`), 200).body.data
    expectStatus(await account.put(messagePath(message.id), { folders: [id], unread: true }), 200)
    expect(await counts()).toMatchObject({ total_count: 1, unread_count: 1 })
    for (let round = 0; round < changes; round++) {
      const unread = round % 2 === 1
      expectStatus(await account.put(messagePath(message.id), { unread }), 200)
      expect(await counts()).toMatchObject({ total_count: 1, unread_count: unread ? 1 : 0 })
    }
  })
})

/** A folder of which the service has read only the newest part, with a change counter. */
async function openCounted(service: TestService, script: ScriptedOptions['script']) {
  let modseq = 1
  const at = await openScripted(service, {
    capabilities: ['UIDPLUS', 'IDLE', 'CONDSTORE'],
    async script(command, line, server) {
      const isAnswered = await script?.(command, line, server)
      if (command.name === 'UID STORE') modseq++
      return isAnswered
    },
    status: ({ messages, uidNext, uidValidity }) =>
      `MESSAGES ${messages.length} UNSEEN 0 UIDNEXT ${uidNext} UIDVALIDITY ${uidValidity} HIGHESTMODSEQ ${modseq}`,
  })
  for (let number = 0; number < 1_100; number++) {
    at.server.add(textMessage(`Number ${number}`), { date: new Date(Date.UTC(2026, 0, 1, number)) })
  }
  return at
}

/** The id of a message that does not exist, so that the service searches the folder for it. */
function strangerTo(id: string): string {
  const bytes = Buffer.from(id.slice(1), 'base64url')
  return `s${Buffer.concat([bytes, Buffer.from('.not')]).toString('base64url')}`
}

describe('while another request searches the folder', () => {
  test('a change returns the written value', async () => {
    await using service = await openScriptedService()
    const searching = Promise.withResolvers<void>()
    const polled = Promise.withResolvers<void>()
    let search: Promise<unknown> | undefined
    let folders: Promise<void> | undefined
    let isStored = false
    await using at = await openCounted(service, async ({ name, args }) => {
      if (name === 'UID STORE') {
        search ??= at.account.get(messagePath(strangerTo(newest.id)))
        await searching.promise
        isStored = true
      } else if (name === 'UID SEARCH' && JSON.stringify(args).includes('.not')) {
        searching.resolve()
        await polled.promise
      } else if (name === 'STATUS' && isStored && !folders) {
        // Folder requests run in sequence: once this one is answered, that of the change is, too.
        folders = at.account.get('/folders').then(() => polled.resolve())
      }
      return false
    })
    const [newest] = expectStatus(await at.account.get('/messages', { limit: 1 }), 200).body.data
    expect(await readMessage(at.account, newest.id)).toMatchObject({ unread: true })
    const put = expectStatus(await at.account.put(messagePath(newest.id), { unread: false }), 200).body.data
    expect(put).toMatchObject({ unread: false })
    expect(await readMessage(at.account, newest.id)).toMatchObject({ unread: false })
    await search
  })
})

const listOf = async (account: Account, path: string): Promise<Json[]> =>
  expectStatus(await account.get(path, { limit: 50 }), 200).body.data

interface Disturbance {
  readonly failure: unknown
  stop(): Promise<void>
}

/**
 * Three clients that change flags, deliver mail and delete mail in the inbox without a pause, until they are stopped.
 */
function disturb(server: MailServer, user: string): Disturbance {
  let isStopped = false
  let failure: unknown
  const run = async (act: (client: ImapFlow, round: number) => Promise<unknown>): Promise<void> => {
    const client = await server.client(user)
    try {
      await client.mailboxOpen('INBOX')
      for (let round = 0; !isStopped; round++) await act(client, round)
    } catch (error) {
      failure ??= error
    } finally {
      client.close()
    }
  }
  const mark = (flag: string) => async (client: ImapFlow, round: number) => {
    const uids = (await client.search({ subject: 'Theirs' }, { uid: true })) || []
    const uid = String(uids[round % uids.length])
    if (round % 2 === 0) await client.messageFlagsAdd(uid, [flag], { uid: true })
    else await client.messageFlagsRemove(uid, [flag], { uid: true })
  }
  const comeAndGo = async (client: ImapFlow, round: number): Promise<void> => {
    const date = new Date((noon + 1_000 + round) * 1000)
    await client.append('INBOX', mimeMessage({ subject: `Passing ${round}`, messageId: newMessageId() }), [], date)
    if (round % 2 === 0) return
    const uids = (await client.search({ subject: 'Passing' }, { uid: true })) || []
    if (uids.length > 5) await client.messageDelete(uids.slice(0, 3), { uid: true })
  }
  const running = [run(mark('\\Seen')), run(mark('\\Flagged')), run(comeAndGo)]
  return {
    get failure() {
      return failure
    },
    async stop() {
      isStopped = true
      await Promise.all(running)
    },
  }
}
