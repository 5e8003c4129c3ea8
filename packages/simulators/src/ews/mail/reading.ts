// What is worked out of a message rather than kept.
import type { Recipient } from '../../shared/mail/content.ts'
import { htmlToText } from '../../shared/mail/html.ts'
import { baseSubject } from '../../shared/mail/references.ts'
import { mimeOf } from '../../shared/mail/to-mime.ts'
import type { MailContent, MessageText } from './content.ts'

export function bodyText({ body }: MessageText): string {
  return body.contentType === 'html' ? htmlToText(body.content) : body.content
}

/** As `DisplayTo` has them; empty where there is nobody. */
export function displayNames(recipients: readonly Recipient[]): string {
  return recipients.map(({ name, address }) => name || address).join('; ')
}

/** The subject without the prefixes of answers. */
export function topicOf(subject: string): string {
  const clean = subject.replace(/\s+/g, ' ').trim()
  return clean.slice(clean.length - baseSubject(subject).length)
}

/** What storing it takes, roughly as Exchange counts. */
export function sizeOf({ raw, text, attachments }: MailContent): number {
  const files = attachments.reduce((sum, { bytes }) => sum + bytes.length + 512, 0)
  return raw?.length ?? 2048 + Buffer.byteLength(text.body.content) + Buffer.byteLength(text.subject) + files
}

/** The fields of the header, as they came on the wire; what was written here has none. */
export function transportHeaders({ text: { headers }, hasTransportHeaders }: MailContent): string | undefined {
  if (!hasTransportHeaders || headers.length === 0) return undefined
  return headers.map(({ name, value }) => `${name}: ${value}\r\n`).join('')
}

/** The message made anew of what is known of it: own fields of the header are not. */
export function rebuiltMime({ text, attachments }: MailContent, at: number): Uint8Array {
  return mimeOf({ content: { ...text, headers: [], attachments }, attachments, at })
}

/** The message as it came, or as it would go out; `at` is the time that it has where it says none. */
export function rawOf({ raw, text, attachments }: MailContent, at: number): Uint8Array {
  return raw ?? mimeOf({ content: { ...text, attachments }, attachments, at })
}
