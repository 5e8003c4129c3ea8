/** Contacts of Google accounts only. conformance/provider-contacts.test.ts has what other providers do too. */

import { Nylas } from '@waypost/testing/peers/nylas'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Json } from '../../conformance/accounts.ts'
import { type GoogleAccount, type GoogleAccounts, openGoogleAccounts } from './google-accounts.ts'

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

  const path = (id: string): string => `/contacts/${encodeURIComponent(id)}`
  const create = async (fields: object): Promise<Json> =>
    expectStatus(await account.post('/contacts', fields), 200).body.data

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
})
