/** The changes in a folder since a sync state. */
import {
  boolean,
  choice,
  inline,
  integer,
  message,
  readableListOf,
  required,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'
import { operation } from '../soap/operation.ts'
import { itemId, targetFolder } from '../types/ids.ts'
import { anyItem } from '../types/items.ts'
import { itemShape } from '../types/shapes.ts'

const withItem = sequence({ Item: inline(anyItem) })
const change = choice({
  Create: withItem,
  Update: withItem,
  Delete: sequence({ ItemId: required(itemId) }),
  ReadFlagChange: sequence({ ItemId: required(itemId), IsRead: boolean }),
})
export type SyncChange = ValueOf<typeof change>

/** Without a state: all items of the folder, newest first from 2010 SP2 on. At most 512 changes per call. */
export const SyncFolderItems = operation({
  name: 'SyncFolderItems',
  reads: true,
  request: message({
    ItemShape: required(itemShape),
    SyncFolderId: required(targetFolder),
    SyncState: text,
    MaxChangesReturned: required(integer),
  }),
  answer: message({ SyncState: text, IncludesLastItemInRange: boolean, Changes: readableListOf(change) }),
})
