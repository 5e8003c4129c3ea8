// Computed properties of a message, which are not stored.
import type { Recipient } from '../../shared/mail/content.ts'
import { htmlToText } from '../../shared/mail/html.ts'
import { baseSubject } from '../../shared/mail/references.ts'
import { mimeOf } from '../../shared/mail/to-mime.ts'
import type { MailContent, MessageText } from './content.ts'

export function bodyText({ body }: MessageText): string {
  return body.contentType === 'html' ? htmlToText(body.content) : body.content
}

/** The value of `DisplayTo`; empty if there are no recipients. */
export function displayNames(recipients: readonly Recipient[]): string {
  return recipients.map(({ name, address }) => name || address).join('; ')
}

/** The subject without reply prefixes. */
export function topicOf(subject: string): string {
  const clean = subject.replace(/\s+/g, ' ').trim()
  return clean.slice(clean.length - baseSubject(subject).length)
}

/** The stored size, roughly as Exchange computes it. */
export function sizeOf({ raw, text, attachments }: MailContent): number {
  const files = attachments.reduce((sum, { bytes }) => sum + bytes.length + 512, 0)
  return raw?.length ?? 2048 + Buffer.byteLength(text.body.content) + Buffer.byteLength(text.subject) + files
}

/** The received header fields; a message written here has none. */
export function transportHeaders({ text: { headers }, hasTransportHeaders }: MailContent): string | undefined {
  if (!hasTransportHeaders || headers.length === 0) return undefined
  return headers.map(({ name, value }) => `${name}: ${value}\r\n`).join('')
}

/** The message rebuilt from its properties, without custom header fields. */
export function rebuiltMime({ text, attachments }: MailContent, at: number): Uint8Array {
  return mimeOf({ content: { ...text, headers: [], attachments }, attachments, at })
}

/** The message as received, or as it would be sent; `at` is its time if it has none. */
export function rawOf({ raw, text, attachments }: MailContent, at: number): Uint8Array {
  return raw ?? mimeOf({ content: { ...text, attachments }, attachments, at })
}
