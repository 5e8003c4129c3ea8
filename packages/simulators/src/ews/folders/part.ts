// The folders of mailboxes.
import type { ExchangePart } from '../part.ts'
import { createFolder, deleteFolder, emptyFolder, moveFolder, updateFolder } from './change.ts'
import { findFolder, getFolder } from './find.ts'

export const foldersPart: ExchangePart = {
  operations: {
    GetFolder: getFolder,
    FindFolder: findFolder,
    CreateFolder: createFolder,
    UpdateFolder: updateFolder,
    MoveFolder: moveFolder,
    DeleteFolder: deleteFolder,
    EmptyFolder: emptyFolder,
  },
  since: { EmptyFolder: 'Exchange2010_SP1' },
}
