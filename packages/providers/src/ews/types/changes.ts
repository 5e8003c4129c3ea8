/** Changes of items and folders, property by property. */
import { choice, inline, list, listOf, required, requiredInline, sequence, type ValueOf } from '../soap/description.ts'
import { anyFolder, type Folder } from './folder.ts'
import { anyFolderId, anyItemId } from './ids.ts'
import { anyItem, type Item } from './items.ts'
import { type Path, path } from './paths.ts'

const withItem = sequence({ Path: requiredInline(path), Item: requiredInline(anyItem) })
const itemUpdate = choice({
  SetItemField: withItem,
  DeleteItemField: sequence({ Path: requiredInline(path) }),
})
export type ItemUpdate = ValueOf<typeof itemUpdate>

const itemChange = sequence({ Id: requiredInline(anyItemId), Updates: required(listOf(itemUpdate)) })
export const itemChanges = list('ItemChange', itemChange)

const withFolder = sequence({ Path: requiredInline(path), Folder: inline(anyFolder) })
const folderUpdate = choice({
  SetFolderField: withFolder,
  DeleteFolderField: sequence({ Path: requiredInline(path) }),
})
export type FolderUpdate = ValueOf<typeof folderUpdate>

const folderChange = sequence({ Id: requiredInline(anyFolderId), Updates: required(listOf(folderUpdate)) })
export const folderChanges = list('FolderChange', folderChange)

/** Sets one property: the item holds that property alone. */
export const setField = (at: Path, value: Item): ItemUpdate => ({ kind: 'SetItemField', Path: at, Item: value })
export const deleteField = (at: Path): ItemUpdate => ({ kind: 'DeleteItemField', Path: at })
export const setFolderField = (at: Path, value: Folder): FolderUpdate => ({
  kind: 'SetFolderField',
  Path: at,
  Folder: value,
})
