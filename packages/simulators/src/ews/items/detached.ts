// Items that are not stored: new items in preparation, and items attached to others.
import { randomBytes } from 'node:crypto'
import type { StoredFolder, StoredItem, StoredType } from '../store/stored.ts'

/** An item outside its folder's list. Its number is 0 and its id empty. */
export function detachedItem<Content>(
  type: StoredType<Content>,
  content: Content,
  folder: StoredFolder,
): StoredItem<Content> {
  const { mailbox } = folder
  const now = mailbox.now()
  return {
    mailbox,
    type,
    number: 0,
    id: '',
    changeKey: '',
    folder,
    itemClass: type.itemClass,
    content,
    isRead: true,
    isAssociated: false,
    searchKey: randomBytes(16),
    createdAt: now,
    receivedAt: now,
    modifiedAt: now,
    extended: new Map(),
    created: 0,
    changed: 0,
    readChanged: 0,
  }
}

/** Stores a detached item. */
export function storeDetached<Content>(
  item: StoredItem<Content>,
  folder: StoredFolder,
  { isNewMail = false }: { isNewMail?: boolean } = {},
): StoredItem<Content> {
  const { type, content, itemClass, isRead, isAssociated, receivedAt, extended } = item
  return folder.mailbox.add({ type, content, itemClass, isRead, isAssociated, receivedAt, extended, folder, isNewMail })
}
