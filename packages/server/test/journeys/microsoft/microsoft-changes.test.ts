/**
 * Changes in a Microsoft mailbox are notified by polling, also after Graph's delta token expired.
 * microsoft-pushes.test.ts tests pushes.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectStatus, type Json } from '../../conformance/accounts.ts'
import { messagePath } from '../../conformance/mail-subject.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import { openSubscriber, type Subscriber } from '../subscriber.ts'
import { type MicrosoftAccount, type MicrosoftAccounts, openMicrosoftAccounts } from './microsoft-accounts.ts'

const until = <T>(check: () => T | Promise<T>, timeout = 25_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 50 })

interface Told {
  type: string
  data: { object: Json }
}

// Each test waits for its own polls.
describe.concurrent('changes of mail at Microsoft', () => {
  let accounts: MicrosoftAccounts
  let subscriber: Subscriber
  beforeAll(async () => {
    accounts = await openMicrosoftAccounts({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { serving: true } })
    await accounts.service.listen()
    subscriber = await openSubscriber(accounts.service)
  })
  afterAll(async () => {
    await accounts?.[Symbol.asyncDispose]()
    await subscriber?.[Symbol.asyncDispose]()
  })

  /** An account with its own application, which gets no other notifications. */
  async function newAccount(
    before: readonly string[] = [],
    seed: { renamesSent?: boolean } = {},
  ): Promise<MicrosoftAccount> {
    const { key } = await accounts.service.createApplication()
    const email = `${randomUUID()}@contoso.example`
    const { mail } = accounts.simulator.addAccount({ email, ...seed })
    for (const subject of before) mail.deliver(mimeMessage({ subject }), { at: Date.now() - 120_000 })
    return accounts.newAccount({ email, key })
  }
  const told = async ({ key }: MicrosoftAccount, type = ''): Promise<Told[]> => {
    const { body } = await accounts.service.call('GET', '/v3/notifications?limit=200', { key })
    return body.data.filter((each: Told) => each.type.startsWith(type))
  }
  const subjects = async (account: MicrosoftAccount, type: string): Promise<string[]> =>
    (await told(account, type)).map(({ data }) => data.object.subject)
  const created = (account: MicrosoftAccount): Promise<string[]> => subjects(account, 'message.created')
  /** Waits until the account is watched: a message that arrives is notified. */
  async function watched(account: MicrosoftAccount): Promise<void> {
    account.microsoft.mail.deliver(mimeMessage({ subject: 'first' }))
    await until(async () => expect(await created(account)).toEqual(['first']))
  }

  test('a new message is notified once, as the API returns it, but older ones are not', async () => {
    const account = await newAccount(['old'])
    await watched(account)
    const { mail } = account.microsoft
    const [{ data }] = (await told(account, 'message.created')) as [Told]
    expect(data.object).toEqual(expectStatus(await account.get(messagePath(data.object.id)), 200).body.data)
    mail.mark(mail.list()[0]?.id ?? '', { isRead: true })
    mail.deliver(mimeMessage({ subject: 'second' }))
    await until(async () => expect(await created(account)).toContain('second'))
    expect(await subjects(account, 'message.updated')).toEqual([])
    expect((await created(account)).toSorted()).toEqual(['first', 'second'])
  })

  test('a deletion for good is notified once; moves and drafts are no deletions', async () => {
    const account = await newAccount()
    await subscriber.subscribe(account.key, 'message.deleted')
    await watched(account)
    const { mail } = account.microsoft
    const deleted = async (): Promise<string[]> =>
      (await subscriber.objects(account.key, 'message.deleted')).map(({ id }) => id)
    const { immutableId: id } = mail.list()[0] ?? { immutableId: '' }
    const { immutableId: purged } = mail.deliver(mimeMessage({ subject: 'purged' }))
    await until(async () => expect(await created(account)).toContain('purged'))
    const draft = expectStatus(await account.post('/drafts', { subject: 'drafted' }), 200).body.data
    mail.move(id, 'archive')
    expectStatus(await account.delete(messagePath(id)), 200)
    mail.deliver(mimeMessage({ subject: 'second' }))
    await until(async () => expect(await created(account)).toContain('second'))
    expect(await deleted()).toEqual([])
    expectStatus(await account.delete(`/drafts/${draft.id}`), 200)
    mail.remove(purged)
    await until(async () => expect(await deleted()).toEqual([purged]))
    await accounts.service.call('PATCH', '/v3/applications', { key: account.key, body: { allow_hard_delete: true } })
    expectStatus(await account.delete(messagePath(id), { hard_delete: true }), 200)
    await until(async () => expect(await deleted()).toEqual([purged, id]))
    expect((await subscriber.objects(account.key, 'message.deleted'))[1]).toEqual({
      id,
      grant_id: account.grantId,
      object: 'message',
    })
    expectStatus(await account.get(messagePath(id)), 404)
  })

  test('a message that is deleted from the trash is deleted, although administrators can restore it', async () => {
    const account = await newAccount()
    await subscriber.subscribe(account.key, 'message.deleted')
    await watched(account)
    const { immutableId: id } = account.microsoft.mail.list()[0] ?? { immutableId: '' }
    account.microsoft.mail.move(id, 'recoverableitemsdeletions')
    await until(async () =>
      expect(await subscriber.objects(account.key, 'message.deleted')).toEqual([
        { id, grant_id: account.grantId, object: 'message' },
      ]),
    )
  })

  test('flags and moves are changes of the same message, and a message that arrives and changes is notified once', async () => {
    const account = await newAccount()
    await watched(account)
    const { mail } = account.microsoft
    const { id, immutableId } = mail.list()[0] ?? { id: '', immutableId: '' }
    mail.mark(id, { isRead: true })
    const last = async (): Promise<Json> => (await told(account, 'message.updated')).at(-1)?.data.object
    await until(async () => expect(await last()).toMatchObject({ id: immutableId, unread: false, starred: false }))
    mail.mark(id, { flag: { flagStatus: 'flagged' } })
    await until(async () => expect(await last()).toMatchObject({ id: immutableId, starred: true }))
    const before = (await last()).folders
    mail.move(immutableId, 'archive')
    await until(async () => expect((await last()).folders).not.toEqual(before))
    const elsewhere = mail.createFolder('Elsewhere')
    mail.move(immutableId, elsewhere)
    await until(async () => expect(await last()).toMatchObject({ id: immutableId, folders: [elsewhere] }))
    const quick = mail.deliver(mimeMessage({ subject: 'quick' }))
    mail.mark(quick.id, { isRead: true })
    await until(async () => expect(await created(account)).toContain('quick'))
    expect((await created(account)).toSorted()).toEqual(['first', 'quick'])
  })

  test('sent messages are notified, and drafts only once they are sent', async () => {
    const account = await newAccount()
    await watched(account)
    const to = [{ email: 'somebody@people.test' }]
    const draft = expectStatus(await account.post('/drafts', { to, subject: 'drafted' }), 200).body.data
    expectStatus(await account.put(`/drafts/${draft.id}`, { subject: 'drafted again' }), 200)
    expectStatus(await account.post('/messages/send', { to, subject: 'sent' }), 200)
    await until(async () => expect(await created(account)).toContain('sent'))
    expectStatus(await account.post(`/drafts/${draft.id}`, {}), 200)
    await until(async () => expect(await created(account)).toContain('drafted again'))
    expect((await created(account)).toSorted()).toEqual(['drafted again', 'first', 'sent'])
  })

  test('folders that are created, renamed, moved and deleted are notified', async () => {
    const account = await newAccount()
    await watched(account)
    const { data } = expectStatus(await account.post('/folders', { name: 'One' }), 200).body
    const objects = async (type: string): Promise<Json[]> => (await told(account, type)).map((each) => each.data.object)
    await until(async () => expect(await objects('folder.created')).toMatchObject([{ id: data.id, name: 'One' }]))
    expectStatus(await account.put(`/folders/${data.id}`, { name: 'Two' }), 200)
    await until(async () => expect(await objects('folder.updated')).toMatchObject([{ id: data.id, name: 'Two' }]))
    account.microsoft.mail.deliver(mimeMessage({ subject: 'filed' }), { folder: data.id })
    await until(async () => expect(await created(account)).toContain('filed'))
    expectStatus(await account.delete(`/folders/${data.id}`), 200)
    await until(async () => expect(await objects('folder.deleted')).toMatchObject([{ id: data.id }]))
    expect(await objects('folder.updated')).toHaveLength(1)
  })

  test.each(['SyncStateNotFound', 'resyncRequired'])(
    'messages that arrived while the delta token expired are notified once each (%s)',
    async (code) => {
      const account = await newAccount()
      await watched(account)
      const { mail } = account.microsoft
      for (const subject of ['a', 'b', 'c']) mail.deliver(mimeMessage({ subject }))
      mail.forgetChanges(code)
      await until(async () => expect((await created(account)).toSorted()).toEqual(['a', 'b', 'c', 'first']))
      mail.deliver(mimeMessage({ subject: 'later' }))
      await until(async () => expect(await created(account)).toContain('later'))
      expect(await created(account)).toHaveLength(5)
      expect(await told(account, 'folder')).toEqual([])
    },
  )

  test('many messages at once are all notified', async () => {
    const account = await newAccount()
    await watched(account)
    const names = Array.from({ length: 130 }, (_, index) => `bulk ${index}`)
    for (const [index, subject] of names.entries()) {
      account.microsoft.mail.deliver(mimeMessage({ subject }), { folder: index % 3 ? 'inbox' : 'archive' })
    }
    await until(async () =>
      expect((await created(account)).filter((name) => name?.startsWith('bulk')).toSorted()).toEqual(names.toSorted()),
    )
    expect(await subjects(account, 'message.updated')).toEqual([])
  })

  test.for([false, true])(
    'a reply to a tracked message, and a bounce of a sent one, are notified (by another Message-ID: %s)',
    async (renamesSent) => {
      const account = await newAccount([], { renamesSent })
      await watched(account)
      const sent = await account.post('/messages/send', {
        to: [{ email: 'nobody@contoso.example' }],
        subject: 'Tracked',
        body: '<p>Hello</p>',
        tracking_options: { thread_replies: true, label: 'spring' },
      })
      const { id } = expectStatus(sent, 200).body.data
      await until(async () => expect(await told(account, 'message.bounce_detected')).toHaveLength(1))
      const { data } = expectStatus(await account.get(messagePath(id), { fields: 'include_headers' }), 200).body
      const headerOf = (wanted: string): string =>
        data.headers.find((each: Json) => each.name.toLowerCase() === wanted).value.slice(1, -1)
      const name = headerOf('message-id')
      expect(name === headerOf('x-waypost-message-id')).toBe(!renamesSent)
      account.microsoft.mail.deliver(
        mimeMessage({ subject: 'Re: Tracked', from: 'somebody@people.test', inReplyTo: name, references: [name] }),
      )
      await until(async () => expect(await told(account, 'thread.replied')).toHaveLength(1))
      const [{ data: reply }] = (await told(account, 'thread.replied')) as [Told]
      expect(reply.object).toMatchObject({ root_message_id: id, label: 'spring' })
    },
  )

  test('an unchanged mailbox takes one request per poll', { concurrent: false }, async () => {
    const account = await newAccount()
    await watched(account)
    // Other accounts of this service are polled meanwhile: each request identifies its account.
    const { simulator } = accounts
    const looks = (): number => simulator.calls.filter(({ path }) => path.endsWith('/mailFolders/delta')).length
    simulator.clearCalls()
    await until(() => expect(looks()).toBeGreaterThan(10))
    const isOfMail = (path: string): boolean => path.startsWith('/v1.0/') && !path.includes('/calendars')
    const wire = simulator.calls.filter(({ batched, path }) => !batched && isOfMail(path))
    expect(wire.every(({ path }) => path === '/v1.0/$batch')).toBe(true)
  })

  test('a throttled mailbox delays notifications, and nothing is lost', { concurrent: false }, async () => {
    const account = await newAccount()
    await watched(account)
    const path = /\/mailFolders\/delta/
    accounts.simulator.fail({ path, times: 2 }, { status: 429, code: 'ApplicationThrottled', retryAfter: 1 })
    account.microsoft.mail.deliver(mimeMessage({ subject: 'patient' }))
    await until(async () => expect(await created(account)).toContain('patient'), 40_000)
  })
})
