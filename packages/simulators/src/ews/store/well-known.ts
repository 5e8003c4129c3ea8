// The folders that every mailbox has, and their names in requests.
import type { Schema } from '../soap/versions.ts'
import type { FolderElement } from '../xml/order.ts'

export interface WellKnownFolder {
  /** The name in `DistinguishedFolderId`; undefined for a folder that is found only by display name. */
  readonly name: string | undefined
  readonly displayName: string
  /** Undefined for the root. */
  readonly parent: string | undefined
  readonly folderClass?: string
  readonly element?: FolderElement
  readonly isHidden?: boolean
  /** The first schema whose requests may name it. */
  readonly since?: Schema
}

const top = 'msgfolderroot'

export const WELL_KNOWN: readonly WellKnownFolder[] = [
  { name: 'root', displayName: 'Root', parent: undefined, folderClass: '' },
  { name: top, displayName: 'Top of Information Store', parent: 'root', folderClass: 'IPF.Note' },
  { name: 'searchfolders', displayName: 'Finder', parent: 'root', folderClass: '' },
  { name: undefined, displayName: 'Common Views', parent: 'root', folderClass: '' },
  {
    name: undefined,
    displayName: 'AllItems',
    parent: 'root',
    element: 'SearchFolder',
    folderClass: '',
    isHidden: true,
  },
  {
    name: undefined,
    displayName: 'AllContacts',
    parent: 'root',
    element: 'SearchFolder',
    folderClass: 'IPF.Note',
    isHidden: true,
  },
  {
    name: 'recoverableitemsroot',
    displayName: 'Recoverable Items',
    parent: 'root',
    folderClass: '',
    since: 'Exchange2010_SP1',
  },
  {
    name: 'recoverableitemsdeletions',
    displayName: 'Deletions',
    parent: 'recoverableitemsroot',
    folderClass: '',
    since: 'Exchange2010_SP1',
  },
  {
    name: 'recoverableitemspurges',
    displayName: 'Purges',
    parent: 'recoverableitemsroot',
    folderClass: '',
    since: 'Exchange2010_SP1',
  },
  {
    name: 'recoverableitemsversions',
    displayName: 'Versions',
    parent: 'recoverableitemsroot',
    folderClass: '',
    since: 'Exchange2010_SP1',
  },
  { name: 'calendar', displayName: 'Calendar', parent: top, element: 'CalendarFolder', folderClass: 'IPF.Appointment' },
  { name: 'contacts', displayName: 'Contacts', parent: top, element: 'ContactsFolder', folderClass: 'IPF.Contact' },
  {
    name: 'recipientcache',
    displayName: 'Recipient Cache',
    parent: 'contacts',
    element: 'ContactsFolder',
    folderClass: 'IPF.Contact.RecipientCache',
    isHidden: true,
    since: 'Exchange2013',
  },
  { name: 'conversationhistory', displayName: 'Conversation History', parent: top, since: 'Exchange2013' },
  { name: 'deleteditems', displayName: 'Deleted Items', parent: top },
  { name: 'drafts', displayName: 'Drafts', parent: top },
  { name: 'inbox', displayName: 'Inbox', parent: top },
  { name: 'journal', displayName: 'Journal', parent: top, folderClass: 'IPF.Journal' },
  { name: 'junkemail', displayName: 'Junk Email', parent: top },
  { name: 'notes', displayName: 'Notes', parent: top, folderClass: 'IPF.StickyNote' },
  { name: 'outbox', displayName: 'Outbox', parent: top },
  { name: 'sentitems', displayName: 'Sent Items', parent: top },
  { name: 'syncissues', displayName: 'Sync Issues', parent: top, isHidden: true, since: 'Exchange2013' },
  { name: 'tasks', displayName: 'Tasks', parent: top, element: 'TasksFolder', folderClass: 'IPF.Task' },
]
