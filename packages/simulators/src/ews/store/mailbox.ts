// A mailbox: its folders, items and changes. Every change has a number, which increases over the whole mailbox;
// synchronization and change keys are based on it.
import { randomBytes } from 'node:crypto'
import { type EventType, type MailboxEvent, placeOf, placeOfFolder } from '../events.ts'
import { createFolders } from './folders.ts'
import { changeKey, writeId } from './ids.ts'
import type { DelegateRights, Folders, Mailbox, NewFolder, NewItem, StoredFolder, StoredItem } from './stored.ts'

/** How many removed items a folder records, and how many removed folders a mailbox records. */
const maxRemoved = 10_000

export interface MailboxOptions {
  readonly id: string
  readonly delegates: ReadonlyMap<string, DelegateRights>
  now(): number
  tell(event: MailboxEvent): void
}

export function createMailbox(options: MailboxOptions): Mailbox {
  return new StoredMailbox(options)
}

class StoredMailbox implements Mailbox {
  readonly id: string
  readonly delegates: ReadonlyMap<string, DelegateRights>
  readonly folders: Folders
  forgottenFolders = 0
  readonly removedFolders: { id: string; removed: number; created: number }[] = []
  readonly now: () => number
  readonly #tell: (event: MailboxEvent) => void
  readonly #items = new Map<number, StoredItem>()
  #lastChange = 1
  #lastItem = 0x1000

  constructor({ id, delegates, now, tell }: MailboxOptions) {
    this.id = id
    this.delegates = delegates
    this.now = now
    this.#tell = tell
    this.folders = createFolders(this, now())
  }

  lastChange(): number {
    return this.#lastChange
  }

  itemByNumber(number: number): StoredItem | undefined {
    return this.#items.get(number)
  }

  items(): StoredItem[] {
    return [...this.#items.values()]
  }

  add<Content>(wish: NewItem<Content>): StoredItem<Content> {
    const item = newItem(this, ++this.#lastItem, wish)
    this.#putInto(item, wish.folder)
    this.#tellItem('CreatedEvent', item)
    if (wish.isNewMail === true) this.#tellItem('NewMailEvent', item)
    this.#tellCounts(wish.folder)
    return item
  }

  change(item: StoredItem): void {
    const stored = this.itemByNumber(item.number)
    // An item that is not stored separately, such as an occurrence, changes with its stored item.
    if (stored !== undefined && stored !== item) {
      this.change(stored)
      item.changeKey = stored.changeKey
      return
    }
    item.changed = this.#commit(item.folder)
    item.changeKey = changeKey(this.id, item.changed)
    item.modifiedAt = this.now()
    this.#tellItem('ModifiedEvent', item)
  }

  changeRead(item: StoredItem, isRead: boolean): void {
    if (item.isRead === isRead) return
    item.isRead = isRead
    item.readChanged = this.#commit(item.folder)
    item.changeKey = changeKey(this.id, item.readChanged)
    this.#tellItem('ModifiedEvent', item)
    this.#tellCounts(item.folder)
  }

  move(item: StoredItem, to: StoredFolder): void {
    const old = placeOf(item)
    const from = item.folder
    this.#takeOut(item)
    // The entry id gets a new number.
    item.number = ++this.#lastItem
    this.#putInto(item, to)
    this.#tellItem('MovedEvent', item, old)
    for (const folder of new Set([from, to])) this.#tellCounts(folder)
  }

  copy<Content>(item: StoredItem<Content>, to: StoredFolder): StoredItem<Content> {
    const { type, content, itemClass, isRead, isAssociated, receivedAt, extended } = item
    const wish = { type, itemClass, isRead, isAssociated, receivedAt, extended }
    const copied = to.mailbox.add({ ...wish, folder: to, content: type.copyContent(content) })
    if (to.mailbox === this) this.#tellItem('CopiedEvent', copied, placeOf(item))
    return copied
  }

  remove(item: StoredItem): void {
    this.#takeOut(item)
    this.#tellItem('DeletedEvent', item)
    this.#tellCounts(item.folder)
  }

  addFolder(wish: NewFolder): StoredFolder {
    const folder = this.folders.add(wish, ++this.#lastChange, this.now())
    this.#tellFolder('CreatedEvent', folder)
    return folder
  }

  changeFolder(folder: StoredFolder): void {
    this.#renumber(folder)
    this.#tellFolder('ModifiedEvent', folder)
  }

  moveFolder(folder: StoredFolder, to: StoredFolder): void {
    this.folders.checkName(folder.displayName, to)
    const old = placeOfFolder(folder)
    folder.parent = to
    this.#renumber(folder)
    this.#tellFolder('MovedEvent', folder, { old })
  }

  removeFolder(folder: StoredFolder): void {
    for (const child of this.folders.children(folder)) this.removeFolder(child)
    for (const item of [...folder.items.values()]) this.remove(item)
    this.folders.drop(folder)
    this.removedFolders.push({ id: folder.id, removed: ++this.#lastChange, created: folder.created })
    if (this.removedFolders.length > maxRemoved) this.forgottenFolders = this.removedFolders.shift()?.removed ?? 0
    this.#tellFolder('DeletedEvent', folder)
  }

  /** Records a change in a folder; returns its number. */
  #commit(folder: StoredFolder): number {
    // Two changes never have the same time, so the time shows whether there was a change.
    folder.committedAt = Math.max(this.now(), folder.committedAt + 1)
    return ++this.#lastChange
  }

  #putInto(item: StoredItem, folder: StoredFolder): void {
    const change = this.#commit(folder)
    const id = writeId({ kind: 'item', mailbox: this.id, folder: folder.number, item: item.number })
    Object.assign(item, { folder, id, changeKey: changeKey(this.id, change) })
    Object.assign(item, { created: change, changed: change, readChanged: change })
    folder.items.set(item.number, item)
    this.#items.set(item.number, item)
  }

  #takeOut(item: StoredItem): void {
    const { folder } = item
    const removed = this.#commit(folder)
    folder.items.delete(item.number)
    this.#items.delete(item.number)
    folder.deletedCount++
    folder.removed.push({ id: item.id, removed, created: item.created })
    if (folder.removed.length > maxRemoved) folder.forgotten = folder.removed.shift()?.removed ?? 0
  }

  #renumber(folder: StoredFolder): void {
    folder.changed = ++this.#lastChange
    folder.changeKey = changeKey(this.id, folder.changed)
  }

  #tellItem(type: EventType, item: StoredItem, old?: MailboxEvent['old']): void {
    const event = { type, of: 'item', mailbox: this.id, at: this.now(), place: placeOf(item) } as const
    this.#tell(old === undefined ? event : { ...event, old })
  }

  #tellFolder(type: EventType, folder: StoredFolder, more: Pick<MailboxEvent, 'old' | 'unreadCount'> = {}): void {
    this.#tell({ type, of: 'folder', mailbox: this.id, at: this.now(), place: placeOfFolder(folder), ...more })
  }

  /** Reports changed counts of a folder. */
  #tellCounts(folder: StoredFolder): void {
    this.#tellFolder('ModifiedEvent', folder, { unreadCount: unreadCount(folder) })
  }
}

export function unreadCount({ items }: StoredFolder): number {
  return items.values().reduce((count, { isRead, isAssociated }) => (isRead || isAssociated ? count : count + 1), 0)
}

function newItem<Content>(mailbox: Mailbox, number: number, wish: NewItem<Content>): StoredItem<Content> {
  const now = mailbox.now()
  return {
    mailbox,
    type: wish.type,
    number,
    id: '',
    changeKey: '',
    folder: wish.folder,
    itemClass: wish.itemClass ?? wish.type.itemClass,
    content: wish.content,
    isRead: wish.isRead ?? true,
    isAssociated: wish.isAssociated ?? false,
    searchKey: randomBytes(16),
    createdAt: now,
    receivedAt: wish.receivedAt ?? now,
    modifiedAt: now,
    extended: new Map(wish.extended),
    created: 0,
    changed: 0,
    readChanged: 0,
  }
}
