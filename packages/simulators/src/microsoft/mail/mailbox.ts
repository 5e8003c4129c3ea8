// The state of one mailbox. Every change of a message is recorded in the log of its folder and reported to
// subscriptions.
import { createHash } from 'node:crypto'
import type { MessageContent } from '../../shared/mail/content.ts'
import { conversationIndex, joinsConversation } from '../../shared/mail/conversations.ts'
import { itemNotFound } from '../errors.ts'
import { itemId, readId } from '../item-ids.ts'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import { Folders } from './folders.ts'
import type { Marks, StoredAttachment, StoredFolder, StoredMessage } from './stored.ts'

export interface NewMessage {
  readonly content: MessageContent
  readonly folder: StoredFolder
  readonly raw: Uint8Array | undefined
  readonly isDraft: boolean
  /** Milliseconds. */
  readonly receivedAt: number
  readonly marks?: Partial<Marks>
}

const unmarked: Marks = {
  isRead: false,
  categories: [],
  flag: { flagStatus: 'notFlagged' },
  inferenceClassification: 'focused',
}

export class Mailbox {
  readonly owner: AccountOwner
  readonly world: World
  readonly folders: Folders
  /** Keyed by immutable id. */
  readonly messages = new Map<string, StoredMessage>()
  readonly #byId = new Map<string, StoredMessage>()
  #lastNumber = 0x1_0000
  #lastChange = 0

  constructor(owner: AccountOwner, world: World) {
    this.owner = owner
    this.world = world
    this.folders = new Folders(owner)
  }

  /** Finds a message by its id or immutable id. */
  find(id: string): StoredMessage {
    const message = this.#byId.get(id) ?? this.messages.get(id)
    if (message !== undefined) return message
    readId(this.owner, id)
    throw itemNotFound()
  }

  /** The messages in a folder, or all messages; newest first. */
  list(folder?: StoredFolder): StoredMessage[] {
    const all = [...this.messages.values()]
    const found = folder === undefined ? all.filter((message) => !this.#isHidden(message)) : all
    return found
      .filter((message) => folder === undefined || message.folder === folder)
      .sort((left, right) => right.receivedAt - left.receivedAt || right.number - left.number)
  }

  /** The number of messages and of unread messages in a folder. */
  count(folder: StoredFolder): { total: number; unread: number } {
    let [total, unread] = [0, 0]
    for (const message of this.messages.values()) {
      if (message.folder !== folder) continue
      total++
      if (!message.marks.isRead) unread++
    }
    return { total, unread }
  }

  add({ content, folder, raw, isDraft, receivedAt, marks }: NewMessage): StoredMessage {
    const number = this.#nextNumber()
    const now = this.world.now()
    const thread = this.#threadOf(content, number)
    const message: StoredMessage = {
      owner: this.owner,
      immutableId: itemId(this.owner, { folder: '', key: `message ${number}` }, true),
      number,
      id: this.#idIn(folder, number),
      folder,
      content,
      attachments: content.attachments.map((each, index) => ({ ...each, number: index + 1, modifiedAt: now })),
      marks: { ...unmarked, ...(isDraft && { isRead: true }), ...marks },
      isDraft,
      raw,
      ...thread,
      createdAt: now,
      receivedAt,
      modifiedAt: now,
      changeKey: this.#nextChangeKey(),
    }
    this.#keep(message)
    this.#record(message, 'created')
    return message
  }

  /** Changes a message. With `fields`, a delta query returns only these properties. */
  update(message: StoredMessage, change: Partial<StoredMessage>, fields?: readonly string[]): void {
    Object.assign(message, change, { modifiedAt: this.world.now(), changeKey: this.#nextChangeKey() })
    this.#record(message, 'updated', fields)
  }

  attach(message: StoredMessage, attachment: Omit<StoredAttachment, 'number' | 'modifiedAt'>): StoredAttachment {
    const number = Math.max(0, ...message.attachments.map((each) => each.number)) + 1
    const stored = { ...attachment, number, modifiedAt: this.world.now() }
    this.update(message, { attachments: [...message.attachments, stored], raw: undefined })
    return stored
  }

  /** Moves a message to another folder, where it gets a new id. */
  move(message: StoredMessage, folder: StoredFolder, change: Partial<StoredMessage> = {}): void {
    this.#forget(message)
    this.#record(message, 'deleted')
    Object.assign(message, change, {
      folder,
      id: this.#idIn(folder, this.#nextNumber()),
      modifiedAt: this.world.now(),
      changeKey: this.#nextChangeKey(),
    })
    this.#keep(message)
    this.#record(message, 'created')
  }

  copy(message: StoredMessage, folder: StoredFolder): StoredMessage {
    const { content, raw, isDraft, receivedAt, marks, attachments } = message
    const copied = { ...content, attachments: [...attachments] }
    return this.add({ content: copied, folder, raw, isDraft, receivedAt, marks })
  }

  /** Deletes a message permanently. */
  purge(message: StoredMessage): void {
    this.#forget(message)
    this.#record(message, 'deleted')
  }

  /**
   * A delete by the user: moves the message to Deleted Items, and from there to a folder that only administrators can
   * restore from.
   */
  delete(message: StoredMessage): void {
    const isDeleted = this.folders.isBelow(message.folder, this.folders.wellKnown('deleteditems'))
    this.move(message, this.folders.wellKnown(isDeleted ? 'recoverableitemsdeletions' : 'deleteditems'))
  }

  #idIn(folder: StoredFolder, place: number): string {
    return itemId(this.owner, { folder: `mail folder ${folder.number}`, key: `message ${place}` }, false)
  }

  #keep(message: StoredMessage): void {
    this.messages.set(message.immutableId, message)
    this.#byId.set(message.id, message)
  }

  #forget(message: StoredMessage): void {
    this.messages.delete(message.immutableId)
    this.#byId.delete(message.id)
  }

  #isHidden({ folder }: StoredMessage): boolean {
    return this.folders.isBelow(folder, this.folders.wellKnown('recoverableitemsroot'))
  }

  #nextNumber(): number {
    this.#lastNumber += 3
    return this.#lastNumber
  }

  #nextChangeKey(): string {
    this.#lastChange++
    const bytes = Buffer.from('CQAAABYAAAA', 'base64')
    return Buffer.concat([bytes, createHash('sha256').update(`${this.owner.oid} ${this.#lastChange}`).digest()])
      .subarray(0, 24)
      .toString('base64')
  }

  #threadOf(content: MessageContent, number: number): Pick<StoredMessage, 'conversationId' | 'conversationIndex'> {
    const referred = this.messages.values().find(({ content: other }) => joinsConversation(content, other))
    const seed = createHash('sha256').update(`conversation ${this.owner.oid} ${number}`).digest()
    const own = Buffer.concat([Buffer.from([0, 4, 36, 0]), Buffer.from(this.owner.oid), Buffer.from([0, 16, 0]), seed])
    const parent = referred && Buffer.from(referred.conversationIndex, 'base64')
    return {
      conversationId: referred?.conversationId ?? padded(own.subarray(0, 59)),
      conversationIndex: conversationIndex(parent, seed).toString('base64'),
    }
  }

  #record(message: StoredMessage, kind: 'created' | 'updated' | 'deleted', fields?: readonly string[]): void {
    const { folder, immutableId: key, id } = message
    folder.log.record(key, kind, { ...(fields && { fields }), ...(kind === 'deleted' && { was: id }) })
    this.folders.touch(folder)
    this.world.tell({
      owner: this.owner,
      changeType: kind,
      collections: ['messages', `mailFolders/${folder.id}/messages`],
      type: '#Microsoft.Graph.Message',
      path: 'Messages',
      id: (immutable) => (immutable ? key : id),
      etag: `W/"${message.changeKey}"`,
    })
  }
}

function padded(bytes: Buffer): string {
  const text = bytes.toString('base64url')
  return text + '='.repeat((4 - (text.length % 4)) % 4)
}

const mailboxes = new WeakMap<AccountOwner, Mailbox>()

export function openMailbox(owner: AccountOwner, world: World): Mailbox {
  const mailbox = new Mailbox(owner, world)
  mailboxes.set(owner, mailbox)
  return mailbox
}

export function mailboxOf(owner: AccountOwner): Mailbox {
  const mailbox = mailboxes.get(owner)
  if (mailbox === undefined) throw new Error(`${owner.email} has no mailbox`)
  return mailbox
}
