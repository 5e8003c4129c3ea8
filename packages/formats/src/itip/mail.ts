/**
 * Reads a mail with an iTIP object (RFC 6047), an answer or an invitation, and decides whether to trust it. Anyone
 * who has seen an invitation can forge an answer of any of its guests. So an answer counts only if the sender of the
 * mail is that guest, or an address of the guest's domain that answers on their behalf (SENT-BY). The receiving
 * server also must not report a forged sender (Authentication-Results with `dmarc=fail`, RFC 8601).
 */

import { readAddresses } from '../mime/addresses.ts'
import { asBuffer } from '../mime/charset.ts'
import type { Header } from '../mime/headers.ts'
import { type LocatedPart, readStructure } from '../mime/structure.ts'
import { textOf } from '../mime/text.ts'
import { type AttendeeReply, readReplies } from './reading.ts'

const MAX_PARTS_READ = 10
/** A larger object is not an invitation. */
const MAX_CHARACTERS = 512 * 1024

/** An organizer's object, as in the mail, with the sender's address. */
export interface OrganizerMail {
  readonly method: 'REQUEST' | 'CANCEL'
  /** In lower case. */
  readonly sender: string
  readonly ics: string
}

/** A mail about events: an organizer's object, or answers of guests. */
export type ItipMail = OrganizerMail | { readonly method: 'REPLY'; readonly replies: readonly AttendeeReply[] }

/** The trusted answers in a mail. Throws only MimeLimit. */
export function readReplyMail(source: Uint8Array): AttendeeReply[] {
  const mail = readItipMail(source)
  return mail?.method === 'REPLY' ? [...mail.replies] : []
}

/** The iTIP content of a mail, or undefined if its sender is not trusted. Throws only MimeLimit. */
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
    // A truncated object could have a different meaning.
    if (method && text.length <= MAX_CHARACTERS) return { method, sender, ics: text }
  }
  return undefined
}

/** The METHOD of the calendar object, if it is one that organizers send. */
function organizerMethodOf(text: string): OrganizerMail['method'] | undefined {
  const head = text.slice(0, text.search(/^BEGIN:VEVENT/im))
  const method = /^METHOD(?:;[^:\r\n]*)?:[ \t]*(\w+)/im.exec(head)?.[1]?.toUpperCase()
  return method === 'REQUEST' || method === 'CANCEL' ? method : undefined
}

const valuesOf = (headers: readonly Header[], name: string): string[] =>
  headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value)

/** The sender, or undefined if the mail has several: a server may check one while a mail client displays another. */
function senderOf(headers: readonly Header[]): string | undefined {
  const values = valuesOf(headers, 'from')
  const from = readAddresses(values[0] ?? '')
  return values.length === 1 && from.length === 1 ? from[0]?.email.toLowerCase() : undefined
}

const isForged = (headers: readonly Header[]): boolean =>
  valuesOf(headers, 'authentication-results').some((value) => /\bdmarc\s*=\s*fail\b/i.test(value))

/** The calendar parts of the mail itself. An answer inside a forwarded mail does not come from its sender. */
function calendarParts(root: LocatedPart): LocatedPart[] {
  if (root.type.startsWith('multipart/')) return (root.children ?? []).flatMap(calendarParts)
  return root.type === 'text/calendar' || root.type === 'application/ics' ? [root] : []
}

const isBelieved = ({ attendee, sentBy }: AttendeeReply, sender: string): boolean =>
  attendee === sender || (sentBy === sender && domainOf(attendee) === domainOf(sender))

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
