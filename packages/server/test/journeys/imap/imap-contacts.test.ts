/** Contacts of mailboxes, which the service stores: their notifications, limits and deletion. */
import { randomUUID } from 'node:crypto'
import { createEgress } from '@waypost/platform/egress/egress'
import { gatherContacts } from '@waypost/providers/contacts/gathering'
import type { Correspondent } from '@waypost/providers/contacts/tables'
import { contactTables } from '@waypost/store/tables/calendars-contacts/contacts'
import { enginesFor } from '@waypost/testing/engines'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { DeliverOptions, Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Account,
  accountOf,
  type Call,
  expectRefusal,
  expectStatus,
  type Fields,
  ids,
  type Json,
  pagesOf,
} from '../../conformance/accounts.ts'
import { imapSettings } from '../../conformance/imap-subject.ts'
import { openService, type TestService } from '../../harness.ts'
import { until } from '../mail/mail-servers.ts'

/** The smallest possible picture. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The maximum wait for work whose duration depends on the load of the machine. */
const patienceMs = 120_000

let server: MailServer
beforeAll(async () => {
  server = await sharedDovecot()
})
afterAll(() => server[Symbol.asyncDispose]())

describe.each(enginesFor(import.meta.url))('contacts of a mailbox, in %s', (engine) => {
  let service: TestService
  let call: Call
  beforeAll(async () => {
    const egress = createEgress({ mode: 'private', ca: [server.ca] })
    service = await openService({ engine, env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { egress, serving: true } })
    await service.listen()
    const { key } = await service.createApplication('Contacts')
    call = (method, path, rest) => service.call(method, path, { key, ...rest })
    expectStatus(await call('POST', '/v3/connectors', { body: { provider: 'imap' } }), 201)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const newAccount = async (): Promise<Account> => connect(await server.addUser())
  async function connect(mailbox: Mailbox): Promise<Account> {
    const body = { provider: 'imap', settings: imapSettings(server, mailbox) }
    const { data } = expectStatus(await call('POST', '/v3/connect/custom', { body }), 201).body
    return accountOf(call, { grantId: data.id, email: mailbox.user })
  }
  const reported = async ({ grantId }: Account): Promise<[trigger: string, object: Json][]> => {
    const { body } = await call('GET', '/v3/notifications?limit=200')
    return body.data
      .filter(({ type, data }: Json) => type.startsWith('contact.') && data.object.grant_id === grantId)
      .map(({ type, data }: Json) => [type, data.object])
  }
  const path = (id: string): string => `/contacts/${id}`

  describe('created through the API', () => {
    let account: Account
    beforeEach(async () => {
      account = await newAccount()
    })
    const create = async (fields: Fields): Promise<Json> =>
      expectStatus(await account.post('/contacts', fields), 200).body.data
    const createGroup = async (name: string): Promise<Json> =>
      expectStatus(await account.post('/contacts/groups', { name }), 200).body.data

    test('are reported when created, changed and deleted, as in the API responses', async () => {
      const made = await create({ given_name: 'Ada', emails: [{ email: 'ada@people.test' }] })
      const changed = expectStatus(await account.put(path(made.id), { surname: 'Lovelace' }), 200).body.data
      expectStatus(await account.put(path(made.id), { given_name: '', surname: null, emails: [] }), 400)
      expectStatus(await account.delete(path(made.id)), 200)
      const gone = { id: made.id, grant_id: account.grantId, object: 'contact' }
      await until(async () =>
        expect(await reported(account)).toEqual([
          ['contact.updated', made],
          ['contact.updated', changed],
          ['contact.deleted', gone],
        ]),
      )
    })

    test('have one value of each list, and one group', async () => {
      const two = {
        emails: [{ email: 'a@people.test' }, { email: 'b@people.test' }],
        phone_numbers: [{ number: '1' }, { number: '2' }],
        im_addresses: [{ im_address: 'a' }, { im_address: 'b' }],
        physical_addresses: [{ type: 'home' }, { type: 'work' }],
        web_pages: [{ url: 'https://a.test' }, { url: 'https://b.test' }],
        groups: [{ id: 'a' }, { id: 'b' }],
      }
      const { id } = await create({ given_name: 'Ada' })
      for (const [name, values] of Object.entries(two)) {
        expectRefusal(await account.post('/contacts', { given_name: 'Ada', [name]: values }), new RegExp(name))
        expectRefusal(await account.put(path(id), { [name]: values }), new RegExp(name))
      }
      expectRefusal(await account.put(path(id), { groups: [{ id: 'nosuchgroup' }] }), /groups/)
      expect(expectStatus(await account.get('/contacts'), 200).body.data).toHaveLength(1)
    })

    test('leave a deleted group, and that is reported', async () => {
      const [friends, family] = [await createGroup('Friends'), await createGroup('Family')]
      const ada = await create({ given_name: 'Ada', groups: [{ id: friends.id }] })
      const bob = await create({ given_name: 'Bob', groups: [{ id: family.id }] })
      expectStatus(await account.put(`/contacts/groups/${friends.id}`, { name: 'Family' }), 409)
      expectStatus(await account.delete(`/contacts/groups/${friends.id}`), 200)
      const left = ['contact.updated', { ...ada, groups: [] }]
      await until(async () => expect((await reported(account)).at(-1)).toEqual(left))
      expect(expectStatus(await account.get('/contacts'), 200).body.data).toEqual([{ ...ada, groups: [] }, bob])
      expectRefusal(await account.get('/contacts', { group: family.id, source: 'inbox' }), /group/)
    })

    test('have pictures of allowed types at URLs that cannot be guessed', async () => {
      const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
      const contact = await create({ given_name: 'Ada', picture: `data:text/html;base64,${gif}` })
      const served = async (url: string) => service.app.request(new URL(url).pathname)
      const picture = await served(contact.picture_url)
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/gif'])
      expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
      expect(Buffer.from(await picture.arrayBuffer()).toString('base64')).toBe(gif)
      await until(async () => expect((await reported(account)).at(-1)).toEqual(['contact.updated', contact]))
      const html = Buffer.from('<script>alert(1)</script>').toString('base64')
      expectRefusal(await account.put(path(contact.id), { picture: html }), /picture/)
      const changed = expectStatus(await account.put(path(contact.id), { picture: gif }), 200).body.data
      expect(changed.picture_url).not.toBe(contact.picture_url)
      expect((await served(contact.picture_url)).status).toBe(404)
      expectStatus(await account.delete(path(contact.id)), 200)
      expect((await served(changed.picture_url)).status).toBe(404)
      expect((await served('https://service.test/v3/contact-pictures/guess')).status).toBe(404)
    })

    test('can be requested from several sources, but not from a directory', async () => {
      const { id } = await create({ given_name: 'Ada' })
      const both = expectStatus(await account.get('/contacts', { source: 'inbox,address_book' }), 200).body.data
      expect(ids(both)).toEqual([id])
      const refused = await account.get('/contacts', { source: 'address_book,domain' })
      expect([refused.status, refused.body.error.type]).toEqual([422, 'not_supported_by_provider'])
    })

    test('are created once under an Idempotency-Key', async () => {
      const headers = { 'idempotency-key': randomUUID() }
      const make = () =>
        call('POST', `/v3/grants/${account.grantId}/contacts`, { body: { given_name: 'Ada' }, headers })
      const [first, again] = [await make(), await make()]
      expect(again.body).toEqual(first.body)
      expect(again.headers.get('idempotent-response')).toBe('true')
      expect(expectStatus(await account.get('/contacts'), 200).body.data).toHaveLength(1)
    })

    test('belong to one account, and are deleted with its grant', async () => {
      const { id } = await create({ given_name: 'Ada', emails: [{ email: 'ada@people.test' }] })
      expectStatus(await account.put(path(id), { picture: dot }), 200)
      await createGroup('Friends')
      const other = await newAccount()
      expectStatus(await other.get(path(id)), 404)
      expectStatus(await other.delete(path(id)), 404)
      expect(expectStatus(await other.get('/contacts', { email: 'ada@people.test' }), 200).body.data).toEqual([])
      expectStatus(await call('DELETE', `/v3/grants/${account.grantId}`), 200)
      for (const table of ['contacts', 'contact_pictures', 'contact_groups']) {
        const count = sql<{ n: number }>('', `select count(*) as n from ${table} where grant_id = $1`)
        expect(await service.services.storage.database.get(count, [account.grantId])).toEqual({ n: 0 })
      }
    })
  })

  describe('collected from mail', () => {
    const inbox = async (account: Account, query: Fields = {}): Promise<Json[]> =>
      (await pagesOf(account, '/contacts', { source: 'inbox', ...query })).flat()
    const names = async (account: Account): Promise<Record<string, string>> =>
      Object.fromEntries((await inbox(account)).map(({ emails, display_name }) => [emails[0].email, display_name]))
    const mail = (headers: Record<string, string>): string =>
      `${Object.entries({ Subject: 'Hello', 'Message-ID': `<${randomUUID()}@people.test>`, ...headers })
        .map(([name, value]) => `${name}: ${value}`)
        .join('\r\n')}\r\n\r\nText\r\n`
    const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000)

    test('come from existing mail, once per address, without notifications', async () => {
      const mailbox = await server.addUser()
      const to = `Me <${mailbox.user.toUpperCase()}>`
      const deliver = (headers: Record<string, string>, options: DeliverOptions = {}) =>
        server.deliver(mailbox.user, mail(headers), options)
      await deliver({ From: 'Zoe Older <Zoe@people.test>', To: to }, { date: daysAgo(40) })
      await deliver({ From: '"Newer, Zoe" <zoe@PEOPLE.test>', To: to }, { date: daysAgo(20) })
      await deliver({ From: 'zoe@people.test', To: to, Cc: '"cleo@people.test" <cleo@people.test>' })
      await deliver({ From: to, To: '=?utf-8?Q?Bj=C3=B6rn?= <bob@people.test>, not an address' }, { folder: 'Sent' })
      for (const folder of ['Junk', 'Trash', 'Drafts'])
        await deliver({ From: `${folder}@people.test`, To: to }, { folder })
      const account = await connect(mailbox)
      await until(async () =>
        expect(await names(account)).toEqual({
          'zoe@people.test': 'Zoe Newer',
          'cleo@people.test': 'cleo@people.test',
          'bob@people.test': 'Björn',
        }),
      )
      const [zoe] = await inbox(account, { email: 'ZOE@people.test' })
      expect(zoe).toMatchObject({ object: 'contact', source: 'inbox', given_name: 'Zoe', surname: 'Newer', groups: [] })
      expectRefusal(await account.delete(path(zoe.id)), /address book/)
      expect(expectStatus(await account.get('/contacts'), 200).body.data).toEqual([])
      expect(await reported(account)).toEqual([])
    })

    test('are reported when new mail contains a new address or name', async () => {
      const mailbox = await server.addUser()
      const account = await connect(mailbox)
      const deliver = (from: string, folder = 'INBOX') =>
        server.deliver(mailbox.user, mail({ From: from, To: mailbox.user }), { folder })
      await deliver('Zoe <zoe@people.test>')
      await until(async () => expect(await reported(account)).toHaveLength(1))
      const [zoe] = await inbox(account)
      expect(await reported(account)).toEqual([['contact.updated', zoe]])
      await deliver('zoe@people.test')
      await deliver('Junk <junk@people.test>', 'Junk')
      // Mail is dated by the second, and the name in the newest mail counts.
      const second = (): number => Math.floor(Date.now() / 1000)
      const before = second()
      await until(() => expect(second()).toBeGreaterThan(before))
      await deliver('Zoe Smith <ZOE@people.test>')
      await until(async () => expect(await reported(account)).toHaveLength(2))
      const renamed = { ...zoe, display_name: 'Zoe Smith', surname: 'Smith' }
      expect((await reported(account)).at(-1)).toEqual(['contact.updated', renamed])
      expect(await inbox(account)).toEqual([renamed])
    })

    test('are collected from large folders in rounds, while new mail arrives', { timeout: 300_000 }, async () => {
      const mailbox = await server.addUser()
      await using client = await server.client(mailbox.user)
      const people = Array.from({ length: 620 }, (_, number) => `person${number}@people.test`)
      for (const email of people) await client.append('INBOX', mail({ From: email, To: mailbox.user }))
      const account = await connect(mailbox)
      await server.deliver(mailbox.user, mail({ From: 'new@people.test', To: mailbox.user }))
      // A busy machine needs longer than the usual 30 seconds to sign in, poll and collect.
      await until(async () => {
        const addresses = (await reported(account)).map(([, { emails }]) => emails[0].email)
        expect(addresses).toEqual(['new@people.test'])
      }, patienceMs)
      const all = await until(async () => {
        const found = await inbox(account, { limit: '200' })
        expect(found).toHaveLength(people.length + 1)
        return found
      }, patienceMs)
      expect(new Set(all.map(({ emails }) => emails[0].email))).toEqual(new Set([...people, 'new@people.test']))
      expect(new Set(ids(all)).size).toBe(all.length)
      expect(await reported(account)).toHaveLength(1)
    })
  })

  test('collecting continues where an ended watch stopped', async () => {
    const mailbox = await server.addUser()
    const people = Array.from({ length: 1_100 }, (_, number) => `person${number}@people.test`)
    await using client = await server.client(mailbox.user)
    for (const email of people) await client.append('INBOX', `From: ${email}\r\n\r\n`)
    const account = await connect(mailbox)
    const emails = async (): Promise<string[]> =>
      (await pagesOf(account, '/contacts', { source: 'inbox', limit: '200' })).flat().map((one) => one.emails[0].email)
    await until(async () => expect((await emails()).length).toBeGreaterThan(0))
    const before = await emails()
    // A new authentication restarts the watch at the stored position.
    const change = { settings: { ...imapSettings(server, mailbox) }, provider: 'imap' }
    expectStatus(await call('POST', '/v3/connect/custom', { body: change }), 201)
    await until(async () => expect(new Set(await emails())).toEqual(new Set(people)))
    expect((await emails()).slice(0, before.length)).toEqual(before)
    expect(await emails()).toHaveLength(people.length)
  })

  test('the contacts mentioned least recently make room, and that is reported', async () => {
    const { grantId, email } = await newAccount()
    const { database, seals } = service.services.storage
    const row = await database.get(
      sql<{ application_id: string }>('', 'select application_id from grants where id = $1'),
      [grantId],
    )
    const heard: string[] = []
    const gather = (people: readonly Omit<Correspondent, 'name'>[]) =>
      database.transaction((tx) =>
        gatherContacts(
          { id: grantId, email },
          {
            contacts: contactTables(tx, seals, { applicationId: row?.application_id ?? '', grantId }),
            notify: async (trigger, object) => {
              const { emails, id }: Json = object
              heard.push(`${trigger} ${emails?.[0]?.email ?? id}`)
            },
            max: 3,
          },
          people.map((person) => ({ ...person, name: '' })),
        ),
      )
    const retained = async (): Promise<string[]> => {
      const { body } = await call('GET', `/v3/grants/${grantId}/contacts?source=inbox`)
      return body.data.map(({ emails }: Json) => emails[0].email).sort()
    }
    await gather(['a', 'b', 'c'].map((name, at) => ({ email: `${name}@x.test`, at: 100_000 + at, isNews: false })))
    await gather([
      { email: 'A@x.test', at: 500_000, isNews: true },
      { email, at: 500_000, isNews: true },
    ])
    expect([await retained(), heard]).toEqual([['a@x.test', 'b@x.test', 'c@x.test'], []])
    const { body } = await call('GET', `/v3/grants/${grantId}/contacts?source=inbox&email=b@x.test`)
    await gather([
      { email: 'd@x.test', at: 600_000, isNews: true },
      { email: 'old@x.test', at: 1, isNews: false },
    ])
    expect(await retained()).toEqual(['a@x.test', 'c@x.test', 'd@x.test'])
    expect(heard).toEqual(['contact.updated d@x.test', `contact.deleted ${body.data[0].id}`])
  })
})
