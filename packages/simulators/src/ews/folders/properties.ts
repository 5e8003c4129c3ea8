// The folder properties that restrictions may name: fields with a value, and every extended property.
import type { SearchedProperties } from '../find/restriction.ts'
import { readValue, typeOfExtended } from '../find/values.ts'
import type { EwsCall } from '../model.ts'
import { folderExtendedValue, folderFields } from '../shapes/folder-shape.ts'
import { extendedPath } from '../store/extended.ts'
import type { StoredFolder } from '../store/stored.ts'

export function folderProperties(call: EwsCall): SearchedProperties<StoredFolder> {
  return {
    find(path) {
      if (path.name === 'ExtendedFieldURI') {
        const { key, type: mapi } = extendedPath(path)
        const type = typeOfExtended(mapi)
        return {
          type,
          value(folder) {
            const value = folderExtendedValue(folder, key, call)
            return typeof value === 'string' ? readValue(type, value) : value
          },
        }
      }
      const field = folderFields.find(({ uri }) => uri === path.attributes.FieldURI)
      const value = field?.value
      return value === undefined ? undefined : { type: undefined, value }
    },
  }
}
