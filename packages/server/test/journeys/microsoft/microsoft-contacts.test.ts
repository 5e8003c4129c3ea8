/** Contacts of a Microsoft account: the number of calls, their sources, and their notifications. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contacts } from '../../../src/providers/microsoft/contacts/watch.ts'
import type { Session } from '../../../src/providers/microsoft/session.ts'
import { providers } from '../../../src/providers/registry.ts'
import { watchedParts } from '../../../src/providers/shared/watched-parts.ts'
import { expectRefusal, expectStatus, ids, type Json, pagesOf } from '../../conformance/accounts.ts'
import { testClock } from '../../harness.ts'
import { identity } from '../../peers/microsoft.ts'
import { type MicrosoftAccount, type MicrosoftAccounts, openMicrosoftAccounts } from './microsoft-accounts.ts'

const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000, interval: 50 })
const person = (name: string) => ({
  givenName: name,
  emailAddresses: [{ address: `${name.toLowerCase()}@mail.test`, name }],
})
const names = (contacts: Json[]): string[] => contacts.map(({ given_name }) => given_name).sort()

describe('contacts at Microsoft', () => {
  let accounts: MicrosoftAccounts
  let account: MicrosoftAccount
  beforeAll(async () => {
    accounts = await openMicrosoftAccounts()
  })
  afterAll(() => accounts[Symbol.asyncDispose]())
  beforeEach(async () => {
    account = await accounts.newAccount()
  })

  const path = (id: string): string => `/contacts/${encodeURIComponent(id)}`
  const create = async (fields: object): Promise<Json> =>
    expectStatus(await account.post('/contacts', fields), 200).body.data

  test('take one call to be listed, found or read, and two to be changed', async () => {
    for (let count = 0; count < 60; count += 1) account.microsoft.contacts.addContact(person(`Contact${count}`))
    accounts.requests()
    const page = expectStatus(await account.get('/contacts', { limit: 50 }), 200).body
    expect(page.data).toHaveLength(50)
    expect(accounts.requests()).toEqual(['GET /v1.0/me/contacts'])
    const [contact] = page.data
    expectStatus(await account.get(path(contact.id)), 200)
    expect(accounts.requests()).toHaveLength(1)
    expectStatus(await account.put(path(contact.id), { nickname: 'First' }), 200)
    expect(accounts.requests().map((one) => one.split('/')[2])).toEqual(['$batch', 'me'])
    expect((await pagesOf(account, '/contacts', { email: 'Contact59@mail.test' })).flat()).toHaveLength(1)
    expect(accounts.requests()).toHaveLength(1)
  })

  test("keep Outlook's fields that the API does not have", async () => {
    account.microsoft.contacts.addContact({ ...person('Ada'), department: 'Mill', children: ['Byron'] })
    const [{ id }] = expectStatus(await account.get('/contacts'), 200).body.data
    expectStatus(await account.put(path(id), { job_title: 'Analyst' }), 200)
    expect(account.microsoft.contacts.list()).toMatchObject([
      { jobTitle: 'Analyst', department: 'Mill', children: ['Byron'], emailAddresses: [{ name: 'Ada' }] },
    ])
  })

  test('are limited to the values that Outlook has fields for, and the error names the field', async () => {
    const email = (count: number) => ({ email: `a${count}@x.test` })
    const number = (type: string) => ({ number: '1', type })
    const refused: [object, RegExp][] = [
      [{ emails: [1, 2, 3, 4].map(email) }, /emails: .*at most 3/],
      [{ im_addresses: ['a', 'b', 'c', 'd'].map((im_address) => ({ im_address })) }, /im_addresses: .*at most 3/],
      [{ phone_numbers: [number('work'), number('work'), { number: '3' }] }, /phone_numbers: .*two for work/],
      [{ phone_numbers: [number('mobile'), number('mobile')] }, /phone_numbers/],
      [{ phone_numbers: [number('other')] }, /phone_numbers.0.type: .*work, home or mobile/],
      [{ physical_addresses: [{ type: 'home' }, { type: 'home', city: 'Paris' }] }, /physical_addresses/],
      [{ web_pages: ['a', 'b'].map((host) => ({ url: `https://${host}.test` })) }, /web_pages: .*one/],
      [{ groups: [{ id: 'a' }, { id: 'b' }] }, /groups: .*one/],
    ]
    accounts.requests()
    for (const [fields, words] of refused) {
      expectRefusal(await account.post('/contacts', { given_name: 'A', ...fields }), words)
    }
    expect(accounts.requests()).toEqual([])
    const answer = expectStatus(
      await account.post('/contacts', {
        given_name: 'Ada',
        emails: [{ email: 'a@x.test', type: 'home' }],
        phone_numbers: [number('home'), number('home'), number('work'), number('work'), number('mobile')],
        physical_addresses: ['home', 'work', 'other'].map((type) => ({ type, city: type })),
        web_pages: [{ url: 'https://a.test', type: 'home' }],
        birthday: '0000-02-29',
      }),
      200,
    )
    expect(answer.headers.get('x-ignored-fields')?.split(', ')).toEqual(['emails.type', 'web_pages.type'])
    const { data } = answer.body
    expect(data.phone_numbers.map(({ type }: Json) => type)).toEqual(['work', 'work', 'home', 'home', 'mobile'])
    expect(data).toMatchObject({ web_pages: [{ url: 'https://a.test', type: 'work' }], birthday: '0000-02-29' })
    const changed = expectStatus(
      await account.put(path(data.id), { physical_addresses: [{ type: 'work', city: 'Paris' }] }),
      200,
    )
    expect(changed.body.data.physical_addresses).toMatchObject([{ type: 'work', city: 'Paris', street_address: null }])
  })

  test('are not found after deletion, even though Graph keeps them in the deleted items by their ids', async () => {
    const { contacts: book } = account.microsoft
    const friends = book.addFolder('Friends')
    for (const groups of [[], [{ id: friends.id }]]) {
      const { id } = await create({ given_name: 'Gone', groups })
      expectStatus(await account.get(path(id)), 200)
      expectStatus(await account.delete(path(id)), 200)
      accounts.requests()
      expectStatus(await account.get(path(id)), 404)
      expectStatus(await account.put(path(id), { given_name: 'Back', groups: [] }), 404)
      expectStatus(await account.delete(path(id)), 404)
      expect(accounts.requests().filter((one) => /^(PATCH|DELETE)/.test(one))).toEqual([])
    }
    expect((await pagesOf(account, '/contacts', { recurse: true })).flat()).toEqual([])
  })

  test('of personal accounts accept no picture, and the error says so', async () => {
    const account = await accounts.newAccount({ email: 'pictures@outlook.example', kind: 'personal' })
    const { id } = account.microsoft.contacts.addContact({ displayName: 'Seen' })
    const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB', 'base64').toString('base64')
    const { data } = expectStatus(await account.get('/contacts'), 200).body
    expect(data).toHaveLength(1)
    const refused = await account.put(path(data[0].id), { picture })
    expect(refused.body.error, id).toMatchObject({ type: 'not_supported_by_provider' })
    // Removing a picture that does not exist succeeds.
    expectStatus(await account.put(path(data[0].id), { picture: null }), 200)
  })

  test('show in a list that they have a picture, without a further call', async () => {
    const { id } = account.microsoft.contacts.addContact(person('Seen'))
    account.microsoft.contacts.addContact(person('Unseen'))
    account.microsoft.contacts.setPhoto(id, { contentType: 'image/png', bytes: Buffer.from('a picture') })
    accounts.requests()
    const { data } = expectStatus(await account.get('/contacts'), 200).body
    expect(data.map((one: Json) => 'picture_url' in one)).toEqual([true, false])
    expect(accounts.requests()).toHaveLength(1)
    const one = expectStatus(await account.get(path(data[0].id), { profile_picture: true }), 200).body.data
    expect(one.picture).toBe(`data:image/png;base64,${Buffer.from('a picture').toString('base64')}`)
    expectRefusal(await account.put(path(one.id), { picture: Buffer.from('a picture').toString('base64') }), /picture/)
  })

  test('come from the directory, or from the people the user works with, on request', async () => {
    const colleague = await accounts.newAccount()
    const isColleague = (contact: Json): boolean => contact.emails.some(({ email }: Json) => email === colleague.email)
    const found = (await pagesOf(account, '/contacts', { source: 'domain' })).flat().find(isColleague)
    expect(found).toMatchObject({ source: 'domain', object: 'contact', display_name: 'User' })
    expect(expectStatus(await account.get(path(found.id)), 200).body.data).toEqual(found)
    expect((await pagesOf(account, '/contacts', { source: 'domain', email: colleague.email })).flat()).toEqual([found])
    expectRefusal(await account.put(path(found.id), { given_name: 'x' }), /address book/)
    expectRefusal(await account.delete(path(found.id)), /address book/)
    expectRefusal(await account.get('/contacts', { source: 'domain,inbox' }), /one source/)
    const scopes = [...identity, 'Contacts.Read', 'People.Read']
    const reader = await accounts.newAccount({ scopes })
    const worksWith = (await pagesOf(reader, '/contacts', { source: 'domain' })).flat().find(isColleague)
    expect(worksWith).toMatchObject({ source: 'domain' })
    expect(expectStatus(await reader.get(path(worksWith.id)), 200).body.data).toEqual(worksWith)
  })

  test('of a group are found by its id, with nested groups on request', async () => {
    const { contacts } = account.microsoft
    const friends = contacts.addFolder('Friends')
    const close = contacts.addFolder('Close', friends.id)
    contacts.addFolder('Nobody', friends.id)
    for (const name of ['Ann', 'Bob', 'Cleo']) contacts.addContact(person(name), friends.id)
    for (const name of ['Dan', 'Eve']) contacts.addContact(person(name), close.id)
    contacts.addContact(person('Flo'))
    const list = async (query: object) => {
      const pages = await pagesOf(account, '/contacts', { limit: 2, ...query })
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(2)
      return names(pages.flat())
    }
    expect(await list({})).toEqual(['Flo'])
    expect(await list({ group: friends.id })).toEqual(['Ann', 'Bob', 'Cleo'])
    expect(await list({ group: friends.id, email: 'bob@mail.test' })).toEqual(['Bob'])
    expect(await list({ group: friends.id, recurse: true })).toEqual(['Ann', 'Bob', 'Cleo', 'Dan', 'Eve'])
    expect(await list({ recurse: true })).toEqual(['Ann', 'Bob', 'Cleo', 'Flo'])
    const groups = (await pagesOf(account, '/contacts/groups', { limit: 1 })).flat()
    expect(groups.map(({ name, group_type }: Json) => [name, group_type])).toEqual([
      ['Contacts', 'system'],
      ['Friends', 'user'],
      ['Close', 'user'],
      ['Nobody', 'user'],
    ])
    expect(groups.slice(1).map(({ path: where }: Json) => where)).toEqual(
      [
        [groups[0].id, friends.id],
        [friends.id, close.id],
        [friends.id, groups[3].id],
      ].map((one) => one.join('/')),
    )
  })

  test('survive the deletion of their group, and those of nested groups keep theirs', async () => {
    const { contacts } = account.microsoft
    const friends = contacts.addFolder('Friends')
    const close = contacts.addFolder('Close', friends.id)
    for (let count = 0; count < 25; count += 1) contacts.addContact(person(`Friend${count}`), friends.id)
    const groupPath = (id: string): string => `/contacts/groups/${encodeURIComponent(id)}`
    const before = ids((await pagesOf(account, '/contacts', { group: friends.id })).flat())
    expectRefusal(await account.delete(groupPath(friends.id)), /other groups/)
    expectStatus(await account.delete(groupPath(close.id)), 200)
    expectStatus(await account.delete(groupPath(friends.id)), 200)
    expect(new Set(ids((await pagesOf(account, '/contacts', {})).flat()))).toEqual(new Set(before))
    const [{ id }] = (await pagesOf(account, '/contacts/groups', {})).flat()
    expectRefusal(await account.delete(groupPath(id)), /system/)
    expectRefusal(await account.put(groupPath(id), { name: 'x' }), /system/)
  })

  test('require their scopes, which the error names', async () => {
    const reader = await accounts.newAccount({ scopes: [...identity, 'Contacts.Read'] })
    expectStatus(await reader.get('/contacts'), 200)
    const refused = [
      await reader.post('/contacts', { given_name: 'x' }),
      await reader.get('/contacts', { source: 'inbox' }),
      await reader.post('/contacts/groups', { name: 'x' }),
    ]
    for (const answer of refused) expect(expectStatus(answer, 403).body.error.type).toBe('insufficient_scopes')
    expect(refused[1]?.body.error.message).toContain('People.Read')
    const mailOnly = await accounts.newAccount({ scopes: [...identity, 'Mail.Read'] })
    accounts.requests()
    expectStatus(await mailOnly.get('/contacts'), 403)
    expect(accounts.requests()).toEqual([])
  })

  test('belong to the grant in the path', async () => {
    const { id } = await create({ given_name: 'Own' })
    const other = await accounts.newAccount()
    expect((await pagesOf(other, '/contacts', {})).flat()).toEqual([])
    expectStatus(await other.get(path(id)), 404)
  })
})

/** The adapter, watching only contacts and woken every second: its clock is the test's. */
const microsoft = {
  ...providers.microsoft,
  changes: watchedParts<Session>([
    contacts,
    { name: 'mail', isWatched: () => true, since: async () => ({ changes: [], state: 'asleep' }) },
  ]),
}

test('changes of contacts are notified within five minutes: all folders, moves as changes, and after an expired delta token', async () => {
  const clock = testClock()
  await using accounts = await openMicrosoftAccounts({
    env: { WAYPOST_POLL_SECONDS: '1' },
    overrides: { serving: true, clock, providers: { ...providers, microsoft } },
    microsoft: { now: () => clock.now() },
  })
  await accounts.service.listen()
  const email = 'watched@contoso.example'
  const { contacts: book } = accounts.simulator.addAccount({ email, name: 'Watched' })
  const old = book.addContact(person('Old'))
  const friends = book.addFolder('Friends')
  book.addContact(person('Friend'), friends.id)
  const account = await accounts.newAccount({ email, scopes: [...identity, 'Contacts.ReadWrite'] })
  const looks = (): number => accounts.simulator.calls.filter(({ path }) => path.endsWith('/contacts/delta')).length
  await until(() => expect(looks()).toBe(2))
  const notified = async (): Promise<Json[]> => {
    const { body } = await accounts.call('GET', '/v3/notifications?limit=200')
    return body.data.filter(({ type }: Json) => type.startsWith('contact.'))
  }
  const told = async (): Promise<string[]> =>
    (await notified()).map(({ type, data }: Json) => `${type} ${data.object.given_name ?? data.object.id}`)
  const expected: string[] = []
  /** Expects exactly these notifications after another poll. */
  const tells = async (...more: string[]): Promise<void> => {
    expected.push(...more)
    clock.advance(301_000)
    await until(async () => expect((await told()).sort()).toEqual([...expected].sort()))
  }

  const added = book.addContact({ ...person('New'), personalNotes: 'Notes' })
  book.setPhoto(added.id, { contentType: 'image/png', bytes: Buffer.from('a picture') })
  await tells('contact.updated New')
  const [updated] = await notified()
  expect(updated.source).toBe('/microsoft/contacts/incremental')
  const { object } = updated.data
  expect(object).toMatchObject({ grant_id: account.grantId, source: 'address_book', notes: 'Notes' })
  expect(object).toEqual(expectStatus(await account.get(`/contacts/${object.id}`), 200).body.data)

  expectStatus(await account.put(`/contacts/${object.id}`, { groups: [{ id: friends.id }] }), 200)
  await tells('contact.updated New')
  expectStatus(await account.delete(`/contacts/${object.id}`), 200)
  await tells(`contact.deleted ${object.id}`)

  const family = book.addFolder('Family')
  book.addContact(person('Aunt'), family.id)
  await tells('contact.updated Aunt')

  book.expireDeltaTokens()
  clock.advance(1000)
  book.changeContact(old.id, { givenName: 'Changed' })
  await tells('contact.updated Changed')

  expectStatus(await account.delete(`/contacts/groups/${encodeURIComponent(family.id)}`), 200)
  await tells('contact.updated Aunt')
})
