// The state of one mailbox. Every change gets the next history id and a record, which `history.list` returns and
// watches report.

import { addressesOf } from '../../shared/mail/addresses.ts'
import { headerValue, type MimePart, parseMime } from '../../shared/mail/mime.ts'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import type { MailChange, NewMessage, StoredLabel, StoredMessage, UploadSession, Watch } from './stored.ts'
import { systemLabels } from './system-labels.ts'
import { chooseThread } from './threading.ts'

export class Mailbox {
  readonly owner: AccountOwner
  readonly world: World
  readonly messages = new Map<string, StoredMessage>()
  readonly labels: Map<string, StoredLabel> = systemLabels()
  /** Message ids, keyed by draft id. */
  readonly drafts = new Map<string, string>()
  /** Oldest first. */
  readonly history: MailChange[] = []
  /** Records up to this id are deleted. */
  forgottenUpTo: number
  readonly uploads = new Map<string, UploadSession>()
  watch: Watch | undefined
  /** Called with every change. */
  onChange: (change: MailChange) => void = () => {}
  /** The messages, keyed by Message-ID. */
  readonly byMessageId = new Map<string, StoredMessage[]>()
  readonly threads = new Map<string, Set<StoredMessage>>()
  #historyId: number
  #nextId: bigint
  #nextLabel = 1
  #nextDraft: bigint

  constructor(owner: AccountOwner, world: World) {
    this.owner = owner
    this.world = world
    const number = BigInt(world.accounts.size + 1)
    this.#nextId = 0x18_00_00_00_00_00_00_00n + number * 0x1_00_00_00_00_00n
    this.#nextDraft = 1_000_000_000_000_000_000n + number * 1_000_000_000n
    this.#historyId = 1000 + Number(number) * 100_000
    this.forgottenUpTo = this.#historyId - 1
  }

  get historyId(): number {
    return this.#historyId
  }

  nextLabelId(): string {
    return `Label_${this.#nextLabel++}`
  }

  nextDraftId(): string {
    return `r${this.#nextDraft++}`
  }

  add({ raw, labels, internalDate, threadId }: NewMessage): StoredMessage {
    // Real ids increase, and not by one.
    this.#nextId += 0x1_0fn
    const id = this.#nextId.toString(16)
    const mime = parseMime(raw)
    const message: StoredMessage = {
      id,
      threadId: chooseThread(this, mime, threadId) ?? id,
      raw,
      mime,
      labels: new Set(labels),
      internalDate,
      historyId: 0,
    }
    this.messages.set(id, message)
    const thread = this.threads.get(message.threadId) ?? new Set()
    this.threads.set(message.threadId, thread.add(message))
    const messageId = headerValue(mime, 'message-id')
    if (messageId !== undefined) this.byMessageId.set(messageId, [...(this.byMessageId.get(messageId) ?? []), message])
    this.#record('messageAdded', message, [])
    return message
  }

  remove(message: StoredMessage): void {
    this.messages.delete(message.id)
    const thread = this.threads.get(message.threadId)
    thread?.delete(message)
    if (thread?.size === 0) this.threads.delete(message.threadId)
    const messageId = headerValue(message.mime, 'message-id') ?? ''
    const others = this.byMessageId.get(messageId)?.filter((other) => other !== message) ?? []
    if (others.length > 0) this.byMessageId.set(messageId, others)
    else this.byMessageId.delete(messageId)
    for (const [draftId, id] of this.drafts) if (id === message.id) this.drafts.delete(draftId)
    this.#record('messageDeleted', message, [])
  }

  /** Adds labels to a message and removes others; without an effective change, no record is added. */
  relabel(message: StoredMessage, add: readonly string[], remove: readonly string[]): void {
    const added = add.filter((id) => !message.labels.has(id))
    const removed = remove.filter((id) => message.labels.has(id))
    for (const id of added) message.labels.add(id)
    for (const id of removed) message.labels.delete(id)
    if (added.length > 0) this.#record('labelAdded', message, added)
    if (removed.length > 0) this.#record('labelRemoved', message, removed)
  }

  /** Messages in trash and spam leave the inbox. */
  trash(message: StoredMessage): void {
    this.relabel(message, ['TRASH'], ['INBOX', 'SPAM'])
  }

  /** INBOX is not restored, as at Gmail. */
  untrash(message: StoredMessage): void {
    this.relabel(message, [], ['TRASH'])
  }

  /** Whether an address belongs to the owner. */
  isOwn(address: string): boolean {
    const { email, aliases } = this.owner
    return [email, ...aliases].some((own) => own.toLowerCase() === address.toLowerCase())
  }

  /** Whether the owner is the sender. */
  isFromOwner(mime: MimePart): boolean {
    return addressesOf(headerValue(mime, 'from')).some((address) => this.isOwn(address))
  }

  #record(type: MailChange['type'], message: StoredMessage, labelIds: readonly string[]): void {
    this.#historyId += 7
    message.historyId = this.#historyId
    const { id, threadId, labels } = message
    const change: MailChange = { historyId: this.#historyId, type, id, threadId, labelIds, labels: new Set(labels) }
    this.history.push(change)
    this.onChange(change)
  }
}
