/** What is asked of Exchange for contacts and their folders. */
import { addressKeys, addressParts, emailKeys, imKeys, phoneKeys } from '../types/contact.ts'
import { type ExtendedFieldUri, field, indexedField, named, type Path, property, tag } from '../types/paths.ts'
import { type ItemShape, idAnd } from '../types/shapes.ts'

/** Stays with an item that is moved, while its id does not (PidTagSearchKey). */
export const searchKey = tag('0x300B', 'Binary')

/** Under what an address of a contact is shown (PidLidEmail1OriginalDisplayName and its like), by the keys of addresses. */
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

/** What is asked for of a contact that is shown. */
export const wholeContact: ItemShape = { ...idAnd(...contactPaths), BodyType: 'Text' }

/** What is asked for of contacts that are looked for. */
export const listedContact: ItemShape = idAnd(field('item:DateTimeCreated'), property(searchKey))
