// The item properties that restrictions and sort orders may name: fields with a value, and every extended property.

import type { EwsCall, Registry, World } from '../model.ts'
import { extendedValue } from '../shapes/extended-fields.ts'
import { EwsError } from '../soap/errors.ts'
import { extendedPath } from '../store/extended.ts'
import type { StoredItem } from '../store/stored.ts'
import type { XmlNode } from '../xml/read.ts'
import type { SearchedProperties, SearchedProperty } from './restriction.ts'
import { readValue, typeOfExtended } from './values.ts'

/** The bits of PR_MESSAGE_FLAGS, which every item has. */
const FLAGS = [
  'message:IsRead',
  'item:IsFromMe',
  'item:IsDraft',
  'item:IsSubmitted',
  'item:IsUnmodified',
  'item:IsResend',
]

export function itemProperties({ world }: Pick<EwsCall, 'world'>): SearchedProperties<StoredItem> {
  const fields = world.registry.itemTypes.flatMap((type) => type.fields)
  return {
    find(path) {
      if (path.name === 'ExtendedFieldURI') return extendedProperty(world, path)
      if (path.name === 'IndexedFieldURI') return indexedProperty(path, world.registry)
      const uri = path.attributes.FieldURI ?? ''
      const isSearchable = fields.some((field) => field.uri === uri && field.value !== undefined)
      if (!isSearchable) return undefined
      return {
        type: undefined,
        isFlag: FLAGS.includes(uri),
        // The items of a folder may have different types.
        value: (item) =>
          world.registry
            .typeOf(item)
            .fields.find((field) => field.uri === uri)
            ?.value?.(item),
      }
    },
  }
}

function extendedProperty({ oddities }: World, path: XmlNode): SearchedProperty<StoredItem> {
  const { key, type: mapi } = extendedPath(path)
  const type = typeOfExtended(mapi)
  if (type === 'binary' && oddities.refusesBinaryRestrictions === true) {
    throw new EwsError('ErrorInvalidRestriction', 'A constant of the type Binary is not supported.')
  }
  return {
    type,
    value(item) {
      const value = extendedValue(item, key)
      return typeof value === 'string' ? readValue(type, value) : value
    },
  }
}

/** Entries of a field, such as `contacts:EmailAddress` with the index `EmailAddress1`. */
function indexedProperty({ attributes }: XmlNode, registry: Registry): SearchedProperty<StoredItem> | undefined {
  const { FieldURI: uri = '', FieldIndex: index = '' } = attributes
  const fields = registry.itemTypes.flatMap((type) => type.fields)
  const isSearchable = fields.some((field) => field.indexedUris?.includes(uri) && field.entryValue !== undefined)
  if (!isSearchable) return undefined
  return {
    type: 'text',
    value: (item) =>
      registry
        .typeOf(item)
        .fields.find((field) => field.indexedUris?.includes(uri))
        ?.entryValue?.(item, { uri, index }),
  }
}
