// Extended properties: their paths and values.
import { invalidRequest, schemaViolation } from '../soap/errors.ts'
import { childOf, childrenOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'

/** The GUIDs of the distinguished property sets. */
const sets: Readonly<Record<string, string>> = {
  Meeting: '6ed8da90-450b-101b-98da-00aa003f1305',
  Appointment: '00062002-0000-0000-c000-000000000046',
  Common: '00062008-0000-0000-c000-000000000046',
  PublicStrings: '00020329-0000-0000-c000-000000000046',
  Address: '00062004-0000-0000-c000-000000000046',
  InternetHeaders: '00020386-0000-0000-c000-000000000046',
  CalendarAssistant: '11000e07-b51b-40d6-af21-caa85edab1d0',
  UnifiedMessaging: '4442858e-a9e3-4e80-b900-317a210cc15b',
  Task: '00062003-0000-0000-c000-000000000046',
  Sharing: '00062040-0000-0000-c000-000000000046',
}

/** As written: one value, or several for an array type (`StringArray`). */
export type ExtendedValue = string | readonly string[]

export interface ExtendedPath {
  /** The same key for every notation of a property: `0x300b Binary`, `<set> <name> String`, `<set> #33 Binary`. */
  readonly key: string
  readonly type: string
  /** As the client wrote it; responses repeat it. */
  readonly attributes: Readonly<Record<string, string>>
}

/** The key of a tagged property. */
export const tagKey = (tag: number, type: string): string => `0x${tag.toString(16).padStart(4, '0')} ${type}`
/** The key of a property in a distinguished set, by name or number. */
export function namedKey(set: string, name: string | number, type: string): string {
  const guid = sets[set] ?? set.toLowerCase()
  // The names of header fields ignore case.
  const text = guid === sets.InternetHeaders ? String(name).toLowerCase() : name
  return `${guid} ${typeof name === 'number' ? `#${name}` : text} ${type}`
}

/** Parses an `ExtendedFieldURI`. */
export function extendedPath(node: XmlNode): ExtendedPath {
  const {
    PropertyTag,
    PropertyType: type,
    PropertyName,
    PropertyId,
    PropertySetId,
    DistinguishedPropertySetId,
  } = node.attributes
  if (type === undefined) throw schemaViolation("The required attribute 'PropertyType' is missing.")
  if (PropertyTag !== undefined) {
    const tag = Number(PropertyTag)
    if (!Number.isInteger(tag)) throw schemaViolation(`The value '${PropertyTag}' is invalid for 'PropertyTag'.`)
    const attributes = { PropertyTag: `0x${tag.toString(16)}`, PropertyType: type }
    return { key: tagKey(tag, type), type, attributes }
  }
  const set = DistinguishedPropertySetId ?? PropertySetId
  const name = PropertyName ?? (PropertyId === undefined ? undefined : Number(PropertyId))
  if (set === undefined || name === undefined) {
    throw invalidRequest('The extended property attribute combination is invalid.')
  }
  return { key: namedKey(set, name, type), type, attributes: node.attributes }
}

/** Parses an `ExtendedProperty`. */
export function extendedProperty(node: XmlNode): { path: ExtendedPath; value: ExtendedValue } {
  const field = childOf(node, 'ExtendedFieldURI')
  if (field === undefined) throw schemaViolation("The element 'ExtendedFieldURI' is missing.")
  const values = childOf(node, 'Values')
  const value =
    values === undefined ? (childOf(node, 'Value')?.text ?? '') : childrenOf(values, 'Value').map(({ text }) => text)
  return { path: extendedPath(field), value }
}

export function extendedXml({ attributes }: ExtendedPath, value: ExtendedValue): Xml {
  const written =
    typeof value === 'string'
      ? element('t:Value', value)
      : element(
          't:Values',
          value.map((each) => element('t:Value', each)),
        )
  return element('t:ExtendedProperty', [element('t:ExtendedFieldURI', attributes), written])
}
