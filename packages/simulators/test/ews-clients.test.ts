// Third-party clients with the basics of the simulated Exchange (sign-in, folders, synchronization, notifications).
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { XhrApi } from '@ewsjs/xhr'
import { needsProgram } from '@waypost/testing/peers/needs'
import {
  ChangeType,
  EventType,
  ExchangeService,
  ExchangeVersion,
  Folder,
  FolderId,
  FolderTraversal,
  FolderView,
  PropertySet,
  ServiceResponseException,
  type StreamingSubscription,
  StreamingSubscriptionConnection,
  SyncFolderItemsScope,
  Uri,
  WebCredentials,
  WellKnownFolderName,
} from 'ews-javascript-api'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { openExchange, PASSWORD } from './ews-account.ts'
import { mimeMail } from './ews-items.ts'

const { exchange, check, ...opened } = await openExchange({ streaming: { heartbeatMs: 500, minuteMs: 20_000 } })
exchange.addAccount({ email: 'service@exchange.example', password: PASSWORD, mayImpersonate: true })
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

function newAccount(name: string, password = PASSWORD) {
  const account = exchange.addAccount({ email: `${name}@exchange.example`, name: `${name} Byron`, password })
  const deliver = (subject: string, day: number) =>
    account.mail.deliver(mimeMail({ Subject: subject }, 'Hello'), { at: Date.UTC(2026, 0, day) })
  for (let day = 1; day <= 3; day++) deliver(`Day ${day}`, day)
  return { account, deliver }
}

test('exchangelib signs in, works with folders, synchronises and listens', async (context) => {
  needsProgram(context, 'exchangelib')
  // Non-ASCII letters are encoded in two bytes where passwords are hashed.
  const { account, deliver } = newAccount('annabella', 'pässwörd')
  const script = path.join(import.meta.dirname, 'exchangelib-frame.py')
  const args = [
    exchange.ewsUrl,
    account.email,
    account.password,
    'EXCHANGE\\annabella',
    'service@exchange.example',
    PASSWORD,
  ]
  const client = spawn('/usr/bin/python3', [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let seen = ''
  for await (const line of createInterface(client.stdout)) {
    seen = line
    if (line !== 'listening') continue
    void vi.waitFor(() => expect(exchange.streamCount()).toBe(1)).then(() => deliver('New', 4))
  }
  expect(JSON.parse(seen)).toEqual({
    basic: 'Inbox',
    probed: [15, true],
    ntlm: true,
    refused: true,
    impersonated: true,
    folders: ['Calendar', 'Contacts', 'Inbox', 'Tasks'],
    kinds: [true, true],
    found: ['Renamed'],
    moved: ['Renamed'],
    deep: '/Root/Top of Information Store/Sent Items/Renamed',
    hierarchy: true,
    gone: ['delete'],
    items: [
      ['create', 'Day 3'],
      ['create', 'Day 2'],
      ['create', 'Day 1'],
    ],
    again: [],
    pulled: ['CreatedEvent'],
    streamed: expect.arrayContaining(['StatusEvent', 'CreatedEvent', 'NewMailEvent']),
    resolved: [[account.email, account.name]],
  })
})

function serviceOf(email: string): ExchangeService {
  const service = new ExchangeService(ExchangeVersion.Exchange2013)
  service.Credentials = new WebCredentials(email, PASSWORD)
  service.Url = new Uri(exchange.ewsUrl)
  return service
}

test('ews-javascript-api signs in with NTLM', async () => {
  const { account } = newAccount('ntlm')
  const service = serviceOf(account.email)
  service.XHRApi = new XhrApi().useNtlmAuthentication('EXCHANGE\\ntlm', PASSWORD)
  const inbox = await Folder.Bind(service, new FolderId(WellKnownFolderName.Inbox))
  expect([inbox.DisplayName, inbox.TotalCount]).toEqual(['Inbox', 3])
})

test('ews-javascript-api creates, finds, changes and deletes folders', async () => {
  const { account } = newAccount('folders')
  const service = serviceOf(account.email)
  const folder = new Folder(service)
  folder.DisplayName = 'Engines'
  await folder.Save(WellKnownFolderName.Inbox)
  const twin = new Folder(service)
  twin.DisplayName = 'Engines'
  await expect(twin.Save(WellKnownFolderName.Inbox)).rejects.toThrow(ServiceResponseException)
  folder.DisplayName = 'Machines'
  await folder.Update()
  await folder.Move(WellKnownFolderName.Drafts)
  const view = new FolderView(100)
  view.Traversal = FolderTraversal.Deep
  const { Folders: found } = await service.FindFolders(WellKnownFolderName.MsgFolderRoot, view)
  expect(found.map(({ DisplayName }) => DisplayName)).toEqual(expect.arrayContaining(['Inbox', 'Machines', 'Calendar']))
  const changes = await service.SyncFolderHierarchy(
    new FolderId(WellKnownFolderName.MsgFolderRoot),
    PropertySet.IdOnly,
    '',
  )
  await folder.Delete(0)
  const later = await service.SyncFolderHierarchy(
    new FolderId(WellKnownFolderName.MsgFolderRoot),
    PropertySet.IdOnly,
    changes.SyncState,
  )
  expect(later.Count).toBe(1)
})

test('ews-javascript-api synchronizes items', async () => {
  const { account } = newAccount('items')
  const service = serviceOf(account.email)
  const sync = (state: string, max: number) =>
    service.SyncFolderItems(
      new FolderId(WellKnownFolderName.Inbox),
      PropertySet.FirstClassProperties,
      [],
      max,
      SyncFolderItemsScope.NormalItems,
      state,
    )
  const first = await sync('', 2)
  expect([first.Count, first.MoreChangesAvailable]).toEqual([2, true])
  const second = await sync(first.SyncState, 2)
  expect([second.Count, second.MoreChangesAvailable]).toEqual([1, false])
  const [newest] = account.mail.list().toReversed()
  account.mail.mark(newest?.id ?? '', { isRead: true })
  const third = await sync(second.SyncState, 2)
  expect([third._getItem(0).ChangeType, third._getItem(0).IsRead]).toEqual([ChangeType.ReadFlagChange, true])
})

test('ews-javascript-api gets notifications, by pull and by stream', async () => {
  const { account, deliver } = newAccount('listening')
  const service = serviceOf(account.email)
  const inbox = [new FolderId(WellKnownFolderName.Inbox)]
  const pull = await service.SubscribeToPullNotifications(inbox, 5, '', EventType.NewMail, EventType.Created)
  deliver('Pulled', 4)
  const pulled = await pull.GetEvents()
  expect(pulled.AllEvents.map(({ EventType: type }) => type)).toEqual([EventType.Created, EventType.NewMail])
  await pull.Unsubscribe()

  const subscription: StreamingSubscription = await service.SubscribeToStreamingNotifications(inbox, EventType.NewMail)
  const connection = new StreamingSubscriptionConnection(service, 1)
  connection.AddSubscription(subscription)
  const reported: string[] = []
  connection.OnNotificationEvent.push((_sender, args) => {
    for (const event of args.Events) reported.push(EventType[event.EventType] ?? '')
  })
  connection.OnSubscriptionError.push((_sender, args) => reported.push(String(args.Exception)))
  // The call never reports that the connection is open.
  void connection.Open()
  await vi.waitFor(() => expect(exchange.streamCount()).toBe(1))
  deliver('Streamed', 5)
  await vi.waitFor(() => expect(reported).toEqual(['NewMail']))
  exchange.endSubscriptions()
  await vi.waitFor(() => expect(exchange.streamCount()).toBe(0))
})
