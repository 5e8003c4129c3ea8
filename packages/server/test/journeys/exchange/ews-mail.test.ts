/** Mail at Exchange: what only EWS does. */
import { randomBytes } from 'node:crypto'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { expectRefusal, expectStatus, type Json, noon, pagesOf, type Query } from '../../conformance/accounts.ts'
import { folderPath, messagePath, threadPath } from '../../conformance/mail-subject.ts'
import { mimeMessage, newMessageId } from '../../conformance/mime-messages.ts'
import { type ExchangeAccount, type ExchangeAccounts, openExchangeAccounts } from './exchange-accounts.ts'

const messagesOf = async (account: ExchangeAccount, query: Query = {}): Promise<Json[]> =>
  (await pagesOf(account, '/messages', query)).flat()
const read = async (account: ExchangeAccount, id: string, query: Query = {}): Promise<Json> =>
  expectStatus(await account.get(messagePath(id), query), 200).body.data
const send = async (account: ExchangeAccount, body: object): Promise<Json> =>
  expectStatus(await account.post('/messages/send', body), 200).body.data
const deliver = (account: ExchangeAccount, subject: string, { at = noon, folder = 'inbox' } = {}) =>
  account.exchange.mail.deliver(mimeMessage({ subject }), { at: at * 1000, folder })

describe('mail at Exchange', () => {
  let accounts: ExchangeAccounts
  let ada: ExchangeAccount
  beforeAll(async () => {
    accounts = await openExchangeAccounts()
  })
  beforeEach(async () => {
    ada = await accounts.newAccount()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  const requested = (): string[] => accounts.operations()

  describe('Exchange gets', () => {
    test('requests for few messages of each of many folders, and the pages contain all of them', async () => {
      for (let folder = 0; folder < 40; folder++) {
        const id = ada.exchange.mail.createFolder(`Folder ${folder}`)
        for (let index = 0; index < 3; index++) deliver(ada, `${folder}.${index}`, { at: noon + folder, folder: id })
      }
      for (let index = 0; index < 120; index++) deliver(ada, `Newest ${index}`, { at: noon + 100 + index })
      requested()
      const pages = await pagesOf(ada, '/messages', { limit: 60, select: 'subject' })
      expect(pages.flat()).toHaveLength(240)
      expect(new Set(pages.flat().map(({ subject }) => subject)).size).toBe(240)
      const finds = requested().filter((operation) => operation === 'FindItem')
      // Each page takes a few calls, however many folders there are.
      expect(finds.length).toBeLessThanOrEqual(4 * pages.length)
    })
  })

  describe('an id', () => {
    test('that was stored finds the message, its thread and its files after a move', async () => {
      const { mail } = ada.exchange
      const file = { name: 'plan.txt', type: 'text/plain', content: 'the plan' }
      const { id: item } = mail.deliver(mimeMessage({ subject: 'Wanderer', files: [file] }), { at: noon * 1000 })
      const [before] = await messagesOf(ada)
      const there = mail.move(item, mail.createFolder('Elsewhere'))
      const after = await read(ada, before.id)
      expect(after).toMatchObject({ subject: 'Wanderer', thread_id: before.thread_id, attachments: before.attachments })
      expect(after.id).not.toBe(before.id)
      expect(after.folders).not.toEqual(before.folders)
      const path = `/attachments/${before.attachments[0].id}/download`
      expect(expectStatus(await ada.get(path, { message_id: before.id }), 200).body).toBe('the plan')
      expect(expectStatus(await ada.put(messagePath(before.id), { starred: true }), 200).body.data.id).toBe(after.id)
      expect(mail.read(there.id).isFlagged).toBe(true)
      const clean = expectStatus(await ada.put('/messages/clean', { message_id: [before.id] }), 200).body.data
      expect(clean).toMatchObject([{ id: after.id }])
      expectStatus(await ada.delete(messagePath(before.id)), 200)
      expect(mail.list()).toMatchObject([{ folder: 'deleteditems' }])
    })

    test('refers to its own one of two copies, before and after a move', async () => {
      const { mail } = ada.exchange
      const { id: item } = deliver(ada, 'Doubled')
      const [original] = await messagesOf(ada)
      mail.copy(item, 'junkemail')
      expect(await messagesOf(ada)).toHaveLength(2)
      expect(await read(ada, original.id)).toMatchObject({ folders: original.folders })
      mail.move(item, 'drafts')
      expectStatus(await ada.delete(messagePath(original.id)), 200)
      expect(mail.list().map(({ folder }) => folder)).toEqual(expect.arrayContaining(['junkemail', 'deleteditems']))
    })
  })

  describe('searches', () => {
    test("in Exchange's syntax can be combined with every filter but the thread", async () => {
      deliver(ada, 'Invoice one')
      deliver(ada, 'Invoice two', { at: noon + 60 })
      const native = { search_query_native: 'subject:invoice' }
      const found = async (query: Query) => (await messagesOf(ada, query)).map(({ subject }) => subject)
      expect(await found(native)).toEqual(['Invoice two', 'Invoice one'])
      expect(await found({ ...native, received_before: noon + 60 })).toEqual(['Invoice one'])
      expect(await found({ ...native, unread: false })).toEqual([])
      const [{ thread_id }] = await messagesOf(ada)
      expectRefusal(await ada.get('/messages', { ...native, thread_id }), /search_query_native.*thread_id/)
      expectRefusal(await ada.get('/threads', { ...native, thread_id }), /search_query_native.*thread_id/)
    })
  })

  test('mail is found behind hundreds of other deleted items with a few more calls', async () => {
    const { calendar } = ada.exchange
    deliver(ada, 'Deleted long ago', { folder: 'deleteditems' })
    for (let index = 0; index < 300; index++) {
      const times = { Start: '2026-06-02T09:00:00Z', End: '2026-06-02T10:00:00Z' }
      const { id } = calendar.addEvent({ Subject: `Event ${index}`, ...times })
      calendar.deleteEvent(id)
    }
    requested()
    expect(await messagesOf(ada, { limit: 3 })).toMatchObject([{ subject: 'Deleted long ago' }])
    expect(requested().filter((operation) => operation === 'FindItem').length).toBeLessThanOrEqual(3)
  })

  describe('folders', () => {
    test('are the archive by their name at the top level, only one of them', async () => {
      const made = expectStatus(await ada.post('/folders', { name: 'Archiv' }), 200).body.data
      expect(made.attributes).toEqual(['\\Archive'])
      const better = expectStatus(await ada.post('/folders', { name: 'Archive' }), 200).body.data
      expect(better.attributes).toEqual(['\\Archive'])
      expect(expectStatus(await ada.get(folderPath(made.id)), 200).body.data.attributes).toEqual([])
      const inner = expectStatus(await ada.post('/folders', { name: 'Archive', parent_id: made.id }), 200).body.data
      expect(inner).toMatchObject({ attributes: [], parent_id: made.id })
    })

    test('are emptied first if a server only deletes empty ones', async () => {
      const made = expectStatus(await ada.post('/folders', { name: 'Full' }), 200).body.data
      deliver(ada, 'Goes with it', { folder: ada.exchange.mail.createFolder('Not this one') })
      accounts.simulator.fail({ operation: 'DeleteFolder' }, { status: 200, code: 'ErrorCannotDeleteObject' })
      requested()
      expectStatus(await ada.delete(folderPath(made.id)), 200)
      expect(requested().slice(-3)).toEqual(['DeleteFolder', 'EmptyFolder', 'DeleteFolder'])
      expectStatus(await ada.get(folderPath(made.id)), 404)
      expect(await messagesOf(ada)).toHaveLength(1)
    })
  })

  describe('sending', () => {
    test('uploads files too large for one request a few at a time, and they download unchanged', async () => {
      const grace = await accounts.newAccount()
      const large = randomBytes(5_600_000)
      const form = new FormData()
      form.set('message', JSON.stringify({ to: [{ email: grace.email }], subject: 'Files', body: '<p>Two</p>' }))
      form.set('file0', new Blob(['small'], { type: 'text/plain' }), 'small.txt')
      form.set('file1', new Blob([large], { type: 'application/zip' }), 'large.zip')
      const request = (path: string, init: RequestInit = {}) =>
        accounts.service.app.request(path, { ...init, headers: { authorization: `Bearer ${ada.key}` } })
      requested()
      const response = await request(`/v3/grants/${ada.grantId}/messages/send`, { method: 'POST', body: form })
      expect(response.status, await response.clone().text()).toBe(200)
      expect(requested()).toEqual(expect.arrayContaining(['CreateItem', 'CreateAttachment', 'SendItem']))
      const [received] = await messagesOf(grace)
      expect(received.attachments).toMatchObject([{ filename: 'small.txt' }, { filename: 'large.zip' }])
      const path = `/attachments/${received.attachments[1].id}/download?message_id=${received.id}`
      const download = await request(`/v3/grants/${grace.grantId}${path}`)
      expect(Buffer.from(await download.arrayBuffer()).equals(large)).toBe(true)
      expect(await messagesOf(ada)).toMatchObject([{ subject: 'Files' }])
      expect(expectStatus(await ada.get('/drafts'), 200).body.data).toEqual([])
    })
  })

  describe('shared mailboxes', () => {
    test('are accessible as far as their folders are, and refused if not shared', async () => {
      const boss = await accounts.newAccount()
      deliver(boss, 'For all')
      const shared = { shared_from: boss.email }
      expect((await ada.get('/folders', shared)).status).toBeGreaterThanOrEqual(400)
      boss.exchange.shareFolder(ada.email, 'inbox')
      const folders = (await pagesOf(ada, '/folders', shared)).flat()
      expect(folders).toMatchObject([{ attributes: ['\\Inbox'], total_count: 1 }])
      const [message] = await messagesOf(ada, { ...shared, in: folders[0].id })
      expect(message.subject).toBe('For all')
      const denied = await ada.put(messagePath(message.id), { starred: true }, shared)
      expect(denied.status, JSON.stringify(denied.body)).toBeGreaterThanOrEqual(400)
      expect(denied.status).toBeLessThan(500)
      expectRefusal(await ada.get('/folders', { shared_from: 'nobody' }), /shared_from/)
    })
  })
})

describe('mail at Exchange 2010', () => {
  let accounts: ExchangeAccounts
  beforeAll(async () => {
    accounts = await openExchangeAccounts({ exchange: { serverVersion: '2010_SP1' } })
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  test('is listed, threaded, flagged, drafted and found again after a move, without newer features', async () => {
    const ada = await accounts.newAccount()
    const first = newMessageId()
    const { mail } = ada.exchange
    const { id: item } = mail.deliver(mimeMessage({ subject: 'Plan', from: 'Ann <ann@people.test>', messageId: first }))
    mail.deliver(mimeMessage({ subject: 'Re: Plan', inReplyTo: first, references: [first] }), { folder: 'sentitems' })
    const [plan] = await messagesOf(ada, { from: 'ann@people.test' })
    expect(plan).toMatchObject({ subject: 'Plan', snippet: 'Some words.' })
    const thread = expectStatus(await ada.get(threadPath(plan.thread_id)), 200).body.data
    expect(thread.message_ids).toHaveLength(2)
    expect(await messagesOf(ada, { thread_id: plan.thread_id })).toHaveLength(2)
    for (const starred of [true, false]) {
      expect(expectStatus(await ada.put(messagePath(plan.id), { starred }), 200).body.data.starred).toBe(starred)
      expect(mail.read(item).isFlagged).toBe(starred)
    }
    mail.move(item, 'junkemail')
    expect(await read(ada, plan.id)).toMatchObject({ subject: 'Plan' })
    const draft = expectStatus(await ada.post('/drafts', { subject: 'Old', starred: true }), 200).body.data
    expect(draft).toMatchObject({ subject: 'Old', starred: true })
    const changed = await ada.put(`/drafts/${draft.id}`, { subject: 'Older', starred: false })
    expect(expectStatus(changed, 200).body.data).toMatchObject({ subject: 'Older', starred: false })
  })
})

describe('people with Exchange directory names', () => {
  let accounts: ExchangeAccounts
  beforeAll(async () => {
    accounts = await openExchangeAccounts({ exchange: { oddities: { namesByDirectory: true } } })
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  test('get the addresses of the directory, which is queried once', async () => {
    const [ada, grace, hidden] = [await accounts.newAccount(), await accounts.newAccount(), await accounts.newAccount()]
    const to = [{ email: grace.email }]
    const sent = await send(ada, { to, bcc: [{ email: hidden.email }], subject: 'Names', body: 'Who?' })
    const people = { from: [{ email: ada.email }], to, bcc: [{ email: hidden.email }] }
    accounts.operations()
    expect(await read(ada, sent.id)).toMatchObject(people)
    expect(await read(ada, sent.id)).toMatchObject(people)
    expect(accounts.operations().filter((operation) => operation === 'ResolveNames').length).toBeLessThanOrEqual(3)
    expect(await messagesOf(ada)).toMatchObject([people])
  })

  test('are left out if the directory fails, and the message is still read', async () => {
    const [ada, grace] = [await accounts.newAccount(), await accounts.newAccount()]
    await send(grace, { to: [{ email: ada.email }], subject: 'Names', body: 'Who?' })
    accounts.simulator.fail(
      { operation: 'ResolveNames', times: 20 },
      { status: 200, code: 'ErrorNameResolutionNoResults' },
    )
    const [message] = await messagesOf(ada)
    expect(message).toMatchObject({ subject: 'Names', to: [] })
  })
})

test('a scheduled message waits at Exchange until its time, and its links are tracked', async () => {
  const clock = testClock()
  await using accounts = await openExchangeAccounts({
    overrides: { serving: true, clock },
    exchange: { now: clock.now },
  })
  await accounts.service.listen()
  const [ada, grace] = [await accounts.newAccount(), await accounts.newAccount()]
  const link = 'https://shop.test/spring'
  const wish = { to: [{ email: grace.email }], subject: 'Later', body: `<a href="${link}">Spring</a>` }
  const later = { send_at: Math.floor(clock.now() / 1000) + 120, tracking_options: { links: true, label: 'spring' } }
  expectStatus(await ada.post('/messages/send', { ...wish, ...later }), 202)
  clock.advance(60_000)
  expect(await messagesOf(grace)).toEqual([])
  clock.advance(61_000)
  const [message] = await vi.waitFor(
    async () => {
      const found = await messagesOf(grace)
      expect(found).toHaveLength(1)
      return found
    },
    { timeout: 30_000, interval: 100 },
  )
  expect(message.subject).toBe('Later')
  expect(message.body).toContain('Spring')
  expect(message.body).not.toContain(`"${link}"`)
  const [sent] = await messagesOf(ada, { fields: 'include_tracking_options' })
  expect(sent.tracking_options).toMatchObject({ links: true, label: 'spring' })
})
