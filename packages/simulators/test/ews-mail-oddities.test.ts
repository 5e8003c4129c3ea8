import { expect, test } from 'vitest'
import { all, ask, codes, openExchange, texts } from './ews-account.ts'
import {
  at,
  createItem,
  findItem,
  getItem,
  good,
  idsOf,
  idXml,
  is,
  mailbox,
  messagesOf,
  mimeMail,
  tag,
} from './ews-items.ts'
import { standard } from './ews-requests.ts'
import { hasEwsSchema } from './ews-schema.ts'

test('a server can rebuild MIME, change Message-IDs, change saved items and use directory names for people', async () => {
  const oddities = { rebuildsMime: true, renamesSent: true, changesSaved: true, namesByDirectory: true }
  await using opened = await openExchange({ oddities })
  const { exchange } = opened
  const [ada, grace] = exchange.accounts()
  const source = mimeMail({
    From: ada?.email ?? '',
    To: grace?.email ?? '',
    'Message-ID': '<given@example.net>',
    'X-Own': 'mine',
  })
  const content = `<t:Message><t:MimeContent>${Buffer.from(source).toString('base64')}</t:MimeContent></t:Message>`
  await good(exchange, createItem(content, { disposition: 'SendAndSaveCopy' }))
  const [got] = grace?.mail.list() ?? []
  const raw = Buffer.from(grace?.mail.read(got?.id ?? '').raw ?? []).toString()
  expect(raw).toMatch(/^Message-ID: <.+@exchange\.example>\r$/m)
  expect(raw).not.toContain('given@example.net')
  const shown = await good(
    exchange,
    getItem([got?.id ?? ''], { base: 'AllProperties', inside: '<t:IncludeMimeContent>true</t:IncludeMimeContent>' }),
    { user: grace?.email ?? '' },
  )
  const [message] = messagesOf(shown)
  const mime = Buffer.from(at(message, 'MimeContent') ?? '', 'base64').toString()
  expect(mime).toContain('Subject:')
  expect(mime).not.toContain('X-Own')
  expect(at(message, 'From', 'Mailbox', 'RoutingType')).toBe('EX')
  const name = at(message, 'From', 'Mailbox', 'EmailAddress') ?? ''
  const resolved = await good(
    exchange,
    `<m:ResolveNames ReturnFullContactData="false" SearchScope="ActiveDirectory"><m:UnresolvedEntry>${name}</m:UnresolvedEntry></m:ResolveNames>`,
  )
  expect(texts(resolved.body, 'EmailAddress')).toEqual([ada?.email])
  const [draft] = idsOf(
    await good(
      exchange,
      createItem(`<t:Message><t:ToRecipients>${mailbox(grace?.email ?? '')}</t:ToRecipients></t:Message>`),
    ),
  )
  const send = `<m:SendItem SaveItemToFolder="true"><m:ItemIds>${idXml(draft?.id ?? '', draft?.changeKey)}</m:ItemIds></m:SendItem>`
  expect(codes(await ask(exchange, send))).toEqual(['ErrorStaleObject'])
})

test('control characters in mail are omitted, or returned as references that XML does not allow', async () => {
  const subject = mimeMail({ Subject: '=?utf-8?Q?a=1Ab?=' })
  await using clean = await openExchange()
  const { id } = clean.exchange.account('ada@exchange.example').mail.deliver(subject)
  const answer = await good(clean.exchange, getItem([id], { base: 'Default' }))
  expect(at(messagesOf(answer)[0], 'Subject')).toBe('ab')
  const { exchange, ...odd } = await openExchange({ oddities: { writesControlCharacters: true } })
  const delivered = exchange.account('ada@exchange.example').mail.deliver(subject)
  const found = await ask(exchange, getItem([delivered.id], { base: 'Default' }))
  expect(found.text).toContain('<t:Subject>a&#x1A;b</t:Subject>')
  const closed = odd[Symbol.asyncDispose]()
  // Only the schema validator reports what is wrong.
  await (hasEwsSchema ? expect(closed).rejects.toThrow('invalid xmlChar value 26') : closed)
})

test('MIME with a repeated boundary, and a request that is too large, are refused', async () => {
  await using opened = await openExchange({ maxRequestBytes: 10_000 })
  const parts = '--b\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--'
  const source = mimeMail({ 'Content-Type': 'multipart/mixed; boundary=b' }, parts)
  const content = `<t:Message><t:MimeContent>${Buffer.from(source).toString('base64')}</t:MimeContent></t:Message>`
  expect(codes(await ask(opened.exchange, createItem(content)))).toEqual(['ErrorMimeContentConversionFailed'])
  const large = createItem(`<t:Message><t:Body BodyType="Text">${'x'.repeat(10_000)}</t:Body></t:Message>`)
  expect((await ask(opened.exchange, large)).status).toBe(413)
})

test('a server can refuse to compare binary properties, return empty pages that are not the last, and omit new ids', async () => {
  await using opened = await openExchange({
    oddities: { refusesBinaryRestrictions: true, stallsPages: true, tellsNoNewIds: true },
  })
  const { exchange } = opened
  const { mail } = exchange.account('ada@exchange.example')
  const { id, searchKey } = mail.deliver(mimeMail({ Subject: 'One' }))
  mail.deliver(mimeMail({ Subject: 'Two' }))
  const restriction = is('IsEqualTo', tag('0x300B', 'Binary'), searchKey)
  expect(codes(await ask(exchange, findItem({ restriction })))).toEqual(['ErrorInvalidRestriction'])
  const page = async (offset: number) => {
    const view = `<m:IndexedPageItemView MaxEntriesReturned="1" Offset="${offset}" BasePoint="Beginning"/>`
    const answer = await good(exchange, findItem({ view }))
    return [messagesOf(answer).length, all(answer.body, 'RootFolder')[0]?.attributes.IndexedPagingOffset]
  }
  expect([await page(0), await page(1)]).toEqual([
    [1, '1'],
    [0, '0'],
  ])
  const move = `<m:MoveItem><m:ToFolderId>${standard('junkemail')}</m:ToFolderId><m:ItemIds>${idXml(id)}</m:ItemIds></m:MoveItem>`
  expect(idsOf(await good(exchange, move))).toEqual([])
  expect(mail.read(searchKey).folder).toBe('junkemail')
})
