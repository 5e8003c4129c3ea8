// Third-party clients with the mail of the simulated Exchange.

import { needsProgram } from '@waypost/testing/peers/needs'
import {
  BodyType,
  ConflictResolutionMode,
  ConversationIndexedItemView,
  DeleteMode,
  EmailMessage,
  EmailMessageSchema,
  ExchangeService,
  ExchangeVersion,
  type FileAttachment,
  Folder,
  FolderId,
  type Item,
  type ItemId,
  ItemSchema,
  ItemView,
  LogicalOperator,
  MessageBody,
  PropertySet,
  SearchFilter,
  SortDirection,
  Uri,
  WebCredentials,
  WellKnownFolderName,
} from 'ews-javascript-api'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openExchange, PASSWORD } from './ews-account.ts'
import { mimeMail } from './ews-items.ts'
import { runExchangelib } from './exchangelib.ts'

const { exchange, check, ...opened } = await openExchange()
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

function accounts(name: string) {
  const ada = exchange.addAccount({ email: `${name}@exchange.example`, name: 'Ada Lovelace', password: PASSWORD })
  const grace = exchange.addAccount({
    email: `${name}-friend@exchange.example`,
    name: 'Grace Hopper',
    password: PASSWORD,
  })
  const deliver = (subject: string, day: number, options = {}) =>
    ada.mail.deliver(
      mimeMail(
        { Subject: subject, 'Message-ID': `<${subject}@example.net>`, 'X-Own': 'mine', To: ada.email },
        `Hello ${subject}`,
      ),
      { at: Date.UTC(2026, 0, day), ...options },
    )
  deliver('First', 1, { categories: ['Red'] })
  deliver('Second', 2)
  deliver('Third', 3, { isRead: true })
  return { ada, grace }
}

test('exchangelib lists, searches, reads, writes, sends, moves and deletes mail', async (context) => {
  needsProgram(context, 'exchangelib')
  const { ada, grace } = accounts('python')
  const seen = await runExchangelib('exchangelib-mail.py', [exchange.ewsUrl, ada.email, grace.email, PASSWORD])
  expect(seen).toEqual({
    version: 15,
    list: ['Third', 'Second', 'First'].map((subject) => [
      subject,
      'carol@example.net',
      subject === 'Third',
      [ada.email],
    ]),
    only: ['First', 'Second', 'Third'],
    filter: ['Second'],
    either: 2,
    query: ['Third'],
    none: 0,
    since: 1,
    whole: {
      text_body: 'Hello First',
      body: 'Hello First',
      headers: 'mine',
      mime: true,
      conversation: true,
      message_id: '<First@example.net>',
      unique: 'Hello First',
      categories: ['Red'],
    },
    attachments: [
      ['a.txt', 'Hello'],
      ['b.txt', 'More'],
      ['inner', 'Inner'],
    ],
    updated: ['Final', 2, 2, 'High'],
    sent: [['Final', false, [grace.email]]],
    drafts: 0,
    straight: 1,
    answered: ['FW: First', 'Final', 'RE: First', 'Straight'],
    moved: [true, 1, 'Second'],
    copied: [true, 1],
    read: true,
    trash: ['Second'],
    junk: 0,
    left: ['First'],
    bulk: [5, 5, 5],
    synced: ['create', 'create', 'create', 'create', 'create'],
  })
  expect(grace.mail.list().map(({ subject }) => subject)).toEqual(['Final', 'Straight', 'FW: First'])
})

function idOf(item: Item | undefined): ItemId {
  if (item === undefined) throw new Error('nothing was found')
  return item.Id
}

function serviceOf(email: string): ExchangeService {
  const service = new ExchangeService(ExchangeVersion.Exchange2013)
  service.Credentials = new WebCredentials(email, PASSWORD)
  service.Url = new Uri(exchange.ewsUrl)
  return service
}

test('ews-javascript-api lists, searches and reads mail', async () => {
  const { ada } = accounts('javascript')
  const service = serviceOf(ada.email)
  const view = new ItemView(2)
  view.OrderBy.Add(ItemSchema.DateTimeReceived, SortDirection.Descending)
  const page = await service.FindItems(WellKnownFolderName.Inbox, view)
  expect(page.Items.map(({ Subject }) => Subject)).toEqual(['Third', 'Second'])
  expect([page.TotalCount, page.MoreAvailable, page.NextPageOffset]).toEqual([3, true, 2])
  const filter = new SearchFilter.SearchFilterCollection(LogicalOperator.And, [
    new SearchFilter.IsEqualTo(EmailMessageSchema.IsRead, false),
    new SearchFilter.ContainsSubstring(ItemSchema.Subject, 'sec'),
  ])
  expect((await service.FindItems(WellKnownFolderName.Inbox, filter, new ItemView(10))).Items).toHaveLength(1)
  expect((await service.FindItems(WellKnownFolderName.Inbox, 'subject:first', new ItemView(10))).Items).toHaveLength(1)
  const shape = new PropertySet()
  for (const field of [
    ItemSchema.Subject,
    ItemSchema.Body,
    ItemSchema.InternetMessageHeaders,
    EmailMessageSchema.From,
    ItemSchema.MimeContent,
  ])
    shape.Add(field)
  shape.RequestedBodyType = BodyType.Text
  const [found] = page.Items
  const message = await EmailMessage.Bind(service, idOf(found), shape)
  expect([message.Subject, message.Body.Text, message.From.Address]).toEqual([
    'Third',
    'Hello Third',
    'carol@example.net',
  ])
  expect(message.InternetMessageHeaders.Find('X-Own').Value).toBe('mine')
  const conversations = await service.FindConversation(
    new ConversationIndexedItemView(10),
    new FolderId(WellKnownFolderName.Inbox),
  )
  expect(conversations.map(({ Topic }) => Topic)).toEqual(['Third', 'Second', 'First'])
})

test('ews-javascript-api writes, sends, answers, moves and deletes mail with its files', async () => {
  const { ada, grace } = accounts('writing')
  const service = serviceOf(ada.email)
  const draft = new EmailMessage(service)
  draft.Subject = 'Draft'
  draft.Body = new MessageBody(BodyType.Text, 'Hello')
  draft.ToRecipients.Add(grace.email)
  draft.Attachments.AddFileAttachment('a.txt', Buffer.from('Hello').toString('base64'))
  await draft.Save(WellKnownFolderName.Drafts)
  draft.Subject = 'Final'
  await draft.Update(ConflictResolutionMode.AutoResolve)
  const shape = new PropertySet()
  shape.Add(ItemSchema.Attachments)
  shape.Add(ItemSchema.Subject)
  const bound = await EmailMessage.Bind(service, draft.Id, shape)
  const file = bound.Attachments._getItem(0) as FileAttachment
  await file.Load()
  expect([bound.Subject, file.Name, Buffer.from(file.Base64Content, 'base64').toString()]).toEqual([
    'Final',
    'a.txt',
    'Hello',
  ])
  await bound.SendAndSaveCopy()
  expect(ada.mail.list().filter(({ folder }) => folder === 'sentitems')).toMatchObject([{ subject: 'Final' }])
  expect(grace.mail.list()).toMatchObject([{ subject: 'Final', folder: 'inbox' }])

  const [newest] = (await service.FindItems(WellKnownFolderName.Inbox, new ItemView(1))).Items
  const third = await EmailMessage.Bind(service, idOf(newest))
  await third.Reply(new MessageBody('Thanks'), true)
  expect(ada.mail.list().map(({ subject }) => subject)).toContain('RE: Third')
  third.IsRead = false
  await third.Update(ConflictResolutionMode.AlwaysOverwrite)
  const folder = new Folder(service)
  folder.DisplayName = 'Projects'
  await folder.Save(WellKnownFolderName.MsgFolderRoot)
  const moved = await third.Move(folder.Id)
  expect(moved.Id.UniqueId).not.toBe(third.Id.UniqueId)
  expect(ada.mail.read(moved.Id.UniqueId)).toMatchObject({ folder: 'Projects', isRead: false })
  await moved.Delete(DeleteMode.MoveToDeletedItems)
  expect(ada.mail.list().find(({ subject }) => subject === 'Third')?.folder).toBe('deleteditems')
})
