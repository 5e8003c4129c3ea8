/** Contacts of a Google account: the number of calls, their sources, and their notifications. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { expectRefusal, expectStatus, ids, type Json, pagesOf } from '../../conformance/accounts.ts'
import { testClock } from '../../harness.ts'
import { identity, scope } from '../../peers/google.ts'
import { Nylas } from '../../peers/nylas.ts'
import { type GoogleAccount, type GoogleAccounts, openGoogleAccounts } from './google-accounts.ts'

const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000, interval: 50 })
const person = (name: string): { names: { givenName: string }[]; emailAddresses: { value: string }[] } => ({
  names: [{ givenName: name }],
  emailAddresses: [{ value: `${name.toLowerCase()}@mail.test` }],
})

describe('contacts at Google', () => {
  let accounts: GoogleAccounts
  let account: GoogleAccount
  beforeAll(async () => {
    accounts = await openGoogleAccounts()
  })
  afterAll(() => accounts[Symbol.asyncDispose]())
  beforeEach(async () => {
    account = await accounts.newAccount()
  })

  const peopleCalls = (): string[] => accounts.asked('/v1/')
  const path = (id: string): string => `/contacts/${encodeURIComponent(id)}`
  const create = async (fields: object): Promise<Json> =>
    expectStatus(await account.post('/contacts', fields), 200).body.data

  test('take one call to be listed or read, and two to be changed', async () => {
    for (let count = 0; count < 40; count += 1) account.google.contacts.addContact(person(`Contact${count}`))
    peopleCalls()
    const page = expectStatus(await account.get('/contacts'), 200).body
    expect(page.data).toHaveLength(30)
    expect(peopleCalls()).toEqual(['GET /v1/people/me/connections'])
    const [contact] = page.data
    expectStatus(await account.get(path(contact.id)), 200)
    expect(peopleCalls()).toHaveLength(1)
    expectStatus(await account.put(path(contact.id), { nickname: 'First' }), 200)
    expect(peopleCalls()).toEqual([`GET /v1/people/${contact.id}`, `PATCH /v1/people/${contact.id}:updateContact`])
    expect(await (await pagesOf(account, '/contacts', { email: 'contact39@mail.test' })).flat()).toHaveLength(1)
    expect(peopleCalls()).toHaveLength(1)
  })

  test('that somebody else changed meanwhile are changed nevertheless', async () => {
    const { id } = await create({ given_name: 'Ada', surname: 'Byron' })
    accounts.simulator.fail(
      { method: 'PATCH', path: /:updateContact$/, times: 1 },
      { status: 400, reason: 'failedPrecondition' },
    )
    const changed = expectStatus(await account.put(path(id), { surname: 'Lovelace' }), 200).body.data
    expect(changed).toMatchObject({ given_name: 'Ada', surname: 'Lovelace' })
    accounts.simulator.fail(
      { method: 'PATCH', path: /:updateContact$/, times: 2 },
      { status: 400, reason: 'failedPrecondition' },
    )
    expectStatus(await account.put(path(id), { surname: 'King' }), 409)
  })

  test('are accepted with the types that published clients send', async () => {
    const nylas = new Nylas({ apiKey: accounts.key, apiUri: await accounts.service.listen() })
    const requestBody = {
      givenName: 'Ada',
      emails: [
        { email: 'a@x.test', type: 'business' },
        { email: 'b@x.test', type: 'Personal' },
        { email: 'c@x.test', type: 'newsletter' },
        { email: 'd@x.test' },
      ],
      phoneNumbers: [
        { number: '1', type: 'Mobile' },
        { number: '2', type: 'cell' },
        { number: '3', type: 'home_fax' },
        { number: '4', type: '' },
      ],
      webPages: [
        { url: 'https://a.test/', type: 'blog' },
        { url: 'https://b.test/', type: 'work' },
      ],
      imAddresses: [{ imAddress: 'ada', type: 'jabber' }],
      physicalAddresses: [{ streetAddress: 'Mill Lane 1', type: 'business' }, { city: 'London' }],
    }
    const { data } = await nylas.contacts.create({ identifier: account.grantId, requestBody })
    expect(data.emails?.map(({ type }) => type)).toEqual(['work', 'home', 'other', undefined])
    expect(data.phoneNumbers?.map(({ type }) => type)).toEqual(['mobile', 'mobile', 'home', undefined])
    expect(data.webPages?.map(({ type }) => type)).toEqual(['other', 'work'])
    expect(data.imAddresses).toEqual([{ imAddress: 'ada', type: 'jabber' }])
    expect(data.physicalAddresses?.map(({ type }) => type)).toEqual(['work', 'other'])
    expect(
      account.google.contacts.list().find(({ resourceName }) => resourceName === `people/${data.id}`)?.urls,
    ).toMatchObject([
      { value: 'https://a.test/', type: 'blog' },
      { value: 'https://b.test/', type: 'work' },
    ])
    expectRefusal(await account.post('/contacts', { emails: [{ email: 'a@x.test', type: 5 }] }), /emails/)
    const { data: read } = await nylas.contacts.find({
      identifier: account.grantId,
      contactId: data.id,
      queryParams: {},
    })
    await account.delete(path(read.id))
  })

  test("keep Google's fields that the API does not have", async () => {
    const { resourceName } = account.google.contacts.addContact({
      ...person('Ada'),
      organizations: [{ name: 'Engines', department: 'Mill' }],
      userDefined: [{ key: 'Shoe size', value: '38' }],
    })
    const id = resourceName.replace('people/', '')
    expectStatus(await account.put(path(id), { job_title: 'Analyst' }), 200)
    const [kept] = account.google.contacts.list()
    expect(kept).toMatchObject({
      organizations: [{ name: 'Engines', department: 'Mill', title: 'Analyst' }],
      userDefined: [{ key: 'Shoe size', value: '38' }],
    })
  })

  test('come from the directory on request', async () => {
    const colleague = await accounts.newAccount()
    const found = (await pagesOf(account, '/contacts', { source: 'domain' })).flat()
    const one = found.find((contact: Json) => contact.emails.some(({ email }: Json) => email === colleague.email))
    expect(one).toMatchObject({ source: 'domain', object: 'contact' })
    expect(expectStatus(await account.get(path(one.id)), 200).body.data.id).toBe(one.id)
    expectRefusal(await account.put(path(one.id), { given_name: 'x' }), /address book/)
    expectRefusal(await account.get('/contacts', { source: 'domain,inbox' }), /one source/)
  })

  test('of a group are found by its id, in pages', async () => {
    const { resourceName } = account.google.contacts.addGroup('Friends')
    const id = resourceName.replace('contactGroups/', '')
    const membership = [{ contactGroupMembership: { contactGroupResourceName: resourceName } }]
    for (const name of ['Ann', 'Bob', 'Cleo'])
      account.google.contacts.addContact({ ...person(name), memberships: membership })
    account.google.contacts.addContact(person('Dan'))
    const pages = await pagesOf(account, '/contacts', { group: id, limit: 2 })
    expect(
      pages
        .flat()
        .map((one: Json) => one.given_name)
        .sort(),
    ).toEqual(['Ann', 'Bob', 'Cleo'])
    expect((await pagesOf(account, '/contacts', { group: id, email: 'bob@mail.test' })).flat()).toHaveLength(1)
  })

  test('require their scopes, which the error names', async () => {
    const reader = await accounts.newAccount({ scopes: [...identity, scope('contacts.readonly')] })
    expectStatus(await reader.get('/contacts'), 200)
    const refused = [
      await reader.post('/contacts', { given_name: 'x' }),
      await reader.get('/contacts', { source: 'inbox' }),
      await reader.post('/contacts/groups', { name: 'x' }),
    ]
    for (const answer of refused) expect(expectStatus(answer, 403).body.error.type).toBe('insufficient_scopes')
    expect(refused[1]?.body.error.message).toContain('contacts.other.readonly')
    const mailOnly = await accounts.newAccount({ scopes: [...identity, scope('gmail.readonly')] })
    peopleCalls()
    expectStatus(await mailOnly.get('/contacts'), 403)
    expect(peopleCalls()).toEqual([])
  })

  test('belong to the grant in the path', async () => {
    const { id } = await create({ given_name: 'Own' })
    const other = await accounts.newAccount()
    expect(ids((await pagesOf(other, '/contacts', {})).flat())).not.toContain(id)
    expectStatus(await other.get(path(id)), 404)
  })
})

test('changes of contacts are notified within five minutes, also after an expired sync token', async () => {
  const clock = testClock()
  await using accounts = await openGoogleAccounts({
    env: { WAYPOST_POLL_SECONDS: '1' },
    overrides: { serving: true, clock },
    google: { now: () => clock.now() },
  })
  await accounts.service.listen()
  const email = 'watched@example.com'
  const { contacts } = accounts.simulator.addAccount({ email, name: 'Watched' })
  const old = contacts.addContact(person('Old'))
  const account = await accounts.newAccount({ email })
  const looks = (): number => accounts.simulator.calls.filter(({ path }) => path.endsWith('/connections')).length
  await until(() => expect(looks()).toBeGreaterThan(0))
  const told = async (): Promise<string[]> => {
    const { body } = await accounts.call('GET', '/v3/notifications?limit=200')
    return body.data
      .filter(({ type }: Json) => type.startsWith('contact.'))
      .map(({ type, data }: Json) => `${type} ${data.object.given_name ?? data.object.id}`)
  }
  const { resourceName } = contacts.addContact({ ...person('New'), biographies: [{ value: 'Notes' }] })
  clock.advance(301_000)
  await until(async () => expect(await told()).toEqual(['contact.updated New']))
  const { body } = await accounts.call('GET', '/v3/notifications?limit=200')
  const updated = body.data.find(({ type }: Json) => type === 'contact.updated')
  expect(updated.source).toBe('/google/contacts/incremental')
  const { object } = updated.data
  const shown = expectStatus(await account.get(`/contacts/${object.id}`), 200).body.data
  expect(object).toMatchObject({ id: shown.id, grant_id: account.grantId, source: 'address_book', notes: 'Notes' })
  contacts.deleteContact(resourceName)
  clock.advance(301_000)
  await until(async () => expect(await told()).toContain(`contact.deleted ${object.id}`))
  contacts.expireSyncTokens()
  clock.advance(1000)
  contacts.changeContact(old.resourceName, { names: [{ givenName: 'Changed' }] })
  clock.advance(301_000)
  await until(async () => expect(await told()).toContain('contact.updated Changed'))
  expect(await told()).toEqual(['contact.updated New', `contact.deleted ${object.id}`, 'contact.updated Changed'])
})
