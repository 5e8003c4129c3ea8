// The stored data of a mailbox.
import type { JsonObject } from '../../shared/http.ts'
import type { MimePart } from '../../shared/mail/mime.ts'
import type { ApiAnswer } from '../http.ts'

export interface StoredMessage {
  /** Sixteen hexadecimal digits. */
  readonly id: string
  /** The id of the first message in its thread. */
  readonly threadId: string
  readonly raw: Uint8Array
  readonly mime: MimePart
  readonly labels: Set<string>
  /** Milliseconds. */
  readonly internalDate: number
  historyId: number
}

export interface NewMessage {
  readonly raw: Uint8Array
  readonly labels: Iterable<string>
  readonly internalDate: number
  /** The requested thread; the message joins it only if it belongs there. */
  readonly threadId?: string | undefined
}

export interface MailChange {
  readonly historyId: number
  readonly type: 'messageAdded' | 'messageDeleted' | 'labelAdded' | 'labelRemoved'
  readonly id: string
  readonly threadId: string
  /** The added or removed labels. */
  readonly labelIds: readonly string[]
  /** The labels of the message after the change. */
  readonly labels: ReadonlySet<string>
}

export interface StoredLabel {
  readonly id: string
  name: string
  readonly type: 'system' | 'user'
  messageListVisibility?: string
  labelListVisibility?: string
  color?: { textColor: string; backgroundColor: string }
}

/** A resumable upload. */
export interface UploadSession {
  readonly resource: JsonObject
  /** The length of all bytes, once it is announced. */
  total: number | undefined
  /** What has arrived, and its length. */
  pieces: Uint8Array[]
  length: number
  /** The answer of the call, once it has run. */
  answer: ApiAnswer | undefined
}

export interface Watch {
  readonly topicName: string
  readonly expiration: number
  /** Whether the watch reports a change. */
  concerns(change: MailChange): boolean
}
