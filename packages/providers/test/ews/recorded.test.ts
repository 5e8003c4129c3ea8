/**
 * Recorded dialogues with a real server: the requests equal those written here, and the responses are understood.
 * They are not part of this repository; they are read from `../shared/fixtures/ews` if that exists.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ApiError } from '@waypost/platform/api-error'
import { parseXml, type XmlElement } from '@waypost/platform/xml/xml'
import { describe, expect, test } from 'vitest'
import { CreateFolder, DeleteFolder, FindFolder, GetFolder } from '../../src/ews/operations/folders.ts'
import { CreateItem, DeleteItem, FindItem, GetItem, MoveItem, UpdateItem } from '../../src/ews/operations/items.ts'
import { ResolveNames } from '../../src/ews/operations/resolve-names.ts'
import { SyncFolderItems } from '../../src/ews/operations/sync.ts'
import { openClient } from '../../src/ews/soap/client.ts'
import { writeElement } from '../../src/ews/soap/description.ts'
import { namespaces } from '../../src/ews/soap/envelope.ts'
import type { Operation } from '../../src/ews/soap/operation.ts'
import type { Transport } from '../../src/ews/soap/transport.ts'
import { ewsAccount } from './ews-account.ts'

const folder = path.join(import.meta.dirname, '../../../../../shared/fixtures/ews')
const files = existsSync(folder) ? readdirSync(folder) : []
const nameOf = (number: string, end: string): string =>
  path.join(folder, files.find((file) => file.startsWith(`${number}-`) && file.endsWith(end)) ?? '')
if (files.length === 0) console.warn(`recorded dialogues are not at hand (${folder}): nothing is compared with them`)
const recorded = test.skipIf(files.length === 0)

/** The client's result for a recorded response. */
async function heard<Q extends object, A>(number: string, operation: Operation<Q, A>, status = 200) {
  const body = readFileSync(nameOf(number, '.res.xml'))
  const header = (name: string): string | undefined => (name === 'content-type' ? 'text/xml' : undefined)
  const transport: Transport = {
    post: async () => ({ status, header, headerList: () => [], body }),
    stream: () => Promise.reject(new Error('no stream was asked for')),
    pauseFor: () => {},
  }
  await using account = ewsAccount({ url: 'http://localhost' })
  const place = { url: 'http://localhost/', user: '', password: '', address: '' }
  const client = openClient(account.io, place, transport)
  const answers = await client.each(operation, {} as Q, { retries: false }).catch((error: unknown) => error)
  expect(account.warnings).toEqual([])
  return answers
}

const operations: Readonly<Record<string, Operation<object, unknown>>> = {
  GetFolder,
  FindFolder,
  CreateFolder,
  DeleteFolder,
  GetItem,
  FindItem,
  CreateItem,
  UpdateItem,
  DeleteItem,
  MoveItem,
  SyncFolderItems,
  ResolveNames,
}

/** An element in comparable form: no whitespace between elements, attributes in any order. */
const plain = ({ namespace, name, attributes, children, text }: XmlElement): unknown => ({
  name: `${namespace} ${name}`,
  attributes: { ...attributes },
  ...(children.length > 0 ? { children: children.map(plain) } : { text }),
})

describe('requests to a real server', () => {
  const requests = files.filter((file) => file.endsWith('.req.xml'))
  recorded('is written here as it was', () => {
    const compared = requests.flatMap((file) => {
      const source = readFileSync(path.join(folder, file), 'utf8')
      if (!source.startsWith('<?xml')) return []
      const [requested] = parseXml(source).children.find(({ name }) => name === 'Body')?.children ?? []
      const operation = requested && requested.children.length > 0 ? operations[requested.name] : undefined
      if (!requested || !operation) return []
      const request = operation.request.read(requested, ({ message }) => expect.fail(message)) ?? {}
      const written = writeElement('m', requested.name, operation.request, request)
      const again = parseXml(written.replace(/^<m:\w+/, `$& xmlns:m="${namespaces.m}" xmlns:t="${namespaces.t}"`))
      expect(plain(again), file).toEqual(plain(requested))
      return [requested.name]
    })
    expect(new Set(compared)).toEqual(new Set(Object.keys(operations)))
  })
})

describe('responses of a real server', () => {
  recorded('of folders is read', async () => {
    const known = await heard('04', GetFolder)
    expect(known).toMatchObject([
      { Folders: [{ kind: 'Folder', DisplayName: 'Inbox', FolderClass: 'IPF.Note', TotalCount: 0, UnreadCount: 0 }] },
      { Folders: [{ kind: 'Folder', DisplayName: 'Drafts', TotalCount: 7, UnreadCount: 3 }] },
      { Folders: [{ DisplayName: 'Sent Items' }] },
      { Folders: [{ DisplayName: 'Deleted Items' }] },
      { Folders: [{ DisplayName: 'Junk Email' }] },
      { Folders: [{ kind: 'CalendarFolder', DisplayName: 'Calendar' }] },
      { Folders: [{ kind: 'ContactsFolder', DisplayName: 'Contacts' }] },
    ])
    const [found] = (await heard('06', FindFolder)) as { RootFolder: { Folders: { kind: string }[] } }[]
    expect(found).toMatchObject({ RootFolder: { IncludesLastItemInRange: true, TotalItemsInView: 19 } })
    expect(found?.RootFolder.Folders).toHaveLength(19)
    expect(new Set(found?.RootFolder.Folders.map(({ kind }) => kind))).toEqual(
      new Set(['Folder', 'CalendarFolder', 'TasksFolder', 'ContactsFolder']),
    )
    expect(await heard('07', CreateFolder)).toMatchObject([{ Folders: [{ FolderId: { Id: expect.any(String) } }] }])
    expect(await heard('33', DeleteFolder)).toEqual([{}])
  })

  recorded('of messages is read', async () => {
    const [got] = (await heard('11', GetItem)) as { Items: { MimeContent: { value: Buffer } }[] }[]
    expect(got?.Items[0]).toMatchObject({
      kind: 'Message',
      ItemClass: 'IPM.Note',
      Subject: 'Grüße',
      Sensitivity: 'Normal',
      Size: 1864,
      IsDraft: false,
      HasAttachments: true,
      DateTimeReceived: Date.UTC(2026, 10, 15, 1, 26, 30, 672),
      DateTimeSent: Date.UTC(2026, 10, 15, 1),
      From: { Mailbox: { Name: 'Bob', EmailAddress: 'bob@test.local', RoutingType: 'SMTP' } },
      InternetMessageId: '<m1@test.local>',
      IsRead: false,
      MimeContent: { CharacterSet: 'UTF-8' },
    })
    expect(got?.Items[0]?.MimeContent.value.toString('latin1')).toMatch(/^MIME-Version: 1\.0\r\nFrom: "Bob"/)
    expect(await heard('10', CreateItem)).toMatchObject([
      { Items: [{ kind: 'Message', ItemId: { ChangeKey: expect.any(String) } }] },
    ])
    expect(await heard('12', UpdateItem)).toMatchObject([{ Items: [{ kind: 'Message' }] }])
    expect(await heard('15', FindItem)).toMatchObject([
      {
        RootFolder: {
          IndexedPagingOffset: 1,
          IncludesLastItemInRange: false,
          TotalItemsInView: 7,
          Items: [{ Subject: 'ev', ConversationId: { Id: 'AJZ4RT/dRkmqUdsOz3vc8QE=' } }],
        },
      },
    ])
    expect(await heard('16', FindItem)).toMatchObject([
      { RootFolder: { TotalItemsInView: 1, Items: [{ kind: 'Message' }] } },
    ])
    const [moved] = (await heard('18', MoveItem)) as { Items: { ItemId: { Id: string } }[] }[]
    const [before] = (await heard('10', CreateItem)) as { Items: { ItemId: { Id: string } }[] }[]
    expect(moved?.Items[0]?.ItemId.Id).not.toBe(before?.Items[0]?.ItemId.Id)
    expect(await heard('24', CreateItem)).toMatchObject([{ Items: [{ kind: 'Message' }] }])
    expect(await heard('32', DeleteItem)).toEqual([{}])
  })

  recorded('of events and people is read', async () => {
    expect(await heard('25', CreateItem)).toMatchObject([
      { Items: [{ kind: 'CalendarItem', ItemId: { Id: expect.any(String) } }] },
    ])
    expect(await heard('26', GetItem)).toMatchObject([
      { Items: [{ kind: 'CalendarItem', ItemClass: 'IPM.Appointment', Subject: 'Meet', HasAttachments: false }] },
    ])
    expect(await heard('27', UpdateItem)).toMatchObject([{ Items: [{ kind: 'CalendarItem' }] }])
    expect(await heard('28', FindItem)).toMatchObject([
      { RootFolder: { TotalItemsInView: 2, Items: [{ Subject: 'Weekly' }, { kind: 'CalendarItem' }] } },
    ])
    expect(await heard('29', ResolveNames)).toMatchObject([
      { ResolutionSet: [{ Mailbox: { EmailAddress: 'bob@test.local' } }] },
    ])
  })

  recorded('of changes is read', async () => {
    expect(await heard('09', SyncFolderItems)).toMatchObject([
      { SyncState: expect.any(String), IncludesLastItemInRange: true, Changes: [] },
    ])
    expect(await heard('13', SyncFolderItems)).toMatchObject([{ Changes: [{ kind: 'Create' }] }])
    // It treats an unknown state as none.
    expect(await heard('14', SyncFolderItems)).toMatchObject([{ Changes: [{ kind: 'Create' }] }])
    expect(await heard('21', SyncFolderItems)).toMatchObject([{ Changes: [{ kind: 'Delete' }] }])
  })

  recorded('where it refused is an error of the API', async () => {
    expect(await heard('22', GetItem)).toMatchObject([{ code: 'not_found', responseCode: 'ErrorItemNotFound' }])
    expect(await heard('23', GetItem)).toMatchObject([{ code: 'not_found', responseCode: 'ErrorInvalidId' }])
    for (const number of ['01', '02']) {
      expect(await heard(number, GetFolder, 401)).toMatchObject({
        code: 'grant_invalid',
        details: { providerError: { reason: 'credentials' } },
      })
    }
    for (const number of ['03', '31']) {
      const error = await heard(number, GetFolder, 500)
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ code: expect.stringMatching(/^provider_/) })
    }
  })
})
