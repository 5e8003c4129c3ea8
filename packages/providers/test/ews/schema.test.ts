/**
 * Compares the descriptions with their schema, if it is available (`../shared/schemas/ews`): every field is in it, in
 * order, and written XML is valid. The requests that the suites send to a simulated Exchange are checked there.
 */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseXml, type XmlElement } from '@waypost/platform/xml/xml'
import { describe, expect, test } from 'vitest'
import { checkEnvelope, hasEwsSchema } from '../../../simulators/test/ews-schema.ts'
import * as folderOperations from '../../src/ews/operations/folders.ts'
import * as itemOperations from '../../src/ews/operations/items.ts'
import { writeElement } from '../../src/ews/soap/description.ts'
import { writeEnvelope } from '../../src/ews/soap/envelope.ts'
import type { Operation } from '../../src/ews/soap/operation.ts'
import { attachmentFields } from '../../src/ews/types/attachment.ts'
import { deleteField, setField, setFolderField } from '../../src/ews/types/changes.ts'
import { distinguished, distinguishedNames, folder, item } from '../../src/ews/types/ids.ts'
import { itemFields } from '../../src/ews/types/item.ts'
import { messageFields } from '../../src/ews/types/message.ts'
import {
  field,
  indexedField,
  indexedUris,
  named,
  property,
  propertySets,
  propertyTypes,
  tag,
} from '../../src/ews/types/paths.ts'
import {
  allOf,
  anyOf,
  compare,
  containing,
  equals,
  newestFirst,
  not,
  type Restriction,
} from '../../src/ews/types/restriction.ts'
import { idAnd } from '../../src/ews/types/shapes.ts'

if (!hasEwsSchema) console.warn('the schema of EWS is not at hand: nothing is compared with it')
const checked = test.skipIf(!hasEwsSchema)
const file = path.join(import.meta.dirname, '../../../../../shared/schemas/ews/types.xsd')
let schema: XmlElement | undefined
const typeNamed = (name: string): XmlElement => {
  schema ??= parseXml(readFileSync(file))
  const found = schema.children.find(({ attributes }) => attributes.name === name)
  if (!found) throw new Error(`no type ${name}`)
  return found
}
const inside = (element: XmlElement): XmlElement[] => element.children.flatMap((child) => [child, ...inside(child)])

/** The elements of a type, inherited ones first. */
function elementsOf(name: string): string[] {
  const type = typeNamed(name)
  const [extension] = inside(type).filter((each) => each.name === 'extension')
  const base = extension?.attributes.base?.replace('t:', '')
  const content = (extension ?? type).children.filter((each) => /sequence|choice/.test(each.name))
  const own = content.flatMap((each) => each.children).filter((each) => each.name === 'element')
  return [...(base ? elementsOf(base) : []), ...own.flatMap(({ attributes }) => attributes.name ?? [])]
}
const wordsOf = (name: string): string[] =>
  inside(typeNamed(name)).flatMap((each) => (each.name === 'enumeration' ? (each.attributes.value ?? []) : []))

describe('the descriptions', () => {
  checked.each<[string, object]>([
    ['ItemType', itemFields],
    ['MessageType', messageFields],
    ['AttachmentType', attachmentFields],
  ])('have only fields of %s, in its order', (name, fields) => {
    const order = elementsOf(name)
    const known = Object.keys(fields)
    expect(known.filter((each) => !order.includes(each))).toEqual([])
    expect(known).toEqual(order.filter((each) => known.includes(each)))
  })

  checked.each<[string, readonly string[]]>([
    ['DistinguishedFolderIdNameType', distinguishedNames],
    ['DistinguishedPropertySetType', propertySets],
    ['MapiPropertyTypeType', propertyTypes],
    ['DictionaryURIType', indexedUris],
  ])('have only values of %s', (name, words) => {
    const all = wordsOf(name)
    expect(words.filter((word) => !all.includes(word))).toEqual([])
  })
})

const subject = field('item:Subject')
const everyRestriction: Restriction = {
  kind: 'And',
  Parts: [
    containing(subject, 'a & "b"'),
    not(equals(indexedField('contacts:EmailAddress', 'EmailAddress1'), 'x')),
    { kind: 'Or', Parts: [equals(property(tag('0x300B', 'Binary')), 'AAA='), equals(subject, 'x')] },
    {
      kind: 'IsEqualTo',
      Path: property(named({ guid: '00020329-0000-0000-c000-000000000046' }, 'x-name', 'String')),
      FieldURIOrConstant: { kind: 'FieldURI', FieldURI: 'item:Subject' },
    },
    compare('IsGreaterThan', field('item:DateTimeReceived'), '2026-11-16T00:00:00Z'),
    compare('IsLessThan', field('item:Size'), '1'),
  ],
}
const shape = {
  BaseShape: 'AllProperties' as const,
  IncludeMimeContent: true,
  BodyType: 'Best' as const,
  AdditionalProperties: [subject, property(tag('0x300B', 'Binary'))],
}
const inbox = distinguished('inbox', 'grace@exchange.example')
const address = { Name: 'Ada', EmailAddress: 'ada@exchange.example', RoutingType: 'SMTP' }
const message = {
  kind: 'Message' as const,
  MimeContent: { CharacterSet: 'UTF-8', value: Buffer.from('Subject: x\r\n\r\ny') },
  ItemClass: 'IPM.Note',
  Subject: 'x\ty',
  Sensitivity: 'Private' as const,
  Body: { BodyType: 'HTML' as const, value: '<p>&amp;</p>' },
  Attachments: [
    { kind: 'FileAttachment' as const, Name: 'a', ContentId: 'c', IsInline: true, Content: Buffer.from('x') },
  ],
  DateTimeSent: 0,
  ExtendedProperty: [
    { ExtendedFieldURI: tag('0x0E07', 'Integer'), Value: '1' },
    { ExtendedFieldURI: named('PublicStrings', 'n', 'StringArray'), Values: ['a', 'b'] },
  ],
  Flag: { FlagStatus: 'Flagged' as const },
  ToRecipients: [address],
  From: { Mailbox: address },
  IsRead: true,
  ReplyTo: [address],
}

type RequestOf<O> = O extends Operation<infer Q, unknown> ? Q : never
type Samples = { [K in keyof Tested]: RequestOf<Tested[K]>[] }
const { GetFolder, FindFolder, CreateFolder, UpdateFolder, DeleteFolder, MoveFolder, EmptyFolder } = folderOperations
const { GetItem, FindItem, CreateItem, UpdateItem, DeleteItem, MoveItem, SendItem } = itemOperations
const tested = {
  GetFolder,
  FindFolder,
  CreateFolder,
  UpdateFolder,
  DeleteFolder,
  MoveFolder,
  EmptyFolder,
  GetItem,
  FindItem,
  CreateItem,
  UpdateItem,
  DeleteItem,
  MoveItem,
  SendItem,
}
type Tested = typeof tested

const moves = { ToFolderId: folder('AAA='), ItemIds: [item('AAA=', 'k')] }
const samples: Samples = {
  GetFolder: [{ FolderShape: idAnd(field('folder:DisplayName')), FolderIds: [inbox, folder('AAA=')] }],
  FindFolder: [
    { Traversal: 'Deep', FolderShape: idAnd(), ParentFolderIds: [distinguished('msgfolderroot')] },
    {
      Traversal: 'Shallow',
      FolderShape: idAnd(property(tag('0x670A', 'SystemTime'))),
      View: { kind: 'IndexedPageFolderView', MaxEntriesReturned: 10, Offset: 0, BasePoint: 'Beginning' },
      Restriction: equals(field('folder:DisplayName'), 'a'),
      ParentFolderIds: [inbox],
    },
  ],
  CreateFolder: [
    {
      ParentFolderId: inbox,
      Folders: [
        { kind: 'Folder', FolderClass: 'IPF.Note', DisplayName: 'a' },
        { kind: 'CalendarFolder', DisplayName: 'b' },
        { kind: 'ContactsFolder', DisplayName: 'c' },
      ],
    },
  ],
  UpdateFolder: [
    {
      FolderChanges: [
        {
          Id: folder('AAA='),
          Updates: [
            setFolderField(field('folder:DisplayName'), { kind: 'Folder', DisplayName: 'n' }),
            { kind: 'DeleteFolderField', Path: property(named('PublicStrings', 'n', 'String')) },
          ],
        },
      ],
    },
  ],
  DeleteFolder: [{ DeleteType: 'MoveToDeletedItems', FolderIds: [folder('AAA=')] }],
  MoveFolder: [{ ToFolderId: inbox, FolderIds: [folder('AAA=')] }],
  EmptyFolder: [{ DeleteType: 'HardDelete', DeleteSubFolders: false, FolderIds: [inbox] }],
  GetItem: [
    {
      ItemShape: shape,
      ItemIds: [item('AAA='), { kind: 'RecurringMasterItemId', OccurrenceId: 'AAA=' }],
    },
  ],
  FindItem: [
    {
      Traversal: 'Shallow',
      ItemShape: shape,
      View: itemOperations.page(0, 50),
      Restriction: allOf([everyRestriction, anyOf([everyRestriction]) ?? everyRestriction]),
      SortOrder: newestFirst(field('item:DateTimeReceived')),
      ParentFolderIds: [inbox, folder('AAA=')],
    },
    { Traversal: 'Shallow', ItemShape: idAnd(), ParentFolderIds: [inbox], QueryString: 'subject:"a" AND from:b' },
    {
      Traversal: 'Shallow',
      ItemShape: idAnd(),
      View: { kind: 'CalendarView', StartDate: 0, EndDate: 86_400_000, MaxEntriesReturned: 1000 },
      ParentFolderIds: [distinguished('calendar')],
    },
  ],
  CreateItem: [
    { MessageDisposition: 'SendAndSaveCopy', SavedItemFolderId: distinguished('sentitems'), Items: [message] },
    {
      MessageDisposition: 'SendOnly',
      Items: [
        {
          kind: 'AcceptItem',
          Body: { BodyType: 'Text', value: 'ok' },
          ReferenceItemId: { Id: 'AAA=', ChangeKey: 'k' },
        },
      ],
    },
  ],
  UpdateItem: [
    {
      ConflictResolution: 'AutoResolve',
      MessageDisposition: 'SaveOnly',
      ItemChanges: [
        {
          Id: item('AAA=', 'k'),
          Updates: [
            setField(field('message:IsRead'), { kind: 'Message', IsRead: true }),
            deleteField(indexedField('contacts:PhoneNumber', 'MobilePhone')),
          ],
        },
      ],
    },
  ],
  DeleteItem: [
    {
      DeleteType: 'SoftDelete',
      SendMeetingCancellations: 'SendToNone',
      ItemIds: [item('AAA=')],
    },
  ],
  MoveItem: [moves],
  SendItem: [{ SaveItemToFolder: true, ItemIds: [item('AAA=', 'k')], SavedItemFolderId: distinguished('sentitems') }],
}

describe('requests', () => {
  const names = Object.keys(tested) as (keyof Tested)[]
  checked.each(names)('of %s are valid', (name) => {
    const operation: Operation<object, unknown> = tested[name]
    for (const sample of samples[name]) {
      const written = writeElement('m', name, operation.request, sample)
      checkEnvelope(writeEnvelope({ version: 'Exchange2013_SP1', timeZone: 'UTC' }, written))
    }
  })

  checked('that are not are found out', () => {
    const written = '<m:GetItem><m:ItemIds/></m:GetItem>'
    expect(() => checkEnvelope(writeEnvelope({ version: 'Exchange2013_SP1', timeZone: 'UTC' }, written))).toThrow()
  })
})
