/**
 * Writes request fields into message headers, and the envelope. Nothing is repaired: a line break or NUL in such a field
 * is rejected with the field name (RFC 5322 §2.2). Addresses are parsed and written again. Headers that Waypost itself
 * sets cannot be set by a client.
 */
import { domainToASCII } from 'node:url'
import { limits } from '@waypost/contract/limits'
import { invalidField } from '@waypost/platform/api-error'
import { foldLines } from 'nodemailer/lib/mime-funcs'
import MimeNode from 'nodemailer/lib/mime-node'
import type { CustomHeader, Person } from '../message-request.ts'
import { isMessageId } from '../replies/reply.ts'

/**
 * A tab counts as a space in a header. Some server treats each other control character as the end of the line or
 * message.
 */
const BREAKING = /[^\P{Cc}\t]/u

/** Returns the text if it is safe in a header; otherwise throws an error that names the field. */
export function headerText(field: string, text: string): string {
  if (BREAKING.test(text)) throw invalidField(field, 'must not contain line breaks or other control characters')
  return text.replaceAll('\t', ' ').trim().toWellFormed()
}

/**
 * RFC 5322 §3.2.3, plus dots in places where some hosts allow them, plus letters of other scripts (RFC 6532 §3.2).
 * Quoted local parts are rejected: they are used for injection, not by real mailboxes.
 */
const LOCAL = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.\p{L}\p{M}\p{N}]+$/u
/** Without what the rules for host names of URLs would cut off, decode or drop. */
const DOMAIN = /^[\p{L}\p{M}\p{N}._-]+$/u
/** One that stays as it is: most are. */
const PLAIN_DOMAIN = /^(?:(?!xn--)[a-z0-9-]+\.)+[a-z]+$/
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** An address as it goes over the wire: the domain in ASCII. Whether a name beyond ASCII is taken, its server says. */
export function mailAddress(field: string, email: string): string {
  if (BREAKING.test(email)) throw invalidField(field, 'must not contain line breaks or other control characters')
  const given = email.trim()
  const at = given.lastIndexOf('@')
  const local = given.slice(0, Math.max(at, 0)).normalize('NFC')
  const domain = given.slice(at + 1)
  const host = PLAIN_DOMAIN.test(domain) ? domain : DOMAIN.test(domain) ? domainToASCII(domain.toLowerCase()) : ''
  if (!LOCAL.test(local) || !HOST.test(host) || host.length > 253 || given.length > 320) {
    throw invalidField(field, 'must be an email address')
  }
  return `${local}@${host}`
}

export interface Mailbox {
  name: string
  address: string
}

/** People as headers name them. */
export const mailboxes = (field: string, people: readonly Person[] = []): Mailbox[] =>
  people.map(({ name, email }, index) => ({
    name: headerText(`${field}.${index}.name`, name ?? ''),
    address: mailAddress(`${field}.${index}.email`, email),
  }))

/** An id for a header, with or without its brackets. */
export function bareId(field: string, id: string): string {
  const bare = headerText(field, id).replace(/^<(.*)>$/, '$1')
  if (!isMessageId(bare)) throw invalidField(field, 'must be printable ASCII without spaces and angle brackets')
  return bare
}

const NAME = /^[!-9;-~]{1,76}$/
/** Those that a field of the request sets, that the service writes itself, or that only mail servers on the way may add. */
const OWN = new Set(
  'from to cc bcc sender reply-to subject date message-id mime-version dkim-signature return-path received apparently-to authentication-results'.split(
    ' ',
  ),
)
const OWN_FAMILIES = /^(?:content|resent|arc)-/
const THREADING = new Set(['in-reply-to', 'references'])

/** A line of SMTP without its end (RFC 5321 §4.5.3.1.6). */
const MAX_LINE_LENGTH = 998

/** The lines of custom headers, each with its end; under the names and, where they are ASCII, with the values that were given. */
export function customHeaderLines(headers: readonly CustomHeader[] = [], isReply: boolean): string {
  return headers.map((header, index) => lineOf(`custom_headers.${index}`, header, isReply)).join('')
}

function lineOf(field: string, { name, value }: CustomHeader, isReply: boolean): string {
  const key = name.toLowerCase()
  if (!NAME.test(name)) throw invalidField(`${field}.name`, 'must be printable ASCII without spaces and colons')
  if (OWN.has(key) || OWN_FAMILIES.test(key)) throw invalidField(`${field}.name`, `${name} cannot be set`)
  if (isReply && THREADING.has(key)) throw invalidField(`${field}.name`, `${name} is set by reply_to_message_id`)
  const text = headerText(`${field}.value`, value)
  if (THREADING.has(key)) for (const id of text.split(/ +/)) bareId(`${field}.value`, id)
  // Unfolded where that is possible: what is compared byte by byte, as List-Unsubscribe is, survives every server.
  const plain = `${name}: ${text}`
  if (/^[ -~]*$/.test(text) && plain.length <= MAX_LINE_LENGTH) return `${plain}\r\n`
  const folded = foldLines(`${name}: ${MimeNode.encodeHeaderValue('X', text)}`, 76)
  if (folded.split('\r\n').some((line) => line.length > MAX_LINE_LENGTH)) {
    throw invalidField(`${field}.value`, `contains a word that is too long for a line of ${MAX_LINE_LENGTH} characters`)
  }
  return `${folded}\r\n`
}

/**
 * The envelope sender is always the account's own address, regardless of `From`. So bounces reach its mailbox, and no
 * account sends on behalf of another domain (RFC 5321 §2.3.1). If the author is someone else, the account is named as
 * `Sender` (RFC 5322 §3.6.2), and the mail server decides whether to accept it.
 */
export const ownAddress = ({ email }: { email: string }): string => mailAddress('from.0.email', email)

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Whether a message by these authors needs a Sender header. */
export const needsSender = (authors: readonly string[], own: string): boolean =>
  authors.length !== 1 || !same(authors[0] ?? '', own)

/** Rejects a Sender other than the account. */
export function checkSender(field: string, senders: readonly string[], own: string): void {
  if (senders.some((sender) => !same(sender, own))) {
    throw invalidField(field, `has a Sender that is not ${own}, the address of the account`)
  }
}

/** All recipients, each once. The limit counts `to`, `cc` and `bcc` together, including duplicates. */
export function recipientsOf(field: string, named: readonly string[]): string[] {
  if (named.length > limits.recipients) {
    throw invalidField(field, `to, cc and bcc together must name at most ${limits.recipients} addresses`)
  }
  return [...new Set(named)]
}
