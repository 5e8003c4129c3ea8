/** Operations on folders. */
import {
  attributesOnly,
  boolean,
  choice,
  element,
  enumeration,
  inline,
  integer,
  message,
  required,
  requiredAttribute,
} from '../soap/description.ts'
import { operation } from '../soap/operation.ts'
import { folderChanges } from '../types/changes.ts'
import { folders } from '../types/folder.ts'
import { folderIds, targetFolder } from '../types/ids.ts'
import { restriction } from '../types/restriction.ts'
import { folderShape } from '../types/shapes.ts'

export const deleteTypes = ['HardDelete', 'SoftDelete', 'MoveToDeletedItems'] as const
export type DeleteType = (typeof deleteTypes)[number]

/** A page from an offset on. */
export const indexedPageView = attributesOnly({
  MaxEntriesReturned: integer,
  Offset: requiredAttribute(integer),
  BasePoint: requiredAttribute(enumeration(['Beginning', 'End'])),
})

/** The total number of results, and the position of this page. */
export const pageOfAnswer = {
  IndexedPagingOffset: integer,
  IncludesLastItemInRange: boolean,
  TotalItemsInView: integer,
}

const oneFolder = message({ Folders: folders })
const nothing = message({})

export const GetFolder = operation({
  name: 'GetFolder',
  reads: true,
  request: message({ FolderShape: required(folderShape), FolderIds: required(folderIds) }),
  answer: oneFolder,
})

export const FindFolder = operation({
  name: 'FindFolder',
  reads: true,
  request: message(
    {
      FolderShape: required(folderShape),
      View: inline(choice({ IndexedPageFolderView: indexedPageView })),
      Restriction: restriction,
      ParentFolderIds: required(folderIds),
    },
    { Traversal: requiredAttribute(enumeration(['Shallow', 'Deep', 'SoftDeleted'])) },
  ),
  answer: message({ RootFolder: element({ attributes: pageOfAnswer, places: { Folders: folders } }) }),
})

export const CreateFolder = operation({
  name: 'CreateFolder',
  request: message({ ParentFolderId: required(targetFolder), Folders: required(folders) }),
  answer: oneFolder,
})

export const UpdateFolder = operation({
  name: 'UpdateFolder',
  request: message({ FolderChanges: required(folderChanges) }),
  answer: oneFolder,
})

const disposal = { DeleteType: requiredAttribute(enumeration(deleteTypes)) }

export const DeleteFolder = operation({
  name: 'DeleteFolder',
  request: message({ FolderIds: required(folderIds) }, disposal),
  answer: nothing,
})

/** The folder keeps its id. */
export const MoveFolder = operation({
  name: 'MoveFolder',
  request: message({ ToFolderId: required(targetFolder), FolderIds: required(folderIds) }),
  answer: oneFolder,
})

export const EmptyFolder = operation({
  name: 'EmptyFolder',
  request: message({ FolderIds: required(folderIds) }, { ...disposal, DeleteSubFolders: requiredAttribute(boolean) }),
  answer: nothing,
})
