/**
 * Changes in an Exchange account are notified: by a stream, by requests for events, or by regular polls, also after
 * losses.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ExchangeOptions } from '../../../../simulators/src/index.ts'
import { expectStatus, type Json } from '../../conformance/accounts.ts'
import { messagePath } from '../../conformance/mail-subject.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import { exchangePassword } from '../../peers/exchange.ts'
import { openSubscriber, type Subscriber } from '../subscriber.ts'
import { type ExchangeAccount, type ExchangeAccounts, openExchangeAccounts } from './exchange-accounts.ts'

const until = <T>(check: () => T | Promise<T>, timeout = 30_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 50 })

interface Told {
  type: string
  source: string
  data: { object: Json }
}

const openWatching = async (pollSeconds: number, exchange: ExchangeOptions = {}): Promise<ExchangeAccounts> => {
  const env = { WAYPOST_POLL_SECONDS: `${pollSeconds}` }
  const accounts = await openExchangeAccounts({ env, overrides: { serving: true }, exchange })
  await accounts.service.listen()
  return accounts
}

/** An account with its own application, which gets no other notifications. */
async function newAccount(accounts: ExchangeAccounts, before: readonly string[] = []): Promise<ExchangeAccount> {
  const { key } = await accounts.service.createApplication()
  const email = `${randomUUID()}@exchange.example`
  const { mail } = accounts.simulator.addAccount({ email, password: exchangePassword })
  for (const subject of before) mail.deliver(mimeMessage({ subject }), { at: Date.now() - 120_000 })
  return accounts.newAccount({ email, key })
}
const nameOf = ({ subject, title, name, given_name: given, id }: Json): string =>
  subject ?? title ?? name ?? given ?? id
const toldOf = (accounts: ExchangeAccounts) => ({
  async all({ key }: ExchangeAccount, type = ''): Promise<Told[]> {
    const { body } = await accounts.service.call('GET', '/v3/notifications?limit=200', { key })
    return body.data.filter((each: Told) => each.type.startsWith(type))
  },
  async names(account: ExchangeAccount, type = ''): Promise<string[]> {
    return (await this.all(account, type)).map(({ data }) => nameOf(data.object))
  },
})

const tomorrow = (hour: string): string =>
  `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T${hour}:00:00Z`
const meeting = (subject: string) => ({ Subject: subject, Start: tomorrow('09'), End: tomorrow('10') })

// Regular polls run every ten minutes here: an earlier notification comes from Exchange's stream.
describe.concurrent('streamed changes at Exchange', () => {
  let accounts: ExchangeAccounts
  let told: ReturnType<typeof toldOf>
  let subscriber: Subscriber
  beforeAll(async () => {
    accounts = await openWatching(600, { streaming: { minuteMs: 100 } })
    told = toldOf(accounts)
    subscriber = await openSubscriber(accounts.service)
  })
  afterAll(async () => {
    await accounts?.[Symbol.asyncDispose]()
    await subscriber?.[Symbol.asyncDispose]()
  })

  const streams = ({ email }: ExchangeAccount): number =>
    accounts.simulator.calls.filter(({ operation, account }) => operation === 'GetStreamingEvents' && account === email)
      .length
  /** Waits until the account is watched: a message that arrives is notified. */
  async function watched(account: ExchangeAccount, subject = 'first'): Promise<void> {
    await until(async () => expect(accounts.simulator.subscriptions().length).toBeGreaterThan(0))
    account.exchange.mail.deliver(mimeMessage({ subject }))
    await until(async () => expect(await told.names(account, 'message.created')).toContain(subject))
  }

  test('of deleted messages are notified once, also if the subscription came later; moves and drafts are no deletions', async () => {
    const account = await newAccount(accounts)
    const { key } = account
    const { mail } = account.exchange
    await watched(account)
    await subscriber.subscribe(key, 'message.deleted')
    const deleted = (): Promise<Json[]> => subscriber.objects(key, 'message.deleted')
    for (const subject of ['second', 'third']) {
      mail.deliver(mimeMessage({ subject }))
      await until(async () => expect(await told.names(account, 'message.created')).toContain(subject))
    }
    const ids = new Map(
      (await told.all(account, 'message.created')).map(({ data }) => [data.object.subject, data.object.id]),
    )
    const draft = expectStatus(await account.post('/drafts', { subject: 'drafted' }), 200).body.data
    expectStatus(await account.delete(`/drafts/${draft.id}`), 200)
    const listed = mail.list()
    mail.move(listed[1]?.id ?? '', 'deleteditems')
    await until(async () => expect((await told.all(account, 'message.updated')).length).toBeGreaterThan(0))
    expect(await deleted()).toEqual([])
    mail.remove(listed[0]?.id ?? '')
    mail.remove(listed[2]?.id ?? '')
    const expected = ['first', 'third'].map((subject) => ({
      id: ids.get(subject),
      grant_id: account.grantId,
      object: 'message',
    }))
    await until(async () =>
      expect((await deleted()).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
        expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      ),
    )
    await watched(account, 'last')
    expect(await deleted()).toHaveLength(2)
  })

  test('are notified once within seconds, as the API returns them, but older ones are not', async () => {
    const account = await newAccount(accounts, ['old'])
    await watched(account)
    const { mail, calendar, contacts } = account.exchange
    const [first] = await told.all(account, 'message.created')
    expect(first?.data.object).toEqual(
      expectStatus(await account.get(messagePath(first?.data.object.id)), 200).body.data,
    )
    calendar.addEvent(meeting('lunch'))
    contacts.addContact({ GivenName: 'Ann' })
    mail.deliver(mimeMessage({ subject: 'second' }))
    await until(async () => {
      expect((await told.names(account, 'message.created')).toSorted()).toEqual(['first', 'second'])
      expect(await told.names(account, 'event.created')).toEqual(['lunch'])
      expect(await told.names(account, 'contact.updated')).toEqual(['Ann'])
    })
    const sources = (await told.all(account)).map(({ source }) => source)
    expect(sources).toContain('/ews/events/realtime')
  })

  test('include flags, moves, sent messages and writes through the API', async () => {
    const account = await newAccount(accounts)
    await watched(account)
    const { mail } = account.exchange
    const [{ data }] = (await told.all(account, 'message.created')) as [Told]
    expectStatus(await account.put(messagePath(data.object.id), { unread: false, starred: true }), 200)
    const last = async (): Promise<Json> => (await told.all(account, 'message.updated')).at(-1)?.data.object
    await until(async () => expect(await last()).toMatchObject({ unread: false, starred: true }))
    const searchKey = mail.list()[0]?.searchKey ?? ''
    const elsewhere = mail.createFolder('Elsewhere')
    await until(async () => expect(await told.names(account, 'folder.created')).toEqual(['Elsewhere']))
    mail.move(searchKey, elsewhere)
    await until(async () => expect((await last()).folders).not.toEqual(data.object.folders))
    // The previous id finds it, and the response has the new one.
    const moved = expectStatus(await account.get(messagePath(data.object.id)), 200).body.data
    expect(moved).toEqual(await last())
    const to = [{ email: 'somebody@people.test' }]
    expectStatus(await account.post('/drafts', { to, subject: 'drafted' }), 200)
    expectStatus(await account.post('/messages/send', { to, subject: 'sent' }), 200)
    await until(async () => expect(await told.names(account, 'message.created')).toContain('sent'))
    expect(await told.names(account, 'message.created')).not.toContain('drafted')
  })

  test('include a reply to a tracked message, and a bounce of a sent one', async () => {
    const account = await newAccount(accounts)
    await watched(account)
    const sent = await account.post('/messages/send', {
      to: [{ email: 'nobody@exchange.example' }],
      subject: 'Tracked',
      body: '<p>Hello</p>',
      tracking_options: { thread_replies: true, label: 'spring' },
    })
    const { id } = expectStatus(sent, 200).body.data
    await until(async () => expect(await told.all(account, 'message.bounce_detected')).toHaveLength(1))
    const { data } = expectStatus(await account.get(messagePath(id), { fields: 'include_basic_headers' }), 200).body
    const name = data.headers.find((each: Json) => each.name.toLowerCase() === 'message-id').value.slice(1, -1)
    account.exchange.mail.deliver(
      mimeMessage({ subject: 'Re: Tracked', from: 'somebody@people.test', inReplyTo: name, references: [name] }),
    )
    await until(async () => expect(await told.all(account, 'thread.replied')).toHaveLength(1))
    const [{ data: reply }] = (await told.all(account, 'thread.replied')) as [Told]
    expect(reply.object).toMatchObject({ label: 'spring' })
  })

  test('are notified across successive connections and between them', async () => {
    const account = await newAccount(accounts)
    await watched(account)
    const before = streams(account)
    await until(() => expect(streams(account)).toBeGreaterThan(before))
    await watched(account, 'after the first connection')
    expect(await told.names(account, 'message.created')).toHaveLength(2)
  })

  test('are notified if they happen while connections and subscriptions are lost', { concurrent: false }, async () => {
    const account = await newAccount(accounts)
    await watched(account)
    const { simulator } = accounts
    const losses = {
      connection: [simulator.dropStreams],
      subscription: [simulator.endSubscriptions],
      both: [simulator.endSubscriptions, simulator.dropStreams],
      state: [simulator.expireSyncStates, simulator.dropStreams],
    }
    for (const [subject, lose] of Object.entries(losses)) {
      for (const one of lose) one()
      account.exchange.mail.deliver(mimeMessage({ subject }))
      await until(async () => expect(await told.names(account, 'message.created')).toContain(subject))
      await watched(account, `${subject} after`)
    }
    const all = await told.names(account, 'message.created')
    expect(new Set(all).size).toBe(all.length)
  })

  test('stop immediately when a password no longer works', { concurrent: false }, async () => {
    const account = await newAccount(accounts)
    await watched(account)
    const { simulator } = accounts
    account.exchange.changePassword('another')
    let refused = 0
    const stop = simulator.observe(({ status }) => {
      if (status === 401) refused += 1
    })
    simulator.dropStreams()
    await until(async () => expect(await told.all(account, 'grant.expired')).toHaveLength(1))
    const { key } = account
    const { body } = await accounts.service.call('GET', '/v3/grants', { key })
    expect(body.data).toMatchObject([{ grant_status: 'invalid' }])
    const tries = refused
    account.exchange.mail.deliver(mimeMessage({ subject: 'untold' }))
    await watched(await newAccount(accounts), 'of somebody else')
    stop()
    expect(refused).toBe(tries)
    expect(tries).toBeLessThanOrEqual(6)
  })
})

test('a server that allows no further connection is queried for events', async () => {
  await using accounts = await openWatching(1, { streaming: { maxStreams: 0 } })
  const told = toldOf(accounts)
  const account = await newAccount(accounts)
  const asked = (): number => accounts.simulator.calls.filter(({ operation }) => operation === 'GetEvents').length
  for (const subject of ['first', 'second', 'third']) {
    account.exchange.mail.deliver(mimeMessage({ subject }))
    await until(async () => expect(await told.names(account, 'message.created')).toContain(subject))
  }
  // Once it has reported an event, full polls are rare and event queries are frequent.
  await until(() => expect(asked()).toBeGreaterThan(3))
  accounts.simulator.endSubscriptions()
  account.exchange.mail.deliver(mimeMessage({ subject: 'lost' }))
  await until(async () => expect(await told.names(account, 'message.created')).toContain('lost'))
  expect((await told.names(account, 'message.created')).toSorted()).toEqual(['first', 'lost', 'second', 'third'])
})

test('a server that never reports an event is polled regularly', async () => {
  await using accounts = await openWatching(1)
  accounts.simulator.muteNotifications(true)
  const told = toldOf(accounts)
  const account = await newAccount(accounts)
  for (const subject of ['first', 'second', 'third']) {
    account.exchange.mail.deliver(mimeMessage({ subject }))
    await until(async () => expect(await told.names(account, 'message.created')).toContain(subject))
  }
  // The adapter waits for a busy server.
  accounts.simulator.fail(
    { operation: 'FindFolder', times: 2 },
    { status: 500, code: 'ErrorServerBusy', backOffMilliseconds: 200 },
  )
  account.exchange.calendar.addEvent(meeting('patient'))
  await until(async () => expect(await told.names(account, 'event.created')).toEqual(['patient']))
  expect(await told.names(account, 'message.created')).toHaveLength(3)
})
