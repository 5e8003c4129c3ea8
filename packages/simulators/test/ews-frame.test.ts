import { afterAll, afterEach, expect, test } from 'vitest'
import { seededExchange } from '../src/index.ts'
import { all, ask, codes, openExchange, texts } from './ews-account.ts'
import { findFolder, getFolder, standard } from './ews-requests.ts'
import { checkEnvelope, checkingSchema, hasEwsSchema } from './ews-schema.ts'

const { exchange, check, ...opened } = await openExchange()
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

test('folders are returned by their distinguished ids, each with its own result', async () => {
  const answer = await ask(exchange, getFolder(standard('inbox', 'calendar', 'contacts', 'archiveinbox')))
  expect(codes(answer)).toEqual(['NoError', 'NoError', 'NoError', 'ErrorFolderNotFound'])
  expect(texts(answer.body, 'DisplayName')).toEqual(['Inbox', 'Calendar', 'Contacts'])
  expect(all(answer.body, 'CalendarFolder')).toHaveLength(1)
  expect(answer.text).toContain('<h:ServerVersionInfo MajorVersion="15" MinorVersion="1"')
})

test('a folder is returned in the requested shape', async () => {
  const idOnly = await ask(exchange, getFolder(standard('inbox'), { base: 'IdOnly' }))
  expect(all(idOnly.body, 'Folder')[0]?.children.map(({ name }) => name)).toEqual(['FolderId'])
  const more =
    '<t:FieldURI FieldURI="folder:FolderClass"/><t:ExtendedFieldURI PropertyTag="0x670A" PropertyType="SystemTime"/>'
  const extended = await ask(exchange, getFolder(standard('inbox'), { base: 'IdOnly', more }))
  expect(all(extended.body, 'Folder')[0]?.children.map(({ name }) => name)).toEqual([
    'FolderId',
    'FolderClass',
    'ExtendedProperty',
  ])
  expect(texts(extended.body, 'Value')[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const whole = await ask(exchange, getFolder(standard('inbox'), { base: 'AllProperties' }))
  expect(texts(whole.body, 'DistinguishedFolderId')).toEqual(['inbox'])
})

test('folders below another are found, shallow or deep, in pages', async () => {
  const shallow = await ask(exchange, findFolder('Shallow', { parent: 'root' }))
  expect(texts(shallow.body, 'DisplayName')).toContain('AllItems')
  expect(texts(shallow.body, 'DisplayName')).not.toContain('Inbox')
  const deep = await ask(exchange, findFolder('Deep', { parent: 'root', base: 'AllProperties' }))
  expect(texts(deep.body, 'DisplayName')).toContain('Inbox')
  const total = Number(all(deep.body, 'RootFolder')[0]?.attributes.TotalItemsInView)
  const names: string[] = []
  for (let offset = 0; offset < total; offset += 10) {
    const view = `<m:IndexedPageFolderView MaxEntriesReturned="10" Offset="${offset}" BasePoint="Beginning"/>`
    const page = await ask(exchange, findFolder('Deep', { parent: 'root', view }))
    expect(all(page.body, 'RootFolder')[0]?.attributes).toMatchObject({
      IndexedPagingOffset: String(Math.min(total, offset + 10)),
      IncludesLastItemInRange: String(offset + 10 >= total),
    })
    names.push(...texts(page.body, 'DisplayName'))
  }
  expect(names).toEqual(texts(deep.body, 'DisplayName'))
})

test('folders are found by their properties', async () => {
  const where = (inside: string) =>
    findFolder('Deep', { parent: 'root', restriction: `<m:Restriction>${inside}</m:Restriction>` })
  const is = (path: string, value: string) =>
    `<t:IsEqualTo>${path}<t:FieldURIOrConstant><t:Constant Value="${value}"/></t:FieldURIOrConstant></t:IsEqualTo>`
  const names = async (restriction: string) => texts((await ask(exchange, where(restriction))).body, 'DisplayName')
  expect(await names(is('<t:FieldURI FieldURI="folder:DisplayName"/>', 'AllItems'))).toEqual(['AllItems'])
  const hidden = is('<t:ExtendedFieldURI PropertyTag="0x10F4" PropertyType="Boolean"/>', 'true')
  const noted = is('<t:FieldURI FieldURI="folder:FolderClass"/>', 'IPF.Note')
  expect(await names(`<t:And>${hidden}${noted}</t:And>`)).toEqual(expect.arrayContaining(['Sync Issues']))
  expect(await names(`<t:Not>${hidden}</t:Not>`)).not.toContain('Sync Issues')
  const rights = is('<t:FieldURI FieldURI="folder:EffectiveRights"/>', 'x')
  expect(codes(await ask(exchange, where(rights)))).toEqual(['ErrorUnsupportedPathForQuery'])
})

test('ids are long and case-sensitive', async () => {
  const given = await ask(exchange, getFolder(standard('inbox'), { base: 'IdOnly' }))
  const id = all(given.body, 'FolderId')[0]?.attributes.Id ?? ''
  expect(id.length).toBeGreaterThan(100)
  const again = await ask(exchange, getFolder(`<t:FolderId Id="${id}"/>`))
  expect(texts(again.body, 'DisplayName')).toEqual(['Inbox'])
  for (const other of [id.toLowerCase(), 'AAMk', id.slice(0, 60)]) {
    expect(codes(await ask(exchange, getFolder(`<t:FolderId Id="${other}"/>`)))).toEqual(['ErrorInvalidIdMalformed'])
  }
})

test.skipIf(!hasEwsSchema)('schema violations are detected', () => {
  const envelope = (inside: string) =>
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><m:GetFolderResponse
      xmlns:m="http://schemas.microsoft.com/exchange/services/2006/messages"
      xmlns:t="http://schemas.microsoft.com/exchange/services/2006/types"><m:ResponseMessages>
      <m:GetFolderResponseMessage ResponseClass="Success"><m:ResponseCode>NoError</m:ResponseCode><m:Folders><t:Folder>${inside}
      </t:Folder></m:Folders></m:GetFolderResponseMessage></m:ResponseMessages></m:GetFolderResponse></s:Body></s:Envelope>`
  const good = '<t:DisplayName>Inbox</t:DisplayName><t:TotalCount>1</t:TotalCount>'
  expect(() => checkEnvelope(envelope(good))).not.toThrow()
  expect(() => checkEnvelope(envelope('<t:TotalCount>1</t:TotalCount><t:DisplayName>Inbox</t:DisplayName>'))).toThrow(
    /DisplayName/,
  )
})

test('the seeded Exchange has two people with mail, events and each other as contacts', async () => {
  await using seeded = await seededExchange()
  const checkSeeded = checkingSchema(seeded)
  const [ada, grace] = seeded.accounts()
  expect([ada?.email, grace?.email, seeded.accounts().length]).toEqual([
    'ada@exchange.example',
    'grace@exchange.example',
    2,
  ])
  const counts = await ask(seeded, getFolder(standard('inbox', 'sentitems', 'calendar', 'contacts')))
  // Two messages were received; a reply and a meeting invitation were sent; a meeting and an event; one contact.
  expect(texts(counts.body, 'TotalCount')).toEqual(['2', '2', '2', '1'])
  // The reply and the invitation.
  const hers = await ask(seeded, getFolder(standard('inbox', 'calendar')), { user: 'grace@exchange.example' })
  expect(texts(hers.body, 'TotalCount')).toEqual(['2', '1'])
  const page = await fetch(seeded.url)
  expect(await page.text()).toContain('EXCHANGE\\ada')
  checkSeeded()
})
