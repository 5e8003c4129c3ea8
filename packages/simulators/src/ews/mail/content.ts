// The stored content of a message. Fields change it in place; `text` is replaced as a whole.
import type { MessageContent } from '../../shared/mail/content.ts'
import type { StoredAttachment, StoredItem } from '../store/stored.ts'

/** The content of a message without attachments, which are stored separately. */
export type MessageText = Omit<MessageContent, 'attachments'>

export interface Flag {
  readonly status: 'NotFlagged' | 'Flagged' | 'Complete'
  /** Milliseconds. */
  readonly start?: number | undefined
  readonly due?: number | undefined
  readonly completed?: number | undefined
}

export interface Conversation {
  /** Sixteen bytes. */
  readonly id: Buffer
  /** PR_CONVERSATION_INDEX. */
  readonly index: Buffer
}

/** How it was replied to or forwarded: PR_LAST_VERB_EXECUTED and its time. */
export interface LastVerb {
  readonly verb: number
  readonly at: number
}

export const verbs = { ReplyToItem: 102, ReplyAllToItem: 103, ForwardItem: 104 } as const

export const sensitivities = ['Normal', 'Personal', 'Private', 'Confidential'] as const
export type Sensitivity = (typeof sensitivities)[number]

export interface MailContent {
  text: MessageText
  attachments: readonly StoredAttachment[]
  /** Whether it is unsent (MSGFLAG_UNSENT). */
  isDraft: boolean
  /** Whether the mailbox's owner sent it. */
  isFromMe: boolean
  categories: readonly string[]
  flag: Flag
  sensitivity: Sensitivity
  isResponseRequested: boolean
  /** Undefined until it is stored. */
  conversation: Conversation | undefined
  lastVerb: LastVerb | undefined
  /** As received; undefined if the message was written or changed as properties. */
  raw: Uint8Array | undefined
  /** Whether it was received; messages written here have no transport fields. */
  hasTransportHeaders: boolean
}

export type MailItem = StoredItem<MailContent>

export const emptyText: MessageText = {
  subject: '',
  body: { contentType: 'text', content: '' },
  from: undefined,
  sender: undefined,
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  internetMessageId: undefined,
  headers: [],
  references: [],
  importance: 'normal',
  wantsDeliveryReceipt: false,
  wantsReadReceipt: false,
  sentAt: undefined,
}

/** A message without content. */
export function emptyMail(): MailContent {
  return {
    text: emptyText,
    attachments: [],
    isDraft: true,
    isFromMe: false,
    categories: [],
    flag: { status: 'NotFlagged' },
    sensitivity: 'Normal',
    isResponseRequested: false,
    conversation: undefined,
    lastVerb: undefined,
    raw: undefined,
    hasTransportHeaders: false,
  }
}

/** Changes the content of a message and discards the received bytes. */
export function rewrite(content: MailContent, change: Partial<MessageText>): void {
  content.text = { ...content.text, ...change }
  content.raw = undefined
}
