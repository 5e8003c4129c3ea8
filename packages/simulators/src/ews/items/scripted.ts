// Changes to items that tests make without the API, as if by a client.
import type { EwsCall, Field, IndexedPath } from '../model.ts'
import { itemOfId } from '../store/lookup.ts'
import type { StoredItem } from '../store/stored.ts'
import { type WrittenBody, type WrittenValue, writtenNode } from '../written.ts'
import type { XmlNode } from '../xml/read.ts'
import { fieldNamed, setField } from './writing.ts'

/** A null value deletes the field. */
export type WrittenChange = { readonly [name: string]: WrittenBody[string] | null }

/** In a field with entries, each entry is changed separately, and each of its parts. */
function changesOf({ indexedUris }: Field, written: XmlNode): [XmlNode, IndexedPath?][] {
  if (indexedUris === undefined) return [[written]]
  return written.children.flatMap((entry) => {
    const index = entry.attributes.Key ?? ''
    const isWritten = (uri: string) =>
      entry.children.length === 0 || entry.children.some(({ name }) => uri.endsWith(`:${name}`))
    const uris = indexedUris.filter(isWritten)
    return uris.map((uri): [XmlNode, IndexedPath] => [
      { ...written, children: [entry] },
      { uri, index },
    ])
  })
}

/** Sets fields of an item by element, with all consequences. */
export function changeWritten(call: EwsCall, id: string, change: WrittenChange): StoredItem {
  const item = itemOfId(call, id, 'write')
  const type = call.world.registry.typeOf(item)
  const before = type.copyContent(item.content)
  for (const [name, value] of Object.entries(change)) {
    const field = fieldNamed(call, item, name)
    if (value === null) field.remove?.(item, { call, entry: undefined })
    else
      for (const change of changesOf(field, writtenNode(name, value as WrittenValue))) setField(call, item, ...change)
  }
  if (type.updated !== undefined) type.updated(call, item, new Set(Object.keys(change)), before)
  else item.mailbox.change(item)
  return item
}
