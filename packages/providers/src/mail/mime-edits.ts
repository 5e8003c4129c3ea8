/** Edits the bytes of a message for a provider: adds headers, or removes the files. */
import { readAddresses } from '@waypost/formats/mime/addresses'
import { type Header, readHeaders } from '@waypost/formats/mime/headers'
import { hiddenRecipients } from './outline.ts'

const bufferOf = (source: Uint8Array): Buffer => Buffer.from(source.buffer, source.byteOffset, source.byteLength)

/** The end of the header block. */
function headerEnd(bytes: Buffer): number {
  const ends = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')].filter((at) => at !== -1)
  return ends.length === 0 ? bytes.length : Math.min(...ends)
}

/** The headers of a message composed by Waypost or a client. */
export function headersOf(source: Uint8Array): Header[] {
  const bytes = bufferOf(source)
  const text = bytes.toString('latin1', 0, headerEnd(bytes))
  return readHeaders(text, { start: 0, end: text.length }).headers
}

/** The lines of an address header. */
export const addressLines = (name: string, addresses: readonly string[]): string =>
  addresses.length === 0 ? '' : `${name}: ${addresses.map((address) => `<${address}>`).join(',\r\n ')}\r\n`

/** A message with all recipients in its headers. Exchange reads them from there and removes Bcc. */
export function withRecipients(source: Uint8Array, recipients: readonly string[]): Buffer {
  const named = headersOf(source)
    .filter(({ name }) => /^(?:to|cc|bcc)$/i.test(name))
    .flatMap(({ value }) => readAddresses(value))
  const hidden = hiddenRecipients(recipients, named)
  return hidden.length === 0 ? bufferOf(source) : Buffer.concat([Buffer.from(addressLines('Bcc', hidden)), source])
}

/** The header lines by field, each with its folded lines. */
const fieldsOf = (block: string): string[] => block.split(/\r?\n(?![ \t])/).filter((field) => field !== '')

/** A message with its headers and text but without files. */
export function withoutFiles(source: Uint8Array, { body, isHtml }: { body: string; isHtml: boolean }): Buffer {
  const bytes = bufferOf(source)
  const fields = fieldsOf(bytes.toString('latin1', 0, headerEnd(bytes))).filter(
    (field) => !/^(?:content-[\w-]*|mime-version)\s*:/i.test(field),
  )
  const head = [
    ...fields,
    'MIME-Version: 1.0',
    `Content-Type: text/${isHtml ? 'html' : 'plain'}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
  ]
  const text = Buffer.from(body)
    .toString('base64')
    .replaceAll(/.{76}(?=.)/g, '$&\r\n')
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(`${text}\r\n`)])
}

/** Extracts the header block of a message. */
export function headerOf(source: Uint8Array): Buffer {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const [crlf, lf] = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')]
  const ends = [crlf, lf].filter((at) => at !== -1)
  return ends.length === 0 ? bytes : bytes.subarray(0, Math.min(...ends))
}
