import { expect, test } from 'vitest'
import { graphRefusal, openGraph, pathOf } from './graph-account.ts'

const BOB = {
  givenName: 'Bob',
  surname: 'Babbage',
  emailAddresses: [{ address: 'bob@elsewhere.example', name: 'Bob' }, { address: 'b@b.example' }],
  businessPhones: ['+1 555 0100'],
  mobilePhone: '+1 555 0101',
  homeAddress: { street: '1 Engine Row', city: 'London' },
  birthday: '1974-07-22T00:00:00Z',
}

test('a contact has its names, addresses and numbers in their fields', async () => {
  await using accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const bob = await graph.api('/me/contacts').post(BOB)
  expect(bob).toMatchObject({
    displayName: 'Bob Babbage',
    fileAs: 'Babbage, Bob',
    primaryEmailAddress: { address: 'bob@elsewhere.example', name: 'Bob' },
    secondaryEmailAddress: { address: 'b@b.example', name: 'b@b.example' },
    tertiaryEmailAddress: null,
    birthday: '1974-07-22T00:00:00Z',
    homePhones: [],
    businessAddress: {},
    middleName: null,
  })
  const api = () => graph.api(`/me/contacts/${bob.id}`)
  const changed = await api().patch({ surname: 'Lovelace', emailAddresses: [], nickName: 'Bobby' })
  expect(changed).toMatchObject({ displayName: 'Bob Lovelace', emailAddresses: [], mobilePhone: '+1 555 0101' })
  expect(changed['@odata.etag']).not.toBe(bob['@odata.etag'])
  expect(await graphRefusal(api().header('If-Match', bob['@odata.etag']).patch({}))).toMatchObject({ status: 412 })
  await api().delete()
  expect(await graphRefusal(api().get())).toEqual({ status: 404, code: 'ErrorItemNotFound' })
})

test.each([
  [{ emailAddresses: Array(4).fill({ address: 'a@b.example' }) }],
  [{ businessPhones: ['1', '2', '3'] }],
  [{ homePhones: ['1', '2', '3'] }],
  [{ birthday: '1974-07-22' }],
  [{ phone: '1' }],
  [{ displayName: 1 }],
])('%j is refused', async (body) => {
  await using accounts = await openGraph()
  expect(await graphRefusal(accounts.graphOf(accounts.ada).api('/me/contacts').post(body))).toMatchObject({
    status: 400,
  })
})

test('contacts are found by a whole address, and by the prefix of a name', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  ada.contacts.addContact(BOB)
  ada.contacts.addContact({ displayName: 'Eve', emailAddresses: [{ address: 'eve@elsewhere.example' }] })
  const graph = accounts.graphOf(ada)
  const found = async (filter: string) => {
    const { value } = await graph.api('/me/contacts').filter(filter).orderby('displayName').get()
    return value.map(({ displayName }: { displayName: string }) => displayName)
  }
  expect(await found("emailAddresses/any(a:a/address eq 'EVE@elsewhere.example')")).toEqual(['Eve'])
  expect(await found("startswith(displayName,'b') or displayName eq 'eve'")).toEqual(['Bob Babbage', 'Eve'])
  for (const filter of [
    "emailAddresses/any(a:startswith(a/address,'eve'))",
    "contains(displayName,'o')",
    "businessPhones/any(p:p eq '1')",
    "homeAddress/city eq 'London'",
  ]) {
    expect(await graphRefusal(found(filter))).toEqual({ status: 400, code: 'ErrorInvalidUrlQueryFilter' })
  }
  expect(await graphRefusal(graph.api('/me/contacts').search('"eve"').get())).toMatchObject({ status: 400 })
})

test('folders are nested, and a moved contact has another id', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const graph = accounts.graphOf(ada)
  const friends = await graph.api('/me/contactFolders').post({ displayName: 'Friends' })
  const best = await graph.api(`/me/contactFolders/${friends.id}/childFolders`).post({ displayName: 'Best' })
  expect(best.parentFolderId).toBe(friends.id)
  expect((await graph.api('/me/contactFolders').get()).value).toMatchObject([{ displayName: 'Friends' }])
  expect((await graph.api(`/me/contactFolders/${friends.id}/childFolders`).get()).value).toMatchObject([
    { id: best.id },
  ])
  const contacts = await graph.api('/me/contactFolders/contacts').get()
  expect(contacts).toMatchObject({ displayName: 'Contacts', id: friends.parentFolderId })
  const { id } = ada.contacts.addContact(BOB)
  const stable = await graph.api(`/me/contacts/${id}`).header('Prefer', 'IdType="ImmutableId"').get()
  const moved = await graph.api(`/me/contacts/${id}`).patch({ parentFolderId: best.id })
  expect(moved).toMatchObject({ parentFolderId: best.id, displayName: 'Bob Babbage' })
  expect(moved.id).not.toBe(id)
  expect(await graphRefusal(graph.api(`/me/contacts/${id}`).get())).toMatchObject({ status: 404 })
  expect(await graph.api(`/me/contacts/${stable.id}`).get()).toMatchObject({ id: moved.id })
  expect((await graph.api('/me/contacts').get()).value).toEqual([])
  expect((await graph.api(`/me/contactFolders/${best.id}/contacts`).get()).value).toHaveLength(1)
  expect(await graphRefusal(graph.api('/me/contactFolders').post({ displayName: 'friends' }))).toEqual({
    status: 409,
    code: 'ErrorFolderExists',
  })
  expect(await graphRefusal(graph.api('/me/contactFolders/contacts').delete())).toMatchObject({ status: 400 })
  await graph.api(`/me/contactFolders/${best.id}`).patch({ displayName: 'Dearest' })
  await graph.api(`/me/contactFolders/${friends.id}`).delete()
  expect(ada.contacts.list()).toEqual([])
})

test('delta queries return contacts folder by folder', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const graph = accounts.graphOf(ada)
  const { id } = ada.contacts.addContact(BOB)
  const round = async (link: string) => {
    const page = await graph.api(link).get()
    return { value: page.value, next: pathOf(page['@odata.deltaLink']) }
  }
  const first = await round('/me/contactFolders/contacts/contacts/delta?$select=displayName')
  expect(first.value).toMatchObject([{ id, displayName: 'Bob Babbage' }])
  ada.contacts.changeContact(id, { jobTitle: 'Engineer' })
  const eve = ada.contacts.addContact({ displayName: 'Eve' })
  const second = await round(first.next)
  expect(second.value).toMatchObject([{ id }, { id: eve.id }])
  ada.contacts.deleteContact(id)
  const third = await round(second.next)
  expect(third.value).toEqual([{ id, '@removed': { reason: 'deleted' } }])
  const immutable = graph.api('/me/contacts').header('Prefer', 'IdType="ImmutableId"')
  const [{ id: retained }] = (await immutable.get()).value
  ada.contacts.deleteContact(eve.id)
  const fourth = await graph.api(third.next).header('Prefer', 'IdType="ImmutableId"').get()
  expect(fourth.value).toEqual([{ id: retained, '@removed': { reason: 'deleted' } }])
  const left = await graph.api(`/me/contacts/${retained}`).get()
  const { id: book } = await graph.api('/me/contactFolders/contacts').get()
  expect(left).toMatchObject({ displayName: 'Eve', parentFolderId: expect.not.stringMatching(book) })
  await graph.api(`/me/contacts/${retained}`).delete()
  expect(await graphRefusal(graph.api(`/me/contacts/${retained}`).get())).toMatchObject({ status: 404 })
  ada.contacts.expireDeltaTokens()
  expect(await graphRefusal(round(third.next))).toEqual({ status: 410, code: 'SyncStateNotFound' })
  ada.contacts.addFolder('Friends')
  const folders = await round('/me/contactFolders/delta')
  expect(folders.value).toHaveLength(2)
})

test('contacts and users have pictures, or none', async () => {
  await using accounts = await openGraph()
  const { microsoft, ada } = accounts
  const { id } = ada.contacts.addContact(BOB)
  const headers = accounts.headersOf(ada, ['Contacts.ReadWrite', 'User.ReadWrite', 'User.Read'])
  const bytes = Buffer.from('/9j/4AAQSkZJRg==', 'base64')
  for (const path of [`/me/contacts/${id}/photo`, '/me/photo']) {
    const at = `${microsoft.url}/v1.0${path}`
    const none = await fetch(`${at}/$value`, { headers })
    expect(none.status).toBe(404)
    expect(await none.json()).toMatchObject({ error: { code: 'ImageNotFound' } })
    const put = (type: string, body: Uint8Array<ArrayBuffer>) =>
      fetch(`${at}/$value`, { method: 'PUT', headers: { ...headers, 'content-type': type }, body })
    expect((await put('text/plain', bytes)).status).toBe(400)
    expect((await put('image/jpeg', Buffer.alloc(4 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await put('image/jpeg', bytes)).status).toBe(200)
    const value = await fetch(`${at}/$value`, { headers })
    expect(value.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await value.arrayBuffer())).toEqual(bytes)
    expect(await (await fetch(at, { headers })).json()).toMatchObject({ '@odata.mediaContentType': 'image/jpeg' })
  }
})

test('a contact shows that it has a picture if its property is requested', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const { id } = ada.contacts.addContact(BOB)
  ada.contacts.addContact({ displayName: 'Eve' })
  ada.contacts.setPhoto(id, { contentType: 'image/png', bytes: Buffer.from('a picture') })
  const property = 'Boolean {00062004-0000-0000-C000-000000000046} Id 0x8015'
  const contacts = (expand: string) =>
    accounts.graphOf(ada).api('/me/contacts').select('displayName').expand(expand).get()
  const { value } = await contacts(`singleValueExtendedProperties($filter=id eq '${property}')`)
  expect(value[0]).toMatchObject({ singleValueExtendedProperties: [{ id: property, value: 'true' }] })
  expect(value[1]).not.toHaveProperty('singleValueExtendedProperties')
  expect(await graphRefusal(contacts('singleValueExtendedProperties'))).toMatchObject({ status: 400 })
})

test('people are colleagues and contacts, found by word prefixes', async () => {
  await using accounts = await openGraph()
  const { ada, grace, home } = accounts
  ada.contacts.addContact(BOB)
  const graph = accounts.graphOf(ada, ['People.Read'])
  const named = async (path: string) => {
    const { value } = await graph.api(path).get()
    return value.map(({ displayName }: { displayName: string }) => displayName)
  }
  expect(await named('/me/people')).toEqual(['Grace Hopper', 'Bob Babbage'])
  ada.contacts.addCorrespondent({ name: 'Charles', email: 'charles@mail.example' })
  expect((await graph.api('/me/people').get()).value.at(-1)).toMatchObject({
    displayName: 'Charles',
    personType: { class: 'Person', subclass: 'ImplicitContact' },
  })
  expect(await named('/me/people?$search="hop"')).toEqual(['Grace Hopper'])
  expect(await named('/me/people?$search="else"')).toEqual(['Bob Babbage'])
  expect(await graphRefusal(graph.api('/me/people?$search="hop"&$skip=1').get())).toMatchObject({ status: 400 })
  expect((await accounts.graphOf(home, ['People.Read']).api('/me/people').get()).value).toEqual([])
  expect(await graphRefusal(accounts.graphOf(grace, ['User.Read']).api('/me/people').get())).toMatchObject({
    status: 403,
  })
})
