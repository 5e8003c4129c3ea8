// The parts of a message that a reply copies.
import type { MessageContent, Recipient } from './content.ts'
import { textToHtml } from './html.ts'

type Original = Omit<MessageContent, 'attachments'>

/** The recipients of a reply. */
export function answered({ replyTo, from }: Original): readonly Recipient[] {
  return replyTo.length > 0 ? replyTo : from === undefined ? [] : [from]
}

/** The other recipients of the message, without the user. */
export function othersOf({ to, cc }: Original, isOwn: (address: string) => boolean): Recipient[] {
  return [...to, ...cc].filter(({ address }) => !isOwn(address))
}

export function prefixed(subject: string, prefix: 'RE' | 'FW'): string {
  return subject.toUpperCase().startsWith(`${prefix}:`) ? subject : `${prefix}: ${subject}`
}

/** The quoted message below a reply, as HTML. */
export function quote({ from, subject, body }: Original): string {
  const text = body.contentType === 'html' ? body.content : textToHtml(body.content)
  return `<hr><div id="divRplyFwdMsg"><b>From:</b> ${from?.address ?? ''}<br><b>Subject:</b> ${subject}</div>${text}`
}
