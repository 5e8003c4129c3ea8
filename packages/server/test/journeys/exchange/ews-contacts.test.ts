/** Contacts at Exchange: the number of calls, Outlook's own fields, groups, pictures and the directory. */
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

  test('take two calls to be listed or found, one to be read, and two to be changed', async () => {
    const { contacts } = account.exchange
    for (let count = 0; count < 60; count += 1) contacts.addContact(person(`Contact${count}`))
    expectStatus(await account.get('/contacts', { limit: 1 }), 200)
    accounts.operations()
    const page = expectStatus(await account.get('/contacts', { limit: 50 }), 200).body
    expect(page.data).toHaveLength(50)
    expect(accounts.operations()).toEqual(['FindItem', 'GetItem'])
    const [contact] = page.data
    expectStatus(await account.get(path(contact.id)), 200)
    expect(accounts.operations()).toEqual(['GetItem'])
    expectStatus(await account.put(path(contact.id), { nickname: 'First' }), 200)
    expect(accounts.operations()).toEqual(['UpdateItem', 'GetItem'])
    expect(await list({ email: 'Contact59@mail.test' })).toHaveLength(1)
    expect(accounts.operations()).toEqual(['FindItem', 'GetItem'])
  })

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

  test("keep Outlook's fields that the API does not have, and distribution lists are not contacts", async () => {
    const { contacts } = account.exchange
    const { id: own } = contacts.addContact({
      ...person('Ada'),
      Department: 'Mill',
      PhoneNumbers: { Entry: { '@Key': 'Pager', '#': '7' } },
    })
    contacts.addDistributionList('Everybody', [{ name: 'Ada', address: 'ada@mail.test' }])
    const [{ id }, ...others] = await list()
    expect(others).toEqual([])
    expectStatus(await account.put(path(id), { job_title: 'Analyst', phone_numbers: [{ number: '1' }] }), 200)
    const kept = contacts.list().find((one) => one.id === own)
    expect(kept?.texts).toMatchObject({ JobTitle: 'Analyst', Department: 'Mill' })
    expect(kept?.phones).toMatchObject({ Pager: '7', BusinessPhone: '1' })
  })

  test('are limited to the values that Outlook has fields for, and the error names the field', async () => {
    const number = (type: string) => ({ number: '1', type })
    const refused: [object, RegExp][] = [
      [{ emails: [1, 2, 3, 4].map((count) => ({ email: `a${count}@x.test` })) }, /emails: .*at most 3/],
      [{ im_addresses: ['a', 'b', 'c', 'd'].map((im_address) => ({ im_address })) }, /im_addresses: .*at most 3/],
      [{ phone_numbers: [number('work'), number('work'), { number: '3' }] }, /phone_numbers: .*two for work/],
      [{ phone_numbers: [number('home'), number('home'), number('home')] }, /phone_numbers/],
      [{ phone_numbers: [number('mobile'), number('mobile')] }, /phone_numbers/],
      [{ phone_numbers: [number('other'), number('other')] }, /phone_numbers/],
      [{ physical_addresses: [{ type: 'home' }, { type: 'home', city: 'Paris' }] }, /physical_addresses/],
      [{ web_pages: ['a', 'b'].map((host) => ({ url: `https://${host}.test` })) }, /web_pages: .*one/],
      [{ groups: [{ id: 'a' }, { id: 'b' }] }, /groups: .*one/],
    ]
    accounts.operations()
    for (const [fields, words] of refused) {
      expectRefusal(await account.post('/contacts', { given_name: 'A', ...fields }), words)
    }
    expect(accounts.operations()).toEqual([])
    const answer = expectStatus(
      await account.post('/contacts', {
        given_name: 'Ada',
        emails: [{ email: 'a@x.test', type: 'home' }],
        phone_numbers: ['other', 'home', 'home', 'work', 'work', 'mobile'].map(number),
        physical_addresses: ['home', 'work', 'other'].map((type) => ({ type, city: type })),
        web_pages: [{ url: 'https://a.test', type: 'home' }],
        birthday: '0000-02-29',
      }),
      200,
    )
    expect(answer.headers.get('x-ignored-fields')?.split(', ')).toEqual(['emails.type', 'web_pages.type'])
    const { data } = answer.body
    expect(data.phone_numbers.map(({ type }: Json) => type)).toEqual([
      ...['work', 'work', 'home', 'home'],
      ...['mobile', 'other'],
    ])
    expect(data).toMatchObject({ web_pages: [{ url: 'https://a.test', type: 'work' }], birthday: '0000-02-29' })
    const changed = expectStatus(
      await account.put(path(data.id), { physical_addresses: [{ type: 'work', city: 'Paris' }] }),
      200,
    )
    expect(changed.body.data.physical_addresses).toMatchObject([{ type: 'work', city: 'Paris', street_address: null }])
    expectRefusal(await account.put(path(data.id), { groups: [{ id: 'nosuchgroup' }] }), /groups/)
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

  test('show in a list that they have a picture, which is read with the contact', async () => {
    const { contacts } = account.exchange
    const { id } = contacts.addContact(person('Seen'))
    contacts.addContact(person('Unseen'))
    contacts.setPicture(id, { contentType: 'image/png', bytes: png })
    const data = (await list()).sort((a, b) => (a.given_name < b.given_name ? -1 : 1))
    expect(data.map((one) => 'picture_url' in one)).toEqual([true, false])
    const one = expectStatus(await account.get(path(data[0].id), { profile_picture: true }), 200).body.data
    expect(one.picture).toBe(`data:image/png;base64,${png.toString('base64')}`)
    const url = new URL(data[0].picture_url)
    const at = expectStatus(await accounts.call('GET', `${url.pathname}${url.search}`), 200).body.data
    expect(at.picture).toBe(one.picture)
    expectStatus(await account.put(path(one.id), { picture: png.toString('base64') }), 200)
    expect(contacts.list().find(({ pictures }) => pictures.length > 0)?.pictures).toEqual([png])
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

  test('of a group are found by its id, with nested groups on request', async () => {
    const { contacts } = account.exchange
    const friends = contacts.addFolder('Friends')
    const close = contacts.addFolder('Close', friends.id)
    contacts.addFolder('Nobody', friends.id)
    for (const name of ['Ann', 'Bob', 'Cleo']) contacts.addContact(person(name), friends.id)
    for (const name of ['Dan', 'Eve']) contacts.addContact(person(name), close.id)
    contacts.addContact(person('Flo'))
    const groups = (await pagesOf(account, '/contacts/groups', { limit: 1 })).flat()
    expect(groups.map(({ name, group_type }: Json) => [name, group_type])).toEqual([
      ['Contacts', 'system'],
      ['Friends', 'user'],
      ['Close', 'user'],
      ['Nobody', 'user'],
    ])
    const [system, own, within] = groups
    expect(own.path).toBe(`${system.id}/${own.id}`)
    expect(within.path).toBe(`${own.id}/${within.id}`)
    const named = async (query: Query): Promise<string[]> => {
      const pages = await pagesOf(account, '/contacts', { limit: 2, ...query })
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(2)
      return names(pages.flat())
    }
    expect(await named({})).toEqual(['Flo'])
    expect(await named({ group: own.id })).toEqual(['Ann', 'Bob', 'Cleo'])
    expect(await named({ group: own.id, email: 'bob@mail.test' })).toEqual(['Bob'])
    expect(await named({ group: own.id, recurse: true })).toEqual(['Ann', 'Bob', 'Cleo', 'Dan', 'Eve'])
    expect(await named({ recurse: true })).toEqual(['Ann', 'Bob', 'Cleo', 'Flo'])
  })

  test('survive the deletion of their group, and those of nested groups keep theirs', async () => {
    const { contacts } = account.exchange
    const friends = contacts.addFolder('Friends')
    contacts.addFolder('Close', friends.id)
    for (let count = 0; count < 25; count += 1) contacts.addContact(person(`Friend${count}`), friends.id)
    const groupPath = (id: string): string => `/contacts/groups/${encodeURIComponent(id)}`
    const groups = (await pagesOf(account, '/contacts/groups', {})).flat()
    const idOf = (name: string): string => groups.find((one) => one.name === name)?.id
    const before = await list({ group: idOf('Friends') })
    expectRefusal(await account.delete(groupPath(idOf('Friends'))), /other groups/)
    expectStatus(await account.delete(groupPath(idOf('Close'))), 200)
    expectStatus(await account.delete(groupPath(idOf('Friends'))), 200)
    expect(names(await list())).toEqual(names(before))
    expectStatus(await account.get(path(before[0].id)), 200)
    expectRefusal(await account.delete(groupPath(idOf('Contacts'))), /system/)
    expectRefusal(await account.put(groupPath(idOf('Contacts')), { name: 'x' }), /system/)
  })

  test('come from the directory when searched by address; the directory cannot be listed', async () => {
    const colleague = await accounts.newAccount()
    const [found, ...others] = await list({ source: 'domain', email: colleague.email.toUpperCase() })
    expect(others).toEqual([])
    expect(found).toMatchObject({ source: 'domain', object: 'contact', emails: [{ email: colleague.email }] })
    expect(expectStatus(await account.get(path(found.id)), 200).body.data).toEqual(found)
    expect(await list({ source: 'domain', email: 'nobody@exchange.example' })).toEqual([])
    const pictured = async (): Promise<Json> =>
      expectStatus(await account.get(path(found.id), { profile_picture: true }), 200).body.data
    expect(await pictured()).toEqual(found)
    colleague.exchange.contacts.setUserPhoto(png)
    expect(await pictured()).toEqual({ ...found, picture: `data:image/png;base64,${png.toString('base64')}` })
    expectRefusal(await account.put(path(found.id), { given_name: 'x' }), /address book/)
    expectRefusal(await account.delete(path(found.id)), /address book/)
    expectRefusal(await account.get('/contacts', { source: 'domain' }), /email: .*searched but not listed/)
    expectRefusal(await account.get('/contacts', { source: 'domain,address_book' }), /one source/)
    const inbox = expectStatus(await account.get('/contacts', { source: 'inbox' }), 422).body.error
    expect(inbox.type).toBe('not_supported_by_provider')
  })

  test('require their scope, and belong to the grant in the path', async () => {
    const { id } = await create({ given_name: 'Own' })
    const other = await accounts.newAccount()
    expect((await pagesOf(other, '/contacts', {})).flat()).toEqual([])
    expectStatus(await other.get(path(id)), 404)
    const mailOnly = await accounts.newAccount({ scopes: ['ews.messages'] })
    accounts.operations()
    for (const answer of [await mailOnly.get('/contacts'), await mailOnly.post('/contacts', { given_name: 'x' })]) {
      expect(expectStatus(answer, 403).body.error.type).toBe('insufficient_scopes')
    }
    expect(accounts.operations()).toEqual([])
  })
})
