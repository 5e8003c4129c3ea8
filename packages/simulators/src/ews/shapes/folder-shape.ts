// Parses the folder shape of a request, and writes folders in it.

import type { BaseShape, EwsCall, FieldValue, Paths, ShapeName } from '../model.ts'
import { isSince, type Schema } from '../soap/versions.ts'
import { type ExtendedValue, extendedXml, tagKey } from '../store/extended.ts'
import { entryId } from '../store/ids.ts'
import { mayUse } from '../store/lookup.ts'
import { unreadCount } from '../store/mailbox.ts'
import type { StoredFolder } from '../store/stored.ts'
import { ordered } from '../xml/order.ts'
import { childOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { isInShape, readBaseShape, readPaths } from './item-shape.ts'

export interface FolderShape extends Paths {
  readonly base: BaseShape
}

export function readFolderShape(node: XmlNode | undefined): FolderShape {
  return { base: readBaseShape(node), ...readPaths(childOf(node, 'AdditionalProperties')) }
}

interface FolderField {
  readonly uri: string
  readonly shape: ShapeName
  readonly since?: Schema
  write(folder: StoredFolder, call: EwsCall): Xml | undefined
  value?(folder: StoredFolder): FieldValue
}

/** Folder types without an unread count. */
const withoutUnread = ['CalendarFolder', 'ContactsFolder']

export const totalCount = ({ items }: StoredFolder): number =>
  items.values().reduce((count, { isAssociated }) => (isAssociated ? count : count + 1), 0)

const childCount = (folder: StoredFolder): number => folder.mailbox.folders.children(folder).length

export const folderFields: readonly FolderField[] = [
  { uri: 'folder:FolderId', shape: 'IdOnly', write: folderIdXml, value: ({ id }) => id },
  {
    uri: 'folder:ParentFolderId',
    shape: 'AllProperties',
    write: ({ parent }) => (parent === undefined ? undefined : { ...folderIdXml(parent), tag: 't:ParentFolderId' }),
    value: ({ parent }) => parent?.id,
  },
  {
    uri: 'folder:FolderClass',
    shape: 'AllProperties',
    write: ({ folderClass }) => (folderClass === '' ? undefined : element('t:FolderClass', folderClass)),
    value: ({ folderClass }) => folderClass,
  },
  {
    uri: 'folder:DisplayName',
    shape: 'Default',
    write: ({ displayName }) => element('t:DisplayName', displayName),
    value: ({ displayName }) => displayName,
  },
  {
    uri: 'folder:TotalCount',
    shape: 'Default',
    write: (folder) => element('t:TotalCount', totalCount(folder)),
    value: totalCount,
  },
  {
    uri: 'folder:ChildFolderCount',
    shape: 'Default',
    write: (folder) => element('t:ChildFolderCount', childCount(folder)),
    value: childCount,
  },
  { uri: 'folder:EffectiveRights', shape: 'AllProperties', since: 'Exchange2007_SP1', write: rightsXml },
  {
    uri: 'folder:DistinguishedFolderId',
    shape: 'AllProperties',
    since: 'Exchange2013',
    write: ({ wellKnownName }) =>
      wellKnownName === undefined ? undefined : element('t:DistinguishedFolderId', wellKnownName),
    value: ({ wellKnownName }) => wellKnownName,
  },
  {
    uri: 'folder:UnreadCount',
    shape: 'Default',
    write: (folder) =>
      withoutUnread.includes(folder.element) ? undefined : element('t:UnreadCount', unreadCount(folder)),
    value: unreadCount,
  },
]

/** Extended properties that the mailbox computes, by key. */
const EXTENDED: Readonly<Record<string, (folder: StoredFolder, call: EwsCall) => ExtendedValue>> = {
  // PR_LOCAL_COMMIT_TIME_MAX; Exchange writes it precise to the second, whatever precision is requested.
  [tagKey(0x670a, 'SystemTime')]: ({ committedAt }) => new Date(committedAt).toISOString().replace(/\.\d+/, ''),
  // PR_DELETED_COUNT_TOTAL
  [tagKey(0x670b, 'Integer')]: ({ deletedCount }) => String(deletedCount),
  // PR_DISPLAY_NAME, PR_CONTAINER_CLASS, PR_ATTR_HIDDEN
  [tagKey(0x3001, 'String')]: ({ displayName }) => displayName,
  [tagKey(0x3613, 'String')]: ({ folderClass }) => folderClass,
  [tagKey(0x10f4, 'Boolean')]: ({ isHidden }) => String(isHidden),
  // PR_CONTENT_COUNT, PR_CONTENT_UNREAD
  [tagKey(0x3602, 'Integer')]: (folder) => String(totalCount(folder)),
  [tagKey(0x3603, 'Integer')]: (folder) => String(unreadCount(folder)),
  // PR_FOLDER_TYPE: 1 for a folder with items, 2 for a search folder.
  [tagKey(0x3601, 'Integer')]: ({ element: name }) => (name === 'SearchFolder' ? '2' : '1'),
  // PR_ENTRYID
  [tagKey(0x0fff, 'Binary')]: ({ mailbox, number }) =>
    entryId({ kind: 'folder', mailbox: mailbox.id, folder: number, item: 0 }).toString('base64'),
}

export function folderExtendedValue(folder: StoredFolder, key: string, call: EwsCall): ExtendedValue | undefined {
  return EXTENDED[key]?.(folder, call) ?? folder.extended.get(key)
}

export function folderXml(call: EwsCall, folder: StoredFolder, shape: FolderShape): Xml {
  const isWanted = ({ uri, shape: smallest, since = 'Exchange2007' }: FolderField) =>
    shape.uris.has(uri) || (isInShape(smallest, shape.base) && isSince(call.schema, since))
  const elements = folderFields
    .filter(isWanted)
    .map((field) => field.write(folder, call))
    .filter((written) => written !== undefined)
  for (const path of shape.extended) {
    const value = folderExtendedValue(folder, path.key, call)
    if (value !== undefined) elements.push(extendedXml(path, value))
  }
  return element(`t:${folder.element}`, ordered(folder.element, elements))
}

export function folderIdXml({ id, changeKey }: StoredFolder): Xml {
  return element('t:FolderId', { Id: id, ChangeKey: changeKey })
}

/** A folder with only its id, for responses of changes. */
export const folderIdOnlyXml = (folder: StoredFolder): Xml => element(`t:${folder.element}`, [folderIdXml(folder)])

function rightsXml(folder: StoredFolder, { account }: EwsCall): Xml {
  const mayRead = mayUse(account, folder, 'read')
  const mayWrite = mayUse(account, folder, 'write')
  const isStandard = folder.wellKnownName !== undefined
  return element('t:EffectiveRights', [
    element('t:CreateAssociated', mayWrite),
    element('t:CreateContents', mayWrite),
    element('t:CreateHierarchy', mayWrite),
    element('t:Delete', mayWrite && !isStandard),
    element('t:Modify', mayWrite),
    element('t:Read', mayRead),
  ])
}
