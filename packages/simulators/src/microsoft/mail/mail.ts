// The mail of an account, for tests: operations in addition to those of the API; and the mail part of Graph.

import { contentOfMime } from '../../shared/mail/from-mime.ts'
import type { AccountOwner } from '../owner.ts'
import type { GraphPart } from '../part.ts'
import type { World } from '../world.ts'
import { attachmentRoutes } from './attachment-routes.ts'
import { deltaRoutes } from './delta-routes.ts'
import { folderRoutes } from './folder-routes.ts'
import { type Mailbox, mailboxOf, openMailbox } from './mailbox.ts'
import { messageRoutes } from './message-routes.ts'
import { READ } from './scopes.ts'
import { sendRoutes } from './send-routes.ts'
import { rawOf } from './sending.ts'
import { settingsRoutes } from './settings-routes.ts'
import type { Marks, StoredMessage } from './stored.ts'

export const mailPart: GraphPart = {
  routes: [...messageRoutes, ...attachmentRoutes, ...folderRoutes, ...deltaRoutes, ...sendRoutes, ...settingsRoutes],
  subscribable: [
    { path: '/messages', scopes: READ, collection: () => 'messages' },
    {
      path: '/mailFolders/:folderId/messages',
      scopes: READ,
      collection: (owner, { folderId = '' }) => `mailFolders/${mailboxOf(owner).folders.find(folderId).id}/messages`,
    },
  ],
}

export interface MailEntry {
  readonly id: string
  readonly immutableId: string
  readonly conversationId: string
  readonly subject: string
  /** The well-known name of its folder, or its display name. */
  readonly folder: string
  readonly isRead: boolean
  readonly isDraft: boolean
}

export interface DeliveryOptions {
  /** Well-known name or id; default `inbox`. */
  readonly folder?: string
  /** Milliseconds; default now. */
  readonly at?: number
  readonly isRead?: boolean
  readonly categories?: readonly string[]
  readonly inferenceClassification?: 'focused' | 'other'
  /** Whether it is an unsent draft; default false. */
  readonly isDraft?: boolean
  /** Names of linked files. */
  readonly references?: readonly string[]
}

export interface SimulatedMail {
  /** Delivers a complete message (RFC 5322), or adds it to a folder. */
  deliver(source: string | Uint8Array, options?: DeliveryOptions): MailEntry
  /** All messages, oldest first. */
  list(): MailEntry[]
  /** A message, by its id or immutable id. */
  read(id: string): MailEntry & { readonly raw: Uint8Array; readonly categories: readonly string[] }
  /** Changes the marks of a message, as the user would. */
  mark(id: string, marks: Partial<Marks>): void
  /** Moves a message to a folder, given by well-known name or id. */
  move(id: string, folder: string): MailEntry
  /** Deletes a message permanently, as the user would. */
  remove(id: string): void
  /** Returns the id of the folder; `parent` is a well-known name or id. */
  createFolder(displayName: string, parent?: string): string
  /** Expires all delta tokens issued so far: they get a `410` with this code (default `SyncStateNotFound`). */
  forgetChanges(code?: string): void
}

export function openMail(owner: AccountOwner, world: World): SimulatedMail {
  const mailbox = openMailbox(owner, world)
  const { folders } = mailbox
  return {
    deliver: (source, options = {}) => entry(deliver(mailbox, source, options)),
    list: () =>
      [...mailbox.list(), ...mailbox.list(folders.wellKnown('recoverableitemsdeletions'))].toReversed().map(entry),
    read(id) {
      const message = mailbox.find(id)
      return { ...entry(message), raw: rawOf(message), categories: message.marks.categories }
    },
    mark(id, marks) {
      const message = mailbox.find(id)
      const fields = Object.keys(marks).join() === 'isRead' ? ['isRead', 'parentFolderId'] : undefined
      mailbox.update(message, { marks: { ...message.marks, ...marks } }, fields)
    },
    move(id, folder) {
      const message = mailbox.find(id)
      mailbox.move(message, folders.find(folder))
      return entry(message)
    },
    remove: (id) => mailbox.purge(mailbox.find(id)),
    createFolder: (displayName, parent = 'msgfolderroot') => folders.create(displayName, folders.find(parent)).id,
    forgetChanges(code) {
      for (const { log } of [folders, ...folders.all()]) log.forget(code)
    },
  }
}

function deliver(mailbox: Mailbox, source: string | Uint8Array, options: DeliveryOptions): StoredMessage {
  const { folder = 'inbox', at = mailbox.world.now(), references = [], isDraft = false, ...marks } = options
  const raw = typeof source === 'string' ? Buffer.from(source) : source
  const content = contentOfMime(raw)
  const linked = references.map((name) => ({
    kind: 'reference' as const,
    name,
    contentType: null,
    isInline: false,
    contentId: null,
    bytes: new Uint8Array(),
  }))
  return mailbox.add({
    content: { ...content, attachments: [...content.attachments, ...linked] },
    folder: mailbox.folders.find(folder),
    raw,
    isDraft,
    receivedAt: at,
    marks: Object.fromEntries(Object.entries(marks).filter(([, value]) => value !== undefined)),
  })
}

function entry(message: StoredMessage): MailEntry {
  const { id, immutableId, conversationId, content, folder, marks, isDraft } = message
  return {
    id,
    immutableId,
    conversationId,
    subject: content.subject,
    folder: folder.wellKnownName ?? folder.displayName,
    isRead: marks.isRead,
    isDraft,
  }
}
