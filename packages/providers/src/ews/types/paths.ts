/** The names of properties of items and folders: in shapes, restrictions, sort orders and changes. */
import {
  attributesOnly,
  base64,
  boolean,
  choice,
  enumeration,
  integer,
  list,
  listOf,
  required,
  requiredAttribute,
  type Scalar,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'

/** Names of the schema begin with the kind of object; every server refuses an unknown one. */
export type FieldUri = `${
  | 'folder'
  | 'item'
  | 'message'
  | 'meeting'
  | 'meetingRequest'
  | 'calendar'
  | 'task'
  | 'contacts'
  | 'distributionlist'
  | 'postitem'
  | 'conversation'
  | 'persona'}:${string}`

const fieldUriText: Scalar<FieldUri> = {
  ...text,
  // A name from a server is only compared with ours.
  parse: (value) => value as FieldUri,
  read: (element) => element.text as FieldUri,
}
const fieldUri = attributesOnly({ FieldURI: requiredAttribute(fieldUriText) })

/** Fields with several entries, such as `contacts:EmailAddress`. */
export const indexedUris = [
  'item:InternetMessageHeader',
  'contacts:ImAddress',
  'contacts:PhysicalAddress:Street',
  'contacts:PhysicalAddress:City',
  'contacts:PhysicalAddress:State',
  'contacts:PhysicalAddress:CountryOrRegion',
  'contacts:PhysicalAddress:PostalCode',
  'contacts:PhoneNumber',
  'contacts:EmailAddress',
  'distributionlist:Members:Member',
] as const
export type IndexedUri = (typeof indexedUris)[number]
const indexedFieldUri = attributesOnly({
  FieldURI: requiredAttribute(enumeration(indexedUris)),
  FieldIndex: requiredAttribute(text),
})

export const propertySets = [
  'Meeting',
  'Appointment',
  'Common',
  'PublicStrings',
  'Address',
  'InternetHeaders',
  'CalendarAssistant',
  'UnifiedMessaging',
  'Task',
  'Sharing',
] as const
export type PropertySet = (typeof propertySets)[number]

export const propertyTypes = [
  'ApplicationTime',
  'ApplicationTimeArray',
  'Binary',
  'BinaryArray',
  'Boolean',
  'CLSID',
  'CLSIDArray',
  'Currency',
  'CurrencyArray',
  'Double',
  'DoubleArray',
  'Error',
  'Float',
  'FloatArray',
  'Integer',
  'IntegerArray',
  'Long',
  'LongArray',
  'Null',
  'Object',
  'ObjectArray',
  'Short',
  'ShortArray',
  'SystemTime',
  'SystemTimeArray',
  'String',
  'StringArray',
] as const
export type PropertyType = (typeof propertyTypes)[number]

/** A MAPI property: by its tag, or by a set and a name or number in it. */
export const extendedFieldUri = attributesOnly({
  DistinguishedPropertySetId: enumeration(propertySets),
  PropertySetId: text,
  PropertyTag: text,
  PropertyName: text,
  PropertyId: integer,
  PropertyType: requiredAttribute(enumeration(propertyTypes)),
})
export type ExtendedFieldUri = ValueOf<typeof extendedFieldUri>

export const path = choice({ FieldURI: fieldUri, IndexedFieldURI: indexedFieldUri, ExtendedFieldURI: extendedFieldUri })
export type Path = ValueOf<typeof path>
export const paths = listOf(path)

/** A field of the schema, such as `item:Subject`. */
export const field = (FieldURI: FieldUri): Path => ({ kind: 'FieldURI', FieldURI })

/** One entry of a field, such as (`contacts:EmailAddress`, `EmailAddress1`). */
export const indexedField = (FieldURI: IndexedUri, FieldIndex: string): Path => ({
  kind: 'IndexedFieldURI',
  FieldURI,
  FieldIndex,
})

/** A property by its tag, such as (`0x300B`, `Binary`). */
export const tag = (PropertyTag: `0x${string}`, PropertyType: PropertyType): ExtendedFieldUri => ({
  PropertyTag,
  PropertyType,
})

/** A property of a well-known set, or of a set with a GUID, by its name or number. */
export function named(
  set: PropertySet | { guid: string },
  nameOrNumber: string | number,
  PropertyType: PropertyType,
): ExtendedFieldUri {
  return {
    ...(typeof set === 'string' ? { DistinguishedPropertySetId: set } : { PropertySetId: set.guid }),
    ...(typeof nameOrNumber === 'string' ? { PropertyName: nameOrNumber } : { PropertyId: nameOrNumber }),
    PropertyType,
  }
}

/** A property as a path. */
export const property = (uri: ExtendedFieldUri): Path => ({ kind: 'ExtendedFieldURI', ...uri })

/** ExtendedPropertyType: a property with its value, or values where its type is an array. */
export const extendedProperty = sequence({
  ExtendedFieldURI: required(extendedFieldUri),
  Value: text,
  Values: list('Value', text),
})
export type ExtendedProperty = ValueOf<typeof extendedProperty>

/** The text of a property of an item or folder. */
export const propertyText = (
  properties: readonly ExtendedProperty[] | undefined,
  uri: ExtendedFieldUri,
): string | undefined => properties?.find(({ ExtendedFieldURI }) => isSameProperty(ExtendedFieldURI, uri))?.Value

/** Reads the value of a property as that of a scalar. */
const valueAs =
  <T>(scalar: Scalar<T>) =>
  (properties: readonly ExtendedProperty[] | undefined, uri: ExtendedFieldUri): T | undefined => {
    const value = propertyText(properties, uri)
    return value === undefined ? undefined : scalar.parse(value)
  }

/** The number of a property of type Integer, Long or Short. */
export const propertyNumber = valueAs(integer)
export const propertyBoolean = valueAs(boolean)
export const propertyBytes = valueAs(base64)

/** Servers write tags in upper or lower case and with or without leading zeros (`0x670a`, `0xe07`), and GUIDs likewise. */
function isSameProperty(a: ExtendedFieldUri, b: ExtendedFieldUri): boolean {
  if (a.PropertyTag !== undefined || b.PropertyTag !== undefined) {
    return a.PropertyTag !== undefined && Number(a.PropertyTag) === Number(b.PropertyTag)
  }
  return (
    a.DistinguishedPropertySetId === b.DistinguishedPropertySetId &&
    a.PropertySetId?.toLowerCase() === b.PropertySetId?.toLowerCase() &&
    a.PropertyId === b.PropertyId &&
    a.PropertyName?.toLowerCase() === b.PropertyName?.toLowerCase()
  )
}
