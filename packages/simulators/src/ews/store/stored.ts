// What a mailbox holds: folders, and items of any type.
import type { AttachmentContent } from '../../shared/mail/content.ts'
import type { FolderElement, ItemElement } from '../xml/order.ts'
import type { ExtendedValue } from './extended.ts'

export interface StoredFolder {
  readonly mailbox: Mailbox
  readonly number: number
  readonly id: string
  /** The name of `DistinguishedFolderId`, where it has one. */
  readonly wellKnownName: string | undefined
  readonly element: FolderElement
  readonly isHidden: boolean
  folderClass: string
  displayName: string
  /** Undefined for the root of all. */
  parent: StoredFolder | undefined
  changeKey: string
  /** By what is written about it. */
  readonly extended: Map<string, ExtendedValue>
  /** When anything in it last changed: PR_LOCAL_COMMIT_TIME_MAX. */
  committedAt: number
  /** How many items were ever deleted from it: PR_DELETED_COUNT_TOTAL. */
  deletedCount: number
  /** The number of the change that made it, and of its last one. */
  readonly created: number
  changed: number
  /** What is in it, by number. */
  readonly items: Map<number, StoredItem>
  /** What is no longer in it, the oldest first. */
  readonly removed: RemovedEntry[]
  /** Sync states from before this change cannot be followed any more. */
  forgotten: number
  /** Who else may do what in it, by the account's id. */
  readonly permissions: Map<string, FolderRights>
}

export interface FolderRights {
  readonly read: boolean
  readonly write: boolean
}

export interface RemovedEntry {
  readonly id: string
  /** The number of the change that removed it, and of the one that had put it there. */
  readonly removed: number
  readonly created: number
}

/** `Content` is what the part that has the type keeps. */
export interface StoredItem<Content = unknown> {
  readonly mailbox: Mailbox
  readonly type: StoredType<Content>
  /** Its number in the mailbox, which its id names; another one after a move. */
  number: number
  /** Another one after a move. */
  id: string
  changeKey: string
  folder: StoredFolder
  itemClass: string
  content: Content
  isRead: boolean
  readonly isAssociated: boolean
  /** PR_SEARCH_KEY: the same after a move. */
  readonly searchKey: Buffer
  /** Milliseconds. */
  readonly createdAt: number
  /** What lists are sorted by, and the order of `SyncFolderItems`. */
  receivedAt: number
  modifiedAt: number
  /** Those that a client has set and no field of the type keeps. */
  readonly extended: Map<string, ExtendedValue>
  /** The numbers of the changes that put it into its folder, that changed it, and that changed whether it is read. */
  created: number
  changed: number
  readChanged: number
}

/** What a mailbox has to know of the type of an item; an `ItemType` (`model.ts`) is one. */
export interface StoredType<Content = unknown> {
  readonly element: ItemElement
  /** Such as `IPM.Note`: an item belongs to the type with the longest one that its class begins with. */
  readonly itemClass: string
  /** What a copy keeps; the same content must not belong to two items. */
  copyContent(content: Content): Content
  /** Types without it have no attachments. */
  readonly attachments?: KeptAttachments<Content>
  /** By their keys (`tagKey`, `namedKey` of `store/extended.ts`). */
  readonly extended?: Readonly<Record<string, ExtendedField<Content>>>
}

/** A property that clients name by its MAPI name, though a field or the item keeps it. */
export interface ExtendedField<Content = unknown> {
  value(item: StoredItem<Content>): ExtendedValue | undefined
  set?(item: StoredItem<Content>, value: ExtendedValue | undefined): void
}

/** What hangs on an item. */
export interface StoredAttachment extends AttachmentContent {
  /** In its item: never given again. */
  readonly number: number
  /** Milliseconds. */
  readonly modifiedAt: number
  /** Of an item that is no message: itself. A message is kept as MIME, in `bytes`. */
  readonly item?: StoredItem
  readonly isContactPhoto?: boolean
}

/** Where a type of items keeps its attachments. */
export interface KeptAttachments<Content> {
  list(item: StoredItem<Content>): readonly StoredAttachment[]
  set(item: StoredItem<Content>, attachments: readonly StoredAttachment[]): void
}

export interface DelegateRights {
  /** Whether the delegate may send in the owner's name. */
  readonly sendAs: boolean
}

export interface Mailbox {
  /** The GUID that ids name. */
  readonly id: string
  readonly folders: Folders
  /** Who else may open it whole, by the account's id. */
  readonly delegates: ReadonlyMap<string, DelegateRights>
  now(): number
  /** The number of the last change. */
  lastChange(): number
  itemByNumber(number: number): StoredItem | undefined
  /** All items of all folders. */
  items(): StoredItem[]
  add<Content>(wish: NewItem<Content>): StoredItem<Content>
  /** Says that a part changed an item: another change key, and an entry for who synchronises. */
  change(item: StoredItem): void
  /** Marks an item as read or unread, and nothing else. */
  changeRead(item: StoredItem, isRead: boolean): void
  /** Puts an item into another folder of the mailbox: it has another id then. */
  move(item: StoredItem, to: StoredFolder): void
  /** Copies an item into a folder, of this mailbox or another. */
  copy<Content>(item: StoredItem<Content>, to: StoredFolder): StoredItem<Content>
  /** Deletes an item for good. */
  remove(item: StoredItem): void
  addFolder(wish: NewFolder): StoredFolder
  /** Says that a folder has another name or other properties. */
  changeFolder(folder: StoredFolder): void
  moveFolder(folder: StoredFolder, to: StoredFolder): void
  /** Deletes a folder with all that is in it. */
  removeFolder(folder: StoredFolder): void
  /** Sync states of folders from before this change cannot be followed any more. */
  readonly forgottenFolders: number
  /** Folders that are no more: the numbers of the changes that removed and had made them. */
  readonly removedFolders: { readonly id: string; readonly removed: number; readonly created: number }[]
}

export interface NewItem<Content> {
  readonly type: StoredType<Content>
  readonly folder: StoredFolder
  readonly content: Content
  /** Default: that of the type. */
  readonly itemClass?: string
  /** Default true. */
  readonly isRead?: boolean
  readonly isAssociated?: boolean
  /** Milliseconds; default now. */
  readonly receivedAt?: number
  readonly extended?: ReadonlyMap<string, ExtendedValue>
  /** It came by mail: subscriptions to new mail are told too. */
  readonly isNewMail?: boolean
}

export interface Folders {
  all(): StoredFolder[]
  byNumber(number: number): StoredFolder | undefined
  /** By the name of `DistinguishedFolderId`. */
  wellKnown(name: string): StoredFolder | undefined
  /** One that every mailbox has. */
  standard(name: string): StoredFolder
  children(parent: StoredFolder): StoredFolder[]
  /** All below it, each before its own children. */
  descendants(parent: StoredFolder): StoredFolder[]
  /** Stores a folder. Throws where there is one of the name already. */
  add(wish: NewFolder, change: number, now: number): StoredFolder
  /** Takes it out, without those below it. */
  drop(folder: StoredFolder): void
  /** Throws where another folder below `parent` has the name. */
  checkName(displayName: string, parent: StoredFolder | undefined, except?: StoredFolder): void
}

export interface NewFolder {
  readonly displayName: string
  readonly parent: StoredFolder | undefined
  readonly element?: FolderElement
  readonly folderClass?: string
  readonly wellKnownName?: string
  readonly isHidden?: boolean
}
