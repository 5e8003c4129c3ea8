import { afterAll, afterEach, expect, test } from 'vitest'
import { all, ask, codes, openExchange, texts } from './ews-account.ts'
import { contains, createItem, findItem, getItem, idXml, is, itemShape } from './ews-items.ts'
import { standard } from './ews-requests.ts'

const { exchange, check, ...opened } = await openExchange()
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

const ada = exchange.account('ada@exchange.example')
const grace = 'grace@exchange.example'

const WHOLE = `<t:Contact>
  <t:Body BodyType="Text">Met at the mill.</t:Body>
  <t:Categories><t:String>Friends</t:String></t:Categories>
  <t:ExtendedProperty><t:ExtendedFieldURI PropertyTag="0x3A45" PropertyType="String"/><t:Value>Dr</t:Value></t:ExtendedProperty>
  <t:FileAs>Byron, Ada</t:FileAs>
  <t:DisplayName>Ada Byron</t:DisplayName><t:GivenName>Ada</t:GivenName><t:Initials>A.B.</t:Initials>
  <t:MiddleName>Augusta</t:MiddleName><t:Nickname>Countess</t:Nickname><t:CompanyName>Engines</t:CompanyName>
  <t:EmailAddresses>
    <t:Entry Key="EmailAddress1" Name="Ada B.">ada@mill.test</t:Entry><t:Entry Key="EmailAddress3">third@mill.test</t:Entry>
  </t:EmailAddresses>
  <t:PhysicalAddresses>
    <t:Entry Key="Home"><t:Street>12 St James</t:Street><t:City>London</t:City><t:CountryOrRegion>UK</t:CountryOrRegion></t:Entry>
  </t:PhysicalAddresses>
  <t:PhoneNumbers><t:Entry Key="MobilePhone">+44 1</t:Entry><t:Entry Key="BusinessPhone">+44 2</t:Entry></t:PhoneNumbers>
  <t:AssistantName>Charles</t:AssistantName><t:Birthday>1815-12-10T11:59:00Z</t:Birthday>
  <t:BusinessHomePage>http://mill.test/</t:BusinessHomePage><t:Children><t:String>Anne</t:String></t:Children>
  <t:Department>Numbers</t:Department><t:Generation>II</t:Generation>
  <t:ImAddresses><t:Entry Key="ImAddress1">ada.im</t:Entry></t:ImAddresses>
  <t:JobTitle>Analyst</t:JobTitle><t:Manager>Lady Byron</t:Manager><t:OfficeLocation>West</t:OfficeLocation>
  <t:PostalAddressIndex>Home</t:PostalAddressIndex><t:Profession>Mathematics</t:Profession>
  <t:SpouseName>William</t:SpouseName><t:Surname>Byron</t:Surname>
  <t:WeddingAnniversary>1835-07-08T00:00:00Z</t:WeddingAnniversary>
</t:Contact>`

async function create(contact: string, user = grace): Promise<string> {
  const answer = await ask(exchange, createItem(contact), { user })
  expect(codes(answer)).toEqual(['NoError'])
  return all(answer.body, 'ItemId')[0]?.attributes.Id ?? ''
}

const contactOf = async (id: string, user = grace) =>
  all((await ask(exchange, getItem([id], { base: 'AllProperties' }), { user })).body, 'Contact')[0]

const update = (id: string, updates: string): string =>
  `<m:UpdateItem ConflictResolution="AlwaysOverwrite"><m:ItemChanges><t:ItemChange>${idXml(id)}<t:Updates>${updates}</t:Updates></t:ItemChange></m:ItemChanges></m:UpdateItem>`
const entryPath = (uri: string, index: string): string =>
  `<t:IndexedFieldURI FieldURI="contacts:${uri}" FieldIndex="${index}"/>`
const setEntry = (path: string, contact: string): string =>
  `<t:SetItemField>${path}<t:Contact>${contact}</t:Contact></t:SetItemField>`

test('a contact is stored with every field, and its complete name is derived from them', async () => {
  const contact = await contactOf(await create(WHOLE))
  const single = ['FileAs', 'DisplayName', 'MiddleName', 'CompanyName', 'JobTitle', 'Birthday', 'WeddingAnniversary']
  expect(single.map((name) => texts(contact, name)[0])).toEqual([
    ...['Byron, Ada', 'Ada Byron', 'Augusta', 'Engines', 'Analyst', '1815-12-10T11:59:00Z', '1835-07-08T00:00:00Z'],
  ])
  const entries = all(contact, 'Entry').map(({ attributes, text }) => [attributes.Key, text])
  expect(entries).toEqual([
    ['EmailAddress1', 'ada@mill.test'],
    ['EmailAddress3', 'third@mill.test'],
    ['Home', ''],
    ['BusinessPhone', '+44 2'],
    ['MobilePhone', '+44 1'],
    ['ImAddress1', 'ada.im'],
  ])
  expect(all(contact, 'Entry')[0]?.attributes).toMatchObject({ Name: 'Ada B.', RoutingType: 'SMTP' })
  const complete = all(contact, 'CompleteName')[0]?.children.map(({ name, text }) => [name, text])
  expect(complete).toEqual([
    ...[
      ['Title', 'Dr'],
      ['FirstName', 'Ada'],
      ['MiddleName', 'Augusta'],
      ['LastName', 'Byron'],
      ['Suffix', 'II'],
    ],
    ...[
      ['Initials', 'A.B.'],
      ['FullName', 'Ada Byron'],
      ['Nickname', 'Countess'],
    ],
  ])
  expect(texts(contact, 'HasPicture')).toEqual(['false'])
})

test('the file-as name of a contact follows its mapping', async () => {
  const id = await create(
    '<t:Contact><t:FileAsMapping>LastCommaFirst</t:FileAsMapping><t:GivenName>Mary</t:GivenName><t:Surname>Shelley</t:Surname></t:Contact>',
  )
  expect(texts(await contactOf(id), 'FileAs')).toEqual(['Shelley, Mary'])
})

test('entries are changed one by one, and never as a whole', async () => {
  const id = await create(WHOLE)
  const email = '<t:EmailAddresses><t:Entry Key="EmailAddress2">two@mill.test</t:Entry></t:EmailAddresses>'
  const city = '<t:PhysicalAddresses><t:Entry Key="Home"><t:City>Paris</t:City></t:Entry></t:PhysicalAddresses>'
  const changed = await ask(
    exchange,
    update(
      id,
      [
        setEntry(entryPath('EmailAddress', 'EmailAddress2'), email),
        `<t:DeleteItemField>${entryPath('EmailAddress', 'EmailAddress1')}</t:DeleteItemField>`,
        setEntry(entryPath('PhysicalAddress:City', 'Home'), city),
        `<t:DeleteItemField>${entryPath('PhysicalAddress:Street', 'Home')}</t:DeleteItemField>`,
        `<t:DeleteItemField><t:FieldURI FieldURI="contacts:JobTitle"/></t:DeleteItemField>`,
      ].join(''),
    ),
    { user: grace },
  )
  expect(codes(changed)).toEqual(['NoError'])
  const contact = await contactOf(id)
  expect(texts(all(contact, 'EmailAddresses')[0], 'Entry')).toEqual(['two@mill.test', 'third@mill.test'])
  expect(all(contact, 'PhysicalAddresses')[0]?.children[0]?.children.map(({ text }) => text)).toEqual(['Paris', 'UK'])
  expect(texts(contact, 'JobTitle')).toEqual([])
  const whole = setEntry('<t:FieldURI FieldURI="contacts:EmailAddresses"/>', email)
  expect(codes(await ask(exchange, update(id, whole), { user: grace }))).toEqual(['ErrorInvalidPropertySet'])
})

test('contacts are found by their fields and entries, sorted and in pages', async () => {
  const { id } = ada.contacts.addFolder('Found')
  const folders = `<t:FolderId Id="${id}"/>`
  for (const [given, surname, email] of [
    ['Cy', 'Young', 'cy@found.test'],
    ['Al', 'Young', 'al@found.test'],
    ['Bo', 'Elder', 'bo@found.test'],
  ] as const) {
    ada.contacts.addContact(
      { GivenName: given, Surname: surname, EmailAddresses: { Entry: { '@Key': 'EmailAddress1', '#': email } } },
      id,
    )
  }
  const found = async (wish: Parameters<typeof findItem>[0]) =>
    texts((await ask(exchange, findItem({ folders, fields: ['contacts:GivenName'], ...wish }))).body, 'GivenName')
  const byName = '<t:FieldOrder Order="Ascending"><t:FieldURI FieldURI="contacts:GivenName"/></t:FieldOrder>'
  expect(await found({ order: byName })).toEqual(['Al', 'Bo', 'Cy'])
  expect(await found({ restriction: is('IsEqualTo', 'contacts:Surname', 'young'), order: byName })).toEqual([
    'Al',
    'Cy',
  ])
  expect(
    await found({ restriction: is('IsEqualTo', entryPath('EmailAddress', 'EmailAddress1'), 'bo@found.test') }),
  ).toEqual(['Bo'])
  expect(await found({ restriction: contains('contacts:GivenName', 'b', 'Prefixed') })).toEqual(['Bo'])
  const view = '<m:IndexedPageItemView MaxEntriesReturned="2" Offset="1" BasePoint="Beginning"/>'
  expect(await found({ view, order: byName })).toEqual(['Bo', 'Cy'])
  expect(await found({ query: 'elder' })).toEqual(['Bo'])
})

test('a contact is moved, with another id, and deleted', async () => {
  const { id: folder } = exchange.account(grace).contacts.addFolder('Others')
  const id = await create('<t:Contact><t:GivenName>Moved</t:GivenName></t:Contact>')
  const move = `<m:MoveItem><m:ToFolderId><t:FolderId Id="${folder}"/></m:ToFolderId><m:ItemIds>${idXml(id)}</m:ItemIds></m:MoveItem>`
  const moved = await ask(exchange, move, { user: grace })
  const [now] = all(moved.body, 'ItemId')
  expect(now?.attributes.Id).not.toBe(id)
  expect(codes(await ask(exchange, getItem([id]), { user: grace }))).toEqual(['ErrorItemNotFound'])
  const remove = `<m:DeleteItem DeleteType="HardDelete"><m:ItemIds>${idXml(now?.attributes.Id ?? '')}</m:ItemIds></m:DeleteItem>`
  expect(codes(await ask(exchange, remove, { user: grace }))).toEqual(['NoError'])
  const elsewhere = createItem('<t:Contact><t:GivenName>X</t:GivenName></t:Contact>', { folder: 'inbox' })
  expect(codes(await ask(exchange, elsewhere, { user: grace }))).toEqual(['ErrorCannotCreateContactInNonContactFolder'])
})

test('a picture is a marked attachment, and the directory has pictures of people', async () => {
  const id = await create('<t:Contact><t:GivenName>Seen</t:GivenName></t:Contact>')
  const content = Buffer.from('a picture').toString('base64')
  const attach = `<m:CreateAttachment><m:ParentItemId Id="${id}"/><m:Attachments><t:FileAttachment>
    <t:Name>ContactPicture.jpg</t:Name><t:IsContactPhoto>true</t:IsContactPhoto><t:Content>${content}</t:Content>
    </t:FileAttachment></m:Attachments></m:CreateAttachment>`
  expect(codes(await ask(exchange, attach, { user: grace }))).toEqual(['NoError'])
  const contact = await contactOf(id)
  expect(texts(contact, 'HasPicture')).toEqual(['true'])
  expect(texts(contact, 'IsContactPhoto')).toEqual(['true'])

  const photo = (email: string) =>
    `<m:GetUserPhoto><m:Email>${email}</m:Email><m:SizeRequested>HR96x96</m:SizeRequested></m:GetUserPhoto>`
  expect(codes(await ask(exchange, photo('ada@exchange.example')))).toEqual(['ErrorItemNotFound'])
  expect((await ask(exchange, photo('nobody@exchange.example'))).status).toBe(500)
  ada.contacts.setUserPhoto(Buffer.from('a face'))
  const given = await ask(exchange, photo('ada@exchange.example'))
  expect(Buffer.from(texts(given.body, 'PictureData')[0] ?? '', 'base64').toString()).toBe('a face')
})

test('a distribution list is read with its members', async () => {
  ada.contacts.addDistributionList('Engineers', [{ name: 'Charles', address: 'charles@mill.test' }])
  const restriction = is('IsEqualTo', 'item:ItemClass', 'IPM.DistList')
  const found = await ask(exchange, findItem({ folders: standard('contacts'), restriction }))
  const [id] = all(found.body, 'ItemId')
  const list = await ask(exchange, getItem([id?.attributes.Id ?? ''], { base: 'AllProperties' }))
  expect(texts(list.body, 'DisplayName')).toEqual(['Engineers'])
  expect(texts(all(list.body, 'Member')[0], 'EmailAddress')).toEqual(['charles@mill.test'])
})

test('the MIME of a contact is a vCard', async () => {
  const { body } = await ask(exchange, getItem([await create(WHOLE)], { fields: ['item:MimeContent'] }), {
    user: grace,
  })
  const card = Buffer.from(texts(body, 'MimeContent')[0] ?? '', 'base64').toString()
  expect(card).toContain('\r\nN:Byron;Ada;Augusta;;II\r\n')
  expect(card).toContain('\r\nEMAIL;TYPE=INTERNET:ada@mill.test\r\n')
})

test('names are resolved among contacts', async () => {
  ada.contacts.addContact({
    DisplayName: 'Percy Shelley',
    EmailAddresses: { Entry: { '@Key': 'EmailAddress1', '#': 'percy@poets.test' } },
  })
  const resolve = (entry: string, scope: string) =>
    `<m:ResolveNames ReturnFullContactData="true" SearchScope="${scope}"><m:UnresolvedEntry>${entry}</m:UnresolvedEntry></m:ResolveNames>`
  for (const entry of ['per', 'Shelley', 'smtp:percy@poets.test']) {
    const found = await ask(exchange, resolve(entry, 'Contacts'))
    expect(texts(all(found.body, 'Mailbox')[0], 'EmailAddress')).toEqual(['percy@poets.test'])
    expect(texts(all(found.body, 'Contact')[0], 'DisplayName')).toEqual(['Percy Shelley'])
  }
  expect(codes(await ask(exchange, resolve('per', 'ActiveDirectory')))).toEqual(['ErrorNameResolutionNoResults'])
})

test('changes of another client are synchronized', async () => {
  const sync = async (state: string) => {
    const request = `<m:SyncFolderItems>${itemShape()}<m:SyncFolderId>${standard('contacts')}</m:SyncFolderId>${state}<m:MaxChangesReturned>512</m:MaxChangesReturned></m:SyncFolderItems>`
    const { body } = await ask(exchange, request)
    return { body, state: `<m:SyncState>${texts(body, 'SyncState')[0]}</m:SyncState>` }
  }
  const first = await sync('')
  const { id } = ada.contacts.addContact({ GivenName: 'New' })
  const second = await sync(first.state)
  expect(all(second.body, 'Create')).toHaveLength(1)
  ada.contacts.changeContact(id, { GivenName: 'Newer', PhoneNumbers: { Entry: { '@Key': 'HomePhone', '#': '1' } } })
  ada.contacts.setPicture(id, { contentType: 'image/png', bytes: Buffer.from('x') })
  const third = await sync(second.state)
  expect(all(third.body, 'Update')).toHaveLength(1)
  expect(ada.contacts.list().find((one) => one.id === id)).toMatchObject({
    texts: { GivenName: 'Newer' },
    phones: { HomePhone: '1' },
  })
  ada.contacts.deleteContact(id)
  expect(all((await sync(third.state)).body, 'Delete')).toHaveLength(1)
})
