// The mail of an account, for tests: operations in addition to those of EWS.

import type { World } from '../model.ts'
import type { Account } from '../owner.ts'
import type { StoredFolder, StoredItem } from '../store/stored.ts'
import { classOfMime } from './classes.ts'
import type { Flag, MailContent, MailItem } from './content.ts'
import { writeConversationId } from './conversation-ids.ts'
import { deliverItem, mailOf, receivedMail } from './delivery.ts'
import { messageTypeOf } from './mail-items.ts'
import { rawOf } from './reading.ts'

export interface MailEntry {
  readonly id: string
  readonly changeKey: string
  /** PR_SEARCH_KEY, in base64; a move does not change it. */
  readonly searchKey: string
  readonly conversationId: string
  readonly subject: string
  readonly itemClass: string
  /** The well-known name of its folder, or its display name. */
  readonly folder: string
  readonly isRead: boolean
  readonly isDraft: boolean
  readonly isFlagged: boolean
  readonly categories: readonly string[]
  /** Milliseconds. */
  readonly receivedAt: number
}

export interface DeliveryOptions {
  /** Well-known name or id; default `inbox`. */
  readonly folder?: string
  /** Milliseconds; default now. */
  readonly at?: number
  readonly isRead?: boolean
  readonly isFlagged?: boolean
  readonly categories?: readonly string[]
  /** Whether it is an unsent draft; default false. */
  readonly isDraft?: boolean
}

export interface MailMarks {
  readonly isRead?: boolean
  readonly isFlagged?: boolean
  readonly categories?: readonly string[]
}

export interface SimulatedMail {
  /** Delivers a complete message (RFC 5322), or adds it to a folder. */
  deliver(source: string | Uint8Array, options?: DeliveryOptions): MailEntry
  /** All messages, oldest first. */
  list(): MailEntry[]
  /** A message by its id or its search key. */
  read(id: string): MailEntry & { readonly raw: Uint8Array }
  /** Changes the marks of a message, as the user would. */
  mark(id: string, marks: MailMarks): void
  /** Changes the subject of a draft, as the user would. */
  rename(id: string, subject: string): void
  /** Moves a message to a folder, given by well-known name or id; its id changes. */
  move(id: string, folder: string): MailEntry
  copy(id: string, folder: string): MailEntry
  /** Deletes a message permanently, as the user would. */
  remove(id: string): void
  /** Returns the id of the folder; `parent` is a well-known name or id. */
  createFolder(displayName: string, parent?: string): string
  renameFolder(folder: string, displayName: string): void
  removeFolder(folder: string): void
  /** The folders below the root, with their paths: `Inbox/Projects`. */
  folders(): { readonly id: string; readonly name: string }[]
}

export function openMail(account: Account, world: World): SimulatedMail {
  const { mailbox } = account

  function folderNamed(name: string): StoredFolder {
    const found = mailbox.folders.all().find(({ wellKnownName, id }) => wellKnownName === name || id === name)
    if (found === undefined) throw new Error(`There is no folder ${name}`)
    return found
  }

  function find(id: string): MailItem {
    const found = mailOf(account).find((item) => item.id === id || item.searchKey.toString('base64') === id)
    if (found === undefined) throw new Error(`There is no message ${id}`)
    return found
  }

  return {
    deliver: (source, options = {}) =>
      entry(deliver(account, world, source, { ...options, to: folderNamed(options.folder ?? 'inbox') })),
    list: () => mailOf(account).toReversed().map(entry),
    read(id) {
      const item = find(id)
      return { ...entry(item), raw: rawOf(item.content, item.receivedAt) }
    },
    mark(id, { isRead, isFlagged, categories }) {
      const item = find(id)
      if (isRead !== undefined) mailbox.changeRead(item as StoredItem, isRead)
      if (isFlagged !== undefined) item.content.flag = flagged(isFlagged)
      if (categories !== undefined) item.content.categories = categories
      if (isFlagged !== undefined || categories !== undefined) mailbox.change(item as StoredItem)
    },
    rename(id, subject) {
      const item = find(id)
      Object.assign(item.content, { text: { ...item.content.text, subject }, raw: undefined })
      mailbox.change(item as StoredItem)
    },
    move(id, folder) {
      const item = find(id)
      mailbox.move(item as StoredItem, folderNamed(folder))
      return entry(item)
    },
    copy: (id, folder) => entry(mailbox.copy(find(id), folderNamed(folder))),
    remove: (id) => mailbox.remove(find(id) as StoredItem),
    createFolder: (displayName, parent = 'msgfolderroot') =>
      mailbox.addFolder({ displayName, parent: folderNamed(parent) }).id,
    renameFolder(folder, displayName) {
      const found = folderNamed(folder)
      found.displayName = displayName
      mailbox.changeFolder(found)
    },
    removeFolder: (folder) => mailbox.removeFolder(folderNamed(folder)),
    folders() {
      const root = mailbox.folders.standard('msgfolderroot')
      return mailbox.folders.descendants(root).map((folder) => ({ id: folder.id, name: pathOf(folder, root) }))
    },
  }
}

function pathOf(folder: StoredFolder, root: StoredFolder): string {
  const { parent, displayName } = folder
  return parent === undefined || parent === root ? displayName : `${pathOf(parent, root)}/${displayName}`
}

const flagged = (isFlagged: boolean): Flag => ({ status: isFlagged ? 'Flagged' : 'NotFlagged' })

type Delivery = DeliveryOptions & { readonly to: StoredFolder }

function deliver(account: Account, world: World, source: string | Uint8Array, options: Delivery): MailItem {
  const raw = typeof source === 'string' ? Buffer.from(source) : source
  const { isDraft = false, isFlagged = false, categories = [], at, isRead = isDraft, to: folder } = options
  const content = Object.assign(receivedMail(raw, world.now()), {
    isDraft,
    hasTransportHeaders: !isDraft,
    flag: flagged(isFlagged),
    categories,
  } satisfies Partial<MailContent>)
  return deliverItem(account, {
    type: messageTypeOf({ world }),
    content,
    itemClass: classOfMime(raw),
    folder,
    isRead,
    ...(at !== undefined && { at }),
  })
}

function entry(item: MailItem): MailEntry {
  const { id, changeKey, searchKey, content, folder, isRead, itemClass, receivedAt, mailbox } = item
  return {
    id,
    changeKey,
    searchKey: searchKey.toString('base64'),
    conversationId: content.conversation === undefined ? '' : writeConversationId(mailbox.id, content.conversation.id),
    subject: content.text.subject,
    itemClass,
    folder: folder.wellKnownName ?? folder.displayName,
    isRead,
    isDraft: content.isDraft,
    isFlagged: content.flag.status === 'Flagged',
    categories: content.categories,
    receivedAt,
  }
}
