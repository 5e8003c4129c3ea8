/** Contacts of mailboxes, which the service keeps: what is told of them, what they are bounded by, and that they go. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../../src/lib/egress.ts'
import { sql } from '../../src/store/database.ts'
import {
  type Account,
  accountOf,
  type Call,
  expectRefusal,
  expectStatus,
  type Fields,
  ids,
  type Json,
} from '../conformance/accounts.ts'
import { imapSettings } from '../conformance/imap-subject.ts'
import { engines, openService, type TestService } from '../harness.ts'
import { startDovecot } from '../peers/dovecot.ts'
import type { MailServer } from '../peers/mail-server.ts'

let server: MailServer
beforeAll(async () => {
  server = await startDovecot()
})
afterAll(() => server[Symbol.asyncDispose]())

describe.each(engines)('contacts of a mailbox, in %s', (engine) => {
  let service: TestService
  let call: Call
  beforeAll(async () => {
    const egress = createEgress({ mode: 'private', ca: [server.ca] })
    service = await openService({ engine, env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { egress, serving: true } })
    const { key } = await service.createApplication('Contacts')
    call = (method, path, rest) => service.call(method, path, { key, ...rest })
    expectStatus(await call('POST', '/v3/connectors', { body: { provider: 'imap' } }), 201)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  async function newAccount(): Promise<Account> {
    const mailbox = await server.addUser()
    const body = { provider: 'imap', settings: imapSettings(server, mailbox) }
    const { data } = expectStatus(await call('POST', '/v3/connect/custom', { body }), 201).body
    return accountOf(call, { grantId: data.id, email: mailbox.user })
  }
  const told = async ({ grantId }: Account): Promise<[trigger: string, object: Json][]> => {
    const { body } = await call('GET', '/v3/notifications?limit=200')
    return body.data
      .filter(({ type, data }: Json) => type.startsWith('contact.') && data.object.grant_id === grantId)
      .map(({ type, data }: Json) => [type, data.object])
  }
  const path = (id: string): string => `/contacts/${id}`

  describe('that the API makes', () => {
    let account: Account
    beforeEach(async () => {
      account = await newAccount()
    })
    const create = async (fields: Fields): Promise<Json> =>
      expectStatus(await account.post('/contacts', fields), 200).body.data
    const createGroup = async (name: string): Promise<Json> =>
      expectStatus(await account.post('/contacts/groups', { name }), 200).body.data

    test('are told when they are made, changed and deleted, as the API answers them', async () => {
      const made = await create({ given_name: 'Ada', emails: [{ email: 'ada@people.test' }] })
      const changed = expectStatus(await account.put(path(made.id), { surname: 'Lovelace' }), 200).body.data
      expectStatus(await account.put(path(made.id), { given_name: '', surname: null, emails: [] }), 400)
      expectStatus(await account.delete(path(made.id)), 200)
      expect(await told(account)).toEqual([
        ['contact.updated', made],
        ['contact.updated', changed],
        ['contact.deleted', { id: made.id, grant_id: account.grantId, object: 'contact' }],
      ])
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

    test('leave a group that is deleted, and that is told', async () => {
      const [friends, family] = [await createGroup('Friends'), await createGroup('Family')]
      const ada = await create({ given_name: 'Ada', groups: [{ id: friends.id }] })
      const bob = await create({ given_name: 'Bob', groups: [{ id: family.id }] })
      expectStatus(await account.put(`/contacts/groups/${friends.id}`, { name: 'Family' }), 409)
      expectStatus(await account.delete(`/contacts/groups/${friends.id}`), 200)
      expect((await told(account)).at(-1)).toEqual(['contact.updated', { ...ada, groups: [] }])
      expect(expectStatus(await account.get('/contacts'), 200).body.data).toEqual([{ ...ada, groups: [] }, bob])
      expectRefusal(await account.get('/contacts', { group: family.id, source: 'inbox' }), /group/)
    })

    test('are of several sources where those are asked for, and of no directory', async () => {
      const { id } = await create({ given_name: 'Ada' })
      const both = expectStatus(await account.get('/contacts', { source: 'inbox,address_book' }), 200).body.data
      expect(ids(both)).toEqual([id])
      const refused = await account.get('/contacts', { source: 'address_book,domain' })
      expect([refused.status, refused.body.error.type]).toEqual([422, 'not_supported_by_provider'])
    })

    test('are made once under an Idempotency-Key', async () => {
      const headers = { 'idempotency-key': randomUUID() }
      const make = () =>
        call('POST', `/v3/grants/${account.grantId}/contacts`, { body: { given_name: 'Ada' }, headers })
      const [first, again] = [await make(), await make()]
      expect(again.body).toEqual(first.body)
      expect(again.headers.get('idempotent-response')).toBe('true')
      expect(expectStatus(await account.get('/contacts'), 200).body.data).toHaveLength(1)
    })

    test('belong to one account, and go with its grant', async () => {
      const { id } = await create({ given_name: 'Ada', emails: [{ email: 'ada@people.test' }] })
      await createGroup('Friends')
      const other = await newAccount()
      expectStatus(await other.get(path(id)), 404)
      expectStatus(await other.delete(path(id)), 404)
      expect(expectStatus(await other.get('/contacts', { email: 'ada@people.test' }), 200).body.data).toEqual([])
      expectStatus(await call('DELETE', `/v3/grants/${account.grantId}`), 200)
      for (const table of ['contacts', 'contact_groups']) {
        const count = sql<{ n: number }>('', `select count(*) as n from ${table} where grant_id = $1`)
        expect(await service.services.database.get(count, [account.grantId])).toEqual({ n: 0 })
      }
    })
  })
})
