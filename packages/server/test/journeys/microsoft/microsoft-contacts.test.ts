/** Contacts of Microsoft accounts only. conformance/provider-contacts.test.ts has what other providers do too. */

import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, type Json, pagesOf } from '../../conformance/accounts.ts'
import { pollsOnDemand } from '../../conformance/polls.ts'
import { identity } from '../../peers/microsoft.ts'
import { type MicrosoftAccount, type MicrosoftAccounts, openMicrosoftAccounts } from './microsoft-accounts.ts'

const path = (id: string): string => `/contacts/${encodeURIComponent(id)}`
const person = (name: string) => ({
  givenName: name,
  emailAddresses: [{ address: `${name.toLowerCase()}@mail.test`, name }],
})

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

  const create = async (fields: object): Promise<Json> =>
    expectStatus(await account.post('/contacts', fields), 200).body.data

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

  test('come from the people the user works with, if the grant cannot read the directory', async () => {
    const colleague = await accounts.newAccount()
    const reader = await accounts.newAccount({ scopes: [...identity, 'Contacts.Read', 'People.Read'] })
    const found = (await pagesOf(reader, '/contacts', { source: 'domain' })).flat()
    const worksWith = found.find(({ emails }) => emails.some(({ email }: Json) => email === colleague.email))
    expect(worksWith).toMatchObject({ source: 'domain' })
    expect(expectStatus(await reader.get(path(worksWith.id)), 200).body.data).toEqual(worksWith)
  })
})

test('changes of contacts in all folders are notified, and moves as changes', async () => {
  const clock = testClock()
  const polls = pollsOnDemand('microsoft')
  await using accounts = await openMicrosoftAccounts({
    overrides: { serving: true, clock, providers: polls.providers },
    microsoft: { now: () => clock.now() },
  })
  await accounts.service.listen()
  const email = 'watched@contoso.example'
  const { contacts: book } = accounts.simulator.addAccount({ email, name: 'Watched' })
  const friends = book.addFolder('Friends')
  book.addContact(person('Friend'), friends.id)
  const account = await accounts.newAccount({ email, scopes: [...identity, 'Contacts.ReadWrite'] })
  await polls.isWaiting(account)
  /** Expects exactly these notifications from a poll, and returns their objects. */
  const tells = async (...expected: string[]): Promise<Json[]> => {
    clock.advance(301_000)
    const reported = await polls.reported(accounts.service, account, /^contact/)
    expect(reported.map(({ type, data }) => `${type} ${data.object.given_name ?? data.object.id}`)).toEqual(expected)
    return reported.map(({ data }) => data.object)
  }

  const added = book.addContact(person('New'))
  book.setPhoto(added.id, { contentType: 'image/png', bytes: Buffer.from('a picture') })
  const [object] = await tells('contact.updated New')
  expect(object).toEqual(expectStatus(await account.get(path(object.id)), 200).body.data)
  expectStatus(await account.put(path(object.id), { groups: [{ id: friends.id }] }), 200)
  await tells('contact.updated New')
  expectStatus(await account.delete(path(object.id)), 200)
  await tells(`contact.deleted ${object.id}`)
  const family = book.addFolder('Family')
  book.addContact(person('Aunt'), family.id)
  await tells('contact.updated Aunt')
  book.expireDeltaTokens()
  await tells()
  expectStatus(await account.delete(`/contacts/groups/${encodeURIComponent(family.id)}`), 200)
  await tells('contact.updated Aunt')
})
