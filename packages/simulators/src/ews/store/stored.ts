// The stored data of a mailbox: folders, and items of any type.
import type { AttachmentContent } from '../../shared/mail/content.ts'
import type { FolderElement, ItemElement } from '../xml/order.ts'
import type { ExtendedValue } from './extended.ts'

export interface StoredFolder {
  readonly mailbox: Mailbox
  readonly number: number
  readonly id: string
  /** Its name in `DistinguishedFolderId`, if it has one. */
  readonly wellKnownName: string | undefined
  readonly element: FolderElement
  readonly isHidden: boolean
  folderClass: string
  displayName: string
  /** Undefined for the root. */
  parent: StoredFolder | undefined
  changeKey: string
  /** Extended properties, keyed by property key. */
  readonly extended: Map<string, ExtendedValue>
  /** The time of the last change in it: PR_LOCAL_COMMIT_TIME_MAX. */
  committedAt: number
  /** The number of items ever deleted from it: PR_DELETED_COUNT_TOTAL. */
  deletedCount: number
  /** The numbers of the change that created it and of its last change. */
  readonly created: number
  changed: number
  /** Its items, keyed by number. */
  readonly items: Map<number, StoredItem>
  /** The entries removed from it, oldest first. */
  readonly removed: RemovedEntry[]
  /** Sync states older than this change are invalid. */
  forgotten: number
  /** Access rights of other users, keyed by account id. */
  readonly permissions: Map<string, FolderRights>
}

export interface FolderRights {
  readonly read: boolean
  readonly write: boolean
}

export interface RemovedEntry {
  readonly id: string
  /** The numbers of the change that removed it and of the change that added it. */
  readonly removed: number
  readonly created: number
}

/** `Content` is the data that the part of the type stores. */
export interface StoredItem<Content = unknown> {
  readonly mailbox: Mailbox
  readonly type: StoredType<Content>
  /** Its number in the mailbox, contained in its id; a move changes it. */
  number: number
  /** A move changes it. */
  id: string
  changeKey: string
  folder: StoredFolder
  itemClass: string
  content: Content
  isRead: boolean
  readonly isAssociated: boolean
  /** PR_SEARCH_KEY; a move does not change it. */
  readonly searchKey: Buffer
  /** Milliseconds. */
  readonly createdAt: number
  /** The sort key of lists and of `SyncFolderItems`. */
  receivedAt: number
  modifiedAt: number
  /** Properties that a client set and that no field of the type covers. */
  readonly extended: Map<string, ExtendedValue>
  /** The numbers of the changes that added it to its folder, last changed it, and last changed its read flag. */
  created: number
  changed: number
  readChanged: number
}

/** What a mailbox needs to know about an item type; an `ItemType` (`model.ts`) implements it. */
export interface StoredType<Content = unknown> {
  readonly element: ItemElement
  /** Such as `IPM.Note`: an item has the type with the longest class that is a prefix of its own. */
  readonly itemClass: string
  /** Copies the content, because two items must not share one. */
  copyContent(content: Content): Content
  /** A type without it has no attachments. */
  readonly attachments?: StoredAttachments<Content>
  /** Keyed by property key (`tagKey`, `namedKey` of `store/extended.ts`). */
  readonly extended?: Readonly<Record<string, ExtendedField<Content>>>
}

/** A property with a MAPI name whose value is stored in a field or in the item. */
export interface ExtendedField<Content = unknown> {
  value(item: StoredItem<Content>): ExtendedValue | undefined
  set?(item: StoredItem<Content>, value: ExtendedValue | undefined): void
}

/** An attachment of an item. */
export interface StoredAttachment extends AttachmentContent {
  /** Its number in the item, never reused. */
  readonly number: number
  /** Milliseconds. */
  readonly modifiedAt: number
  /** The attached item, if it is not a message. A message is stored as MIME, in `bytes`. */
  readonly item?: StoredItem
  readonly isContactPhoto?: boolean
}

/** How an item type accesses its attachments. */
export interface StoredAttachments<Content> {
  list(item: StoredItem<Content>): readonly StoredAttachment[]
  set(item: StoredItem<Content>, attachments: readonly StoredAttachment[]): void
}

export interface DelegateRights {
  /** Whether the delegate may send in the owner's name. */
  readonly sendAs: boolean
}

export interface Mailbox {
  /** The GUID contained in ids. */
  readonly id: string
  readonly folders: Folders
  /** Users that may also open the whole mailbox, keyed by account id. */
  readonly delegates: ReadonlyMap<string, DelegateRights>
  now(): number
  /** The number of the last change. */
  lastChange(): number
  itemByNumber(number: number): StoredItem | undefined
  /** All items of all folders. */
  items(): StoredItem[]
  add<Content>(wish: NewItem<Content>): StoredItem<Content>
  /** Records a change of an item by a part: it gets a new change key, and synchronization reports it. */
  change(item: StoredItem): void
  /** Changes only the read flag of an item. */
  changeRead(item: StoredItem, isRead: boolean): void
  /** Moves an item to another folder of the mailbox; its id changes. */
  move(item: StoredItem, to: StoredFolder): void
  /** Copies an item to a folder of this or another mailbox. */
  copy<Content>(item: StoredItem<Content>, to: StoredFolder): StoredItem<Content>
  /** Deletes an item permanently. */
  remove(item: StoredItem): void
  addFolder(wish: NewFolder): StoredFolder
  /** Records a change of a folder's name or properties. */
  changeFolder(folder: StoredFolder): void
  moveFolder(folder: StoredFolder, to: StoredFolder): void
  /** Deletes a folder and its contents. */
  removeFolder(folder: StoredFolder): void
  /** Folder sync states older than this change are invalid. */
  readonly forgottenFolders: number
  /** Deleted folders, with the numbers of the changes that removed and created them. */
  readonly removedFolders: { readonly id: string; readonly removed: number; readonly created: number }[]
}

export interface NewItem<Content> {
  readonly type: StoredType<Content>
  readonly folder: StoredFolder
  readonly content: Content
  /** Default: the class of the type. */
  readonly itemClass?: string
  /** Default true. */
  readonly isRead?: boolean
  readonly isAssociated?: boolean
  /** Milliseconds; default now. */
  readonly receivedAt?: number
  readonly extended?: ReadonlyMap<string, ExtendedValue>
  /** Whether it arrived by mail, so that subscriptions to new mail are notified too. */
  readonly isNewMail?: boolean
}

export interface Folders {
  all(): StoredFolder[]
  byNumber(number: number): StoredFolder | undefined
  /** Finds a folder by its `DistinguishedFolderId` name. */
  wellKnown(name: string): StoredFolder | undefined
  /** A folder that every mailbox has. */
  standard(name: string): StoredFolder
  children(parent: StoredFolder): StoredFolder[]
  /** All descendants, parents before children. */
  descendants(parent: StoredFolder): StoredFolder[]
  /** Stores a folder. Throws if the name is already taken. */
  add(wish: NewFolder, change: number, now: number): StoredFolder
  /** Removes it without its children. */
  drop(folder: StoredFolder): void
  /** Throws if another folder below `parent` has the name. */
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
