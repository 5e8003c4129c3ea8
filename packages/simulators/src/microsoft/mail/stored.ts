// What a mailbox consists of.
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
  /** Of its messages. */
  readonly log: ChangeLog
}

export interface StoredAttachment extends AttachmentContent {
  /** In its message. */
  readonly number: number
  readonly modifiedAt: number
}

/** How the user has marked it. */
export interface Marks {
  readonly isRead: boolean
  readonly categories: readonly string[]
  readonly flag: JsonObject
  readonly inferenceClassification: 'focused' | 'other'
}

export interface StoredMessage {
  readonly owner: AccountOwner
  /** The same for all its life: also what change logs know it by. */
  readonly immutableId: string
  readonly number: number
  /** Another in every place. */
  id: string
  folder: StoredFolder
  content: MessageContent
  attachments: readonly StoredAttachment[]
  marks: Marks
  isDraft: boolean
  /** As it came; undefined where it was written or changed property by property. */
  raw: Uint8Array | undefined
  readonly conversationId: string
  readonly conversationIndex: string
  readonly createdAt: number
  receivedAt: number
  modifiedAt: number
  changeKey: string
}
