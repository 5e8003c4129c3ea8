/** Mail that needs SMTPUTF8 (RFC 6531 §3.1): its envelope, or an address in its headers, has non-ASCII characters. */
import { isAscii } from 'node:buffer'
import { readAddresses } from '@waypost/formats/mime/addresses'
import { readHeaders } from '@waypost/formats/mime/headers'
import type { MailObject } from '../operations.ts'

const isInternational = (address: string): boolean => /[^\x20-\x7e]/.test(address)

/** Headers with addresses that need not be in the envelope. */
const naming = /^(?:from|sender|reply-to|to|cc)$/i

/** The addresses that require SMTPUTF8. Without it they would be truncated, or replies would not arrive. */
export function internationalAddresses({ from, recipients, source }: MailObject): string[] {
  const named = hasPlainHeader(source) ? [] : addressesIn(headerBytes(source))
  return [...new Set([from, ...recipients, ...named])].filter(isInternational)
}

/** Whether the header is ASCII. Display names in MIME from a client may not be; most servers accept that. */
export const hasPlainHeader = (source: Uint8Array): boolean => isAscii(headerBytes(source))

function addressesIn(header: Buffer): string[] {
  const { headers } = readHeaders(header.toString('latin1'), { start: 0, end: header.length })
  return headers
    .filter(({ name }) => naming.test(name))
    .flatMap(({ value }) => readAddresses(value).map(({ email }) => email))
}

function headerBytes(source: Uint8Array): Buffer {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const end = bytes.indexOf('\r\n\r\n')
  return end === -1 ? bytes : bytes.subarray(0, end)
}
