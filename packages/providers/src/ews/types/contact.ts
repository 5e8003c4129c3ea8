/** Contacts (ContactItemType of types.xsd), as far as they are read or written here, and lists of addresses. */
import {
  dateTime,
  element,
  enumeration,
  list,
  requiredAttribute,
  sequence,
  text,
  textElement,
  type ValueOf,
} from '../soap/description.ts'
import { itemFields } from './item.ts'

export const emailKeys = ['EmailAddress1', 'EmailAddress2', 'EmailAddress3'] as const
export const imKeys = ['ImAddress1', 'ImAddress2', 'ImAddress3'] as const
export const addressKeys = ['Business', 'Home', 'Other'] as const
export const addressParts = ['Street', 'City', 'State', 'CountryOrRegion', 'PostalCode'] as const
/** The keys of numbers that the API returns; others, such as fax numbers, are neither read nor changed. */
export const phoneKeys = [
  'BusinessPhone',
  'BusinessPhone2',
  'HomePhone',
  'HomePhone2',
  'MobilePhone',
  'OtherTelephone',
] as const

/** An unknown key belongs to an entry that the API does not return. */
const key = <const K extends string>(keys: readonly K[]) => requiredAttribute(enumeration([...keys, ''], ''))

const emailEntry = textElement({ Key: key(emailKeys), Name: text, RoutingType: text }, text)
const phoneEntry = textElement({ Key: key(phoneKeys) }, text)
const imEntry = textElement({ Key: key(imKeys) }, text)
const addressEntry = element({
  attributes: { Key: key(addressKeys) },
  places: { Street: text, City: text, State: text, CountryOrRegion: text, PostalCode: text },
})

/** In the order of the schema. */
export const contact = sequence({
  ...itemFields,
  FileAs: text,
  FileAsMapping: text,
  DisplayName: text,
  GivenName: text,
  MiddleName: text,
  Nickname: text,
  CompleteName: sequence({ FullName: text }),
  CompanyName: text,
  EmailAddresses: list('Entry', emailEntry),
  PhysicalAddresses: list('Entry', addressEntry),
  PhoneNumbers: list('Entry', phoneEntry),
  Birthday: dateTime,
  BusinessHomePage: text,
  Generation: text,
  ImAddresses: list('Entry', imEntry),
  JobTitle: text,
  Manager: text,
  OfficeLocation: text,
  Surname: text,
})
export type Contact = ValueOf<typeof contact>

export const distributionList = sequence({ ...itemFields, DisplayName: text, FileAs: text })
