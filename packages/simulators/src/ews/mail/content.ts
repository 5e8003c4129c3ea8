// What the store keeps of a message. Its fields change it in place; what it says is replaced whole.
import type { MessageContent } from '../../shared/mail/content.ts'
import type { StoredAttachment, StoredItem } from '../store/stored.ts'

/** What a message says; its attachments are kept beside it. */
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

/** How it was answered or handed on: PR_LAST_VERB_EXECUTED and its time. */
export interface LastVerb {
  readonly verb: number
  readonly at: number
}

export const VERBS = { ReplyToItem: 102, ReplyAllToItem: 103, ForwardItem: 104 } as const

export const SENSITIVITIES = ['Normal', 'Personal', 'Private', 'Confidential'] as const
export type Sensitivity = (typeof SENSITIVITIES)[number]

export interface MailContent {
  text: MessageText
  attachments: readonly StoredAttachment[]
  /** It was never sent (MSGFLAG_UNSENT). */
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
  /** As it came; undefined where it was written or changed property by property. */
  raw: Uint8Array | undefined
  /** Whether it came over the wire: what was written here has no fields of transport. */
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

/** A message that nobody has written anything of yet. */
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

/** Changes what a message says, which from then on is no longer what came. */
export function rewrite(content: MailContent, change: Partial<MessageText>): void {
  content.text = { ...content.text, ...change }
  content.raw = undefined
}
