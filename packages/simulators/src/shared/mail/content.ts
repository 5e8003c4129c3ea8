// The content of a message in the Exchange model: one body; every other part is an attachment.

export interface Recipient {
  readonly name: string
  readonly address: string
}

export interface Body {
  readonly contentType: 'text' | 'html'
  readonly content: string
}

export type Importance = 'low' | 'normal' | 'high'

/** The content of a message, whether it was written as MIME or as properties. */
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
  /** The bytes of a file, the MIME of an item, or empty for a reference. */
  readonly bytes: Uint8Array
}
