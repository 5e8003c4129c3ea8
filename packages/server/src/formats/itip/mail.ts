// A mail with an iTIP object (RFC 6047): an answer to an invitation, or an invitation, and what of it is believed. Whoever has seen an invitation can write
// an answer in the name of any of its guests, so an answer counts only where the sender of the mail is that guest, or
// somebody of the guest's own domain who says to answer for him (SENT-BY), and where the server that received the mail
// does not say that the sender is forged (Authentication-Results with `dmarc=fail`, RFC 8601).

import { readAddresses } from '../mime/addresses.ts'
import { asBuffer } from '../mime/charset.ts'
import type { Header } from '../mime/headers.ts'
import { type LocatedPart, readStructure } from '../mime/structure.ts'
import { textOf } from '../mime/text.ts'
import { type AttendeeReply, readReplies } from './reading.ts'

const MAX_PARTS_READ = 10
/** A larger object is no invitation. */
const MAX_CHARACTERS = 512 * 1024

/** What an organizer tells a guest, as it stands in the mail, with the one who sent it. */
export interface OrganizerMail {
  readonly method: 'REQUEST' | 'CANCEL'
  /** In small letters. */
  readonly sender: string
  readonly ics: string
}

/** A mail about events: what an organizer tells, or what guests answer. */
export type ItipMail = OrganizerMail | { readonly method: 'REPLY'; readonly replies: readonly AttendeeReply[] }

/** The answers in a mail that are believed. Throws nothing but MimeLimit. */
export function readReplyMail(source: Uint8Array): AttendeeReply[] {
  const mail = readItipMail(source)
  return mail?.method === 'REPLY' ? [...mail.replies] : []
}

/** What a mail says about events; nothing where its sender is not believed. Throws nothing but MimeLimit. */
export function readItipMail(source: Uint8Array): ItipMail | undefined {
  const bytes = asBuffer(source)
  const { root, headers } = readStructure(bytes)
  const sender = senderOf(headers)
  if (sender === undefined || isForged(headers)) return undefined
  for (const part of calendarParts(root).slice(0, MAX_PARTS_READ)) {
    const text = textOf(part, bytes.subarray(part.start, part.end))
    const replies = readReplies(text)
    if (replies.length > 0) return { method: 'REPLY', replies: replies.filter((reply) => isBelieved(reply, sender)) }
    const method = organizerMethodOf(text)
    // A part of an object would say something else than all of it.
    if (method && text.length <= MAX_CHARACTERS) return { method, sender, ics: text }
  }
  return undefined
}

/** The METHOD of the calendar object, where an organizer writes it. */
function organizerMethodOf(text: string): OrganizerMail['method'] | undefined {
  const head = text.slice(0, text.search(/^BEGIN:VEVENT/im))
  const method = /^METHOD(?:;[^:\r\n]*)?:[ \t]*(\w+)/im.exec(head)?.[1]?.toUpperCase()
  return method === 'REQUEST' || method === 'CANCEL' ? method : undefined
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
