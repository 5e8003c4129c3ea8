/**
 * Contacts at simulated providers: the number of calls, the provider's own fields, groups, pictures, the directory,
 * scopes and notifications. `contacts.ts` has what clients see at every provider.
 */

import { testClock } from '@waypost/testing/test-clock'
import { describe, expect, test } from 'vitest'
import { type Account, expectRefusal, expectStatus, ids, type Json, pagesOf, type Query } from './accounts.ts'
import { pollsOnDemand } from './polls.ts'
import { at, type OpenSimulated, scopes, useAccounts } from './simulated.ts'

/** The address book as its user, or another program, sees it. Ids are those of the provider. */
interface Book {
  add(name: string, own?: object, group?: string): string
  addGroup(name: string, parent?: string): string
  list(): Json[]
  setPicture(id: string, picture: { contentType: string; bytes: Buffer }): void
  change(id: string, name: string): void
  remove(id: string): void
  expire(): void
}
interface Provider {
  open: OpenSimulated<Book>
  calls: Record<'list' | 'read' | 'change', readonly string[]>
  /** Fields of a contact that the API does not have, and the contact after a change through the API. */
  own: readonly [fields: object, kept: object]
  scopes: { none: readonly string[]; reading?: readonly string[]; missing?: string }
}
/** Groups are folders: a contact is in one of them, and groups are nested. Values are limited by Outlook's fields. */
interface Outlook extends Provider {
  /** Types of phone numbers. */
  phones: { more: readonly string[]; refused: readonly string[]; error: RegExp }
}

const addressOf = (name: string): string => `${name.toLowerCase()}@mail.test`
const missing = (): never => {
  throw new Error('the simulated provider has no such operation')
}

const google: Provider = {
  open: at.google(({ contacts }) => ({
    add(name, own, group) {
      const memberships = group ? [{ contactGroupMembership: { contactGroupResourceName: group } }] : []
      const fields = { names: [{ givenName: name }], emailAddresses: [{ value: addressOf(name) }], memberships }
      return contacts.addContact({ ...fields, ...own }).resourceName
    },
    addGroup: (name) => contacts.addGroup(name).resourceName,
    list: contacts.list,
    setPicture: missing,
    change: (id, name) => void contacts.changeContact(id, { names: [{ givenName: name }] }),
    remove: contacts.deleteContact,
    expire: contacts.expireSyncTokens,
  })),
  calls: {
    list: ['GET /v1/people/me/connections'],
    read: ['GET /v1/people/:id'],
    change: ['GET /v1/people/:id', 'PATCH /v1/people/:id:updateContact'],
  },
  own: [
    { organizations: [{ name: 'Engines', department: 'Mill' }], userDefined: [{ key: 'Shoe', value: '38' }] },
    { organizations: [{ department: 'Mill', title: 'Analyst' }], userDefined: [{ key: 'Shoe', value: '38' }] },
  ],
  scopes: {
    none: scopes.google('gmail.readonly'),
    reading: scopes.google('contacts.readonly'),
    missing: 'contacts.other.readonly',
  },
}

const microsoft: Outlook = {
  open: at.microsoft(({ contacts }) => ({
    add(name, own, group) {
      const emailAddresses = [{ address: addressOf(name), name }]
      return contacts.addContact({ givenName: name, emailAddresses, ...own }, group).id
    },
    addGroup: (name, parent) => contacts.addFolder(name, parent).id,
    list: contacts.list,
    setPicture: contacts.setPhoto,
    change: (id, name) => void contacts.changeContact(id, { givenName: name }),
    remove: contacts.deleteContact,
    expire: contacts.expireDeltaTokens,
  })),
  calls: {
    list: ['GET /v1.0/me/contacts'],
    read: ['POST /v1.0/$batch'],
    change: ['POST /v1.0/$batch', 'PATCH /v1.0/me/contacts/:id'],
  },
  own: [
    { department: 'Mill', children: ['Byron'] },
    { jobTitle: 'Analyst', department: 'Mill', children: ['Byron'], emailAddresses: [{ name: 'Ada' }] },
  ],
  scopes: {
    none: scopes.microsoft('Mail.Read'),
    reading: scopes.microsoft('Contacts.Read'),
    missing: 'People.Read',
  },
  phones: { more: [], refused: ['other'], error: /phone_numbers.0.type: .*work, home or mobile/ },
}

const exchange: Outlook = {
  open: at.exchange(({ contacts }) => ({
    add(name, own, group) {
      const EmailAddresses = { Entry: { '@Key': 'EmailAddress1', '#': addressOf(name) } }
      return contacts.addContact({ GivenName: name, EmailAddresses, ...own }, group).id
    },
    addGroup: (name, parent) => contacts.addFolder(name, parent).id,
    list: contacts.list,
    setPicture: contacts.setPicture,
    ...{ change: missing, remove: missing, expire: missing },
  })),
  calls: { list: ['FindItem', 'GetItem'], read: ['GetItem'], change: ['UpdateItem', 'GetItem'] },
  own: [
    { Department: 'Mill', PhoneNumbers: { Entry: { '@Key': 'Pager', '#': '7' } } },
    { texts: { JobTitle: 'Analyst', Department: 'Mill' }, phones: { Pager: '7', BusinessPhone: '1' } },
  ],
  scopes: { none: ['ews.messages'] },
  phones: { more: ['other'], refused: ['other', 'other'], error: /phone_numbers/ },
}

const path = (id: string): string => `/contacts/${encodeURIComponent(id)}`
const groupPath = (id: string): string => `/contacts/groups/${encodeURIComponent(id)}`
const listOf = async (account: Account, query: Query = {}): Promise<Json[]> =>
  (await pagesOf(account, '/contacts', query)).flat()
const names = (contacts: Json[]): string[] => contacts.map(({ given_name }) => given_name).sort()

describe.each<[string, Provider]>([
  ['Google', google],
  ['Microsoft', microsoft],
  ['Exchange', exchange],
])('contacts at %s', (provider, { open, calls, own, scopes: { none, reading, missing } }) => {
  const its = useAccounts(open)

  test('take a known number of calls to be listed, found, read and changed', async () => {
    const { account, accounts } = its
    for (let count = 0; count < 60; count += 1) account.view.add(`Contact${count}`)
    expect(expectStatus(await account.get('/contacts'), 200).body.data).toHaveLength(30)
    accounts.calls()
    const page = expectStatus(await account.get('/contacts', { limit: 50 }), 200).body
    expect(page.data).toHaveLength(50)
    expect(accounts.calls()).toEqual(calls.list)
    const { id } = page.data[0]
    const made = () => accounts.calls().map((call) => call.replace(encodeURIComponent(id), ':id'))
    expectStatus(await account.get(path(id)), 200)
    expect(made()).toEqual(calls.read)
    expectStatus(await account.put(path(id), { nickname: 'First' }), 200)
    expect(made()).toEqual(calls.change)
    expect(await listOf(account, { email: 'Contact59@mail.test' })).toHaveLength(1)
    expect(made()).toHaveLength(calls.list.length)
  })

  test("keep the provider's fields that the API does not have", async () => {
    const { account } = its
    account.view.add('Ada', own[0])
    const [{ id }] = await listOf(account)
    expectStatus(await account.put(path(id), { job_title: 'Analyst', phone_numbers: [{ number: '1' }] }), 200)
    expect(account.view.list()).toMatchObject([own[1]])
  })

  test('of a group are found by its id, in pages', async () => {
    const { account } = its
    const friends = account.view.addGroup('Friends')
    for (const name of ['Ann', 'Bob', 'Cleo']) account.view.add(name, {}, friends)
    account.view.add('Flo')
    const { data: groups } = expectStatus(await account.get('/contacts/groups'), 200).body
    const group = groups.find(({ name }: Json) => name === 'Friends').id
    const pages = await pagesOf(account, '/contacts', { group, limit: 2 })
    expect(pages.map((page) => page.length)).toEqual([2, 1])
    expect(names(pages.flat())).toEqual(['Ann', 'Bob', 'Cleo'])
    expect(names(await listOf(account, { group, email: 'bob@mail.test' }))).toEqual(['Bob'])
  })

  test('come from the directory on request', async () => {
    const { account } = its
    const colleague = await its.accounts.newAccount()
    const query = { source: 'domain', email: colleague.email.toUpperCase() }
    const [found, ...others] = await listOf(account, query)
    expect(others).toEqual([])
    expect(found).toMatchObject({ source: 'domain', object: 'contact', display_name: 'User' })
    expect(found.emails).toMatchObject([{ email: colleague.email }])
    expect(expectStatus(await account.get(path(found.id)), 200).body.data).toEqual(found)
    expectRefusal(await account.put(path(found.id), { given_name: 'x' }), /address book/)
    if (provider !== 'Google') expectRefusal(await account.delete(path(found.id)), /address book/)
    expectRefusal(await account.get('/contacts', { source: 'domain,address_book' }), /one source/)
    if (provider !== 'Exchange') expect(ids(await listOf(account, { source: 'domain' }))).toContain(found.id)
  })

  test('require their scopes, which the error names', async () => {
    const unable = await its.accounts.newAccount({ scopes: none })
    its.accounts.calls()
    const refused = [await unable.get('/contacts'), await unable.post('/contacts', { given_name: 'x' })]
    expect(its.accounts.calls()).toEqual([])
    if (reading) {
      const reader = await its.accounts.newAccount({ scopes: reading })
      expectStatus(await reader.get('/contacts'), 200)
      const inbox = await reader.get('/contacts', { source: 'inbox' })
      expect(inbox.body.error.message).toContain(missing)
      const group = await reader.post('/contacts/groups', { name: 'x' })
      refused.push(inbox, group, await reader.post('/contacts', { given_name: 'x' }))
    }
    for (const answer of refused) expect(expectStatus(answer, 403).body.error.type).toBe('insufficient_scopes')
  })

  test('belong to the grant in the path', async () => {
    const { id } = expectStatus(await its.account.post('/contacts', { given_name: 'Own' }), 200).body.data
    const other = await its.accounts.newAccount()
    expect(await listOf(other)).toEqual([])
    expectStatus(await other.get(path(id)), 404)
  })
})

describe.each<[string, Outlook]>([
  ['Microsoft', microsoft],
  ['Exchange', exchange],
])('contacts of Outlook at %s', (provider, { open, calls, phones }) => {
  const its = useAccounts(open)

  test('are limited to the values that Outlook has fields for, and the error names the field', async () => {
    const { account, accounts } = its
    const number = (type: string) => ({ number: '1', type })
    const refused: [object, RegExp][] = [
      [{ emails: [1, 2, 3, 4].map((count) => ({ email: `a${count}@x.test` })) }, /emails: .*at most 3/],
      [{ im_addresses: ['a', 'b', 'c', 'd'].map((im_address) => ({ im_address })) }, /im_addresses: .*at most 3/],
      [{ phone_numbers: [number('work'), number('work'), { number: '3' }] }, /phone_numbers: .*two for work/],
      [{ phone_numbers: [number('home'), number('home'), number('home')] }, /phone_numbers/],
      [{ phone_numbers: [number('mobile'), number('mobile')] }, /phone_numbers/],
      [{ phone_numbers: phones.refused.map(number) }, phones.error],
      [{ physical_addresses: [{ type: 'home' }, { type: 'home', city: 'Paris' }] }, /physical_addresses/],
      [{ web_pages: ['a', 'b'].map((host) => ({ url: `https://${host}.test` })) }, /web_pages: .*one/],
      [{ groups: [{ id: 'a' }, { id: 'b' }] }, /groups: .*one/],
    ]
    accounts.calls()
    for (const [fields, words] of refused) {
      expectRefusal(await account.post('/contacts', { given_name: 'A', ...fields }), words)
    }
    expect(accounts.calls()).toEqual([])
    const whole = {
      given_name: 'Ada',
      emails: [{ email: 'a@x.test', type: 'home' }],
      phone_numbers: [...phones.more, 'home', 'home', 'work', 'work', 'mobile'].map(number),
      physical_addresses: ['home', 'work', 'other'].map((type) => ({ type, city: type })),
      web_pages: [{ url: 'https://a.test', type: 'home' }],
      birthday: '0000-02-29',
    }
    const answer = expectStatus(await account.post('/contacts', whole), 200)
    expect(answer.headers.get('x-ignored-fields')?.split(', ')).toEqual(['emails.type', 'web_pages.type'])
    const { data } = answer.body
    const types = data.phone_numbers.map(({ type }: Json) => type)
    expect(types).toEqual(['work', 'work', 'home', 'home', 'mobile', ...phones.more])
    expect(data).toMatchObject({ web_pages: [{ url: 'https://a.test', type: 'work' }], birthday: '0000-02-29' })
    const city = { physical_addresses: [{ type: 'work', city: 'Paris' }] }
    const { physical_addresses: changed } = expectStatus(await account.put(path(data.id), city), 200).body.data
    expect(changed).toMatchObject([{ type: 'work', city: 'Paris', street_address: null }])
    expectRefusal(await account.put(path(data.id), { groups: [{ id: 'nosuchgroup' }] }), /groups/)
  })

  test('show in a list that they have a picture, without a further call', async () => {
    const { account, accounts } = its
    const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    account.view.setPicture(account.view.add('Seen'), {
      contentType: 'image/png',
      bytes: Buffer.from(picture, 'base64'),
    })
    account.view.add('Unseen')
    await account.get('/contacts')
    accounts.calls()
    const contacts = expectStatus(await account.get('/contacts'), 200).body.data
    expect(accounts.calls()).toEqual(calls.list)
    const pictured = contacts.filter((one: Json) => 'picture_url' in one)
    expect(names(pictured)).toEqual(['Seen'])
    const [{ id, picture_url: link }] = pictured
    const one = expectStatus(await account.get(path(id), { profile_picture: true }), 200).body.data
    expect(one.picture).toBe(`data:image/png;base64,${picture}`)
    const { pathname, search } = new URL(link)
    if (provider === 'Exchange')
      expect(expectStatus(await accounts.call('GET', `${pathname}${search}`), 200).body.data.picture).toBe(one.picture)
    expectRefusal(await account.put(path(id), { picture: Buffer.from('a picture').toString('base64') }), /picture/)
    expectStatus(await account.put(path(id), { picture }), 200)
  })

  test('are listed with those of nested groups on request', async () => {
    const { account } = its
    const { view: book } = account
    const friends = book.addGroup('Friends')
    const close = book.addGroup('Close', friends)
    book.addGroup('Nobody', friends)
    for (const name of ['Ann', 'Bob', 'Cleo']) book.add(name, {}, friends)
    for (const name of ['Dan', 'Eve']) book.add(name, {}, close)
    book.add('Flo')
    const groups = (await pagesOf(account, '/contacts/groups', { limit: 1 })).flat()
    expect(groups.map(({ name, group_type }: Json) => [name, group_type])).toEqual([
      ['Contacts', 'system'],
      ['Friends', 'user'],
      ['Close', 'user'],
      ['Nobody', 'user'],
    ])
    const [system, own, within, empty] = ids(groups)
    expect(groups.slice(1).map((group: Json) => group.path)).toEqual([
      `${system}/${own}`,
      `${own}/${within}`,
      `${own}/${empty}`,
    ])
    const named = async (query: Query): Promise<string[]> => {
      const pages = await pagesOf(account, '/contacts', { limit: 2, ...query })
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(2)
      return names(pages.flat())
    }
    expect(await named({})).toEqual(['Flo'])
    expect(await named({ group: own })).toEqual(['Ann', 'Bob', 'Cleo'])
    expect(await named({ group: own, recurse: true })).toEqual(['Ann', 'Bob', 'Cleo', 'Dan', 'Eve'])
    expect(await named({ recurse: true })).toEqual(['Ann', 'Bob', 'Cleo', 'Flo'])
  })

  test('survive the deletion of their group, and those of nested groups keep theirs', async () => {
    const { account } = its
    const friends = account.view.addGroup('Friends')
    account.view.addGroup('Close', friends)
    for (let count = 0; count < 25; count += 1) account.view.add(`Friend${count}`, {}, friends)
    const [system = '', own = '', within = ''] = ids((await pagesOf(account, '/contacts/groups', {})).flat())
    const before = await listOf(account, { group: own })
    expectRefusal(await account.delete(groupPath(own)), /other groups/)
    expectStatus(await account.delete(groupPath(within)), 200)
    expectStatus(await account.delete(groupPath(own)), 200)
    expect(names(await listOf(account))).toEqual(names(before))
    expectStatus(await account.get(path(before[0].id)), 200)
    expectRefusal(await account.delete(groupPath(system)), /system/)
    expectRefusal(await account.put(groupPath(system), { name: 'x' }), /system/)
  })
})

test.each<['google' | 'microsoft', Provider, object]>([
  ['google', google, { biographies: [{ value: 'Notes' }] }],
  ['microsoft', microsoft, { personalNotes: 'Notes' }],
])(
  'changes of contacts at %s are notified within five minutes, also after an expired token',
  async (kind, { open }, notes) => {
    const clock = testClock()
    const polls = pollsOnDemand(kind)
    const now = { now: () => clock.now() }
    const overrides = { serving: true, clock, providers: polls.providers }
    await using accounts = await open({ overrides, google: now, microsoft: now })
    await accounts.service.listen()
    let old = ''
    const account = await accounts.newAccount({}, (book) => {
      old = book.add('Old')
    })
    const { view: book } = account
    await polls.isWaiting(account)
    const reported = (): Promise<Json[]> => {
      clock.advance(301_000)
      return polls.reported(accounts.service, account, /^contact\./)
    }

    const added = book.add('New', notes)
    const [created, ...others] = await reported()
    expect(others).toEqual([])
    expect(created).toMatchObject({ type: 'contact.updated', source: `/${kind}/contacts/incremental` })
    const { object } = created.data
    expect(object).toMatchObject({ given_name: 'New', grant_id: account.grantId, notes: 'Notes' })
    expect(object).toEqual(expectStatus(await account.get(path(object.id)), 200).body.data)
    book.remove(added)
    expect(await reported()).toMatchObject([{ type: 'contact.deleted', data: { object: { id: object.id } } }])
    book.expire()
    clock.advance(1000)
    book.change(old, 'Changed')
    expect(await reported()).toMatchObject([{ type: 'contact.updated', data: { object: { given_name: 'Changed' } } }])
  },
)
