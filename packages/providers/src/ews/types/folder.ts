/** Folders: of mail, calendars, contacts, tasks, and searches that look like folders. */
import {
  boolean,
  choice,
  enumeration,
  integer,
  list,
  readableListOf,
  repeated,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'
import { distinguishedNames, folderId } from './ids.ts'
import { extendedProperty } from './paths.ts'

export const effectiveRights = sequence({
  CreateAssociated: boolean,
  CreateContents: boolean,
  CreateHierarchy: boolean,
  Delete: boolean,
  Modify: boolean,
  Read: boolean,
  ViewPrivateItems: boolean,
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
  /** From Exchange 2013 on, where it is asked for. */
  DistinguishedFolderId: enumeration(distinguishedNames),
  ReplicaList: list('String', text),
}

/** Who may do what in a calendar or in contacts that somebody shares. */
const readAccess = enumeration(['None', 'TimeOnly', 'TimeAndSubjectAndLocation', 'FullDetails'])

const mailFolder = sequence({ ...baseFolder, UnreadCount: integer })
const calendarFolder = sequence({ ...baseFolder, SharingEffectiveRights: readAccess })
const contactsFolder = sequence({
  ...baseFolder,
  SharingEffectiveRights: readAccess,
  SourceId: text,
  AccountName: text,
})

export const anyFolder = choice({
  Folder: mailFolder,
  CalendarFolder: calendarFolder,
  ContactsFolder: contactsFolder,
  SearchFolder: mailFolder,
  TasksFolder: mailFolder,
})
export type Folder = ValueOf<typeof anyFolder>
export const folders = readableListOf(anyFolder)
