/**
 * The addresses in headers that a credential may choose. Mail programs answer to some of them, and decode them in their own
 * ways. Whatever any reading could take for an address counts as one. A form that nobody needs for an honest address is
 * passed on as it is, and no list of allowed recipients contains it. Pure.
 */
import { readAddresses } from '../../formats/mime/addresses.ts'
import { decodeWords } from '../../formats/mime/words.ts'

/** Headers whose values may contain an "@" without addressing anybody, or that are read elsewhere. */
const harmless =
  /^(?:subject|comments|keywords|message-id|in-reply-to|references|date|mime-version|content-.*|received|dkim-signature|arc-.*|authentication-results|return-path|user-agent|x-mailer|thread-.*|list-id|from|sender|to|cc|bcc|reply-to)$/i

/** Headers that address somebody even without an "@": a server adds its own domain. */
const addressing = /(?:^|-)to$/i

/** The addresses in a header. */
export function addressesInHeader({ name, value }: { name: string; value: string }): string[] {
  if (harmless.test(name)) return []
  // The links of mailing lists may contain an address without being one (RFC 2369).
  const text = /^list-/i.test(name) ? value.replaceAll(/<https?:[^<>\s]{0,4000}>/gi, '') : value
  const found = [...new Set(readingsOf(text).flatMap(addressesInText))]
  return found.length === 0 && addressing.test(name) && text.trim() !== '' ? [text] : found
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
  const pieces = text
    .split(/[\s<>(),;:"[\]\\]+/)
    .filter((piece) => piece.includes('@'))
    .map(withoutLink)
    // The rest of an address whose name is quoted or commented, which the list has as a whole.
    .filter((piece) => !(piece.startsWith('@') && listed.some((each) => each.endsWith(piece))))
  return [...listed, ...pieces]
}

/** The address of a `mailto:` link. Its fields end the address, unless they contain one too. */
const withoutLink = (text: string): string =>
  text.indexOf('@') === text.lastIndexOf('@') ? text.replace(/^mailto:/i, '').replace(/(@[^?&]*)[?&].*$/s, '$1') : text
