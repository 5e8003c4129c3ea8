// Mail that is hard to read: foreign charsets, deep nesting, broken headers, and messages made to hurt. Each with what a
// reader must make of it, so that the same messages can be put on a real server.
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
  /** The body without blanks around it. */
  readonly text?: string
  readonly isHtml?: boolean
  readonly snippet?: string
  readonly attachments?: readonly ExpectedAttachment[]
  readonly references?: readonly string[]
  readonly messageId?: string
}

export interface DifficultMail {
  readonly name: string
  /** Made anew each time it is read: some are large. */
  readonly source: Buffer
  readonly expected: ExpectedMail | { readonly refused: true }
  /** Follows the standards, so that every reader must agree about it. */
  readonly wellFormed: boolean
}

export const difficultMail: readonly DifficultMail[] = [
  ...charsetMail,
  ...asianMail,
  ...nestedMail,
  ...brokenMail,
  ...bombs,
]
