/** Contacts of Exchange accounts only. conformance/provider-contacts.test.ts has what other providers do too. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, ids, type Json, pagesOf, type Query } from '../../conformance/accounts.ts'
import { type ExchangeAccount, type ExchangeAccounts, openExchangeAccounts } from './exchange-accounts.ts'

const person = (name: string) => ({
  GivenName: name,
  EmailAddresses: { Entry: { '@Key': 'EmailAddress1', '#': `${name.toLowerCase()}@mail.test` } },
})
const names = (contacts: Json[]): string[] => contacts.map(({ given_name }) => given_name).sort()
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('contacts at Exchange', () => {
  let accounts: ExchangeAccounts
  let account: ExchangeAccount
  beforeAll(async () => {
    accounts = await openExchangeAccounts()
  })
  afterAll(() => accounts[Symbol.asyncDispose]())
  beforeEach(async () => {
    account = await accounts.newAccount()
  })

  const path = (id: string): string => `/contacts/${encodeURIComponent(id)}`
  const create = async (fields: object): Promise<Json> =>
    expectStatus(await account.post('/contacts', fields), 200).body.data
  const list = async (query: Query = {}): Promise<Json[]> => (await pagesOf(account, '/contacts', query)).flat()

  test('created in the same second are listed once each, also while others are added and removed', async () => {
    const { contacts } = account.exchange
    const made = Array.from({ length: 12 }, (_, count) => contacts.addContact(person(`Contact${count}`)))
    const first = expectStatus(await account.get('/contacts', { limit: 5 }), 200).body
    contacts.deleteContact(made[0]?.id ?? '')
    contacts.deleteContact(made[4]?.id ?? '')
    contacts.addContact(person('Later'))
    const rest: Json[] = []
    for (let token = first.next_cursor; token; ) {
      const { body } = expectStatus(await account.get('/contacts', { limit: 3, page_token: token }), 200)
      rest.push(...body.data)
      token = body.next_cursor
    }
    const seen = [...first.data, ...rest]
    expect(new Set(ids(seen)).size).toBe(seen.length)
    expect(names(seen)).toEqual(expect.arrayContaining(['Contact5', 'Contact11', 'Later']))
    expect(seen.length).toBeGreaterThanOrEqual(11)
  })

  test('do not include distribution lists', async () => {
    account.exchange.contacts.addDistributionList('Everybody', [{ name: 'Ada', address: 'ada@mail.test' }])
    expect(await list({ recurse: true })).toEqual([])
  })

  test('have the display name of their given names, unless another was chosen', async () => {
    const { id } = await create({ given_name: 'Ada', surname: 'Byron' })
    expect((await list())[0].display_name).toBe('Ada Byron')
    const { data } = expectStatus(await account.put(path(id), { surname: 'Lovelace' }), 200).body
    expect(data.display_name).toBe('Ada Lovelace')
    const { contacts } = account.exchange
    contacts.changeContact(contacts.list()[0]?.id ?? '', { DisplayName: 'The Countess' })
    expect(expectStatus(await account.put(path(id), { surname: 'King' }), 200).body.data).toMatchObject({
      display_name: 'The Countess',
      surname: 'King',
    })
  })

  test("have the birthday that Outlook wrote at the user's midnight, in any time zone", async () => {
    const { contacts } = account.exchange
    contacts.addContact({ GivenName: 'East', Birthday: '1980-04-30T22:00:00Z' })
    contacts.addContact({ GivenName: 'West', Birthday: '1980-05-01T08:00:00Z' })
    expect((await list()).map(({ birthday }) => birthday)).toEqual(['1980-05-01', '1980-05-01'])
  })

  test('lose a picture that Exchange removed without a response, and keep it if it was not removed', async () => {
    const { contacts } = account.exchange
    const { id } = await create({ given_name: 'Seen', picture: png.toString('base64') })
    const { simulator } = accounts
    simulator.fail({ operation: 'DeleteAttachment' }, { status: 200, code: 'ErrorCannotDeleteObject' })
    expectStatus(await account.put(path(id), { picture: null }), 400)
    expect(contacts.list()[0]?.pictures).toEqual([png])
    simulator.fail({ operation: 'DeleteAttachment' }, { drop: 'after' })
    expect(expectStatus(await account.put(path(id), { picture: null }), 200).body.data).not.toHaveProperty(
      'picture_url',
    )
    expect(contacts.list()[0]?.pictures).toEqual([])
  })

  test('are found by their previous ids after a move, and not found after deletion', async () => {
    const { contacts } = account.exchange
    const friends = contacts.addFolder('Friends')
    const { id: own } = contacts.addContact(person('Mover'))
    const [{ id }] = await list()
    const { id: elsewhere } = contacts.moveContact(own, friends.id)
    expect(elsewhere).not.toBe(own)
    expect(expectStatus(await account.get(path(id)), 200).body.data.given_name).toBe('Mover')
    expectStatus(await account.put(path(id), { nickname: 'Still' }), 200)
    contacts.deleteContact(elsewhere)
    for (const gone of [id, ids(await list({ recurse: true }))[0] ?? id]) {
      expectStatus(await account.get(path(gone)), 404)
      expectStatus(await account.put(path(gone), { given_name: 'Back' }), 404)
      expectStatus(await account.delete(path(gone)), 404)
    }
  })

  test('of the directory are searched but not listed, and have their picture on request', async () => {
    const colleague = await accounts.newAccount()
    const [found] = await list({ source: 'domain', email: colleague.email })
    expect(await list({ source: 'domain', email: 'nobody@exchange.example' })).toEqual([])
    const pictured = async (): Promise<Json> =>
      expectStatus(await account.get(path(found.id), { profile_picture: true }), 200).body.data
    expect(await pictured()).toEqual(found)
    colleague.exchange.contacts.setUserPhoto(png)
    expect(await pictured()).toEqual({ ...found, picture: `data:image/png;base64,${png.toString('base64')}` })
    expectRefusal(await account.get('/contacts', { source: 'domain' }), /email: .*searched but not listed/)
    const inbox = expectStatus(await account.get('/contacts', { source: 'inbox' }), 422).body.error
    expect(inbox.type).toBe('not_supported_by_provider')
  })
})
