/**
 * The addresses in headers that a credential may choose. Mail programs answer to some of them, and decode them in their own
 * ways. Whatever any reading could take for an address counts as one. A form that nobody needs for an honest address is
 * passed on as it is, and no list of allowed recipients contains it. Pure.
 */
import { domainToASCII } from 'node:url'
import { readAddresses } from '@waypost/formats/mime/addresses'
import { decodeWords } from '@waypost/formats/mime/words'
import { headersOf } from '@waypost/providers/mail/mime-edits'
import { type Effects, shownRecipients } from './effects.ts'

/** Headers whose values may contain an "@" without addressing anybody, or that are read elsewhere. */
const harmless =
  /^(?:subject|comments|keywords|message-id|in-reply-to|references|date|mime-version|content-.*|received|dkim-signature|arc-.*|authentication-results|return-path|user-agent|x-mailer|thread-.*|list-id|from|sender|to|cc|bcc|reply-to)$/i

/** Headers that address somebody even without an "@": a server adds its own domain. */
const addressing = /(?:^|-)to$/i

interface Header {
  name: string
  value: string
}

/** Characters of all such headers together, and of the lines of recipients, that are read. Longer ones count as they are. */
const maxOfHeaders = 12 * 1024
const maxOfRecipients = 32 * 1024

/** A value that nobody reads, as the recipient that no list allows. */
const unread = (value: string): string[] => [`${value.slice(0, 200)}…`]

/** The addresses in headers that a credential chose. */
export function addressesInHeaders(headers: readonly Header[]): string[] {
  let left = maxOfHeaders
  return headers.flatMap((header) => {
    if (harmless.test(header.name) || !mayAddress(header)) return []
    left -= header.value.length
    return left < 0 ? unread(header.value) : addressesInHeader(header)
  })
}

const mayAddress = ({ name, value }: Header): boolean => addressing.test(name) || /[@%\uFF20\uFE6B]|=\?/.test(value)

function addressesInHeader({ name, value }: Header): string[] {
  // The links of mailing lists may contain an address without being one (RFC 2369).
  const text = /^list-/i.test(name) ? value.replaceAll(/<https?:[^<>\s]{0,4000}>/gi, '') : value
  const found = [...new Set(readingsOf(text).flatMap(addressesInText))]
  return found.length === 0 && addressing.test(name) && text.trim() !== '' ? [text] : found
}

/**
 * The addresses in To, Cc, Bcc or Reply-To of a whole message that are not among those that Waypost reads there. A provider
 * that gets the message reads its headers again, in its own way.
 */
export function furtherAddresses(values: readonly string[], known: readonly string[]): string[] {
  if (values.join('').length > maxOfRecipients) return unread(values.join(', '))
  const keys = new Set(known.map(keyOf))
  const found = values.flatMap(readingsOf).flatMap(addressesInText)
  return [...new Set(found)].filter((email) => !keys.has(keyOf(email)))
}

/** Domains are the same in both of their scripts. */
function keyOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  return `${email.slice(0, Math.max(at, 0)).toLowerCase()}@${domainToASCII(domain) || domain}`
}

/** Encodings inside encodings end after this many steps. */
const maxSteps = 4

/** A value as it is, and decoded one step after the other. */
function readingsOf(value: string): string[] {
  const readings = [value.replaceAll(/\r?\n(?=[ \t])/g, '')]
  for (let step = 0; step < maxSteps; step++) {
    const last = readings.at(-1) ?? ''
    const next = decodeOnce(last)
    if (next === last) return readings
    readings.push(next)
  }
  return readings
}

/** Joins continued parameters (RFC 2231), and decodes encoded words (RFC 2047), octets and wide characters. */
function decodeOnce(text: string): string {
  const joined = text.replaceAll(/"?;[ \t]{0,100}[^\s;=*"]{1,100}\*\d{1,4}\*?="?/g, '')
  const words = decodeWords(joined)
  // Some programs also decode words that were never closed.
  const open = words.includes('=?') ? words.replaceAll(/=([2-7][0-9a-f])/gi, octet) : words
  return open.replaceAll(/%([2-7][0-9a-f])/gi, octet).normalize('NFKC')
}

const octet = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16))

/** Everything around an "@", and what a list of addresses in the text says. */
function addressesInText(text: string): string[] {
  if (!text.includes('@')) return []
  const listed = readAddresses(text).flatMap(({ email }) => (email.includes('@') ? [withoutLink(email)] : []))
  const ends = new Set(listed.map((email) => email.slice(email.lastIndexOf('@'))))
  const pieces = text
    .split(/[\s<>(),;:"[\]\\]+/)
    .filter((piece) => piece.includes('@'))
    .map(withoutLink)
    // The rest of an address whose name is quoted or commented, which the list has as a whole.
    .filter((piece) => !ends.has(piece))
  return [...listed, ...pieces]
}

/** The address of a `mailto:` link. Its fields end the address, unless they contain one too. */
const withoutLink = (text: string): string =>
  text.indexOf('@') === text.lastIndexOf('@') ? text.replace(/^mailto:/i, '').replace(/(@[^?&]*)[?&].*$/s, '$1') : text

/** Effects with the addresses that a provider may find in the headers of the message, and Waypost does not. */
export function withFurtherAddresses<E extends Effects>({ mime }: { mime: Uint8Array | undefined }, effects: E): E {
  if (!mime) return effects
  const values = headersOf(mime)
    .filter(({ name }) => /^(?:to|cc|bcc|reply-to)$/i.test(name))
    .map(({ value }) => Buffer.from(value, 'latin1').toString('utf8'))
  const known = effects.recipients.map(({ email }) => email)
  const further = furtherAddresses(values, known).map((email) => ({ role: 'header' as const, email }))
  if (further.length === 0) return effects
  const recipients = [...effects.recipients, ...further]
  return { ...effects, recipients, preview: { ...effects.preview, recipients: shownRecipients(recipients) } }
}
