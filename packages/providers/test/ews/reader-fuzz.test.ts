/** Written XML is read back, and any response of a server causes only provider errors. */

import { ApiError } from '@waypost/platform/api-error'
import { parseXml } from '@waypost/platform/xml/xml'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FindFolder } from '../../src/ews/operations/folders.ts'
import { FindItem, GetItem } from '../../src/ews/operations/items.ts'
import { openClient } from '../../src/ews/soap/client.ts'
import { type Description, writeElement } from '../../src/ews/soap/description.ts'
import { namespaces } from '../../src/ews/soap/envelope.ts'
import { messageItem } from '../../src/ews/types/message.ts'
import { field, property, tag } from '../../src/ews/types/paths.ts'
import { type Restriction, restriction } from '../../src/ews/types/restriction.ts'
import { answerOf, ewsAccount, failed, faultOf, success } from './ews-account.ts'

const readBack = <T>(description: Description<T>, value: T): T | undefined => {
  const xml = writeElement('t', 'X', description, value)
  const root = parseXml(xml.replace('<t:X', `<t:X xmlns:t="${namespaces.t}" xmlns:m="${namespaces.m}"`))
  return description.read(root, ({ message }) => expect.fail(message))
}

/** Text with only characters that XML allows. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((value) => value.replace(/[^\t\n\r\x20-\ufffd\u{10000}-\u{10ffff}]/gu, '?'))

const path = fc.constantFrom(field('item:Subject'), field('message:From'), property(tag('0x300B', 'Binary')))
const { expression } = fc.letrec<{ expression: Restriction }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small' },
    fc.record({
      kind: fc.constantFrom('IsEqualTo' as const, 'IsLessThan' as const, 'IsGreaterThan' as const),
      Path: path,
      FieldURIOrConstant: fc.record({ kind: fc.constant('Constant' as const), Value: text }),
    }),
    fc.record({ kind: fc.constant('Not' as const), Part: tie('expression') }),
    fc.record({
      kind: fc.constantFrom('And' as const, 'Or' as const),
      Parts: fc.array(tie('expression'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}))

const optional = { requiredKeys: [] as [] }
const mailbox = fc.record({ Name: text, EmailAddress: text }, optional)
const message = fc.record(
  {
    MimeContent: fc.record({ CharacterSet: text, value: fc.uint8Array().map((bytes) => Buffer.from(bytes)) }),
    Subject: text,
    Body: fc.record({ BodyType: fc.constantFrom('HTML' as const, 'Text' as const), value: text }),
    DateTimeReceived: fc.integer({ min: 0, max: 4e12 }),
    Size: fc.integer(),
    IsDraft: fc.boolean(),
    InternetMessageHeaders: fc.array(fc.record({ HeaderName: text, value: text })),
    ToRecipients: fc.array(mailbox, { minLength: 1, maxLength: 3 }),
    IsRead: fc.boolean(),
  },
  optional,
)

describe('written XML', () => {
  test('is read back: restrictions', () => {
    fc.assert(
      fc.property(expression, (value) => void expect(readBack(restriction, value)).toEqual(value)),
      { numRuns: runs(60) },
    )
  })

  test('is read back: messages', () => {
    fc.assert(
      fc.property(message, (value) => void expect(readBack(messageItem, value)).toEqual(value)),
      { numRuns: runs(60) },
    )
  })
})

const item =
  '<t:Message><t:ItemId Id="AAA=" ChangeKey="k"/><t:Subject>a &amp; b</t:Subject><t:Body BodyType="HTML">&lt;p&gt;</t:Body>' +
  '<t:DateTimeReceived>2026-11-16T00:00:00Z</t:DateTimeReceived><t:Size>12</t:Size><t:IsRead>true</t:IsRead>' +
  '<t:ExtendedProperty><t:ExtendedFieldURI PropertyTag="0x300b" PropertyType="Binary"/><t:Value>AAA=</t:Value></t:ExtendedProperty>' +
  '<t:ToRecipients><t:Mailbox><t:Name>A</t:Name></t:Mailbox></t:ToRecipients></t:Message>'
const good = [
  {
    operation: GetItem,
    body: answerOf('GetItem', success('GetItem', `<m:Items>${item}</m:Items>`), failed('GetItem', 'ErrorItemNotFound')),
  },
  {
    operation: FindItem,
    body: answerOf(
      'FindItem',
      success(
        'FindItem',
        `<m:RootFolder IncludesLastItemInRange="true" TotalItemsInView="1"><t:Items>${item}</t:Items></m:RootFolder>`,
      ),
    ),
  },
  {
    operation: FindFolder,
    body: answerOf(
      'FindFolder',
      success(
        'FindFolder',
        '<m:RootFolder TotalItemsInView="1"><t:Folders><t:Folder><t:FolderId Id="A"/><t:TotalCount>3</t:TotalCount></t:Folder></t:Folders></m:RootFolder>',
      ),
    ),
  },
  { operation: GetItem, body: faultOf('ErrorServerBusy', '<t:Value Name="BackOffMilliseconds">100</t:Value>') },
]

/** Replaces something in a text by something else. */
const spoiled = fc
  .record({
    from: fc.constantFrom(...good),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 0, max: 30 }),
    by: fc.oneof(
      fc.constantFrom(
        '',
        '<',
        '>',
        '&',
        '"',
        '</t:Message>',
        '<t:Message>',
        '&#x0;',
        '\u0000',
        'é',
        '<![CDATA[',
        '<!DOCTYPE a>',
      ),
      fc.string({ maxLength: 10 }),
    ),
    isCut: fc.boolean(),
    status: fc.constantFrom(200, 200, 200, 500),
  })
  .map(({ from: { operation, body }, at, length, by, isCut, status }) => {
    const place = Math.floor(at * body.length)
    const rest = isCut ? '' : body.slice(place + length)
    return { operation, body: Buffer.from(`${body.slice(0, place)}${by}${rest}`), status }
  })

test('a corrupted response is parsed, or is a provider error', async () => {
  await using account = ewsAccount({ url: 'http://localhost' })
  const place = { url: 'http://localhost/', user: '', password: '', address: '' }
  let answered = 0
  await fc.assert(
    fc.asyncProperty(spoiled, async ({ operation, body, status }) => {
      const client = openClient(account.io, place, {
        post: async () => ({ status, header: () => 'text/xml', headerList: () => [], body }),
        stream: () => Promise.reject(new Error('no stream was asked for')),
        pauseFor: () => {},
      })
      // The request does not matter: the response already exists.
      const requested = {
        ItemShape: { BaseShape: 'IdOnly' },
        FolderShape: { BaseShape: 'IdOnly' },
        ItemIds: [],
        ParentFolderIds: [],
      }
      const answers = await client
        .each<object, unknown>(operation, requested, { retries: false })
        .catch((error: unknown) => error)
      if (Array.isArray(answers)) answered += 1
      else if (!(answers instanceof ApiError) || !/^(provider_|not_found|grant_invalid)/.test(answers.code))
        throw answers
    }),
    { numRuns: runs(400) },
  )
  expect(answered).toBeGreaterThan(0)
})
