import { expect, test } from 'vitest'
import { openAccount } from './calendar-clients.ts'

const me = { resourceName: 'people/me' }
const MASK = 'names,emailAddresses,phoneNumbers,metadata,memberships'
const ann = {
  names: [{ givenName: 'Ann', familyName: 'Other' }],
  emailAddresses: [{ value: 'ann@else.example', type: 'work' }],
}

interface Refusal {
  readonly code: number
  readonly status: string
  readonly details?: readonly { readonly reason: string }[]
}

async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return (error as { response: { data: { error: Refusal } } }).response.data.error
}

test('the user is a person too', async () => {
  await using account = await openAccount()
  const { people } = account.peopleOf(account.ada)
  const { data } = await people.get({ ...me, personFields: 'names,emailAddresses' })
  expect(data.names?.[0]).toMatchObject({ displayName: 'Ada Lovelace', metadata: { source: { type: 'PROFILE' } } })
  expect(data.emailAddresses?.[0]?.value).toBe('ada@example.com')
  expect(await refusalOf(people.get(me))).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' })
})

test('a contact is created, read, changed by its etag and deleted', async () => {
  await using account = await openAccount()
  const { people } = account.peopleOf(account.ada)
  const { data } = await people.createContact({ requestBody: ann, personFields: MASK })
  const resourceName = data.resourceName ?? ''
  expect(data.names?.[0]).toMatchObject({ displayName: 'Ann Other', displayNameLastFirst: 'Other, Ann' })
  expect(data.emailAddresses?.[0]).toMatchObject({ formattedType: 'Work', metadata: { primary: true } })
  expect(data.memberships?.[0]?.contactGroupMembership?.contactGroupId).toBe('myContacts')
  const phoneNumbers = [{ value: '+41 44 123 45 67' }]
  const requestBody = { etag: data.etag, phoneNumbers }
  const change = { resourceName, updatePersonFields: 'phoneNumbers', personFields: MASK, requestBody }
  const { data: changed } = await people.updateContact(change)
  expect(changed.phoneNumbers?.[0]?.canonicalForm).toBe('+41441234567')
  expect(changed.names?.[0]?.givenName).toBe('Ann')
  expect(await refusalOf(people.updateContact(change))).toMatchObject({ code: 400, status: 'FAILED_PRECONDITION' })
  const without = { ...change, requestBody: { phoneNumbers } }
  expect(await refusalOf(people.updateContact(without))).toMatchObject({ status: 'INVALID_ARGUMENT' })
  const bySource = { ...change, requestBody: { metadata: changed.metadata, phoneNumbers: [] } }
  expect((await people.updateContact(bySource)).data).not.toHaveProperty('phoneNumbers')
  const { updatePersonFields: _, ...maskless } = change
  expect(await refusalOf(people.updateContact(maskless))).toMatchObject({ status: 'INVALID_ARGUMENT' })
  await people.deleteContact({ resourceName })
  expect(await refusalOf(people.get({ resourceName, personFields: MASK }))).toMatchObject({
    code: 404,
    status: 'NOT_FOUND',
  })
})

test('contacts are listed in pages and in order', async () => {
  await using account = await openAccount()
  const { people } = account.peopleOf(account.ada)
  expect((await people.connections.list({ ...me, personFields: MASK })).data).toEqual({})
  for (const givenName of ['Cid', 'Abe', 'Bea']) account.ada.contacts.addContact({ names: [{ givenName }] })
  expect(await refusalOf(people.connections.list({ ...me }))).toMatchObject({ status: 'INVALID_ARGUMENT' })
  const query = { ...me, personFields: 'names', sortOrder: 'FIRST_NAME_ASCENDING', pageSize: 2 }
  const { data } = await people.connections.list(query)
  expect(data).toMatchObject({ totalPeople: 3, totalItems: 3 })
  const last = await people.connections.list({ ...query, pageToken: data.nextPageToken ?? '' })
  const names = [...(data.connections ?? []), ...(last.data.connections ?? [])].map(
    (person) => person.names?.[0]?.givenName,
  )
  expect(names).toEqual(['Abe', 'Bea', 'Cid'])
  expect(last.data.nextSyncToken).toBeUndefined()
})

test('a sync token returns changed and deleted contacts until it expires', async () => {
  let now = Date.parse('2026-01-05T00:00:00Z')
  await using account = await openAccount({ now: () => now, accessTokenSeconds: 30 * 86_400 })
  const { connections } = account.peopleOf(account.ada).people
  const { resourceName } = account.ada.contacts.addContact(ann)
  const query = { ...me, personFields: MASK, requestSyncToken: true }
  const { data: full } = await connections.list(query)
  account.ada.contacts.addContact({ names: [{ givenName: 'New' }] })
  account.ada.contacts.deleteContact(resourceName)
  const { data } = await connections.list({ ...query, syncToken: full.nextSyncToken ?? '' })
  expect(data.connections).toMatchObject([
    { names: [{ givenName: 'New' }] },
    { resourceName, metadata: { deleted: true } },
  ])
  const syncToken = data.nextSyncToken ?? ''
  expect((await connections.list({ ...query, syncToken })).data.connections).toBeUndefined()
  expect(await refusalOf(connections.list({ ...query, personFields: 'names', syncToken }))).toMatchObject({ code: 400 })
  now += 8 * 86_400_000
  expect(await refusalOf(connections.list({ ...query, syncToken }))).toMatchObject({
    code: 400,
    details: [{ reason: 'EXPIRED_SYNC_TOKEN' }],
  })
  const { data: fresh } = await connections.list(query)
  account.ada.contacts.expireSyncTokens()
  const expired = connections.list({ ...query, syncToken: fresh.nextSyncToken ?? '' })
  expect(await refusalOf(expired)).toMatchObject({ details: [{ reason: 'EXPIRED_SYNC_TOKEN' }] })
})

test('contacts are found by word prefixes', async () => {
  await using account = await openAccount()
  const { people } = account.peopleOf(account.ada)
  account.ada.contacts.addContact(ann)
  const search = async (query: string) =>
    (await people.searchContacts({ query, readMask: 'names' })).data.results?.length
  expect(await search('an')).toBe(1)
  expect(await search('ann o')).toBe(1)
  expect(await search('ann@else')).toBe(1)
  expect(await search('nn')).toBeUndefined()
})

test('several people are read at once, and missing ones are reported', async () => {
  await using account = await openAccount()
  const { resourceName } = account.ada.contacts.addContact(ann)
  const resourceNames = [resourceName, 'people/c404']
  const { data } = await account.peopleOf(account.ada).people.getBatchGet({ resourceNames, personFields: 'names' })
  expect(data.responses?.map(({ httpStatusCode }) => httpStatusCode)).toEqual([200, 404])
})

test('a photo is added to a contact and removed', async () => {
  await using account = await openAccount()
  const { people } = account.peopleOf(account.ada)
  const { resourceName } = account.ada.contacts.addContact(ann)
  const requestBody = { photoBytes: Buffer.from('a picture').toString('base64'), personFields: 'photos' }
  const { data } = await people.updateContactPhoto({ resourceName, requestBody })
  expect(data.person?.photos?.[0]).not.toHaveProperty('default')
  const url = data.person?.photos?.[0]?.url ?? ''
  expect(url).toMatch(/=s100$/)
  expect(await (await fetch(url)).text()).toBe('a picture')
  const { data: bare } = await people.deleteContactPhoto({ resourceName, personFields: 'photos' })
  expect(bare.person?.photos?.[0]?.default).toBe(true)
})

test('other contacts are a separate list and can become contacts', async () => {
  await using account = await openAccount()
  const { people, otherContacts } = account.peopleOf(account.ada)
  const { resourceName } = account.ada.contacts.addOtherContact(ann)
  const { data } = await otherContacts.list({ readMask: 'names,emailAddresses' })
  expect(data).toMatchObject({ totalSize: 1, otherContacts: [{ resourceName }] })
  expect((await people.connections.list({ ...me, personFields: MASK })).data.connections).toBeUndefined()
  await otherContacts.copyOtherContactToMyContactsGroup({
    resourceName,
    requestBody: { copyMask: 'names,emailAddresses' },
  })
  expect((await people.connections.list({ ...me, personFields: MASK })).data.connections).toHaveLength(1)
})

test('groups are created, renamed, filled, emptied and deleted', async () => {
  await using account = await openAccount()
  const { contactGroups, people } = account.peopleOf(account.ada)
  const { resourceName: person } = account.ada.contacts.addContact(ann)
  const { data: group } = await contactGroups.create({ requestBody: { contactGroup: { name: 'Friends of mine' } } })
  const resourceName = group.resourceName ?? ''
  const again = contactGroups.create({ requestBody: { contactGroup: { name: 'Friends of mine' } } })
  expect(await refusalOf(again)).toMatchObject({ code: 409, status: 'ALREADY_EXISTS' })
  await contactGroups.members.modify({ resourceName, requestBody: { resourceNamesToAdd: [person, 'people/c404'] } })
  const { data: filled } = await contactGroups.get({ resourceName, maxMembers: 10 })
  expect(filled).toMatchObject({ memberCount: 1, memberResourceNames: [person], groupType: 'USER_CONTACT_GROUP' })
  const { data } = await people.get({ resourceName: person, personFields: 'memberships' })
  expect(data.memberships).toHaveLength(2)
  const last = { resourceName: 'contactGroups/myContacts', requestBody: { resourceNamesToRemove: [person] } }
  await contactGroups.members.modify({ resourceName, requestBody: { resourceNamesToRemove: [person] } })
  expect((await contactGroups.members.modify(last)).data).toEqual({
    canNotRemoveLastContactGroupResourceNames: [person],
  })
  const requestBody = { contactGroup: { name: 'Pals' }, updateGroupFields: 'name' }
  expect((await contactGroups.update({ resourceName, requestBody })).data.name).toBe('Pals')
  const { data: all } = await contactGroups.list({ pageSize: 100 })
  expect(all.contactGroups?.map(({ name }) => name)).toEqual(expect.arrayContaining(['myContacts', 'starred', 'Pals']))
  await contactGroups.delete({ resourceName })
  const { data: changes } = await contactGroups.list({ pageSize: 100, syncToken: all.nextSyncToken ?? '' })
  expect(changes.contactGroups).toMatchObject([{ resourceName, metadata: { deleted: true } }])
  const { data: batch } = await contactGroups.batchGet({ resourceNames: ['contactGroups/myContacts', resourceName] })
  expect(batch.responses?.map(({ contactGroup }) => contactGroup?.memberCount)).toEqual([1, undefined])
})

test('colleagues are in the directory', async () => {
  await using account = await openAccount()
  account.google.addAccount({ email: 'cyd@example.com', name: 'Cyd Charisse' })
  const query = { readMask: 'names', sources: ['DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE'] }
  const { data } = await account.peopleOf(account.ada).people.listDirectoryPeople(query)
  expect(data.people).toHaveLength(2)
  const found = await account.peopleOf(account.ada).people.searchDirectoryPeople({ ...query, query: 'cyd' })
  expect(found.data.people).toHaveLength(1)
})
