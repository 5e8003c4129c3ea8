// Sets the fields of an item from the elements in a request.

import type { EwsCall, Field } from '../model.ts'
import { setExtended } from '../shapes/extended-fields.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { extendedProperty } from '../store/extended.ts'
import type { StoredItem } from '../store/stored.ts'
import type { XmlNode } from '../xml/read.ts'

/** Complete messages are set before single fields. */
const first = ['ItemClass', 'MimeContent']

/** Sets fields from the children of an item's element: `<t:Message><t:Subject>…`. */
export function setFields(call: EwsCall, item: StoredItem, written: XmlNode): void {
  const rank = ({ name }: XmlNode) => (first.includes(name) ? 0 : name === 'ExtendedProperty' ? 2 : 1)
  for (const child of written.children.toSorted((left, right) => rank(left) - rank(right))) setField(call, item, child)
}

/** Sets one field. Throws if it is read-only. */
export function setField(
  call: EwsCall,
  item: StoredItem,
  written: XmlNode,
  entry?: { uri: string; index: string },
): void {
  if (written.name === 'ExtendedProperty') {
    const { path, value } = extendedProperty(written)
    setExtended(item, path.key, value)
    return
  }
  if (written.name === 'ItemClass') {
    item.itemClass = written.text.trim()
    return
  }
  const field = fieldNamed(call, item, written.name)
  if (field.set === undefined) throw notSettable(field.uri)
  field.set(item, written, { call, entry })
}

export function fieldNamed({ world }: EwsCall, item: StoredItem, name: string): Field {
  const type = world.registry.typeOf(item)
  const field = type.fields.find((each) => each.name === name)
  if (field !== undefined) return field
  throw schemaViolation(`The element '${type.element}' has invalid child element '${name}'.`)
}

export const notSettable = (uri: string): EwsError =>
  new EwsError('ErrorInvalidPropertySet', `Set action is invalid for property ${uri}.`)
