import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { all, ask, codes, openExchange, texts } from './ews-account.ts'
import {
  at,
  contains,
  findItem,
  getItem,
  good,
  is,
  messagesOf,
  mimeMail,
  pathOf,
  subjectsOf,
  tag,
} from './ews-items.ts'
import { standard } from './ews-requests.ts'

const { exchange, check, ...opened } = await openExchange()
let ada = exchange.account('ada@exchange.example')
let user = ada.email
let count = 0
beforeEach(() => {
  user = `reader${++count}@exchange.example`
  ada = exchange.addAccount({ email: user, name: 'Ada Lovelace', password: 'simulated-password' })
})
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

const day = (number: number) => Date.UTC(2026, 0, number, 12)
const find = (wish: Parameters<typeof findItem>[0]) => ask(exchange, findItem(wish), { user })

test('a list contains the requested folders, newest first, and truncates values', async () => {
  const long = 'x'.repeat(400)
  ada.mail.deliver(mimeMail({ Subject: long, To: '"Ada Lovelace" <ada@exchange.example>', Cc: 'bob@example.com' }), {
    at: day(1),
  })
  ada.mail.deliver(mimeMail({ Subject: 'Newer' }), { at: day(2), isRead: true })
  ada.mail.deliver(mimeMail({ Subject: 'Elsewhere' }), { folder: 'junkemail', at: day(3) })
  const wanted = [
    'item:Subject',
    'item:Body',
    'message:From',
    'message:ToRecipients',
    'item:DisplayTo',
    'item:DisplayCc',
    'message:IsRead',
  ]
  const answer = await find({ folders: standard('inbox', 'junkemail', 'drafts'), fields: wanted })
  expect(codes(answer)).toEqual(['NoError', 'NoError', 'NoError'])
  expect(all(answer.body, 'RootFolder').map(({ attributes }) => attributes.TotalItemsInView)).toEqual(['2', '1', '0'])
  expect(subjectsOf(answer)).toEqual(['Newer', 'x'.repeat(255), 'Elsewhere'])
  const [, older] = messagesOf(answer)
  expect(older?.children.map(({ name }) => name)).toEqual([
    'ItemId',
    'Subject',
    'DisplayCc',
    'DisplayTo',
    'From',
    'IsRead',
  ])
  expect(all(older, 'From')[0]?.children[0]?.children.map(({ name, text }) => [name, text])).toEqual([
    ['Name', 'Carol'],
  ])
  expect([at(older, 'DisplayTo'), at(older, 'DisplayCc'), at(older, 'IsRead')]).toEqual([
    'Ada Lovelace',
    'bob@example.com',
    'false',
  ])
})

test('restrictions compare fields and extended properties as Exchange does', async () => {
  const mails = [
    mimeMail({ Subject: 'Apples and pears', 'Message-ID': '<apples@example.net>' }),
    mimeMail({ Subject: 'Crème brûlée', From: 'Dora <dora@example.org>', Importance: 'high' }),
    mimeMail({ Subject: 'Zebras' }),
  ]
  const entries = mails.map((mail, index) =>
    ada.mail.deliver(mail, { at: day(index + 1), isRead: index === 0, categories: index === 2 ? ['Blue', 'Red'] : [] }),
  )
  ada.mail.mark(entries[1]?.id ?? '', { isFlagged: true })
  const cases: [string, string[]][] = [
    [contains('item:Subject', 'and PEARS'), ['Apples and pears']],
    [contains('item:Subject', 'and PEARS', 'Substring', 'Exact'), []],
    [contains('item:Subject', 'creme', 'Prefixed', 'IgnoreCaseAndNonSpacingCharacters'), ['Crème brûlée']],
    [contains('item:Subject', 'pea', 'PrefixOnWords'), ['Apples and pears']],
    [contains('item:Subject', 'pea', 'ExactPhrase'), []],
    [contains('item:Subject', 'zebras', 'FullString'), ['Zebras']],
    [is('IsEqualTo', 'message:IsRead', 'true'), ['Apples and pears']],
    [is('IsEqualTo', 'message:From', 'dora'), ['Crème brûlée']],
    [is('IsEqualTo', 'item:Importance', 'High'), ['Crème brûlée']],
    [is('IsEqualTo', 'item:Categories', 'red'), ['Zebras']],
    [is('IsGreaterThan', 'item:DateTimeReceived', '2026-01-02T12:00:00Z'), ['Zebras']],
    [is('IsLessThanOrEqualTo', 'item:DateTimeReceived', '2026-01-02T12:00:00Z'), ['Crème brûlée', 'Apples and pears']],
    [is('IsEqualTo', tag('0x1035', 'String'), '&lt;apples@example.net&gt;'), ['Apples and pears']],
    [is('IsEqualTo', tag('0x300B', 'Binary'), entries[2]?.searchKey ?? ''), ['Zebras']],
    [is('IsEqualTo', tag('0x1090', 'Integer'), '2'), ['Crème brûlée']],
    [`<t:Not>${is('IsEqualTo', tag('0x1090', 'Integer'), '2')}</t:Not>`, ['Zebras', 'Apples and pears']],
    [is('IsNotEqualTo', tag('0x1090', 'Integer'), '2'), []],
    [`<t:Exists>${tag('0x1090', 'Integer')}</t:Exists>`, ['Crème brûlée']],
    [`<t:Excludes>${tag('0x0E07', 'Integer')}<t:Bitmask Value="0x1"/></t:Excludes>`, ['Zebras', 'Crème brûlée']],
    [
      `<t:And>${is('IsEqualTo', 'message:IsRead', 'false')}<t:Or>${contains('item:Subject', 'zeb')}${contains('item:Subject', 'app')}</t:Or></t:And>`,
      ['Zebras'],
    ],
    [
      `<t:IsEqualTo>${pathOf('item:DateTimeReceived')}<t:FieldURIOrConstant>${pathOf('item:DateTimeReceived')}</t:FieldURIOrConstant></t:IsEqualTo>`,
      ['Zebras', 'Crème brûlée', 'Apples and pears'],
    ],
  ]
  for (const [restriction, subjects] of cases) {
    const answer = await find({ restriction, fields: ['item:Subject'] })
    expect(subjectsOf(answer), restriction).toEqual(subjects)
  }
})

test('an invalid field in a restriction or an order is refused with its code', async () => {
  ada.mail.deliver(mimeMail({ Subject: 'One' }))
  const many = `<t:Or>${is('IsEqualTo', 'item:Subject', 'x').repeat(256)}</t:Or>`
  const cases: [string, string][] = [
    [contains('message:ToRecipients', 'ada'), 'ErrorUnsupportedPathForQuery'],
    [contains('message:IsRead', 'x'), 'ErrorContainsFilterWrongType'],
    [is('IsEqualTo', 'item:DateTimeReceived', 'true'), 'ErrorInvalidValueForProperty'],
    [`<t:Exists>${pathOf('message:IsRead')}</t:Exists>`, 'ErrorInvalidPropertyForExists'],
    [many, 'ErrorRestrictionTooLong'],
  ]
  for (const [restriction, code] of cases)
    expect(codes(await find({ restriction })), restriction.slice(0, 80)).toEqual([code])
  const order = `<t:FieldOrder Order="Ascending">${pathOf('message:ToRecipients')}</t:FieldOrder>`
  expect(codes(await find({ order }))).toEqual(['ErrorUnsupportedPathForSortGroup'])
  const both = await find({ restriction: is('IsEqualTo', 'item:Subject', 'One'), query: 'subject:One' })
  expect(codes(both)).toEqual(['ErrorInvalidRequest'])
})

test('lists are sorted and paged, by offset, from the end and by fraction', async () => {
  for (const number of [1, 2, 3, 4, 5]) ada.mail.deliver(mimeMail({ Subject: `S${number}` }), { at: day(number) })
  const order = `<t:FieldOrder Order="Ascending">${pathOf('item:Subject')}</t:FieldOrder>`
  const page = (view: string) => find({ order, view: `<m:${view}/>`, fields: ['item:Subject'] })
  const first = await page('IndexedPageItemView MaxEntriesReturned="2" Offset="0" BasePoint="Beginning"')
  expect(subjectsOf(first)).toEqual(['S1', 'S2'])
  expect(all(first.body, 'RootFolder')[0]?.attributes).toEqual({
    IndexedPagingOffset: '2',
    TotalItemsInView: '5',
    IncludesLastItemInRange: 'false',
  })
  const last = await page('IndexedPageItemView MaxEntriesReturned="2" Offset="4" BasePoint="Beginning"')
  expect(subjectsOf(last)).toEqual(['S5'])
  expect(all(last.body, 'RootFolder')[0]?.attributes.IncludesLastItemInRange).toBe('true')
  expect(subjectsOf(await page('IndexedPageItemView MaxEntriesReturned="2" Offset="0" BasePoint="End"'))).toEqual([
    'S4',
    'S5',
  ])
  expect(subjectsOf(await page('FractionalPageItemView MaxEntriesReturned="2" Numerator="2" Denominator="4"'))).toEqual(
    ['S3', 'S4'],
  )
  expect(codes(await page('FractionalPageItemView Numerator="3" Denominator="2"'))).toEqual([
    'ErrorInvalidFractionalPagingParameters',
  ])
  const view = `<m:SeekToConditionPageItemView MaxEntriesReturned="2" BasePoint="Beginning"><t:Condition>${is('IsGreaterThan', 'item:Subject', 'S2')}</t:Condition></m:SeekToConditionPageItemView>`
  expect(subjectsOf(await find({ order, view, fields: ['item:Subject'] }))).toEqual(['S3', 'S4'])
})

test('a word search finds prefixes, quoted phrases, people, files and days', async () => {
  ada.mail.deliver(
    mimeMail(
      { Subject: 'Quarterly report', From: 'Dora Miller <dora@example.org>', Cc: 'eve@example.com' },
      'The numbers are fine',
    ),
    { at: day(5), isRead: true },
  )
  ada.mail.deliver(
    mimeMail(
      { Subject: 'Picture', 'Content-Type': 'multipart/mixed; boundary=b' },
      '--b\r\n\r\nsee the report attached\r\n--b\r\nContent-Type: image/png; name="holiday.png"\r\nContent-Disposition: attachment; filename="holiday.png"\r\n\r\nPNG\r\n--b--',
    ),
    { at: day(10) },
  )
  const cases: [string, string[]][] = [
    ['repo', ['Picture', 'Quarterly report']],
    ['&quot;repo&quot;', []],
    ['&quot;quarterly report&quot;', ['Quarterly report']],
    ['subject:quart', ['Quarterly report']],
    ['from:dora', ['Quarterly report']],
    ['cc:eve', ['Quarterly report']],
    ['participants:eve@example.com', ['Quarterly report']],
    ['body:numbers AND NOT subject:picture', ['Quarterly report']],
    ['attachment:holi', ['Picture']],
    ['hasattachment:true', ['Picture']],
    ['isread:true', ['Quarterly report']],
    ['received:2026-01-10', ['Picture']],
    ['received&gt;=2026-01-06', ['Picture']],
    ['received:1/1/2026..1/6/2026', ['Quarterly report']],
    ['kind:email (from:dora OR subject:picture)', ['Picture', 'Quarterly report']],
    ['kind:contacts', []],
  ]
  for (const [query, subjects] of cases)
    expect(subjectsOf(await find({ query, fields: ['item:Subject'] })), query).toEqual(subjects)
  expect(codes(await find({ query: 'subject:(one' }))).toEqual(['ErrorInvalidArgument'])
})

test('a list ends after 1000 rows, a filtered one after 250, and a word search ends there completely', async () => {
  for (let number = 0; number < 1005; number++)
    ada.mail.deliver(mimeMail({ Subject: `Many ${number}` }), { at: day(1) + number * 1000 })
  const rows = async (wish: Parameters<typeof findItem>[0]) => {
    const answer = await find(wish)
    const { TotalItemsInView, IncludesLastItemInRange } = all(answer.body, 'RootFolder')[0]?.attributes ?? {}
    return [messagesOf(answer).length, Number(TotalItemsInView), IncludesLastItemInRange]
  }
  expect(await rows({})).toEqual([1000, 1005, 'false'])
  const restriction = contains('item:Subject', 'Many')
  expect(await rows({ restriction })).toEqual([250, 1005, 'false'])
  const view = '<m:IndexedPageItemView MaxEntriesReturned="500" Offset="900" BasePoint="Beginning"/>'
  expect(await rows({ restriction, view })).toEqual([105, 1005, 'true'])
  expect(await rows({ query: 'subject:Many' })).toEqual([250, 250, 'true'])
})

test('the hidden search folder AllItems contains the items of all folders', async () => {
  ada.mail.deliver(mimeMail({ Subject: 'Here' }), { at: day(1) })
  ada.mail.deliver(mimeMail({ Subject: 'There' }), { folder: 'deleteditems', at: day(2) })
  const shallow = await good(
    exchange,
    `<m:FindFolder Traversal="Shallow"><m:FolderShape><t:BaseShape>Default</t:BaseShape></m:FolderShape><m:ParentFolderIds>${standard('root')}</m:ParentFolderIds></m:FindFolder>`,
    { user },
  )
  const folder = all(shallow.body, 'SearchFolder').find((each) => at(each, 'DisplayName') === 'AllItems')
  const id = all(folder, 'FolderId')[0]?.attributes.Id
  const answer = await find({ folders: `<t:FolderId Id="${id}"/>`, fields: ['item:Subject'] })
  expect(subjectsOf(answer)).toEqual(['There', 'Here'])
})

test('an item is returned in the requested shape', async () => {
  const { id } = ada.mail.deliver(
    mimeMail(
      {
        Subject: 'Re: Grüße',
        Cc: 'Bob <bob@example.com>',
        'Reply-To': 'list@example.net',
        References: '<one@example.net> <two@example.net>',
        'In-Reply-To': '<two@example.net>',
        'X-Own': 'value',
        'Content-Type': 'text/html; charset=utf-8',
      },
      '<p>Hello <b>Ada</b></p>',
    ),
    { at: day(1), categories: ['Blue'] },
  )
  const get = (wish: Parameters<typeof getItem>[1]) => good(exchange, getItem([id], wish), { user })
  const names = async (wish: Parameters<typeof getItem>[1]) =>
    (messagesOf(await get(wish))[0]?.children ?? []).map(({ name }) => name)
  expect(await names({})).toEqual(['ItemId'])
  expect(await names({ base: 'Default' })).toEqual([
    'ItemId',
    'Subject',
    'Sensitivity',
    'Body',
    'Size',
    'DateTimeSent',
    'DateTimeCreated',
    'ResponseObjects',
    'HasAttachments',
    'ToRecipients',
    'IsReadReceiptRequested',
    'IsDeliveryReceiptRequested',
    'From',
    'IsRead',
  ])
  const whole = await get({ base: 'AllProperties', inside: '<t:IncludeMimeContent>true</t:IncludeMimeContent>' })
  const [message] = messagesOf(whole)
  expect(Buffer.from(at(message, 'MimeContent') ?? '', 'base64').toString()).toContain('X-Own: value')
  expect(at(message, 'Body')).toContain('<p>Hello <b>Ada</b></p>')
  expect(at(message, 'InReplyTo')).toBe('<two@example.net>')
  expect(at(message, 'References')).toBe('<one@example.net> <two@example.net>')
  expect(at(message, 'ConversationTopic')).toBe('Grüße')
  expect(texts(all(message, 'Categories')[0], 'String')).toEqual(['Blue'])
  expect(texts(all(message, 'ReplyTo')[0], 'EmailAddress')).toEqual(['list@example.net'])
  expect(at(message, 'Flag', 'FlagStatus')).toBe('NotFlagged')
  expect(all(message, 'InternetMessageHeader').find(({ attributes }) => attributes.HeaderName === 'X-Own')?.text).toBe(
    'value',
  )
  const text = await get({
    inside: '<t:BodyType>Text</t:BodyType>',
    fields: ['item:Body', 'item:TextBody', 'item:Preview', 'item:UniqueBody'],
  })
  expect(at(messagesOf(text)[0], 'Body')).toBe('Hello Ada')
  expect(all(text.body, 'Body')[0]?.attributes.BodyType).toBe('Text')
  const own =
    '<t:ExtendedFieldURI DistinguishedPropertySetId="InternetHeaders" PropertyName="X-Own" PropertyType="String"/>'
  const extended = await get({
    fields: [tag('0x0E07', 'Integer'), tag('0x300B', 'Binary'), tag('0x1081', 'Integer'), own],
  })
  expect(texts(extended.body, 'Value')).toEqual(['2', ada.mail.read(id).searchKey, 'value'])
  expect(
    codes(await ask(exchange, getItem([id], { fields: ['item:Flag'] }), { user, version: 'Exchange2010_SP2' })),
  ).toEqual(['ErrorInvalidPropertyRequest'])
})
