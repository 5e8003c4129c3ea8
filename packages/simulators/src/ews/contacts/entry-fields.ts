// The fields of a contact that have entries: email, postal and instant messaging addresses, and phone numbers. A
// change names one entry by `IndexedFieldURI`; for a postal address, it names one part.
import type { ChangeContext, Field, IndexedPath, WriteContext } from '../model.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { isSince } from '../soap/versions.ts'
import type { StoredItem } from '../store/stored.ts'
import { childOf, childrenOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import {
  type AddressPart,
  addressKeys,
  addressParts,
  type ContactContent,
  type EmailEntry,
  emailKeys,
  instantMessageKeys,
  type PhysicalAddress,
  phoneKeys,
} from './content.ts'
import { change, withEntry } from './fields.ts'

type ContactItem = StoredItem<ContactContent>
type EntriesName = 'emails' | 'phones' | 'instantMessages' | 'addresses'

interface EntryKind<T> {
  readonly name: string
  /** The name of the field in the content. */
  readonly retained: EntriesName
  readonly keys: readonly string[]
  /** Such as `contacts:EmailAddress`. */
  readonly indexedUris: readonly string[]
  read(entry: XmlNode): T | undefined
  write(key: string, value: T, context: WriteContext): Xml
  text(value: T, path: IndexedPath): string | undefined
}

function entriesOf<T>({ content }: ContactItem, retained: EntriesName): Readonly<Record<string, T>> {
  return content[retained] as unknown as Readonly<Record<string, T>>
}

function keep<T>(item: ContactItem, retained: EntriesName, entries: Readonly<Record<string, T>>): void {
  change(item, { [retained]: entries })
}

function keyOf(entry: XmlNode, { keys, name }: { keys: readonly string[]; name: string }): string {
  const { Key: key = '' } = entry.attributes
  if (keys.includes(key)) return key
  throw schemaViolation(
    `The 'Key' attribute of '${name}' is invalid - The value '${key}' is invalid according to its datatype.`,
  )
}

/** `contacts:EmailAddresses` cannot be set as a whole: each entry is a separate property. */
function wholeIsReadOnly(): EwsError {
  return new EwsError('ErrorInvalidPropertySet', 'Set action is invalid for property.')
}

function entryField<T>(kind: EntryKind<T>): Field<ContactContent> {
  const { name, retained, keys, indexedUris } = kind
  return {
    uri: `contacts:${name}`,
    name,
    shape: 'Default',
    indexedUris,
    write(item, context) {
      const all = entriesOf<T>(item, retained)
      const wanted =
        context.entries === undefined ? keys : keys.filter((key) => context.entries?.some(({ index }) => index === key))
      const entries = wanted.flatMap((key) => (all[key] === undefined ? [] : [kind.write(key, all[key], context)]))
      return entries.length === 0 ? undefined : element(`t:${name}`, entries)
    },
    entryValue(item, path) {
      const entry = entriesOf<T>(item, retained)[path.index]
      return entry === undefined ? undefined : kind.text(entry, path)
    },
    set(item, written, context) {
      const { entry: path } = context
      // A new item has no number yet, and may set all entries.
      if (path === undefined && item.number !== 0) throw wholeIsReadOnly()
      for (const entry of childrenOf(written, 'Entry')) {
        const key = keyOf(entry, kind)
        if (path !== undefined && path.index !== key) {
          throw new EwsError(
            'ErrorIncorrectUpdatePropertyCount',
            'An object within a change description must contain one and only one property to modify.',
          )
        }
        keep(item, retained, withEntry(entriesOf<T>(item, retained), key, kind.read(entry)))
      }
    },
    remove(item, { entry: path }) {
      if (path === undefined)
        throw new EwsError('ErrorInvalidPropertyDelete', 'Delete action is not supported for this property.')
      keep(item, retained, withEntry(entriesOf<T>(item, retained), path.index, undefined))
    },
  }
}

const textKind = (name: string, retained: EntriesName, keys: readonly string[], uri: string): EntryKind<string> => ({
  name,
  retained,
  keys,
  indexedUris: [uri],
  read: ({ text }) => (text === '' ? undefined : text),
  write: (key, text) => element('t:Entry', { Key: key }, text),
  text: (text) => text,
})

const emails: EntryKind<EmailEntry> = {
  name: 'EmailAddresses',
  retained: 'emails',
  keys: emailKeys,
  indexedUris: ['contacts:EmailAddress'],
  read({ text, attributes: { Name: name, RoutingType: routingType = 'SMTP' } }) {
    return text.trim() === '' ? undefined : { address: text.trim(), name, routingType }
  },
  write(key, { address, name, routingType }, { call, found }) {
    const details = isSince(call.schema, 'Exchange2010_SP2') && !found
    const more = details ? { Name: name ?? address, RoutingType: routingType, MailboxType: 'OneOff' } : {}
    return element('t:Entry', { Key: key, ...more }, address)
  },
  text: ({ address }) => address,
}

const partOf = ({ uri }: IndexedPath): AddressPart | undefined =>
  addressParts.find((part) => uri === `contacts:PhysicalAddress:${part}`)

function readAddress(entry: XmlNode): PhysicalAddress {
  const parts = addressParts.flatMap((part) => {
    const text = childOf(entry, part)?.text
    return text === undefined || text === '' ? [] : [[part, text] as const]
  })
  return Object.fromEntries(parts)
}

const addresses: EntryKind<PhysicalAddress> = {
  name: 'PhysicalAddresses',
  retained: 'addresses',
  keys: addressKeys,
  indexedUris: addressParts.map((part) => `contacts:PhysicalAddress:${part}`),
  read: readAddress,
  write(key, address, { entries }) {
    const requested = entries?.filter(({ index }) => index === key).map(partOf)
    const parts = addressParts.filter((part) => requested === undefined || requested.includes(part))
    return element(
      't:Entry',
      { Key: key },
      parts.map((part) => (address[part] ? element(`t:${part}`, address[part]) : undefined)),
    )
  },
  text(address, path) {
    const part = partOf(path)
    return part === undefined ? undefined : address[part]
  },
}

/** A change concerns one part of an address. Without parts, the address is removed. */
function changePart(item: ContactItem, path: IndexedPath, text: string | undefined): void {
  const part = partOf(path)
  if (part === undefined) throw schemaViolation(`The 'FieldURI' attribute is invalid - '${path.uri}'.`)
  const all = item.content.addresses
  const { [part]: _, ...others } = all[path.index] ?? {}
  const address: PhysicalAddress = text === undefined || text === '' ? others : { ...others, [part]: text }
  change(item, { addresses: withEntry(all, path.index, Object.keys(address).length === 0 ? undefined : address) })
}

const wholeAddresses = entryField(addresses)

const addressField: Field<ContactContent> = {
  ...wholeAddresses,
  set(item, written, context: ChangeContext) {
    const { entry: path } = context
    if (path === undefined) return wholeAddresses.set?.(item, written, context)
    const entry = childrenOf(written, 'Entry').find(({ attributes }) => attributes.Key === path.index)
    const part = partOf(path)
    if (entry === undefined || part === undefined || childOf(entry, part) === undefined) {
      throw new EwsError(
        'ErrorIncorrectUpdatePropertyCount',
        'An object within a change description must contain one and only one property to modify.',
      )
    }
    changePart(item, path, childOf(entry, part)?.text)
  },
  remove(item, { entry: path }) {
    if (path === undefined)
      throw new EwsError('ErrorInvalidPropertyDelete', 'Delete action is not supported for this property.')
    changePart(item, path, undefined)
  },
}

export const entryFields: readonly Field<ContactContent>[] = [
  entryField(emails),
  addressField,
  entryField(textKind('PhoneNumbers', 'phones', phoneKeys, 'contacts:PhoneNumber')),
  entryField(textKind('ImAddresses', 'instantMessages', instantMessageKeys, 'contacts:ImAddress')),
]
