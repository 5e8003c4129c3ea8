import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
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
  pathOf,
  setItemField,
  subjectsOf,
  tag,
  updateItem,
} from './ews-items.ts'
import { standard } from './ews-requests.ts'

const { exchange, check, ...opened } = await openExchange()
let ada = exchange.account('ada@exchange.example')
let grace = exchange.account('grace@exchange.example')
let user = ada.email
let count = 0
beforeEach(() => {
  user = `writer${++count}@exchange.example`
  ada = exchange.addAccount({ email: user, name: 'Ada Lovelace', password: 'simulated-password' })
  const other = `reader${count}@exchange.example`
  grace = exchange.addAccount({ email: other, name: 'Grace Hopper', password: 'simulated-password' })
})
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

const requested = (body: string) => ask(exchange, body, { user })
const done = (body: string) => good(exchange, body, { user })
const one = async (body: string) => {
  const [found] = idsOf(await done(body))
  if (found === undefined) throw new Error('There is no id in the answer')
  return found
}
const draft = (inside: string, wish = {}) => one(createItem(`<t:Message>${inside}</t:Message>`, wish))
const mimeContent = (source: string) => `<t:MimeContent>${Buffer.from(source).toString('base64')}</t:MimeContent>`

test('a message is created from its properties, as a draft of its owner', async () => {
  const { id } = await draft(
    `<t:Subject>Plans</t:Subject><t:Body BodyType="HTML">&lt;p&gt;Hi&lt;/p&gt;</t:Body><t:Categories><t:String>Blue</t:String></t:Categories>
     <t:Importance>High</t:Importance><t:InReplyTo>&lt;one@example.net&gt;</t:InReplyTo>
     <t:ExtendedProperty><t:ExtendedFieldURI DistinguishedPropertySetId="InternetHeaders" PropertyName="X-Own" PropertyType="String"/><t:Value>mine</t:Value></t:ExtendedProperty>
     <t:ExtendedProperty><t:ExtendedFieldURI PropertySetId="c11ff724-aa03-4555-9952-8fa248a11c3e" PropertyName="mark" PropertyType="String"/><t:Value>kept</t:Value></t:ExtendedProperty>
     <t:ToRecipients>${mailbox(grace.email)}${mailbox('bob@example.com', 'Bob')}</t:ToRecipients><t:BccRecipients>${mailbox('eve@example.com')}</t:BccRecipients>`,
  )
  const own =
    '<t:ExtendedFieldURI PropertySetId="c11ff724-aa03-4555-9952-8fa248a11c3e" PropertyName="mark" PropertyType="String"/>'
  const answer = await done(
    getItem([id], {
      base: 'AllProperties',
      inside: '<t:IncludeMimeContent>true</t:IncludeMimeContent>',
      fields: [own],
    }),
  )
  const [message] = messagesOf(answer)
  expect([at(message, 'IsDraft'), at(message, 'Importance'), at(message, 'InReplyTo'), at(message, 'IsRead')]).toEqual([
    'true',
    'High',
    '<one@example.net>',
    'true',
  ])
  expect(texts(all(message, 'ToRecipients')[0], 'Name')).toEqual(['Grace Hopper', 'Bob'])
  expect(texts(all(message, 'ToRecipients')[0], 'MailboxType')).toEqual(['Mailbox', 'OneOff'])
  expect(texts(all(message, 'From')[0], 'EmailAddress')).toEqual([user])
  expect(all(message, 'InternetMessageHeaders')).toEqual([])
  expect(texts(message, 'Value')).toEqual(['kept'])
  const mime = Buffer.from(at(message, 'MimeContent') ?? '', 'base64').toString()
  expect(mime).toMatch(/^x-own: mine$/m)
  expect(mime).toContain('Bcc: <eve@example.com>')
  expect(ada.mail.list()).toMatchObject([{ folder: 'drafts', isDraft: true, subject: 'Plans' }])
})

test('a MIME message is a draft unless its flags say that it was sent, and keeps its Message-ID', async () => {
  const source = mimeMail({ Subject: 'Imported', 'Message-ID': '<imported@example.net>', 'X-Own': 'mine' })
  await draft(mimeContent(source))
  const flags = `<t:ExtendedProperty>${tag('0x0E07', 'Integer')}<t:Value>0</t:Value></t:ExtendedProperty>`
  const times = `<t:ExtendedProperty>${tag('0x0E06', 'SystemTime')}<t:Value>2020-02-03T04:05:06Z</t:Value></t:ExtendedProperty>`
  const { id } = await draft(mimeContent(source) + flags + times, { folder: 'inbox' })
  const answer = await done(getItem([id], { base: 'AllProperties' }))
  const [message] = messagesOf(answer)
  expect([at(message, 'IsDraft'), at(message, 'IsRead'), at(message, 'DateTimeReceived')]).toEqual([
    'false',
    'false',
    '2020-02-03T04:05:06Z',
  ])
  expect(at(message, 'InternetMessageId')).toBe('<imported@example.net>')
  expect(all(message, 'InternetMessageHeader').map(({ attributes }) => attributes.HeaderName)).toContain('X-Own')
  expect(ada.mail.list().map(({ folder, isDraft }) => [folder, isDraft])).toContainEqual(['drafts', true])
  for (const [content, code] of [
    ['<t:MimeContent>%%%</t:MimeContent>', 'ErrorMimeContentInvalidBase64String'],
    [mimeContent('no header at all'), 'ErrorMimeContentInvalid'],
  ]) {
    expect(codes(await requested(createItem(`<t:Message>${content}</t:Message>`)))).toEqual([code])
  }
})

test('a sent message has no id, a copy in Sent Items, and arrives with its Message-ID; Bcc is hidden', async () => {
  const source = mimeMail({
    From: `Other Name <${user}>`,
    To: grace.email,
    Bcc: user,
    Subject: 'Hello',
    'Message-ID': '<sent@example.net>',
    'X-Own': 'mine',
  })
  const answer = await done(
    createItem(`<t:Message>${mimeContent(source)}</t:Message>`, {
      disposition: 'SendAndSaveCopy',
      folder: 'sentitems',
    }),
  )
  expect(idsOf(answer)).toEqual([])
  expect(
    ada.mail
      .list()
      .map(({ folder }) => folder)
      .toSorted(),
  ).toEqual(['inbox', 'sentitems'])
  const copy = ada.mail.list().find(({ folder }) => folder === 'sentitems')
  const shown = await done(getItem([copy?.id ?? ''], { base: 'AllProperties' }))
  expect(at(messagesOf(shown)[0], 'InternetMessageId')).toBe('<sent@example.net>')
  expect(texts(all(shown.body, 'BccRecipients')[0], 'EmailAddress')).toEqual([user])
  // A message written here was never transported, so it has no such headers.
  expect(all(shown.body, 'InternetMessageHeaders')).toEqual([])
  const [got] = grace.mail.list()
  const raw = Buffer.from(grace.mail.read(got?.id ?? '').raw).toString()
  expect(got).toMatchObject({ folder: 'inbox', isRead: false, isDraft: false })
  expect(raw).toMatch(/^Message-ID: <sent@example\.net>\r$/m)
  expect(raw).toMatch(/^X-Own: mine\r$/m)
  expect(raw).toMatch(/^From: "Ada Lovelace" </m)
  expect(raw).toMatch(/^Received: /m)
  expect(raw).not.toMatch(/^Bcc:/im)
  const only = createItem(
    `<t:Message><t:Subject>Only</t:Subject><t:ToRecipients>${mailbox(grace.email)}</t:ToRecipients></t:Message>`,
    { disposition: 'SendOnly' },
  )
  await done(only)
  expect(ada.mail.list().map(({ subject }) => subject)).not.toContain('Only')
  expect(grace.mail.list().map(({ subject }) => subject)).toContain('Only')
})

test('a draft is sent by its change key, and moves to Sent Items', async () => {
  const before = await draft(`<t:Subject>Draft</t:Subject><t:ToRecipients>${mailbox(grace.email)}</t:ToRecipients>`)
  const send = (key?: string, more = '', saves = true) =>
    `<m:SendItem SaveItemToFolder="${saves}"><m:ItemIds>${idXml(before.id, key)}</m:ItemIds>${more}</m:SendItem>`
  expect(codes(await requested(send()))).toEqual(['ErrorChangeKeyRequiredForWriteOperations'])
  const { changeKey } = await one(
    updateItem(setItemField('item:Subject', '<t:Subject>Final</t:Subject>'), { id: before.id }),
  )
  expect(codes(await requested(send(before.changeKey)))).toEqual(['ErrorStaleObject'])
  const saved = `<m:SavedItemFolderId>${standard('sentitems')}</m:SavedItemFolderId>`
  expect(codes(await requested(send(changeKey, saved, false)))).toEqual(['ErrorInvalidSendItemSaveSettings'])
  await done(send(changeKey, saved))
  expect(ada.mail.list()).toMatchObject([{ subject: 'Final', folder: 'sentitems', isDraft: false, isRead: true }])
  expect(ada.mail.list()[0]?.id).not.toBe(before.id)
  expect(grace.mail.list()).toMatchObject([{ subject: 'Final', folder: 'inbox' }])
  expect(codes(await requested(send(changeKey)))).toEqual(['ErrorItemNotFound'])
})

test('an unknown address bounces, and an invalid message is refused', async () => {
  const to = (people: string, more = '') =>
    createItem(`<t:Message><t:Subject>Wrong</t:Subject><t:ToRecipients>${people}</t:ToRecipients>${more}</t:Message>`, {
      disposition: 'SendAndSaveCopy',
    })
  await done(to(mailbox('nobody@exchange.example') + mailbox('somebody@elsewhere.example')))
  const bounce = ada.mail.list().find(({ folder }) => folder === 'inbox')
  expect(bounce).toMatchObject({ subject: 'Undeliverable: Wrong', itemClass: 'REPORT.IPM.Note.NDR' })
  const raw = Buffer.from(ada.mail.read(bounce?.id ?? '').raw).toString()
  expect(raw).toContain('Final-Recipient: rfc822;nobody@exchange.example')
  expect(raw).not.toContain('elsewhere')
  expect(messagesOf(await done(getItem([bounce?.id ?? ''], { base: 'AllProperties' })))).toHaveLength(1)
  expect(codes(await requested(to(mailbox('no address'))))).toEqual(['ErrorInvalidRecipients'])
  expect(
    codes(
      await requested(createItem('<t:Message><t:Subject>None</t:Subject></t:Message>', { disposition: 'SendOnly' })),
    ),
  ).toEqual(['ErrorInvalidRecipients'])
  const other = `<t:From>${mailbox(grace.email)}</t:From>`
  expect(codes(await requested(to(mailbox('a@example.com'), other)))).toEqual(['ErrorSendAsDenied'])
  grace.shareWith(user, { sendAs: true })
  await done(to(mailbox(user), other))
  const got = ada.mail.list().find(({ subject, folder }) => subject === 'Wrong' && folder === 'inbox')
  const shown = await done(getItem([got?.id ?? ''], { base: 'AllProperties' }))
  expect(texts(all(shown.body, 'From')[0], 'EmailAddress')).toEqual([grace.email])
  expect(
    codes(
      await requested(
        createItem('<t:Message/>', { disposition: 'SaveOnly' }).replace(' MessageDisposition="SaveOnly"', ''),
      ),
    ),
  ).toEqual(['ErrorMessageDispositionRequired'])
})

test('fields are set, appended to and deleted separately, all of them or none', async () => {
  const { id } = await draft('<t:Subject>Old</t:Subject><t:Body BodyType="Text">One</t:Body>')
  const append = `<t:AppendToItemField>${pathOf('item:Body')}<t:Message><t:Body BodyType="Text"> two</t:Body></t:Message></t:AppendToItemField>`
  const people = `<t:AppendToItemField>${pathOf('message:ToRecipients')}<t:Message><t:ToRecipients>${mailbox(grace.email)}</t:ToRecipients></t:Message></t:AppendToItemField>`
  const remove = `<t:DeleteItemField>${pathOf('item:Subject')}</t:DeleteItemField>`
  const flag = setItemField('item:Flag', '<t:Flag><t:FlagStatus>Flagged</t:FlagStatus></t:Flag>')
  await done(updateItem(append + people + remove + flag, { id }))
  const [message] = messagesOf(await done(getItem([id], { base: 'AllProperties', fields: [tag('0x1090', 'Integer')] })))
  expect([at(message, 'Body'), at(message, 'Subject'), at(message, 'DisplayTo')]).toEqual([
    'One two',
    undefined,
    'Grace Hopper',
  ])
  expect([at(message, 'Flag', 'FlagStatus'), at(message, 'ExtendedProperty', 'Value')]).toEqual(['Flagged', '2'])
  const wrong: [string, string][] = [
    [
      setItemField('item:DateTimeReceived', '<t:DateTimeReceived>2020-01-01T00:00:00Z</t:DateTimeReceived>'),
      'ErrorInvalidPropertySet',
    ],
    [setItemField('item:Subject', '<t:Importance>High</t:Importance>'), 'ErrorUpdatePropertyMismatch'],
    [
      setItemField('item:Subject', '<t:Subject>a</t:Subject><t:Importance>High</t:Importance>'),
      'ErrorIncorrectUpdatePropertyCount',
    ],
    [
      append.replaceAll('item:Body', 'item:Subject').replace(/<t:Body.*<\/t:Body>/, '<t:Subject>x</t:Subject>'),
      'ErrorInvalidPropertyAppend',
    ],
    [`<t:DeleteItemField>${pathOf('item:ItemId')}</t:DeleteItemField>`, 'ErrorInvalidPropertyDelete'],
  ]
  for (const [update, code] of wrong) {
    const both = setItemField('item:Subject', '<t:Subject>Never</t:Subject>') + update
    expect(codes(await requested(updateItem(both, { id })))).toEqual([code])
  }
  expect(subjectsOf(await done(getItem([id], { fields: ['item:Subject'] })))).toEqual([undefined])
  const sent = ada.mail.deliver(mimeMail({ Subject: 'Came' }))
  const receipt = setItemField(
    'message:IsReadReceiptRequested',
    '<t:IsReadReceiptRequested>true</t:IsReadReceiptRequested>',
  )
  expect(codes(await requested(updateItem(receipt, { id: sent.id })))).toEqual([
    'ErrorInvalidPropertyUpdateSentMessage',
  ])
})

test('a change with an old change key fails or is merged, as requested', async () => {
  const first = await draft('<t:Subject>One</t:Subject>')
  const subject = (text: string) => setItemField('item:Subject', `<t:Subject>${text}</t:Subject>`)
  const second = await one(updateItem(subject('Two'), { ...first, resolution: 'NeverOverwrite' }))
  expect(second.id).toBe(first.id)
  expect(second.changeKey).not.toBe(first.changeKey)
  expect(codes(await requested(updateItem(subject('Three'), { id: first.id, resolution: 'AutoResolve' })))).toEqual([
    'ErrorChangeKeyRequiredForWriteOperations',
  ])
  expect(codes(await requested(updateItem(subject('Three'), { ...first, resolution: 'NeverOverwrite' })))).toEqual([
    'ErrorIrresolvableConflict',
  ])
  expect(codes(await requested(updateItem(subject('Three'), { ...first, resolution: 'AutoResolve' })))).toEqual([
    'ErrorIrresolvableConflict',
  ])
  const other = setItemField('item:Importance', '<t:Importance>High</t:Importance>')
  const merged = await done(updateItem(other, { ...first, resolution: 'AutoResolve' }))
  expect(texts(merged.body, 'Count')).toEqual(['0'])
  await done(updateItem(subject('Four'), { id: first.id, resolution: 'AlwaysOverwrite' }))
  expect(subjectsOf(await done(getItem([first.id], { fields: ['item:Subject'] })))).toEqual(['Four'])
})

test('a move changes the id and keeps the search key; a copy is another item', async () => {
  const { id, searchKey } = ada.mail.deliver(mimeMail({ Subject: 'Moved' }))
  const into = (name: string, what: string, folder: string, more = '') =>
    `<m:${name}><m:ToFolderId>${standard(folder)}</m:ToFolderId><m:ItemIds>${idXml(what)}</m:ItemIds>${more}</m:${name}>`
  const moved = await one(into('MoveItem', id, 'junkemail'))
  expect(moved.id).not.toBe(id)
  expect(codes(await requested(getItem([id])))).toEqual(['ErrorItemNotFound'])
  const restriction = is('IsEqualTo', tag('0x300B', 'Binary'), searchKey)
  const found = await done(findItem({ folders: standard('inbox', 'junkemail'), restriction }))
  expect(idsOf(found)).toEqual([moved])
  const copied = await one(into('CopyItem', moved.id, 'inbox'))
  expect(copied.id).not.toBe(moved.id)
  const quiet = into('MoveItem', copied.id, 'drafts', '<m:ReturnNewItemIds>false</m:ReturnNewItemIds>')
  expect(idsOf(await done(quiet))).toEqual([])
  grace.shareWith(user)
  const away = into('MoveItem', moved.id, 'inbox').replace(
    'Id="inbox"/>',
    `Id="inbox"><t:Mailbox><t:EmailAddress>${grace.email}</t:EmailAddress></t:Mailbox></t:DistinguishedFolderId>`,
  )
  expect(idsOf(await done(away))).toEqual([])
  expect(grace.mail.list()).toMatchObject([{ subject: 'Moved', folder: 'inbox' }])
})

test('items are deleted to Deleted Items, to recoverable items, or permanently', async () => {
  const remove = (id: string, type: string) =>
    `<m:DeleteItem DeleteType="${type}"><m:ItemIds>${idXml(id)}</m:ItemIds></m:DeleteItem>`
  for (const type of ['MoveToDeletedItems', 'SoftDelete', 'HardDelete']) {
    const { id } = ada.mail.deliver(mimeMail({ Subject: type }))
    expect(idsOf(await done(remove(id, type)))).toEqual([])
    expect(codes(await requested(remove(id, type)))).toEqual(['ErrorItemNotFound'])
  }
  expect(ada.mail.list().map(({ subject, folder }) => [subject, folder])).toEqual([
    ['MoveToDeletedItems', 'deleteditems'],
    ['SoftDelete', 'recoverableitemsdeletions'],
  ])
})

test('all items of a folder are marked as read, and mail moves to Junk and back', async () => {
  ada.mail.deliver(mimeMail({ Subject: 'One' }))
  const { id } = ada.mail.deliver(mimeMail({ Subject: 'Two' }))
  await done(
    `<m:MarkAllItemsAsRead><m:ReadFlag>true</m:ReadFlag><m:SuppressReadReceipts>true</m:SuppressReadReceipts><m:FolderIds>${standard('inbox')}</m:FolderIds></m:MarkAllItemsAsRead>`,
  )
  expect(ada.mail.list().map(({ isRead }) => isRead)).toEqual([true, true])
  const junk = (what: string, isJunk: boolean) =>
    `<m:MarkAsJunk IsJunk="${isJunk}" MoveItem="true"><m:ItemIds>${idXml(what)}</m:ItemIds></m:MarkAsJunk>`
  const moved = all((await done(junk(id, true))).body, 'MovedItemId')[0]?.attributes.Id ?? ''
  expect(ada.mail.read(moved).folder).toBe('junkemail')
  await done(junk(moved, false))
  expect(ada.mail.list().map(({ folder }) => folder)).toEqual(['inbox', 'inbox'])
})

test('replies and forwards copy people, subject, conversation and files', async () => {
  const source = mimeMail(
    {
      Subject: 'Talk',
      From: `Grace <${grace.email}>`,
      To: `${user}, Bob <bob@example.com>`,
      'Message-ID': '<talk@example.net>',
      'Content-Type': 'multipart/mixed; boundary=b',
    },
    '--b\r\n\r\nhello\r\n--b\r\nContent-Type: text/csv; name="a.csv"\r\nContent-Disposition: attachment; filename="a.csv"\r\n\r\n1,2\r\n--b--',
  )
  const original = ada.mail.deliver(source)
  const respond = (name: string, more = '', wish = {}) =>
    createItem(
      `<t:${name}>${more}<t:ReferenceItemId Id="${original.id}" ChangeKey="${original.changeKey}"/><t:NewBodyContent BodyType="Text">Mine</t:NewBodyContent></t:${name}>`,
      wish,
    )
  const shown = async (id: string) => messagesOf(await done(getItem([id], { base: 'AllProperties' })))[0]
  const reply = await shown((await one(respond('ReplyToItem'))).id)
  expect([at(reply, 'Subject'), at(reply, 'DisplayTo'), at(reply, 'InReplyTo')]).toEqual([
    'RE: Talk',
    'Grace',
    '<talk@example.net>',
  ])
  expect(at(reply, 'Body')).toMatch(/Mine[\s\S]*hello/)
  expect(all(reply, 'ConversationId')[0]?.attributes.Id).toBe(original.conversationId)
  const everybody = await shown((await one(respond('ReplyAllToItem'))).id)
  expect(at(everybody, 'DisplayCc')).toBe('Bob')
  const forward = respond('ForwardItem', `<t:ToRecipients>${mailbox(grace.email)}</t:ToRecipients>`, {
    disposition: 'SendAndSaveCopy',
  })
  await done(forward)
  const got = grace.mail.list()[0]
  expect(got?.subject).toBe('FW: Talk')
  expect(Buffer.from(grace.mail.read(got?.id ?? '').raw).toString()).toContain('a.csv')
  const verb = await done(getItem([original.id], { fields: [tag('0x1081', 'Integer'), 'item:IconIndex'] }))
  expect([texts(verb.body, 'Value'), texts(verb.body, 'IconIndex')]).toEqual([['104'], ['MailForwarded']])
  expect(
    codes(
      await requested(
        createItem('<t:ReplyToItem><t:NewBodyContent BodyType="Text">x</t:NewBodyContent></t:ReplyToItem>'),
      ),
    ),
  ).toEqual(['ErrorMissingInformationReferenceItemId'])
})

test('messages of one conversation are found together', async () => {
  const first = ada.mail.deliver(mimeMail({ Subject: 'Trip', 'Message-ID': '<trip@example.net>' }), {
    at: Date.UTC(2026, 0, 1),
  })
  ada.mail.deliver(mimeMail({ Subject: 'Re: Trip', 'In-Reply-To': '<trip@example.net>' }), {
    at: Date.UTC(2026, 0, 2),
    folder: 'deleteditems',
  })
  ada.mail.deliver(mimeMail({ Subject: 'Trip' }), { at: Date.UTC(2026, 0, 3), isRead: true })
  const find = (more = '', attributes = '') =>
    `<m:FindConversation ${attributes}><m:IndexedPageItemView MaxEntriesReturned="10" Offset="0" BasePoint="Beginning"/><m:ParentFolderId>${standard('inbox')}</m:ParentFolderId>${more}</m:FindConversation>`
  const found = await done(find())
  expect(texts(found.body, 'ConversationTopic')).toEqual(['Trip', 'Trip'])
  expect(texts(found.body, 'GlobalMessageCount')).toEqual(['1', '2'])
  expect(texts(found.body, 'MessageCount')).toEqual(['1', '1'])
  expect(texts(found.body, 'TotalConversationsInView')).toEqual(['2'])
  expect(texts((await done(find('', 'ViewFilter="Unread"'))).body, 'GlobalUnreadCount')).toEqual(['2'])
  expect(all((await done(find('<m:QueryString>nothing</m:QueryString>'))).body, 'Conversation')).toEqual([])
  const get = (id: string) =>
    `<m:GetConversationItems><m:ItemShape><t:BaseShape>IdOnly</t:BaseShape><t:AdditionalProperties>${pathOf('item:Subject')}</t:AdditionalProperties></m:ItemShape><m:FoldersToIgnore>${standard('drafts')}</m:FoldersToIgnore><m:SortOrder>DateOrderDescending</m:SortOrder><m:Conversations><t:Conversation><t:ConversationId Id="${id}"/></t:Conversation></m:Conversations></m:GetConversationItems>`
  const items = await done(get(first.conversationId))
  expect(subjectsOf(items)).toEqual(['Re: Trip', 'Trip'])
  expect(texts(items.body, 'ParentInternetMessageId')).toEqual(['<trip@example.net>'])
  expect(codes(await requested(get('AAQk')))).toEqual(['ErrorInvalidIdMalformed'])
})

test('files and items are attached, read and removed, and each time the change key changes', async () => {
  const { id, changeKey } = await draft('<t:Subject>Files</t:Subject>')
  const attach = (inside: string) =>
    `<m:CreateAttachment><m:ParentItemId Id="${id}"/><m:Attachments>${inside}</m:Attachments></m:CreateAttachment>`
  const file = (name: string, more = '') =>
    `<t:FileAttachment><t:Name>${name}</t:Name><t:ContentType>text/plain</t:ContentType>${more}<t:Content>${Buffer.from('Hello').toString('base64')}</t:Content></t:FileAttachment>`
  const inner =
    '<t:ItemAttachment><t:Name>inside</t:Name><t:Message><t:Subject>Inner</t:Subject><t:Body BodyType="Text">deep</t:Body></t:Message></t:ItemAttachment>'
  const inline = file('dot.txt', '<t:ContentId>dot</t:ContentId><t:IsInline>true</t:IsInline>')
  const answer = await done(attach(inline))
  const [made] = all(answer.body, 'AttachmentId')
  expect(made?.attributes).toMatchObject({ RootItemId: id, RootItemChangeKey: expect.not.stringContaining(changeKey) })
  expect(texts((await done(getItem([id], { fields: ['item:HasAttachments'] }))).body, 'HasAttachments')).toEqual([
    'false',
  ])
  await done(attach(file('a.txt') + inner))
  const listed = await done(getItem([id], { fields: ['item:Attachments', 'item:HasAttachments'] }))
  expect(texts(all(listed.body, 'Attachments')[0], 'Name')).toEqual(['dot.txt', 'a.txt', 'inside'])
  expect(texts(listed.body, 'IsInline')).toEqual(['true', 'false', 'false'])
  expect(texts(listed.body, 'HasAttachments')).toEqual(['true'])
  expect(all(listed.body, 'Content')).toEqual([])
  const ids = all(listed.body, 'AttachmentId').map(({ attributes }) => attributes.Id ?? '')
  const get = (name: string, each: readonly string[]) =>
    `<m:${name}><m:AttachmentIds>${each.map((attachment) => `<t:AttachmentId Id="${attachment}"/>`).join('')}</m:AttachmentIds></m:${name}>`
  const read = await done(get('GetAttachment', ids))
  expect(texts(read.body, 'Content')).toEqual(['SGVsbG8=', 'SGVsbG8='])
  expect(texts(all(read.body, 'ItemAttachment')[0], 'Subject')).toEqual(['Inner'])
  expect(texts(all(read.body, 'ItemAttachment')[0], 'Body')).toEqual(['deep'])
  const mime = await done(
    get('GetAttachment', ids.slice(2)).replace(
      '<m:AttachmentIds>',
      '<m:AttachmentShape><t:IncludeMimeContent>true</t:IncludeMimeContent></m:AttachmentShape><m:AttachmentIds>',
    ),
  )
  expect(Buffer.from(texts(mime.body, 'MimeContent')[0] ?? '', 'base64').toString()).toContain('Subject: Inner')
  const removed = await done(get('DeleteAttachment', ids.slice(0, 1)))
  expect(all(removed.body, 'RootItemId')[0]?.attributes.RootItemId).toBe(id)
  expect(codes(await requested(get('GetAttachment', ids.slice(0, 1))))).toEqual(['ErrorInvalidAttachmentId'])
  expect(texts((await done(getItem([id], { fields: ['item:Attachments'] }))).body, 'Name')).toEqual(['a.txt', 'inside'])
})

test('a message with a receipt request gets one when it is marked as read, unless the client suppresses it', async () => {
  const wish = '<t:IsReadReceiptRequested>true</t:IsReadReceiptRequested>'
  const mail = `<t:Message><t:Subject>Urgent</t:Subject><t:ToRecipients>${mailbox(grace.email)}</t:ToRecipients>${wish}</t:Message>`
  const read = setItemField('message:IsRead', '<t:IsRead>true</t:IsRead>')
  const receipts = () => ada.mail.list().filter(({ itemClass }) => itemClass === 'REPORT.IPM.Note.IPNRN')
  for (const [suppressed, count] of [
    ['true', 0],
    ['false', 1],
  ] as const) {
    await done(createItem(mail, { disposition: 'SendOnly' }))
    const id = grace.mail.list().find(({ isRead }) => !isRead)?.id ?? ''
    const update = updateItem(read, { id }).replace(
      '<m:UpdateItem',
      `<m:UpdateItem SuppressReadReceipts="${suppressed}"`,
    )
    await good(exchange, update, { user: grace.email })
    expect(receipts()).toHaveLength(count)
  }
  expect(receipts()).toMatchObject([{ subject: 'Read: Urgent', folder: 'inbox' }])
})

test('messages have the item class of their content', async () => {
  const report = (action: string) =>
    mimeMail(
      { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=r' },
      `--r\r\n\r\nSorry\r\n--r\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns;x\r\n\r\nAction: ${action}\r\n--r--`,
    )
  const cases: [string, string][] = [
    [mimeMail({}), 'IPM.Note'],
    [report('failed'), 'REPORT.IPM.Note.NDR'],
    [report('delivered'), 'REPORT.IPM.Note.DR'],
    [
      mimeMail({ 'Content-Type': 'multipart/signed; boundary=s' }, '--s\r\n\r\nx\r\n--s--'),
      'IPM.Note.SMIME.MultipartSigned',
    ],
    [mimeMail({ 'Content-Type': 'application/pkcs7-mime; name=smime.p7m' }), 'IPM.Note.SMIME'],
  ]
  for (const [source, itemClass] of cases) {
    const { id } = ada.mail.deliver(source)
    const shown = await done(getItem([id], { base: 'AllProperties' }))
    expect(at(messagesOf(shown)[0], 'ItemClass')).toBe(itemClass)
  }
  const item = '<t:Item><t:ItemClass>IPM.Note</t:ItemClass><t:Subject>By its class</t:Subject></t:Item>'
  await done(createItem(item, { folder: 'inbox' }))
  expect(ada.mail.list().map(({ subject }) => subject)).toContain('By its class')
})
