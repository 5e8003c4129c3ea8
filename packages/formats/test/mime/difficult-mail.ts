// Mail that is hard to parse: foreign charsets, deep nesting, broken headers, and malicious messages. Each has its
// expected result, so that the same messages can be tested on a real server.
import { asianMail } from './difficult-mail-asian.ts'
import { bombs } from './difficult-mail-bombs.ts'
import { brokenMail } from './difficult-mail-broken.ts'
import { charsetMail } from './difficult-mail-charsets.ts'
import { nestedMail } from './difficult-mail-nested.ts'

export interface ExpectedAttachment {
  readonly part: string
  readonly type: string
  readonly filename: string | null
  readonly size?: number
  readonly disposition?: string
  readonly contentId?: string
}

export interface ExpectedMail {
  readonly subject?: string
  readonly from?: readonly { name?: string; email: string }[]
  readonly to?: readonly { name?: string; email: string }[]
  /** The body, trimmed. */
  readonly text?: string
  readonly isHtml?: boolean
  readonly snippet?: string
  readonly attachments?: readonly ExpectedAttachment[]
  readonly references?: readonly string[]
  readonly messageId?: string
}

export interface DifficultMail {
  readonly name: string
  /** Generated on each access: some are large. */
  readonly source: Buffer
  readonly expected: ExpectedMail | { readonly refused: true }
  /** Follows the standards, so that every parser must agree. */
  readonly wellFormed: boolean
}

export const difficultMail: readonly DifficultMail[] = [
  ...charsetMail,
  ...asianMail,
  ...nestedMail,
  ...brokenMail,
  ...bombs,
]
