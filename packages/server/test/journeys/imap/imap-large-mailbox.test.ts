/** A mailbox of which the service has first read only the newest part: older mail is found as well. */

import { createEgress } from '@waypost/platform/egress/egress'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, accountOf, type Call, expectStatus, type Json, pagesOf } from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'

const count = 1_150
/** Old messages with replies, each with a copy in another folder. */
const old = 14
const start = Date.UTC(2026, 0, 1)
const hours = (number: number): Date => new Date(start + number * 3_600_000)

describe('a large mailbox', () => {
  let server: MailServer
  let service: TestService
  let box: Mailbox
  let key: string
  beforeAll(async () => {
    server = await sharedDovecot({})
    service = await openService({ overrides: { egress: createEgress({ mode: 'private', ca: [server.ca] }) } })
    key = (await service.createApplication()).key
    await service.call('POST', '/v3/connectors', { key, body: { provider: 'imap' } })
    box = await server.addUser()
    const client = await server.client(box.user)
    for (const folder of ['Sent', 'Archive']) await client.mailboxCreate(folder)
    const mimeMessage = (number: number, { from = 'ada@example.com', answers = '' } = {}): string =>
      `From: ${from}\r\nTo: ${box.user}\r\nSubject: Number ${number}\r\nMessage-ID: <${number}@example.com>\r\n${answers}\r\nText ${number}\r\n`
    for (let first = 0; first < count; first += 50) {
      await Promise.all(
        Array.from({ length: Math.min(50, count - first) }, (_, place) => {
          const number = first + place
          const from = number < old ? 'old@example.com' : 'ada@example.com'
          return client.append('INBOX', mimeMessage(number, { from }), ['\\Seen'], hours(number))
        }),
      )
    }
    for (let number = 0; number < old; number++) {
      await client.append('Archive', mimeMessage(number, { from: 'old@example.com' }), ['\\Seen'], hours(number))
      const answers = `In-Reply-To: <${number}@example.com>\r\nReferences: <${number}@example.com>\r\n`
      await client.append('Sent', mimeMessage(5_000 + number, { answers }), ['\\Seen'], hours(number + 100))
    }
    const answers = 'In-Reply-To: <3@example.com>\r\nReferences: <3@example.com>\r\n'
    await client.append('INBOX', mimeMessage(6_000, { answers }), [], hours(count))
    client.close()
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  /** An account of which the service has not read anything. */
  async function freshAccount(): Promise<Account> {
    const named = { imap_username: box.user, imap_password: box.password, imap_host: 'localhost' }
    const body = { provider: 'imap', settings: { ...named, imap_port: server.imapPort, watch: false } }
    const made = expectStatus(await service.call('POST', '/v3/connect/custom', { key, body }), 201)
    const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
    return accountOf(call, { grantId: made.body.data.id, email: box.user })
  }
  const list = async (account: Account, path: string, query: Record<string, string | number>): Promise<Json[]> =>
    expectStatus(await account.get(path, query), 200).body.data
  const subjects = (items: Json[]): string[] => items.map(({ subject }) => subject)

  test('is listed page by page: every message once, newest first, with every folder it is in', async () => {
    const pages = await pagesOf(await freshAccount(), '/messages', { limit: 200, select: 'id,date,folders,subject' })
    const found: Json[] = pages.flat()
    expect(found).toHaveLength(count + old + 1)
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
    expect(found.map(({ date }) => date)).toEqual(found.map(({ date }) => date).toSorted((a, b) => b - a))
    const copied = found.filter(({ folders }) => folders.length === 2)
    expect(subjects(copied).toSorted()).toEqual(Array.from({ length: old }, (_, at) => `Number ${at}`).toSorted())
  })

  test('returns a thread with all its members, however old its root is', async () => {
    const [thread] = await list(await freshAccount(), '/threads', { limit: 1 })
    expect(thread).toMatchObject({ subject: 'Number 3', folders: expect.arrayContaining(['INBOX', 'Sent', 'Archive']) })
    expect(thread.message_ids).toHaveLength(3)
  })

  test('returns many old threads with all their members', async () => {
    const threads = await list(await freshAccount(), '/threads', { from: 'old@example.com', limit: 20 })
    expect(threads).toHaveLength(old)
    for (const { message_ids: ids, subject } of threads) expect(ids).toHaveLength(subject === 'Number 3' ? 3 : 2)
  })

  test.each([3, 20])('returns old messages, %i at a time, with every folder they are in', async (limit) => {
    const account = await freshAccount()
    const found = (await pagesOf(account, '/messages', { from: 'old@example.com', limit })).flat()
    expect(subjects(found)).toEqual(Array.from({ length: old }, (_, at) => `Number ${old - 1 - at}`))
    for (const { folders } of found) expect(folders.toSorted()).toEqual(['Archive', 'INBOX'])
  })

  test('returns messages before a date without reading newer ones', async () => {
    const until = hours(5).getTime() / 1000
    const found = await list(await freshAccount(), '/messages', { received_before: until })
    expect(subjects(found)).toEqual([4, 3, 2, 1, 0].map((number) => `Number ${number}`))
  })
})
