// A mail with an answer to an invitation (RFC 6047), and what of it is believed. Whoever has seen an invitation can write
// an answer in the name of any of its guests, so an answer counts only where the sender of the mail is that guest, or
// somebody of the guest's own domain who says to answer for him (SENT-BY), and where the server that received the mail
// does not say that the sender is forged (Authentication-Results with `dmarc=fail`, RFC 8601).
import { type AttendeeReply, readReplies } from './itip-reading.ts'
import { readAddresses } from './mime-addresses.ts'
import { asBuffer } from './mime-charset.ts'
import type { Header } from './mime-headers.ts'
import { type LocatedPart, readStructure } from './mime-structure.ts'
import { textOf } from './mime-text.ts'

const MAX_PARTS_READ = 10

/** The answers in a mail that are believed. Throws nothing but MimeLimit. */
export function readReplyMail(source: Uint8Array): AttendeeReply[] {
  const bytes = asBuffer(source)
  const { root, headers } = readStructure(bytes)
  const sender = senderOf(headers)
  if (sender === undefined || isForged(headers)) return []
  for (const part of calendarParts(root).slice(0, MAX_PARTS_READ)) {
    const replies = readReplies(textOf(part, bytes.subarray(part.start, part.end)))
    if (replies.length > 0) return replies.filter((reply) => isBelieved(reply, sender))
  }
  return []
}

const valuesOf = (headers: readonly Header[], name: string): string[] =>
  headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value)

/** The one sender; none where a mail has several, of which servers check one and readers show another. */
function senderOf(headers: readonly Header[]): string | undefined {
  const values = valuesOf(headers, 'from')
  const from = readAddresses(values[0] ?? '')
  return values.length === 1 && from.length === 1 ? from[0]?.email.toLowerCase() : undefined
}

const isForged = (headers: readonly Header[]): boolean =>
  valuesOf(headers, 'authentication-results').some((value) => /\bdmarc\s*=\s*fail\b/i.test(value))

/** Parts of the mail itself: an answer inside a forwarded mail is not its sender's. */
function calendarParts(root: LocatedPart): LocatedPart[] {
  if (root.type.startsWith('multipart/')) return (root.children ?? []).flatMap(calendarParts)
  return root.type === 'text/calendar' || root.type === 'application/ics' ? [root] : []
}

const isBelieved = ({ attendee, sentBy }: AttendeeReply, sender: string): boolean =>
  attendee === sender || (sentBy === sender && domainOf(attendee) === domainOf(sender))

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
