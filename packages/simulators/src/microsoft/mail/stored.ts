// The stored data of a mailbox.
import type { JsonObject } from '../../shared/http.ts'
import type { AttachmentContent, MessageContent } from '../../shared/mail/content.ts'
import type { ChangeLog } from '../odata/change-log.ts'
import type { AccountOwner } from '../owner.ts'

export interface StoredFolder {
  readonly id: string
  readonly number: number
  displayName: string
  /** Undefined for the root. */
  parent: StoredFolder | undefined
  /** Such as `inbox`. */
  readonly wellKnownName: string | undefined
  readonly isHidden: boolean
  /** Changes of its messages. */
  readonly log: ChangeLog
}

export interface StoredAttachment extends AttachmentContent {
  /** Unique within its message. */
  readonly number: number
  readonly modifiedAt: number
}

/** The marks that the user set. */
export interface Marks {
  readonly isRead: boolean
  readonly categories: readonly string[]
  readonly flag: JsonObject
  readonly inferenceClassification: 'focused' | 'other'
}

export interface StoredMessage {
  readonly owner: AccountOwner
  /** Permanent; also the key in change logs. */
  readonly immutableId: string
  readonly number: number
  /** Changes with every move. */
  id: string
  folder: StoredFolder
  content: MessageContent
  attachments: readonly StoredAttachment[]
  marks: Marks
  isDraft: boolean
  /** As received; undefined if the message was written or changed as properties. */
  raw: Uint8Array | undefined
  readonly conversationId: string
  readonly conversationIndex: string
  readonly createdAt: number
  receivedAt: number
  modifiedAt: number
  changeKey: string
}
