import type { Folder } from '@waypost/contract'
import { folderId } from './mapping/ids.ts'

/** What an account reports about one folder. */
export interface FolderState {
  path: string
  delimiter: string
  attributes: string[]
  /** `\Inbox`, `\Sent` … according to the server or the name. */
  use?: string | undefined
  /**
   * A view of messages in other folders, such as all mail (RFC 6154 §2): messages are neither added nor removed here.
   */
  isView: boolean
  /** false: the server lists the folder but returns no status, so it cannot be opened and is ignored. */
  isOpen: boolean
  messages: number
  unseen: number
  /** 0 if the server does not report it. */
  uidNext: number
  uidValidity: string
  /** Increases with every change; undefined if the server does not count changes. */
  modseq?: string | undefined
  /** When this state was read, or a moment later (`performance.now()`). */
  seenAt: number
  /** The path as the server writes it, if the server has folder ids. */
  listedAs?: string | undefined
  /** The server's id of the folder, once queried; empty if it has none. It survives a rename. */
  mailboxId?: string | undefined
}

/**
 * Whether two states of a folder have the same messages: none arrived, and the count is equal, so none was removed.
 */
export const hasSameMessages = (a: FolderState, b: FolderState): boolean =>
  (b.uidNext !== 0 || b.messages === 0) &&
  a.uidValidity === b.uidValidity &&
  a.uidNext === b.uidNext &&
  a.messages === b.messages

export const fromState = (state: FolderState, grantId: string): Folder => ({
  id: folderId(state.path),
  grant_id: grantId,
  object: 'folder',
  name: state.path,
  attributes: state.attributes,
  system_folder: state.use !== undefined,
  ...(state.isOpen ? { total_count: state.messages, unread_count: state.unseen } : {}),
})
