/** The requested fields of contacts and their folders. */
import { addressKeys, addressParts, emailKeys, imKeys, phoneKeys } from '../types/contact.ts'
import { type ExtendedFieldUri, field, indexedField, named, type Path, property, tag } from '../types/paths.ts'
import { type ItemShape, idAnd } from '../types/shapes.ts'

/** Stays with an item when it is moved, unlike its id (PidTagSearchKey). */
export const searchKey = tag('0x300B', 'Binary')

/** The display names of a contact's addresses (PidLidEmail1OriginalDisplayName and so on), by address key. */
export const emailNames: ReadonlyMap<string, ExtendedFieldUri> = new Map([
  ['EmailAddress1', named('Address', 0x80_84, 'String')],
  ['EmailAddress2', named('Address', 0x80_94, 'String')],
  ['EmailAddress3', named('Address', 0x80_a4, 'String')],
])

const contactPaths: readonly Path[] = [
  field('item:ParentFolderId'),
  field('item:Body'),
  field('item:Attachments'),
  field('contacts:DisplayName'),
  field('contacts:GivenName'),
  field('contacts:MiddleName'),
  field('contacts:Nickname'),
  field('contacts:CompleteName'),
  field('contacts:CompanyName'),
  field('contacts:Birthday'),
  field('contacts:BusinessHomePage'),
  field('contacts:Generation'),
  field('contacts:JobTitle'),
  field('contacts:Manager'),
  field('contacts:OfficeLocation'),
  field('contacts:Surname'),
  // Not every server knows the lists by their names.
  ...emailKeys.map((key) => indexedField('contacts:EmailAddress', key)),
  ...imKeys.map((key) => indexedField('contacts:ImAddress', key)),
  ...phoneKeys.map((key) => indexedField('contacts:PhoneNumber', key)),
  ...addressKeys.flatMap((key) => addressParts.map((part) => indexedField(`contacts:PhysicalAddress:${part}`, key))),
  property(searchKey),
  ...[...emailNames.values()].map(property),
]

/** The requested fields of a contact. */
export const wholeContact: ItemShape = { ...idAnd(...contactPaths), BodyType: 'Text' }

/** The requested fields of contacts in a list. */
export const listedContact: ItemShape = idAnd(field('item:DateTimeCreated'), property(searchKey))
