/** Folders: of mail, calendars, contacts, tasks, and searches that look like folders. */
import {
  boolean,
  choice,
  integer,
  readableListOf,
  repeated,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'
import { folderId } from './ids.ts'
import { extendedProperty } from './paths.ts'

export const effectiveRights = sequence({
  CreateContents: boolean,
  Modify: boolean,
})

const baseFolder = {
  FolderId: folderId,
  ParentFolderId: folderId,
  /** Such as `IPF.Note`, `IPF.Appointment` and `IPF.Contact`. */
  FolderClass: text,
  DisplayName: text,
  TotalCount: integer,
  ChildFolderCount: integer,
  ExtendedProperty: repeated(extendedProperty),
  EffectiveRights: effectiveRights,
}

const mailFolder = sequence({ ...baseFolder, UnreadCount: integer })
const otherFolder = sequence(baseFolder)

export const anyFolder = choice({
  Folder: mailFolder,
  CalendarFolder: otherFolder,
  ContactsFolder: otherFolder,
  SearchFolder: mailFolder,
  TasksFolder: mailFolder,
})
export type Folder = ValueOf<typeof anyFolder>
export const folders = readableListOf(anyFolder)
