import { parseXml } from '@waypost/platform/xml/xml'
import { describe, expect, test } from 'vitest'
import { FindItem, page, UpdateItem } from '../../src/ews/operations/items.ts'
import {
  attributesOnly,
  base64,
  boolean,
  choice,
  type Description,
  date,
  dateTime,
  element,
  enumeration,
  inline,
  integer,
  list,
  listOf,
  readableListOf,
  repeated,
  required,
  requiredAttribute,
  sequence,
  text,
  textElement,
  UnreadableElement,
  words,
  writeElement,
} from '../../src/ews/soap/description.ts'
import { namespaces } from '../../src/ews/soap/envelope.ts'
import { setField } from '../../src/ews/types/changes.ts'
import { distinguished, folder, item } from '../../src/ews/types/ids.ts'
import { field, named, property, propertyNumber, tag } from '../../src/ews/types/paths.ts'
import { allOf, anyOf, containing, equals, newestFirst, not } from '../../src/ews/types/restriction.ts'
import { idAnd } from '../../src/ews/types/shapes.ts'

const declared = `xmlns:t="${namespaces.t}" xmlns:m="${namespaces.m}"`
const elementOf = (xml: string) => parseXml(xml.replace(/^<([\w:]+)/, `<$1 ${declared}`))
const read = <T>(description: Description<T>, xml: string, dropped: string[] = []): T | undefined =>
  description.read(elementOf(xml), ({ message }) => dropped.push(message))
const written = <T>(description: Description<T>, value: T): string => writeElement('t', 'X', description, value)

const person = element({
  attributes: { Id: requiredAttribute(text), Age: integer },
  places: {
    Name: required(text),
    Born: dateTime,
    Tags: list('String', text),
    Note: repeated(text),
    Pet: inline(choice({ Dog: sequence({ Name: text }), Cat: attributesOnly({ Lives: integer }), Fish: integer })),
  },
})

describe('a description', () => {
  test('writes the given values in the order of the schema, and reads them back', () => {
    const value = {
      Pet: { kind: 'Cat' as const, Lives: 9 },
      Note: ['a <b>', 'c'],
      Born: Date.UTC(2026, 10, 15, 9, 30),
      Name: 'Ada & Grace',
      Age: 36,
      Id: '"1"',
    }
    const xml = written(person, value)
    expect(xml).toBe(
      '<t:X Id="&quot;1&quot;" Age="36"><t:Name>Ada &amp; Grace</t:Name><t:Born>2026-11-15T09:30:00Z</t:Born>' +
        '<t:Note>a &lt;b&gt;</t:Note><t:Note>c</t:Note><t:Cat Lives="9"/></t:X>',
    )
    expect(read(person, xml)).toEqual(value)
  })

  test('reads known elements in any order, and skips the rest', () => {
    const xml =
      '<t:X Id="1" Colour="red"><t:New><t:Name>no</t:Name></t:New><t:Fish>3</t:Fish><t:Tags/><t:Born/><t:Name>A</t:Name></t:X>'
    expect(read(person, xml)).toEqual({ Id: '1', Name: 'A', Tags: [], Pet: { kind: 'Fish', value: 3 } })
  })

  test.each([
    ['<t:X><t:Name>A</t:Name></t:X>', '@Id is missing'],
    ['<t:X Id="1"/>', 'Name is missing'],
    ['<t:X Id="1" Age="old"><t:Name>A</t:Name></t:X>', '@Age is no whole number'],
    ['<t:X Id="1"><t:Name>A</t:Name><t:Born>yesterday</t:Born></t:X>', 'Born is no time'],
    ['<t:X Id="1"><t:Name>A</t:Name><t:Cat Lives="9.5"/></t:X>', 'Cat.@Lives is no whole number'],
  ])('names the element that it cannot read: %s', (xml, problem) => {
    expect(() => read(person, xml)).toThrow(UnreadableElement)
    expect(() => read(person, xml)).toThrow(problem)
  })

  test('omits an unreadable item from a list, and reports it', () => {
    const animals = choice({ Cat: attributesOnly({ Lives: requiredAttribute(integer) }) })
    const xml = '<t:X><t:Cat Lives="9"/><t:Cat Lives="many"/><t:Dog/><t:Cat/></t:X>'
    const dropped: string[] = []
    expect(read(readableListOf(animals), xml, dropped)).toEqual([{ kind: 'Cat', Lives: 9 }])
    expect(dropped).toEqual(['Cat.@Lives is no whole number', 'Cat.@Lives is missing'])
    expect(() => read(listOf(animals), xml)).toThrow('Cat.@Lives is no whole number')
  })

  test.each<[string, Description<unknown>, string, unknown]>([
    ['a boolean', boolean, 'true', true],
    ['a boolean as a number', boolean, ' 0 ', false],
    ['a time in UTC', dateTime, '2026-11-15T01:26:30.672506100Z', Date.UTC(2026, 10, 15, 1, 26, 30, 672)],
    ['a time with an offset', dateTime, '2026-11-15T01:26:30+05:30', Date.UTC(2026, 10, 14, 19, 56, 30)],
    ['a time without zone', dateTime, '2026-11-15T01:26:30', Date.UTC(2026, 10, 15, 1, 26, 30)],
    ['a date with a zone', date, '2026-11-15-08:00', '2026-11-15'],
    ['bytes', base64, 'AQID', Buffer.from([1, 2, 3])],
    ['a known word', enumeration(['Busy', 'Free']), 'Free', 'Free'],
    ['a word that nobody knows', enumeration(['Busy', 'Free']), 'Elsewhere', undefined],
    ['such a word where there is another for it', enumeration(['Busy', 'Free'], 'Busy'), 'Elsewhere', 'Busy'],
    ['days', words(['Monday', 'Friday']), 'Monday Someday Friday', ['Monday', 'Friday']],
    ['an empty element', integer, '', undefined],
    ['text with attributes', textElement({ Kind: text }, text), 'a b', { value: 'a b' }],
  ])('reads %s', (_, description, xml, value) => {
    expect(read(description, `<t:X>${xml}</t:X>`)).toEqual(value)
  })

  test.each<[string, Description<unknown>]>([
    ['maybe', boolean],
    ['2026-13-45T00:00:00Z', dateTime],
    ['2026-02-30x', date],
    ['1e3', integer],
    ['99999999999999999999', integer],
    ['***', base64],
  ])('refuses %s', (xml, description) => {
    expect(() => read(description, `<t:X>${xml}</t:X>`)).toThrow(UnreadableElement)
  })
})

describe('a request', () => {
  test('for items of many folders is written as the schema requires', () => {
    const request = {
      Traversal: 'Shallow' as const,
      ParentFolderIds: [distinguished('inbox', 'b@x.example'), folder('AA==')],
      ItemShape: idAnd(field('item:Subject'), property(tag('0x300B', 'Binary'))),
      View: page(10, 50),
      Restriction: allOf([
        containing(field('item:Subject'), 'a'),
        not(equals(property(named('PublicStrings', 'X', 'String')), '1')),
      ]),
      SortOrder: newestFirst(field('item:DateTimeReceived')),
    }
    const xml = writeElement('m', 'FindItem', FindItem.request, request)
    expect(xml).toBe(
      '<m:FindItem Traversal="Shallow"><m:ItemShape><t:BaseShape>IdOnly</t:BaseShape><t:AdditionalProperties>' +
        '<t:FieldURI FieldURI="item:Subject"/><t:ExtendedFieldURI PropertyTag="0x300B" PropertyType="Binary"/>' +
        '</t:AdditionalProperties></m:ItemShape>' +
        '<m:IndexedPageItemView MaxEntriesReturned="50" Offset="10" BasePoint="Beginning"/>' +
        '<m:Restriction><t:And><t:Contains ContainmentMode="Substring" ContainmentComparison="IgnoreCase">' +
        '<t:FieldURI FieldURI="item:Subject"/><t:Constant Value="a"/></t:Contains><t:Not><t:IsEqualTo>' +
        '<t:ExtendedFieldURI DistinguishedPropertySetId="PublicStrings" PropertyName="X" PropertyType="String"/>' +
        '<t:FieldURIOrConstant><t:Constant Value="1"/></t:FieldURIOrConstant></t:IsEqualTo></t:Not></t:And></m:Restriction>' +
        '<m:SortOrder><t:FieldOrder Order="Descending"><t:FieldURI FieldURI="item:DateTimeReceived"/></t:FieldOrder></m:SortOrder>' +
        '<m:ParentFolderIds><t:DistinguishedFolderId Id="inbox"><t:Mailbox><t:EmailAddress>b@x.example</t:EmailAddress></t:Mailbox>' +
        '</t:DistinguishedFolderId><t:FolderId Id="AA=="/></m:ParentFolderIds></m:FindItem>',
    )
    expect(read(FindItem.request, xml)).toEqual(request)
  })

  test('that changes a property contains only that one', () => {
    const xml = writeElement('m', 'UpdateItem', UpdateItem.request, {
      ConflictResolution: 'AlwaysOverwrite',
      ItemChanges: [
        { Id: item('AA==', 'k'), Updates: [setField(field('message:IsRead'), { kind: 'Message', IsRead: true })] },
      ],
    })
    expect(xml).toBe(
      '<m:UpdateItem ConflictResolution="AlwaysOverwrite"><m:ItemChanges><t:ItemChange><t:ItemId Id="AA==" ChangeKey="k"/>' +
        '<t:Updates><t:SetItemField><t:FieldURI FieldURI="message:IsRead"/><t:Message><t:IsRead>true</t:IsRead></t:Message>' +
        '</t:SetItemField></t:Updates></t:ItemChange></m:ItemChanges></m:UpdateItem>',
    )
  })

  test('with one condition has nothing around it, and with none no restriction', () => {
    const one = equals(field('message:IsRead'), 'true')
    expect(anyOf([one])).toBe(one)
    expect(allOf([])).toBeUndefined()
  })
})

test('an extended property is found in every notation of its tag', () => {
  const properties = [
    { ExtendedFieldURI: { PropertyTag: '0xe07', PropertyType: 'Integer' as const }, Value: '9' },
    { ExtendedFieldURI: named('PublicStrings', 'x', 'String'), Value: 'no' },
  ]
  expect(propertyNumber(properties, tag('0x0E07', 'Integer'))).toBe(9)
  expect(propertyNumber(properties, tag('0x0E08', 'Integer'))).toBeUndefined()
})
