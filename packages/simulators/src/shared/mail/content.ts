// What a message says, as Exchange has it: one body, and the rest attachments.

export interface Recipient {
  readonly name: string
  readonly address: string
}

export interface Body {
  readonly contentType: 'text' | 'html'
  readonly content: string
}

export type Importance = 'low' | 'normal' | 'high'

/** What a message says, however it came. */
export interface MessageContent {
  readonly subject: string
  readonly body: Body
  readonly from: Recipient | undefined
  readonly sender: Recipient | undefined
  readonly to: readonly Recipient[]
  readonly cc: readonly Recipient[]
  readonly bcc: readonly Recipient[]
  readonly replyTo: readonly Recipient[]
  readonly internetMessageId: string | undefined
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly references: readonly string[]
  readonly importance: Importance
  readonly wantsDeliveryReceipt: boolean
  readonly wantsReadReceipt: boolean
  /** Milliseconds. */
  readonly sentAt: number | undefined
  readonly attachments: readonly AttachmentContent[]
}

export interface AttachmentContent {
  readonly kind: 'file' | 'item' | 'reference'
  readonly name: string
  readonly contentType: string | null
  readonly isInline: boolean
  readonly contentId: string | null
  /** Of a file; of an item its MIME; of a reference none. */
  readonly bytes: Uint8Array
}
